import type { ExportFormat } from '../../declare/resource/parts/export.js'
import type { Preconditions, VersionMatch } from '../negotiate/preconditions.js'
import type { ReturnPreference } from '../negotiate/prefer.js'
import { QUERY, readMethods } from '../../core/http/request-method.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { SharedContext } from '../../declare/resource/request/memoize-in-request.js'
import { OperationContext } from '../../declare/resource/request/memoize-in-request.js'
import type { OperationKind, RequestContext } from '../../declare/resource/request/request-context.js'
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

interface WithoutResource {
  /** `*`: 412 if a resource with the id exists. The header `If-None-Match`. */
  readonly ifNoneMatch?: '*' | null
}

/**
 * The operation of a request: exactly one of ten kinds.
 *
 * @example
 * ```ts
 * const isRead = ({ kind }: Operation) => ['FetchResource', 'FetchRelated', 'FetchRelationship'].includes(kind)
 * ```
 */
export type Operation =
  /** Fetches a collection if `id` is `null`, otherwise one resource. */
  | (OperationFields<'FetchResource'> & {
      readonly id: string | null
    } & Exported)
  | (OperationFields<'FetchRelated'> & OnRelationship & Exported)
  | (OperationFields<'FetchRelationship'> & OnRelationship)
  | (OperationFields<'CreateResource'> & WithDocument & WithoutResource)
  | (OperationFields<'UpdateResource'> & OnResource & WithDocument & WithVersion)
  /** Updates the resource, or creates it if there is none with the id. */
  | (OperationFields<'UpsertResource'> & OnResource & WithDocument & WithVersion & WithoutResource)
  | (OperationFields<'DeleteResource'> & OnResource & WithVersion)
  | (OperationFields<'UpdateRelationship'> & OnRelationship & WithDocument & WithVersion)
  | (OperationFields<'AddToRelationship'> & OnRelationship & WithDocument & WithVersion)
  | (OperationFields<'RemoveFromRelationship'> & OnRelationship & WithDocument & WithVersion)

interface Exported {
  /** The format in which a list is exported instead of shown as a document. */
  readonly exportAs?: ExportFormat
}

/** The parts of an operation that do not depend on the method and the target. */
export interface OperationParts extends Preconditions {
  readonly query: QueryParameters
  readonly profiles: readonly string[]
  readonly document: unknown
  readonly returns: ReturnPreference | null
  /** Default: `null`, for a document. */
  readonly exportAs?: ExportFormat | null
  readonly context: SharedContext
}

function exportOperation(
  type: string,
  exportAs: ExportFormat,
  { query, profiles, context }: OperationParts,
): Operation {
  const kind = 'FetchResource'
  return { kind, type, query, profiles, context: new OperationContext(type, kind, context), id: null, exportAs }
}

/**
 * Returns the operation for a method and a target. Fails with `APPLICATION_ERROR` if none of the ten fits (an unknown
 * method, no target, or a target that the method does not allow), since the router should have refused the request.
 *
 * Every operation is one object literal: with a spread, a delete takes 5 % more CPU time (W9 on SQLite).
 */
export function operationFor(method: string, target: Target | null, parts: OperationParts): Operation {
  if (target === null) return fail('APPLICATION_ERROR')
  const { type, id, relationship } = target
  if (relationship !== null) return relationshipOperation(method, target, parts)
  const { query, profiles, document, returns, exportAs = null, context, ifMatch, ifNoneMatch } = parts
  switch (method) {
    case 'GET':
    case 'HEAD':
    case QUERY:
      if (exportAs !== null && id === null) return exportOperation(type, exportAs, parts)
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
    case 'PUT':
      if (id === null) return fail('APPLICATION_ERROR')
      return {
        kind: 'UpsertResource',
        type,
        query,
        profiles,
        context: new OperationContext(type, 'UpsertResource', context),
        id,
        document,
        returns,
        ifMatch,
        ifNoneMatch,
      }
    case 'DELETE':
      if (id === null) return fail('APPLICATION_ERROR')
      return {
        kind: 'DeleteResource',
        type,
        query,
        profiles,
        context: new OperationContext(type, 'DeleteResource', context),
        id,
        ifMatch,
      }
    default:
      return fail('APPLICATION_ERROR')
  }
}

function relationshipOperation(
  method: string,
  { type, id, relationship, isRelationshipEndpoint }: Target,
  { query, profiles, document, returns, exportAs = null, context, ifMatch }: OperationParts,
): Operation {
  if (id === null || relationship === null) return fail('APPLICATION_ERROR')
  if (readMethods.has(method)) {
    const kind = isRelationshipEndpoint ? 'FetchRelationship' : 'FetchRelated'
    if (exportAs !== null && kind === 'FetchRelated') {
      return {
        kind,
        type,
        query,
        profiles,
        context: new OperationContext(type, kind, context),
        id,
        relationship,
        exportAs,
      }
    }
    return { kind, type, query, profiles, context: new OperationContext(type, kind, context), id, relationship }
  }
  const kind = changeOf(method)
  return {
    kind,
    type,
    query,
    profiles,
    context: new OperationContext(type, kind, context),
    id,
    relationship,
    document,
    returns,
    ifMatch,
  }
}

function changeOf(method: string): 'AddToRelationship' | 'UpdateRelationship' | 'RemoveFromRelationship' {
  switch (method) {
    case 'POST':
      return 'AddToRelationship'
    case 'PATCH':
      return 'UpdateRelationship'
    case 'DELETE':
      return 'RemoveFromRelationship'
    default:
      return fail('APPLICATION_ERROR')
  }
}
