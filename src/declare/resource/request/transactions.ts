import type { RequestContext } from './request-context.js'

/** An open transaction. Only its store knows its further members. */
export interface Transaction {
  readonly store: string
}

/**
 * Runs a function in a transaction, which commits when the promise resolves and rolls back when it rejects. With
 * `outer`, a transaction of the same store, it is nested and commits together with `outer`. Without `outer`, a store
 * that can detect a transaction of the caller uses that one as `outer`. A store may retry the function if the
 * transaction conflicts with a concurrent one. `context` is the request that the transaction is for, if there is one.
 */
export interface Transactions {
  run<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    outer?: Transaction,
    context?: RequestContext,
  ): Promise<Result>
  /**
   * Runs reads that all see the rows as they are now, whatever is committed meanwhile. The transaction is `null` if the store cannot do
   * that: each read then sees the rows at its own time. Left out if the store has no such reads.
   */
  snapshot?<Result>(
    work: (transaction: Transaction | null) => Promise<Result>,
    context: RequestContext,
  ): Promise<Result>
}
