import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'

/** Collects the problems of a batch, up to a limit. */
export interface Faults {
  readonly all: readonly Problem[]
  /** Whether the limit is reached. Further checks can be skipped then. */
  readonly isFull: boolean
  note(...problems: readonly Problem[]): void
}

/** @param limit the maximum number of problems that are reported */
export function noFaults(limit: number): Faults {
  const all: Problem[] = []
  return {
    all,
    get isFull() {
      return all.length >= limit
    },
    note(...problems) {
      for (const each of problems) if (all.length < limit) all.push(each)
    },
  }
}

/** Creates the problem of a batch with an invalid structure. */
export function invalid(message: string, at: string): Problem {
  return problem('ATOMIC_OPERATIONS_INVALID', { message }, { source: { pointer: at } })
}
