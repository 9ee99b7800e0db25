import type { Sentence } from '../../core/errors/sentence.js'

/** A violation of a rule. `path` has the pointer tokens from the checked value to the wrong one. */
export interface Violation {
  readonly path: readonly string[]
  /** A sentence of the service, or the text of a user-defined rule. */
  readonly message: Sentence | string
}

export const noViolations: readonly Violation[] = Object.freeze([])

/** Returns one violation of the checked value itself. */
export function valueViolation(message: Sentence | string): readonly Violation[] {
  return [{ path: [], message }]
}

/** Turns violations of a member into violations of its owner: prepends the token of the member to each path. */
export function prefixedViolations(token: string | number, violations: readonly Violation[]): readonly Violation[] {
  if (violations.length === 0) return noViolations
  return violations.map(({ path, message }) => ({ path: [String(token), ...path], message }))
}
