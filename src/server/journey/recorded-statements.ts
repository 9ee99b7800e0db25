import type { ExplainedStatement } from '../explain/read-explanation.js'
import { inTrace, type RequestTrace } from '../../core/http/request-trace.js'

/** Runs work and returns the statements that stores run for it, in the order in which they begin. */
export async function recordedStatements(work: () => Promise<unknown>): Promise<readonly ExplainedStatement[]> {
  const statements: ExplainedStatement[] = []
  await inTrace(recordingTrace(statements), work)
  return Object.freeze(statements)
}

/** Returns a trace that records only statements. */
function recordingTrace(statements: ExplainedStatement[]): RequestTrace {
  return Object.freeze<RequestTrace>({
    enter() {},
    run: (_, work) => work(),
    step: (_, work) => work(),
    statement(statement) {
      const started = performance.now()
      const position = statements.push({ ...statement, rows: null, milliseconds: 0 }) - 1
      return (rows) => {
        statements[position] = { ...statement, rows, milliseconds: performance.now() - started }
      }
    },
    fail() {},
    within: (work) => work(),
    end: (response) => response,
  })
}
