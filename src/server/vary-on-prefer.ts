import type { HttpResponse } from '../http/response.js'
import type { ActionCall } from '../operation/action-call.js'
import type { ExtensionCall } from '../operation/extension-call.js'
import type { Operation } from '../operation/operation.js'
import { varyingOn } from './with-type-headers.js'

/** The operations whose responses depend on the header `Prefer`. */
const preferring: ReadonlySet<string> = new Set<Operation['kind']>([
  'CreateResource',
  'UpdateResource',
  'UpdateRelationship',
  'AddToRelationship',
  'RemoveFromRelationship',
])

const prefer: readonly string[] = Object.freeze(['Prefer'])

/** Adds `Prefer` to the header `Vary` of a response that depends on it. */
export function varyOnPrefer(
  { kind }: Pick<Operation | ActionCall | ExtensionCall, 'kind'>,
  response: HttpResponse,
): HttpResponse {
  return preferring.has(kind) ? { ...response, headers: varyingOn(response.headers, prefer) } : response
}
