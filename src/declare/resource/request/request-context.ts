import type { HttpRequest } from '../../../core/http/request.js'
import type { Caller } from './registered.js'

/** The ten kinds of operations. See {@link Operation}. */
export type OperationKind =
  | 'FetchResource'
  | 'FetchRelated'
  | 'FetchRelationship'
  | 'CreateResource'
  | 'UpdateResource'
  | 'UpsertResource'
  | 'DeleteResource'
  | 'UpdateRelationship'
  | 'AddToRelationship'
  | 'RemoveFromRelationship'

/**
 * The request that a user-defined function of a declaration runs for.
 *
 * @example
 * ```ts
 * const staffOnly = (_row: unknown, context: RequestContext) => context.request?.header('x-staff') !== 'yes'
 * ```
 */
export interface RequestContext {
  /** The name of the server that handles the request. */
  readonly server: string
  /** The primary type of the operation. */
  readonly type: string
  /** `CustomAction` if a user-defined action runs. */
  readonly operation: OperationKind | 'CustomAction'
  /** The sender of the request, set by middleware; `null` for an anonymous caller. `Registered` declares its type. */
  readonly caller: Caller
  /** `null` if the application dispatched the operation itself, without an HTTP request. */
  readonly request: HttpRequest | null
}
