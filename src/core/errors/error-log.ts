import { loggedPath } from '../http/logged-path.js'
import { requestId } from '../http/request-id.js'
import type { HttpRequest } from '../http/request.js'
import { thrownMessage, thrownName } from './describe-thrown.js'
import type { ErrorContext } from './error-context.js'
import { ignoreRejection } from './ignore-rejection.js'
import { writeDefaultLog } from './default-log.js'

/**
 * The entry that a logger gets for an unexpected exception, or for a value that a database refused.
 *
 * @example
 * ```ts
 * const describe = ({ method, path, requestId }: ErrorLogEntry) => `${method} ${path} (${requestId})`
 * ```
 */
export interface ErrorLogEntry {
  /** The thrown value. pino serializes it under this name. */
  readonly err: unknown
  /** The thrown value again, for loggers of other conventions. Not enumerable, so that it is not printed twice. */
  readonly exception: unknown
  /** The error that was thrown first, if handling it threw `err`. */
  readonly original?: unknown
  /** The method, the path without its query, and the id of the request. Absent outside of requests. */
  readonly method?: string
  readonly path?: string
  /** The header `X-Request-Id`, or a generated id. */
  readonly requestId?: string
}

/**
 * Logs unexpected exceptions. A pino logger fits.
 *
 * @example
 * ```ts
 * const logger: ErrorLogger = { error: ({ err, method, path }, message) => console.error(message, method, path, err) }
 * createServer({ resources: [albums, artists], data: memoryData(), logger })
 * ```
 */
export interface ErrorLogger {
  error(entry: ErrorLogEntry, message: string): unknown
  /** Logs values of the client that a database refused, with the original error. */
  info?(entry: ErrorLogEntry, message: string): unknown
  /** Logs one line when an open server starts. Without this function, the line is written to the standard error stream. */
  warn?(entry: { readonly types: readonly string[] }, message: string): unknown
}

/** Where errors are logged: a logger, the standard error stream (`default`), or nowhere. */
export type ErrorLog = ErrorLogger | 'default' | null

type Level = 'error' | 'info'

interface LogDetails {
  /** The error that was thrown first. */
  readonly original?: unknown
  /** The status of the response, if the exception causes it. */
  readonly status?: number | null
}

/** Writes one log entry. Never throws: the client still gets its response if the logger fails. */
export function logThrown(
  logger: ErrorLog,
  level: Level,
  thrown: unknown,
  { request }: ErrorContext,
  { status = null, ...more }: LogDetails = {},
): void {
  if (logger === null) return
  if (logger === 'default') {
    if (level === 'error') writeDefaultLog({ kind: 'exception', thrown, ...more, request, status })
    return
  }
  const entry = { err: thrown, ...more, ...(request === null ? {} : requestMembers(request)) }
  Object.defineProperty(entry, 'exception', { value: thrown })
  try {
    const written = logger[level]?.(entry as ErrorLogEntry, thrownMessage(thrown) || thrownName(thrown))
    ignoreRejection(written)
  } catch {
    // The failure of a logger cannot be reported.
  }
}

/** Logs what the application should know when the server starts. Never throws. */
export function logWarning(logger: ErrorLog, entry: { readonly types: readonly string[] }, message: string): void {
  if (logger === null) return
  if (logger === 'default' || logger.warn === undefined) {
    writeDefaultLog({ kind: 'warning', message })
    return
  }
  try {
    ignoreRejection(logger.warn(entry, message))
  } catch {
    // The failure of a logger cannot be reported.
  }
}

function requestMembers(request: HttpRequest): Pick<ErrorLogEntry, 'method' | 'path' | 'requestId'> {
  return { method: request.method, path: loggedPath(request), requestId: requestId(request) }
}
