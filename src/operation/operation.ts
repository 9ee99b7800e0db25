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
  if (id !== null && relationship !== null) return relationshipOperation(method, { ...target, id, relationship }, parts)
  if (relationship !== null) return fail('APPLICATION_ERROR')
  const { query, profiles, document } = parts
  switch (method) {
    case 'GET':
    case 'HEAD':
      return { kind: 'FetchResource', type, query, profiles, context: contextOf('FetchResource', type, parts), id }
    case 'POST':
      if (id !== null) return fail('APPLICATION_ERROR')
      return {
        kind: 'CreateResource',
        type,
        query,
        profiles,
        context: contextOf('CreateResource', type, parts),
        document,
      }
    case 'PATCH':
      if (id === null) return fail('APPLICATION_ERROR')
      return { ...common('UpdateResource', type, parts), id, document }
    case 'DELETE':
      return id === null ? fail('APPLICATION_ERROR') : { ...common('DeleteResource', type, parts), id }
    default:
      return fail('APPLICATION_ERROR')
  }
}

function relationshipOperation(method: string, target: Target & OnRelationship, parts: OperationParts): Operation {
  const { type, id, relationship, isRelationshipEndpoint } = target
  const { document } = parts
  switch (method) {
    case 'GET':
    case 'HEAD':
      return {
        ...common(isRelationshipEndpoint ? 'FetchRelationship' : 'FetchRelated', type, parts),
        id,
        relationship,
      }
    case 'POST':
      return { ...common('AddToRelationship', type, parts), id, relationship, document }
    case 'PATCH':
      return { ...common('UpdateRelationship', type, parts), id, relationship, document }
    case 'DELETE':
      return { ...common('RemoveFromRelationship', type, parts), id, relationship, document }
    default:
      return fail('APPLICATION_ERROR')
  }
}

function common<Kind extends OperationKind>(kind: Kind, type: string, parts: OperationParts): Common<Kind> {
  const { query, profiles } = parts
  return { kind, type, query, profiles, context: contextOf(kind, type, parts) }
}

function contextOf(operation: OperationKind, type: string, { context }: OperationParts): RequestContext {
  return { server: context.server, type, operation, request: context.request }
}
