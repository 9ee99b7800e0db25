import { fail } from '../errors/json-api-error.js'
import type { OperationKind, RequestContext } from '../resource/request-context.js'
import type { QueryParameters } from './query-parameters.js'
import type { Target } from '../route/target.js'

interface Common<Kind extends OperationKind> {
  readonly kind: Kind
  readonly type: string
  readonly query: QueryParameters
  /** URIs of the registered profiles that the client negotiated. */
  readonly profiles: readonly string[]
  readonly context: RequestContext
}

interface OnResource {
  readonly id: string
}

interface OnRelationship extends OnResource {
  /** The relation's name. */
  readonly relationship: string
}

interface WithDocument {
  /** The parsed body, `undefined` when there was none. */
  readonly document: unknown
}

/** What a request asks for: exactly one of nine. */
export type Operation =
  /** A collection when `id` is `null`, else one resource. */
  | (Common<'FetchResource'> & { readonly id: string | null })
  | (Common<'FetchRelated'> & OnRelationship)
  | (Common<'FetchRelationship'> & OnRelationship)
  | (Common<'CreateResource'> & WithDocument)
  | (Common<'UpdateResource'> & OnResource & WithDocument)
  | (Common<'DeleteResource'> & OnResource)
  | (Common<'UpdateRelationship'> & OnRelationship & WithDocument)
  | (Common<'AddToRelationship'> & OnRelationship & WithDocument)
  | (Common<'RemoveFromRelationship'> & OnRelationship & WithDocument)

/** What an operation is made of besides its method and target. */
export interface OperationParts {
  readonly query: QueryParameters
  readonly profiles: readonly string[]
  readonly document: unknown
  readonly context: Omit<RequestContext, 'operation' | 'type'>
}

/**
 * Method and target select the operation. What fits none of the nine has slipped past the router: another method, no
 * target, or a target of the wrong shape for the method.
 */
export function operationFor(method: string, target: Target | null, parts: OperationParts): Operation {
  if (target === null) return fail('APPLICATION_ERROR')
  const { type, id, relationship } = target
  const { query, profiles, document } = parts
  const common = <Kind extends OperationKind>(kind: Kind): Common<Kind> => {
    return { kind, type, query, profiles, context: { ...parts.context, type, operation: kind } }
  }
  if (id === null) {
    if (relationship !== null) return fail('APPLICATION_ERROR')
    if (method === 'GET' || method === 'HEAD') return { ...common('FetchResource'), id }
    return method === 'POST' ? { ...common('CreateResource'), document } : fail('APPLICATION_ERROR')
  }
  if (relationship === null) {
    switch (method) {
      case 'GET':
      case 'HEAD':
        return { ...common('FetchResource'), id }
      case 'PATCH':
        return { ...common('UpdateResource'), id, document }
      case 'DELETE':
        return { ...common('DeleteResource'), id }
      default:
        return fail('APPLICATION_ERROR')
    }
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { ...common(target.isRelationshipEndpoint ? 'FetchRelationship' : 'FetchRelated'), id, relationship }
    case 'POST':
      return { ...common('AddToRelationship'), id, relationship, document }
    case 'PATCH':
      return { ...common('UpdateRelationship'), id, relationship, document }
    case 'DELETE':
      return { ...common('RemoveFromRelationship'), id, relationship, document }
    default:
      return fail('APPLICATION_ERROR')
  }
}
