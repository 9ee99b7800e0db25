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
  /** Warns once that statements are prepared already which this process has not prepared. */
  warnOfPooler(): void
}

/** Logged once for a store: the error itself does not say what to do. */
const mixedUp =
  'ashlar/sql: a connection has prepared statements of other clients, so there is a connection pooler that does not keep them apart. Set prepare: false in sqlData(), or use PgBouncer 1.21 or later with max_prepared_statements.'

export function statementNames(): StatementNames {
  let renewals = 0
  let hasWarned = false
  return {
    get renewals() {
      return renewals
    },
    nameOf: (name) => (renewals === 0 ? name : `${name}_${renewals}`),
    renewAfter(count) {
      renewals = Math.max(renewals, count + 1)
    },
    warnOfPooler() {
      if (!hasWarned) process.emitWarning(mixedUp, { code: 'ASHLAR_POOLER_MIXES_STATEMENTS' })
      hasWarned = true
    },
  }
}
