import type { Transaction } from '../../../resource/capabilities/transactions.js'
import { inSavepoint } from '../transactions/sql-transactions.js'
import type { SqlWriting } from './sql-writing.js'

/**
 * Runs the statements of one call of a persister atomically. If the database refuses one of them, all statements of the
 * call are rolled back, and the surrounding transaction can continue.
 *
 * @param isMultiple whether the work is more than one statement
 */
export async function atomically<Result>(
  writing: SqlWriting,
  isMultiple: boolean,
  work: (writing: SqlWriting) => Promise<Result>,
): Promise<Result> {
  const { store, options } = writing
  const { transaction } = options
  if (transaction === null) {
    if (!isMultiple) return work(writing)
    const runIn = (transactionOfCall: Transaction): Promise<Result> => work(inTransaction(writing, transactionOfCall))
    return store.transactions.run(runIn, undefined, options.context ?? undefined)
  }
  // A refused statement may abort the whole transaction, unless it is rolled back to a savepoint.
  if (store.dialect.can.continueAfterErrors && !isMultiple) return work(writing)
  return inSavepoint(transaction, () => work(writing))
}

function inTransaction(writing: SqlWriting, transaction: Transaction): SqlWriting {
  return { ...writing, options: { ...writing.options, transaction } }
}
