import type { RequestContext } from '../../../../../declare/resource/request/request-context.js'
import type { HeldConnection, RunOptions, SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import type { LeaseLimits, PostgresLease } from './postgres-lease.js'
import { rollbackStatement } from './postgres-lease.js'
import type { SessionValues, SessionValuesOf } from './session-settings.js'
import { changedValues } from './session-settings.js'
import { beginWith, sentTogether } from './session-transaction.js'

interface HeldOptions {
  /** The request that the connection was acquired for. */
  readonly context: RequestContext | null
  readonly limitsOf: (options: RunOptions) => LeaseLimits
  readonly valuesOf: SessionValuesOf
}

/**
 * Returns a held connection whose statements run with the values of their request. In a transaction the values are set
 * once, and again only if a statement of another request follows, or after a rollback to a savepoint.
 */
export function heldWithSession(lease: PostgresLease, { context, limitsOf, valuesOf }: HeldOptions): HeldConnection {
  let isBegun = false
  /** The values that are set now. Null if unknown. */
  let current: SessionValues | null = []
  /** All names that were set in the transaction. */
  const names = new Set<string>()

  /** Returns the values to set before a statement; null if they are set already. */
  function missingValues(options: RunOptions | undefined): SessionValues | null {
    // A statement without a request, such as a savepoint, has the values of the statements around it.
    if (options === undefined || options.context === null) return null
    const wanted = valuesOf(options.context) ?? []
    if (current !== null && isSame(current, wanted)) return null
    current = wanted
    const values = changedValues(wanted, names)
    for (const [at, name] of wanted.entries()) if (at % 2 === 0) names.add(name)
    return values.length === 0 ? null : values
  }

  /** The statement fails too if the values are refused, since the transaction is aborted. The reason is the first error. */
  async function runWith(values: SessionValues, statement: SqlStatement, limits: LeaseLimits): Promise<SqlResult> {
    const [, result] = await sentTogether(lease, () => [lease.set(values, limits), lease.run(statement, limits)])
    return result as SqlResult
  }

  return {
    raw: lease.client,
    async begin(statement, options) {
      isBegun = true
      const values = missingValues(options)
      return values === null ? lease.run(statement) : beginWith(lease, statement, values)
    },
    async run(statement, options) {
      if (!isBegun) {
        const run = options ?? { context }
        return lease.run(statement, limitsOf(run), valuesOf(run.context))
      }
      // A rollback to a savepoint also undoes what was set after the savepoint.
      if (rollbackStatement.test(statement.sql)) {
        current = null
        return lease.run(statement)
      }
      const limits = options === undefined ? undefined : limitsOf(options)
      const values = missingValues(options)
      return values === null || limits === undefined ? lease.run(statement, limits) : runWith(values, statement, limits)
    },
    release: (broken) => lease.release(broken),
  }
}

function isSame(values: SessionValues, others: SessionValues): boolean {
  return values.length === others.length && values.every((value, at) => value === others[at])
}
