/**
 * Prevents an unhandled rejection if a callback that must be synchronous returns a promise. The application may pass an
 * `async` function anyway, and its unhandled rejection would end the process.
 */
export function ignoreRejection(returned: unknown): void {
  if (returned instanceof Promise) returned.catch(() => undefined)
}

/** Returns the result of a callback. Throws if the result is a promise, because a promise is always truthy. */
export function requireSynchronous<Result>(callback: string, result: Result): Result {
  if (!(result instanceof Promise)) return result
  ignoreRejection(result)
  throw new TypeError(`${callback} returned a promise, but must return its value synchronously.`)
}
