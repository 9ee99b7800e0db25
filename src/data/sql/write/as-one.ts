import type { Transaction } from '../../../resource/capabilities/transactions.js'
import { inSavepoint } from '../transactions/sql-transactions.js'
import type { SqlWriting } from './sql-writing.js'

/**
 * Runs the statements of one call as one: where the database refuses one of them nothing of the call stays, and the
 * transaction that it is part of goes on.
 *
 * @param isSeveral whether the work is more than one statement
 */
export async function asOne<Result>(
  writing: SqlWriting,
  isSeveral: boolean,
  work: (writing: SqlWriting) => Promise<Result>,
): Promise<Result> {
  const { store, occasion } = writing
  const { transaction } = occasion
  if (transaction === null) {
    if (!isSeveral) return work(writing)
    return store.transactions.run((own) => work(within(writing, own)))
  }
  // A statement that SQLite refuses leaves nothing behind; PostgreSQL gives up the whole transaction.
  if (store.engine === 'sqlite' && !isSeveral) return work(writing)
  return inSavepoint(transaction, () => work(writing))
}

function within(writing: SqlWriting, transaction: Transaction): SqlWriting {
  return { ...writing, occasion: { ...writing.occasion, transaction } }
}
