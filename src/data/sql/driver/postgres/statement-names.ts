/**
 * The names under which connections prepare statements. A connection never drops a prepared statement, so after a
 * change of a table's columns, each connection would reject each statement on that table once. Instead, the first
 * rejection renames all statements, and they are prepared again.
 */
export interface StatementNames {
  /** How often all statements were renamed. */
  readonly renewals: number
  nameOf(name: string): string
  /**
   * Renames all statements, because one was rejected that was sent after so many renewals. Does nothing if a renewal
   * followed.
   */
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
