import type { Problem } from '../../core/errors/json-api-error.js'
import { problem } from '../../core/errors/json-api-error.js'

/** Collects the problems of a batch, up to a limit. */
export interface ProblemCollector {
  readonly all: readonly Problem[]
  /** Whether the limit is reached. Further checks can be skipped then. */
  isFull(): boolean
  report(...problems: readonly Problem[]): void
}

/** @param limit the maximum number of problems that are reported */
export function problemCollector(limit: number): ProblemCollector {
  const all: Problem[] = []
  return {
    all,
    isFull: () => all.length >= limit,
    report(...problems) {
      for (const each of problems) if (all.length < limit) all.push(each)
    },
  }
}

/** Creates the problem of a batch with an invalid structure. */
export function invalidBatch(message: string, at: string): Problem {
  return problem('ATOMIC_OPERATIONS_INVALID', { message }, { source: { pointer: at } })
}
