/**
 * Under which names connections keep statements prepared. A connection never forgets what it has prepared, so that after
 * the columns of a table have changed, each would refuse each statement on it once. One refusal is enough to know: from
 * then on all statements go by new names, and are prepared anew.
 */
export interface StatementNames {
  /** How often all got new names. */
  readonly renewals: number
  nameOf(name: string): string
  /** Says that a statement was refused that was sent after so many renewals; who says so later says nothing new. */
  renewAfter(renewals: number): void
}

export function statementNames(): StatementNames {
  let renewals = 0
  return {
    get renewals() {
      return renewals
    },
    nameOf: (name) => (renewals === 0 ? name : `${name}_${renewals}`),
    renewAfter(count) {
      renewals = Math.max(renewals, count + 1)
    },
  }
}
