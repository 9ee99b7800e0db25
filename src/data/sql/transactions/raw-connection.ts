import type { Transaction } from '../../../resource/capabilities/transactions.js'
import { sqlTransactionOf } from './sql-transactions.js'

/**
 * Returns the connection of a transaction as the client library's object, for features that Kysely lacks: a client of
 * `pg`, or an SQLite database.
 *
 * @example
 * ```ts
 * import type { WorkContext } from 'ashlar'
 * import { rawConnection } from 'ashlar/sql'
 * import type { PoolClient } from 'pg'
 *
 * const notify = async (context: WorkContext) => {
 *   if (context.transaction === null) return
 *   const client = rawConnection(context.transaction) as PoolClient
 *   await client.query('notify albums')
 * }
 * ```
 */
export function rawConnection(transaction: Transaction): unknown {
  return sqlTransactionOf(transaction).raw
}
