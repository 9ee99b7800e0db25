import type { ListenerList } from '../../core/util/listener-list.js'
import type { ActionCall } from './action-call.js'
import type { ExtensionCall } from './extension-call.js'
import type { Operation } from './operation.js'

/**
 * The event that fires once for each request, and once for a batch, before the request is handled. An error that a listener
 * throws becomes the response.
 *
 * @example
 * ```ts
 * const logged = ({ server, operation }: ServingEvent) => console.log(server, operation.kind)
 * ```
 */
export interface ServingEvent {
  /** The name of the server that handles the request. */
  readonly server: string
  /** The operation or the call of the request. A batch of atomic operations is one call of the kind `Extension`. */
  readonly operation: Operation | ActionCall | ExtensionCall
  readonly context: ServingEvent['operation']['context']
}

/** Runs the listeners of `Serving`, one after the other. */
export async function fireServing(
  listeners: ListenerList<ServingEvent>,
  operation: ServingEvent['operation'],
): Promise<void> {
  const { context } = operation
  const event: ServingEvent = { server: context.server, operation, context }
  for (const listener of listeners.current) await listener(event)
}
