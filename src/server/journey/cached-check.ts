import type { Awaitable } from '../../core/util/types.js'

/** A check of the health of a service. */
export interface HealthCheck {
  readonly name: string
  /** Throws, or rejects, if the check fails. */
  readonly run: () => Awaitable<unknown>
  /** Whether a success is final, so that the check need not run again. */
  readonly isLasting: boolean
  /** Whether the service is ready although the check fails. Default: false. */
  readonly isInformative?: boolean
}

/** Times in milliseconds. */
interface CheckTimes {
  /** How long a check may take. */
  readonly deadline: number
  /** How long its result is cached. */
  readonly cacheFor: number
}

/** A check that is running. */
interface RunningCheck {
  readonly since: number
  readonly result: Promise<boolean>
}

/**
 * Returns a function that runs a check and returns whether it succeeds in time. Results are cached, and a check never runs twice at the same
 * time: however many health checks arrive, they cannot load a database. A check that exceeds its deadline continues, and its result is cached when it ends.
 *
 * @param report called when a check begins to fail, and not again until it has succeeded
 */
export function cachedCheck(
  { run, isLasting }: HealthCheck,
  { deadline, cacheFor }: CheckTimes,
  report: (thrown: unknown) => void,
): () => Promise<boolean> {
  let cached: { readonly isOk: boolean; readonly until: number } | null = null
  let running: RunningCheck | null = null
  let isReported = false
  const fail = (thrown: unknown): false => {
    if (!isReported) report(thrown)
    isReported = true
    return false
  }
  const start = async (): Promise<boolean> => {
    let isOk = true
    try {
      // Even if it throws synchronously, it must not end before it is registered as running.
      await Promise.resolve().then(run)
      isReported = false
    } catch (thrown) {
      isOk = fail(thrown)
    }
    running = null
    cached = { isOk, until: isOk && isLasting ? Infinity : performance.now() + cacheFor }
    return isOk
  }
  return async () => {
    const now = performance.now()
    if (cached !== null && now < cached.until) return cached.isOk
    const since = running?.since ?? now
    running ??= { since, result: start() }
    const isOk = await within(since + deadline - now, running.result)
    return isOk ?? fail(new Error(`It takes longer than ${deadline} ms.`))
  }
}

/** Returns the result if it is available in time, or else `null`. */
function within<Result>(milliseconds: number, result: Promise<Result>): Promise<Result | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), Math.max(0, milliseconds))
    const end = (value: Result): void => {
      clearTimeout(timer)
      resolve(value)
    }
    void result.then(end)
  })
}
