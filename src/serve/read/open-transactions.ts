import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Transaction, Transactions } from '../../declare/resource/request/transactions.js'
import { asyncContext } from '../../core/util/async-context.js'

/** The transactions of one operation, one for each store that it writes to. */
export interface OpenTransactions {
  readonly byStore: ReadonlyMap<Transactions, Transaction>
  /** Functions to run after all of the transactions are committed. */
  readonly afterCommit: (() => Promise<unknown>)[]
  /** False once the work has ended. Async tasks that outlive the work must not join closed transactions. */
  isOpen: boolean
}

/** Passes open transactions on to the operations that user-defined code dispatches, on any server. */
const openTransactions = asyncContext<OpenTransactions>()

/** Runs work in open transactions: `currentTransactions()` returns them until the work ends. */
export function runInTransactions<Result>(open: OpenTransactions, work: () => Promise<Result>): Promise<Result> {
  return openTransactions.run(open, work).finally(() => (open.isOpen = false))
}

/** Returns the transactions that the running code is part of; `null` if there are none. */
export function currentTransactions(): OpenTransactions | null {
  const open = openTransactions.current()
  return open?.isOpen === true ? open : null
}

/** Returns the transaction to write rows of a type in; `null` if the store of the type has no open one. */
export function writeTransaction({ transactions }: ServedType, open: OpenTransactions | null): Transaction | null {
  return transactions === null ? null : (open?.byStore.get(transactions) ?? null)
}

/**
 * Returns the transaction to read rows of a type in; `null` if the store of the type has no open one, or if the type is
 * not read by the store that writes it.
 */
export function readTransaction(served: ServedType, open: OpenTransactions | null): Transaction | null {
  return served.readsInTransaction ? writeTransaction(served, open) : null
}
