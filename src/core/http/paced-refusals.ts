/** How many requests are refused in a second of {@link availableTime}. A refusal takes 75 to 200 µs, so that these take at most three percent of the time. */
const PER_SECOND = 150

/** How many are refused immediately after a while without refusals. */
const BURST = 100

/** How long a refusal waits at most, in milliseconds of the same time. */
const LONGEST_WAIT = 1_000

/** How often waiting refusals are sent, in milliseconds. */
const PERIOD = 20

/**
 * Returns a function that delays refusals if there are too many. A client that repeats a refused request immediately would use up the time
 * of the process: at five times the load that saturates it, refusals took a third. A client that waits for its response sends no other
 * request on its connection.
 *
 * @param time returns milliseconds
 */
export function pacedRefusals(time: () => number = availableTime): <Result>(refuse: () => Result) => Promise<Result> {
  const waiting = new Set<{ readonly since: number; readonly send: () => void }>()
  let tokens = BURST
  let counted = time()
  let isRunning = false

  return (refuse) => {
    refill()
    if (tokens >= 1 && waiting.size === 0) {
      tokens -= 1
      return Promise.resolve(refuse())
    }
    return new Promise((resolve) => {
      waiting.add({ since: time(), send: () => resolve(refuse()) })
      if (!isRunning) start()
    })
  }

  function refill(): void {
    const now = time()
    tokens = Math.min(BURST, tokens + ((now - counted) / 1000) * PER_SECOND)
    counted = now
  }

  function start(): void {
    isRunning = true
    setTimeout(send, PERIOD)
  }

  function send(): void {
    refill()
    const expired = time() - LONGEST_WAIT
    for (const entry of waiting) {
      if (tokens < 1 && entry.since > expired) break
      tokens = Math.max(0, tokens - 1)
      waiting.delete(entry)
      entry.send()
    }
    isRunning = false
    if (waiting.size > 0) start()
  }
}

/**
 * Returns the time that the process could use, in milliseconds: its CPU time, and the time in which it had nothing to do. Time in which
 * other processes used the CPU does not count: refusals would take a larger part of the rest.
 */
function availableTime(): number {
  const idle = idleTime()
  if (idle === null) return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + idle
}

/** Returns the time in which the event loop had nothing to do. Not every runtime measures it, and CPU time: then `null`. */
function idleTime(): number | null {
  if (typeof process === 'undefined' || typeof process.cpuUsage !== 'function') return null
  const measured = (performance as Partial<typeof performance>).eventLoopUtilization?.() as
    | { readonly idle: number }
    | undefined
  return measured?.idle ?? null
}
