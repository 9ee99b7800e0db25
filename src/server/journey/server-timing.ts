import type { RequestTrace, Stage } from '../../core/http/request-trace.js'
import { untilDone } from '../../core/util/awaitable.js'

/** Waits that are shorter than this, in milliseconds, are not shown: the request was handled immediately. */
const SHORTEST_WAIT = 1

/** Returns a trace that adds the header `Server-Timing` to the response: the stages, the statements, and the whole time. */
export function serverTiming(): RequestTrace {
  const start = performance.now()
  const stages = new Map<Stage, number>()
  let current: { readonly stage: Stage; readonly since: number } | null = null
  let [statements, databaseTime] = [0, 0]

  /** A stage may run several times, as when a transaction is retried. */
  function leave(): void {
    if (current === null) return
    const { stage, since } = current
    stages.set(stage, (stages.get(stage) ?? 0) + performance.now() - since)
    current = null
  }

  function enter(stage: Stage): void {
    leave()
    current = { stage, since: performance.now() }
  }

  function header(): string {
    const shown = [...stages].filter(([stage, time]) => stage !== 'wait' || time >= SHORTEST_WAIT)
    const count = `${statements} ${statements === 1 ? 'statement' : 'statements'}`
    return [
      ...shown.map(([stage, time]) => `${stage};dur=${rounded(time)}`),
      ...(statements === 0 ? [] : [`db;dur=${rounded(databaseTime)};desc="${count}"`]),
      `total;dur=${rounded(performance.now() - start)}`,
    ].join(', ')
  }

  return Object.freeze<RequestTrace>({
    enter,
    run(stage, work) {
      enter(stage)
      const entered = current
      return untilDone(work, () => {
        if (current === entered) leave()
      })
    },
    step: (_, work) => work(),
    statement() {
      const since = performance.now()
      return () => {
        statements += 1
        databaseTime += performance.now() - since
      }
    },
    fail: () => undefined,
    within: (work) => work(),
    end(response) {
      leave()
      return { ...response, headers: [...response.headers, 'Server-Timing', header()] }
    },
  })
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
