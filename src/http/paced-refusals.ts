/** How many requests are refused in a second. A refusal takes 75 to 200 µs, so that these take at most a twentieth of the time. */
const PER_SECOND = 250

/** How many are refused immediately after a while without refusals. */
const BURST = 100

/** How long a refusal waits at most, in milliseconds. */
const LONGEST_WAIT = 5000

/** How often waiting refusals are sent, in milliseconds. */
const PERIOD = 20

/**
 * Returns a function that delays refusals if there are too many. A client that repeats a refused request immediately would use up the time
 * of the process: at five times the load that saturates it, refusals took a third. A client that waits for its response sends no other
 * request on its connection.
 */
export function pacedRefusals(): <Result>(refuse: () => Result) => Promise<Result> {
  const waiting = new Set<{ readonly since: number; readonly send: () => void }>()
  let tokens = BURST
  let counted = performance.now()
  let isRunning = false

  return (refuse) => {
    refill()
    if (tokens >= 1 && waiting.size === 0) {
      tokens -= 1
      return Promise.resolve(refuse())
    }
    return new Promise((resolve) => {
      waiting.add({ since: performance.now(), send: () => resolve(refuse()) })
      if (!isRunning) start()
    })
  }

  function refill(): void {
    const now = performance.now()
    tokens = Math.min(BURST, tokens + ((now - counted) / 1000) * PER_SECOND)
    counted = now
  }

  function start(): void {
    isRunning = true
    setTimeout(send, PERIOD)
  }

  function send(): void {
    refill()
    const expired = performance.now() - LONGEST_WAIT
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
