import type { ErrorLogEntry, ErrorLogger } from 'ashlar'

/** Writes one line of JSON for each entry. In your service, use a logger such as pino, which fits without changes. */
export const logger: ErrorLogger = {
  error: (entry, message) => write('error', entry, message),
  info: (entry, message) => write('info', entry, message),
}

function write(level: string, { err, method, path, requestId }: ErrorLogEntry, message: string): void {
  // Errors of clients need no stack.
  const stack = level === 'error' && err instanceof Error ? err.stack : undefined
  const cause = err instanceof Error && err.cause instanceof Error ? err.cause.message : undefined
  console.error(
    JSON.stringify({ level, time: new Date().toISOString(), message, method, path, requestId, cause, stack }),
  )
}
