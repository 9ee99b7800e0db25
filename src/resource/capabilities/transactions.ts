/** The transaction that work runs in; what it holds, only its store knows. */
export interface Transaction {
  readonly store: string
}

/**
 * Runs work in one transaction: all of it is kept when the work resolves, none of it when it rejects. Inside another
 * one of the same store, `outer`, it is kept when that is kept; without `outer`, a store that can tell whether the caller is
 * inside one takes that. A store may run the work more than once, when the first run met another's.
 */
export interface Transactions {
  run<Result>(work: (transaction: Transaction) => Promise<Result>, outer?: Transaction): Promise<Result>
}
