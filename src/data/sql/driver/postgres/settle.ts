/** Told what came of something; without a result, why there is none. Not a promise: each costs, and reads are many. */
export type Settle<Result> = (thrown: unknown, result?: Result) => void

/** The promise for those who wait. */
export function settled<Result>(start: (settle: Settle<Result>) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    start((thrown, result) => {
      if (result === undefined) reject(thrown)
      else resolve(result)
    })
  })
}

/** What was thrown where bytes came from a socket, as thrown by whoever calls this: that tells what was asked for. */
export function traced(thrown: unknown): unknown {
  if (thrown instanceof Error) Error.captureStackTrace(thrown, traced)
  return thrown
}
