import type { ActionMethod, CompiledAction } from '../resource/actions/compiled-action.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { RequestContext } from '../resource/request-context.js'
import type { OperationParts } from './operation.js'
import type { QueryParameters } from './query-parameters.js'

/** A request for a custom action: beside the nine operations, and none of them. */
export interface ActionCall {
  readonly kind: 'CustomAction'
  /** The type that the action is of. */
  readonly type: string
  /** The path segment that names the action. */
  readonly action: string
  /** The resource; `null` for an action on the collection. */
  readonly id: string | null
  readonly method: ActionMethod
  readonly query: QueryParameters
  /** URIs of the registered profiles that the client negotiated. */
  readonly profiles: readonly string[]
  /** The parsed body of an action that takes documents. */
  readonly document?: unknown
  /** The body of an action that takes bytes. */
  readonly body?: Uint8Array
  readonly context: RequestContext
}

interface CalledAction {
  readonly type: CompiledType
  readonly action: CompiledAction
  readonly id: string | null
}

interface CallParts extends OperationParts {
  readonly bytes: Uint8Array | null
}

export function actionCallFor(
  method: string,
  { type: { type }, action, id }: CalledAction,
  { query, profiles, document, bytes, context }: CallParts,
): ActionCall {
  const kind = 'CustomAction'
  return {
    kind,
    type,
    action: action.path,
    id,
    method: (method === 'HEAD' ? 'GET' : method) as ActionMethod,
    query,
    profiles,
    ...(document === undefined ? {} : { document }),
    ...(bytes === null ? {} : { body: bytes }),
    context: { ...context, type, operation: kind },
  }
}
