/**
 * How many requests a process handles at the same time. Further requests immediately get a 503 response with `Retry-After`, so that the
 * others do not become slower. Times are in milliseconds.
 *
 * @example
 * ```ts
 * const overload: ServerSettings['overload'] = { concurrent: 50, queued: 50, deadline: 10_000 }
 * createServer({ resources: [albums, artists], data: memoryData(), overload })
 * ```
 */
export interface OverloadSettings {
  /** Requests that are handled at the same time. Default: 100. */
  readonly concurrent?: number
  /** Requests that wait until others are done; the next one is refused. Default: 100. */
  readonly queued?: number
  /** How long a request may wait until it is handled. Default: 1,000. */
  readonly maxWait?: number
  /** How long the event loop may be busy with the requests that came before one, twice in a row. Default: 100. */
  readonly maxDelay?: number
  /**
   * How long a request may be handled. Then its statements are cancelled, its transaction is rolled back, and it gets a 503 response.
   * Default: 30,000.
   */
  readonly deadline?: number
  /** The header `Retry-After` of refused requests, in seconds. Default: 1. */
  readonly retryAfter?: number
}

/** The defaults of the setting `overload`. */
export const overloadDefaults: Required<OverloadSettings> = Object.freeze({
  concurrent: 100,
  queued: 100,
  maxWait: 1000,
  maxDelay: 100,
  deadline: 30_000,
  retryAfter: 1,
})
