import type { SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import type { NodeCallback } from './node-callback.js'
import { postgresFault } from './postgres-fault.js'
import { PostgresLease } from './postgres-lease.js'
import type { PostgresPool } from './postgres-pool.js'
import { takeClient } from './postgres-pool.js'
import { requestBudgets } from './request-budget.js'
import type { StatementNames } from './statement-names.js'

interface LimitedStatement {
  readonly statement: SqlStatement
  /** How many milliseconds the statement may run. Waiting for a connection has the limit of the pool. */
  readonly limit: number
  readonly names: StatementNames
  readonly callback: NodeCallback<SqlResult>
}

/**
 * Runs a cheap statement on a connection of the pool. If the server does not respond within the limit, the statement is cancelled; if that
 * fails, the connection is destroyed and not used again.
 */
export function runWithinLimit(pool: PostgresPool, { statement, limit, names, callback }: LimitedStatement): void {
  takeClient(pool, (noClient, client) => {
    if (client === undefined) return callback(noClient)
    const limits = { requestIdentity: null, request: null, budget: requestBudgets(limit)(null) }
    const lease = new PostgresLease(client, { limits, names, messages: null })
    lease.start(statement, (thrown, result) => {
      lease.release(result === undefined && postgresFault(thrown)?.kind === 'unavailable')
      callback(thrown, result)
    })
  })
}
