import { fail } from '../errors/json-api-error.js'
import type { OperationKind, RequestContext } from '../resource/request-context.js'
import type { QueryParameters } from './query-parameters.js'
import type { Target } from './target.js'

interface Common<Kind extends OperationKind> {
  readonly kind: Kind
  readonly type: string
  readonly query: QueryParameters
  readonly context: RequestContext
}

interface OnResource {
  readonly id: string
}

interface OnRelationship extends OnResource {
  /** The relation's path segment. */
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
  readonly document: unknown
  readonly context: Omit<RequestContext, 'operation' | 'type'>
}

/** Method and target select the operation; anything but the five methods has slipped past the router. */
function kindOf(method: string, target: Target): OperationKind {
  const onRelationship = target.relationship !== null
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (!onRelationship) return 'FetchResource'
      return target.isRelationshipEndpoint ? 'FetchRelationship' : 'FetchRelated'
    case 'POST':
      return onRelationship ? 'AddToRelationship' : 'CreateResource'
    case 'PATCH':
      return onRelationship ? 'UpdateRelationship' : 'UpdateResource'
    case 'DELETE':
      return onRelationship ? 'RemoveFromRelationship' : 'DeleteResource'
    default:
      return fail('APPLICATION_ERROR')
  }
}

/** A request without a target has slipped past the router too. */
export function operationFor(method: string, target: Target | null, parts: OperationParts): Operation {
  if (target === null) fail('APPLICATION_ERROR')
  const kind = kindOf(method, target)
  const { query, document } = parts
  const { type, id, relationship } = target
  const context: RequestContext = { ...parts.context, type, operation: kind }
  // The target's shape and the kind agree: `kindOf` chose the one by the other.
  return { kind, type, id, relationship, query, document, context } as unknown as Operation
}
