import type { RequestContext } from '../resource/request-context.js'
import type { QueryParameters } from './query-parameters.js'

/** A request to the endpoint of an extension, such as a batch of atomic operations: beside the nine operations. */
export interface ExtensionCall {
  readonly kind: 'Extension'
  /** The URI of the extension. */
  readonly extension: string
  readonly query: QueryParameters
  /** URIs of the registered profiles that the client negotiated. */
  readonly profiles: readonly string[]
  /** The parsed body, `undefined` when there was none; only the extension knows what it has to be. */
  readonly document: unknown
  /** What is known of the request: it is about no type of its own. */
  readonly context: CallContext
}

export type CallContext = Omit<RequestContext, 'operation' | 'type'>
