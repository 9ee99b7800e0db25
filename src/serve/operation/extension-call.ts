import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { QueryParameters } from './query-parameters.js'

/**
 * A request to the endpoint of an extension, such as a batch of atomic operations. It is not one of the ten
 * operations.
 *
 * @example
 * ```ts
 * const isBatch = (call: ExtensionCall) => call.extension === 'https://jsonapi.org/ext/atomic'
 * ```
 */
export interface ExtensionCall {
  readonly kind: 'Extension'
  /** The URI of the extension. */
  readonly extension: string
  readonly query: QueryParameters
  /** URIs of the registered profiles that the client negotiated. */
  readonly profiles: readonly string[]
  /** The parsed body; `undefined` if the request has none. Only the extension checks its shape. */
  readonly document: unknown
  /** The context of the request, without a primary type: the request as a whole has none. */
  readonly context: CallContext
}

export type CallContext = Omit<RequestContext, 'operation' | 'type'>
