import { performance } from 'node:perf_hooks'
import { memoize } from '../../../../../core/util/memoize.js'

/**
 * The total time that the statements of one request may run. Time in which none of them runs does not count, and neither does the time
 * in which a result has arrived and this process is busy with other work.
 */
export interface RequestBudget {
  /** Records that a statement starts, and returns the milliseconds that are left. */
  start(): number
  /**
   * Records that a statement has ended. It counts for as long as the process was idle: then there was no result. If the process was busy,
   * it is unknown when the result has arrived.
   */
  end(): void
  /**
   * Records that a statement still runs, although the process has just read everything that has arrived: all of the time counts. Returns
   * the milliseconds that are left.
   */
  recordRunning(): number
}

/**
 * Returns a function that returns the budget of a request. A statement without a request has a separate, full budget.
 */
export function requestBudgets(limit: number): (request: object | null) => RequestBudget {
  const ofRequest = memoize((_request: object) => budgetOf(limit, true))
  return (request) => (request === null ? budgetOf(limit, false) : ofRequest(request))
}

function budgetOf(limit: number, addsUp: boolean): RequestBudget {
  let spent = 0
  let running = 0
  /** Until when the time is counted, and how long the process was idle until then. */
  let [countedTo, idleTo] = [0, 0]
  const countTo = (now: number, idle: number): void => {
    countedTo = now
    idleTo = idle
  }
  return {
    start() {
      if (running === 0) countTo(performance.now(), idleTime())
      running += 1
      return limit - spent
    },
    end() {
      running -= 1
      const idle = idleTime()
      spent += idle - idleTo
      countTo(performance.now(), idle)
      if (running === 0 && !addsUp) spent = 0
    },
    recordRunning() {
      const now = performance.now()
      spent += now - countedTo
      countTo(now, idleTime())
      return limit - spent
    },
  }
}

/** Returns how long the event loop has been waiting for events, in milliseconds. */
function idleTime(): number {
  return performance.nodeTiming.idleTime
}
