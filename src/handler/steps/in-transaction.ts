import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'

/** Runs a write in one transaction, where the store has them. */
export function inTransaction<Result>(
  { transactions }: ServedType,
  work: (transaction: Transaction | null) => Promise<Result>,
): Promise<Result> {
  return transactions === null ? work(null) : transactions.run(work)
}

/** The transaction as the type's provider may use it: another store's means nothing to it. */
export function readTransaction(
  { readsInTransaction }: ServedType,
  transaction: Transaction | null,
): Transaction | null {
  return readsInTransaction ? transaction : null
}
