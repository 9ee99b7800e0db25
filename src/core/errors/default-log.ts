import { channel } from 'node:diagnostics_channel'
import { inspect } from 'node:util'
import { loggedPath } from '../http/logged-path.js'
import type { HttpRequest } from '../http/request.js'
import { requestId } from '../http/request-id.js'
import { thrownMessage, thrownName } from './describe-thrown.js'

/** The channel is found by its name, so that `ashlar dev` also gets entries of another copy of the package. */
export const DEFAULT_LOG = 'ashlar:default-log'

/** An entry of a server without the setting `logger`. `ashlar dev` prints it in its own form. */
export type DefaultLogEntry = LoggedException | { readonly kind: 'warning'; readonly message: string }

export interface LoggedException {
  readonly kind: 'exception'
  readonly thrown: unknown
  /** The error that was thrown first, if handling it threw `thrown`. */
  readonly original?: unknown
  /** Null outside of requests. */
  readonly request: HttpRequest | null
  /** The status of the response; null if the response does not depend on the exception. */
  readonly status: number | null
}

/**
 * Writes an entry to the standard error stream, unless a tool of the same process takes it from the channel. Never throws.
 */
export function writeDefaultLog(entry: DefaultLogEntry): void {
  const tools = channel(DEFAULT_LOG)
  if (tools.hasSubscribers) tools.publish(entry)
  else console.error(entry.kind === 'warning' ? entry.message : exceptionText(entry))
}

/** One line with the request and the message, and then the stack. */
function exceptionText({ thrown, original, request, status }: LoggedException): string {
  const message = (thrownMessage(thrown) || thrownName(thrown)).replaceAll(/\s+/g, ' ')
  const place = request === null ? 'outside of requests' : `${request.method} ${loggedPath(request)}`
  const details = [...(status === null ? [] : [status]), ...(request === null ? [] : [`request ${requestId(request)}`])]
  const line = `Error: ${place}${details.length === 0 ? '' : ` (${details.join(', ')})`}: ${message}`
  return [line, inspected(thrown), ...(original === undefined ? [] : [`While handling: ${inspected(original)}`])].join(
    '\n',
  )
}

/** Returns the exception with its stack, its properties and its causes; its message if it cannot be inspected. */
export function inspected(thrown: unknown): string {
  try {
    return inspect(thrown)
  } catch {
    return thrownMessage(thrown)
  }
}
