/** What is wrong with a value, and where in it: `path` is the tokens from the value on. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

export const nothing: readonly Violation[] = Object.freeze([])

/** Of the value itself. */
export function wholeValue(message: string): readonly Violation[] {
  return [{ path: [], message }]
}

/** The violations of a member, as its owner has them. */
export function within(token: string | number, violations: readonly Violation[]): readonly Violation[] {
  if (violations.length === 0) return nothing
  return violations.map(({ path, message }) => ({ path: [String(token), ...path], message }))
}
