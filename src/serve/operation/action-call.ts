import type { VersionMatch } from '../negotiate/preconditions.js'
import type { ActionMethod, CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { OperationContext } from '../../declare/resource/request/memoize-in-request.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { OperationParts } from './operation.js'
import type { QueryParameters } from './query-parameters.js'

/**
 * A request for a custom action, which is not one of the ten operations.
 *
 * @example
 * ```ts
 * const logCall = (call: ActionCall) => console.log(`${call.type}/${call.id ?? ''}: ${call.action}`)
 * ```
 */
export interface ActionCall {
  readonly kind: 'CustomAction'
  /** The type that declares the action. */
  readonly type: string
  /** The path segment that names the action. */
  readonly action: string
  /** The id of the resource; `null` for an action on the collection. */
  readonly id: string | null
  readonly method: ActionMethod
  readonly query: QueryParameters
  /** URIs of the registered profiles that the client negotiated. */
  readonly profiles: readonly string[]
  /** The parsed body, if the action takes a document. */
  readonly document?: unknown
  /** The unparsed body, if the action takes raw bytes. */
  readonly body?: Uint8Array
  /** The media type of the body, for an action whose input is `bytes()`. */
  readonly mediaType?: string
  /** The versions that the resource may have for the action to run: the header `If-Match`. */
  readonly ifMatch?: VersionMatch | null
  readonly context: RequestContext
}

interface CalledAction {
  readonly type: CompiledType
  readonly action: CompiledAction
  readonly id: string | null
}

export interface CallParts extends OperationParts {
  /** The unparsed body; `null` if the action does not take raw bytes. */
  readonly bytes: Uint8Array | null
  /** The media type of the bytes; `null` if the action takes any. */
  readonly mediaType?: string | null
}

export function actionCallFor(
  method: string,
  { type: { type }, action, id }: CalledAction,
  { query, profiles, document, bytes, mediaType = null, ifMatch, context }: CallParts,
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
    ...(mediaType === null ? {} : { mediaType }),
    ifMatch,
    context: new OperationContext(type, kind, context),
  }
}
