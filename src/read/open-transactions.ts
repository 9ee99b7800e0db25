import type { ServedType } from '../resource/capabilities/served-type.js'
import type { Transaction, Transactions } from '../resource/capabilities/transactions.js'
import { asyncContext } from '../util/async-context.js'

/** The transactions that work runs in, one for each store that it writes to. */
export interface OpenTransactions {
  readonly byStore: ReadonlyMap<Transactions, Transaction>
  /** What waits until all of it is kept. */
  readonly afterCommit: (() => Promise<unknown>)[]
  /** Work may leave tasks behind that outlive it: those must not join what is over. */
  isOpen: boolean
}

/** Leads from work to the operations that its author's code dispatches, on whichever server. */
const underWay = asyncContext<OpenTransactions>()

/** Runs work that knows which transactions it is part of. */
export function runInTransactions<Result>(open: OpenTransactions, work: () => Promise<Result>): Promise<Result> {
  return underWay.run(open, () => work().finally(() => (open.isOpen = false)))
}

/** The transactions that the running code is part of; `null` outside of any. */
export function currentTransactions(): OpenTransactions | null {
  const open = underWay.current()
  return open?.isOpen === true ? open : null
}

/** The transaction that rows of a type are written in; `null` where its store is not among the open ones. */
export function writeTransaction({ transactions }: ServedType, open: OpenTransactions | null): Transaction | null {
  return transactions === null ? null : (open?.byStore.get(transactions) ?? null)
}

/** The same for reading: not every type is read by the store that writes it. */
export function readTransaction(served: ServedType, open: OpenTransactions | null): Transaction | null {
  return served.readsInTransaction ? writeTransaction(served, open) : null
}
