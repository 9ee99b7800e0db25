import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { OpenTransaction } from '../work-context.js'

/** Runs a write in one transaction, where the store has them. */
export function inTransaction<Result>(
  served: ServedType,
  work: (open: OpenTransaction) => Promise<Result>,
): Promise<Result> {
  const { transactions } = served
  if (transactions === null) return work({ of: served, transaction: null })
  return transactions.run((transaction) => work({ of: served, transaction }))
}
