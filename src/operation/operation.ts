import type { Preconditions, VersionMatch } from '../negotiate/preconditions.js'
import type { ReturnPreference } from '../negotiate/prefer.js'
import { fail } from '../errors/json-api-error.js'
import type { SharedContext } from '../resource/memoize-in-request.js'
import { OperationContext } from '../resource/memoize-in-request.js'
import type { OperationKind, RequestContext } from '../resource/request-context.js'
import type { QueryParameters } from './query-parameters.js'
import type { Target } from '../route/target.js'

/** The fields that every operation has. */
interface OperationFields<Kind extends OperationKind> {
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
  /** The name of the relation. */
  readonly relationship: string
}

interface WithDocument {
  /** The parsed body; `undefined` if the request has none. */
  readonly document: unknown
  /** The requested content of the response: the preference `return` of the header `Prefer`. */
  readonly returns?: ReturnPreference | null
}

interface WithVersion {
  /** The versions that the resource may have for the write to happen: the header `If-Match`. */
  readonly ifMatch?: VersionMatch | null
}

/**
 * The operation of a request: exactly one of nine kinds.
 *
 * @example
 * ```ts
 * const isRead = ({ kind }: Operation) => ['FetchResource', 'FetchRelated', 'FetchRelationship'].includes(kind)
 * ```
 */
export type Operation =
  /** Fetches a collection if `id` is `null`, otherwise one resource. */
  | (OperationFields<'FetchResource'> & { readonly id: string | null })
  | (OperationFields<'FetchRelated'> & OnRelationship)
  | (OperationFields<'FetchRelationship'> & OnRelationship)
  | (OperationFields<'CreateResource'> &
      WithDocument & {
        /** `*`: 412 if a resource with the id exists. The header `If-None-Match`. */
        readonly ifNoneMatch?: '*' | null
      })
  | (OperationFields<'UpdateResource'> & OnResource & WithDocument & WithVersion)
  | (OperationFields<'DeleteResource'> & OnResource & WithVersion)
  | (OperationFields<'UpdateRelationship'> & OnRelationship & WithDocument & WithVersion)
  | (OperationFields<'AddToRelationship'> & OnRelationship & WithDocument & WithVersion)
  | (OperationFields<'RemoveFromRelationship'> & OnRelationship & WithDocument & WithVersion)

/** The parts of an operation that do not depend on the method and the target. */
export interface OperationParts extends Preconditions {
  readonly query: QueryParameters
  readonly profiles: readonly string[]
  readonly document: unknown
  readonly returns: ReturnPreference | null
  readonly context: SharedContext
}

/**
 * Returns the operation for a method and a target. Fails with `APPLICATION_ERROR` if none of the nine fits (an unknown
 * method, no target, or a target that the method does not allow), since the router should have refused the request.
 */
export function operationFor(method: string, target: Target | null, parts: OperationParts): Operation {
  if (target === null) return fail('APPLICATION_ERROR')
  const { type, id, relationship } = target
  if (id !== null && relationship !== null) return relationshipOperation(method, { ...target, id, relationship }, parts)
  if (relationship !== null) return fail('APPLICATION_ERROR')
  const { query, profiles, document, returns, context, ifMatch, ifNoneMatch } = parts
  switch (method) {
    case 'GET':
    case 'HEAD':
      return {
        kind: 'FetchResource',
        type,
        query,
        profiles,
        context: new OperationContext(type, 'FetchResource', context),
        id,
      }
    case 'POST':
      if (id !== null) return fail('APPLICATION_ERROR')
      return {
        kind: 'CreateResource',
        type,
        query,
        profiles,
        context: new OperationContext(type, 'CreateResource', context),
        document,
        returns,
        ifNoneMatch,
      }
    case 'PATCH':
      if (id === null) return fail('APPLICATION_ERROR')
      return {
        kind: 'UpdateResource',
        type,
        query,
        profiles,
        context: new OperationContext(type, 'UpdateResource', context),
        id,
        document,
        returns,
        ifMatch,
      }
    case 'DELETE':
      return id === null
        ? fail('APPLICATION_ERROR')
        : { ...operationFields('DeleteResource', type, parts), id, ifMatch }
    default:
      return fail('APPLICATION_ERROR')
  }
}

function relationshipOperation(method: string, target: Target & OnRelationship, parts: OperationParts): Operation {
  const { type, id, relationship, isRelationshipEndpoint } = target
  const { document, returns, ifMatch } = parts
  switch (method) {
    case 'GET':
    case 'HEAD':
      return {
        ...operationFields(isRelationshipEndpoint ? 'FetchRelationship' : 'FetchRelated', type, parts),
        id,
        relationship,
      }
    case 'POST':
      return { ...operationFields('AddToRelationship', type, parts), id, relationship, document, returns, ifMatch }
    case 'PATCH':
      return { ...operationFields('UpdateRelationship', type, parts), id, relationship, document, returns, ifMatch }
    case 'DELETE':
      return { ...operationFields('RemoveFromRelationship', type, parts), id, relationship, document, returns, ifMatch }
    default:
      return fail('APPLICATION_ERROR')
  }
}

function operationFields<Kind extends OperationKind>(
  kind: Kind,
  type: string,
  parts: OperationParts,
): OperationFields<Kind> {
  const { query, profiles } = parts
  return { kind, type, query, profiles, context: new OperationContext(type, kind, parts.context) }
}
