/** Lets the requests that an event loop emits begin one after the other, so that it accepts connections in between. */
export interface EventTurns {
  /** Returns how long a request has waited when it may begin, in milliseconds; `null` if it may begin immediately. */
  wait(): Promise<number> | null
}

/** How long requests may run, in milliseconds, before the event loop accepts connections and reads what has arrived. */
const SLICE = 1

/** The turns of the event loop between two slices. Each turn accepts one connection. */
const TURNS = 2

/** How many requests may begin in a slice. */
const REQUESTS = 8

/** A request that waits. */
interface Waiting {
  readonly since: number
  readonly begin: (waited: number) => void
}

/**
 * Creates the turns of a server. A store without I/O, such as SQLite, handles each request completely when it is emitted. All requests that
 * have arrived in the meantime are emitted in one turn of the loop, and a turn accepts only one connection: with 500 busy connections,
 * another one would wait for 500 requests. So requests wait if others took long in the same turn, and begin in later turns.
 */
export function eventTurns(): EventTurns {
  const waiting = new Set<Waiting>()
  // `null` if no request has begun in this turn.
  let end: number | null = null

  return Object.freeze<EventTurns>({
    wait() {
      const now = performance.now()
      if (waiting.size === 0) {
        if (end === null) {
          end = now + SLICE
          afterTurn(endSlice)
          return null
        }
        if (now < end) return null
      }
      return new Promise((begin) => waiting.add({ since: now, begin }))
    },
  })

  function endSlice(): void {
    end = null
    if (waiting.size > 0) afterTurns(TURNS - 1, beginSlice)
  }

  function beginSlice(): void {
    end = performance.now() + SLICE
    // Each begins in its own callback, so that its promises run before the next one begins.
    beginNext()
    for (let count = Math.min(REQUESTS, waiting.size); count > 0; count -= 1) afterTurn(beginInSlice)
    afterTurn(endSlice)
  }

  function beginInSlice(): void {
    if (end !== null && performance.now() < end) beginNext()
  }

  function beginNext(): void {
    const [next] = waiting
    if (next === undefined) return
    waiting.delete(next)
    next.begin(performance.now() - next.since)
  }
}

/** Runs a function when all events of the current turn of the event loop are handled. Not every runtime has `setImmediate`. */
const afterTurn: (callback: () => void) => unknown =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0)

function afterTurns(turns: number, callback: () => void): void {
  if (turns <= 1) afterTurn(callback)
  else afterTurn(() => afterTurns(turns - 1, callback))
}
