import { isAmong } from '../../core/document/accepted-types.js'
import { parseMediaTypes } from '../../core/document/media-type.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { HttpRequest } from '../../core/http/request.js'

/** Returns the media type of a body of bytes, without parameters. Fails with 415 if it is none of the declared ones. */
export function bodyTypeOf(request: HttpRequest, declared: readonly string[]): string {
  const header = request.header('content-type')
  const [sent, ...others] = parseMediaTypes(header ?? '')
  const isValid = sent !== undefined && others.length === 0 && !sent.malformed && isAmong(sent.name, declared)
  return isValid ? sent.name : refuseBodyType(header, declared)
}

export function refuseBodyType(sent: string | undefined, declared: readonly string[]): never {
  const context = { header: 'Content-Type', mediaType: sent ?? '', accepted: declared.join(', ') }
  return fail('BODY_TYPE_UNSUPPORTED', context, { source: { header: 'Content-Type' } })
}
