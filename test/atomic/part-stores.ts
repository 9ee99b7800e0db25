import type { DataSource, Transactions } from 'ashlar/store'

/** A store that serves some types only, so that several can be combined. */
export function storeOf(data: DataSource, ...types: readonly string[]): DataSource {
  return { ...data, types }
}

/** Changes how the outermost transactions of a store are run; nested ones are unchanged. */
export function withTransactions(
  data: DataSource,
  change: (run: Transactions['run']) => Transactions['run'],
): DataSource {
  const { transactions } = data
  if (transactions === null) throw new Error('The store has no transactions.')
  const run: Transactions['run'] = (work, outer) => transactions.run(work, outer)
  const outermost = change(run)
  return { ...data, transactions: { run: (work, outer) => (outer === undefined ? outermost(work) : run(work, outer)) } }
}
