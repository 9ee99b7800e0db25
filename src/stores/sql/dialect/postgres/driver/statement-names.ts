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
   * Renames all statements after a rejection. Does nothing if they were renamed since the rejected statement was sent.
   *
   * @param renewals the number of renewals when the rejected statement was sent
   */
  renewAfter(renewals: number): void
  /** Warns once that a connection has prepared statements of other clients. */
  warnOfPooler(): void
}

/** Logged once for each store, because the error itself has no remedy. */
const poolerWarning =
  'ashlar/sql: a connection has prepared statements of other clients, so a connection pooler shares connections without support for prepared statements. Set prepare: false in sqlData(), or use PgBouncer 1.21 or later with max_prepared_statements.'

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
      if (!hasWarned) process.emitWarning(poolerWarning, { code: 'ASHLAR_POOLER_MIXES_STATEMENTS' })
      hasWarned = true
    },
  }
}
