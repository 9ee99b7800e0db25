/**
 * A callback that gets a result, or an error without one. It is used instead of a promise because promises slow down
 * reads.
 */
export type NodeCallback<Result> = (thrown: unknown, result?: Result) => void

/** Returns a promise for work that takes a callback. */
export function promiseOf<Result>(start: (callback: NodeCallback<Result>) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    start((thrown, result) => {
      if (result === undefined) reject(thrown)
      else resolve(result)
    })
  })
}

/**
 * Replaces the stack trace of an error with that of the caller. An error that was created when bytes arrived from the
 * socket does not show the code that ran the statement.
 */
export function withCallerStack(thrown: unknown): unknown {
  if (thrown instanceof Error) Error.captureStackTrace(thrown, withCallerStack)
  return thrown
}
