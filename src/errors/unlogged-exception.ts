import { channel } from 'node:diagnostics_channel'
import type { HttpRequest } from '../http/request.js'

/** The channel is found by its name, so that `ashlar dev` also gets exceptions of another copy of the package. */
export const UNLOGGED_EXCEPTIONS = 'ashlar:unlogged-exceptions'

/** An unexpected exception of a server that has no logger. `ashlar dev` prints it. */
export interface UnloggedException {
  readonly thrown: unknown
  /** The error that was thrown first, if handling it threw `thrown`. */
  readonly original?: unknown
  /** Null outside of requests. */
  readonly request: HttpRequest | null
  /** The status of the response; null if the response does not depend on the exception. */
  readonly status: number | null
}

/** Publishes an exception for tools of the same process. Never throws. */
export function publishUnlogged(exception: UnloggedException): void {
  channel(UNLOGGED_EXCEPTIONS).publish(exception)
}
