import type { HttpRequest } from '../http/request.js'

/** The nine operations a request can be; see `operation/operation.ts`. */
export type OperationKind =
  | 'FetchResource'
  | 'FetchRelated'
  | 'FetchRelationship'
  | 'CreateResource'
  | 'UpdateResource'
  | 'DeleteResource'
  | 'UpdateRelationship'
  | 'AddToRelationship'
  | 'RemoveFromRelationship'

/**
 * What every callback of a declaration is told about the request it runs for.
 *
 * @example
 * ```ts
 * const staffOnly = (_row: unknown, context: RequestContext) => context.request?.header('x-staff') !== 'yes'
 * ```
 */
export interface RequestContext {
  /** The name of the server that answers. */
  readonly server: string
  /** The primary type of the operation. */
  readonly type: string
  /** `CustomAction` where an action of the author's runs. */
  readonly operation: OperationKind | 'CustomAction'
  /** `null` when the operation was dispatched by a program, not by a client. */
  readonly request: HttpRequest | null
}
