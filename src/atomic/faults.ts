import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'

/** What is wrong with a batch, as far as it is told. */
export interface Faults {
  readonly all: readonly Problem[]
  /** Whether no more are told: then nobody need look for them. */
  readonly isFull: boolean
  note(...problems: readonly Problem[]): void
}

/** @param limit the most that are told */
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

/** Something wrong with the structure of a batch. */
export function invalid(message: string, at: string): Problem {
  return problem('ATOMIC_OPERATIONS_INVALID', { message }, { source: { pointer: at } })
}
