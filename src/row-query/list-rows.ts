import type { CollectionCriteria, ListFacts } from '../resource/capabilities/provider.js'
import { cutWindow } from './cut-window.js'
import type { Candidate, QueryContext } from './query-context.js'
import type { TypedConditions } from './row-matcher.js'
import { typedRowMatcher } from './row-matcher.js'
import { rowOrdering } from './row-ordering.js'

/** The conditions, orders and window of a list of rows, which may be of several types. */
export interface ListCriteria extends TypedConditions, Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'> {}

/** The rows of a list that a read returns, in order, with the total and the cursor positions. */
export interface RowList extends Required<ListFacts> {
  readonly candidates: readonly Candidate[]
}

/** Returns a function that filters, counts, sorts and cuts a list. The criteria are compiled once for all lists. */
export function rowLister(
  criteria: ListCriteria,
  queryContext: QueryContext,
): (candidates: readonly Candidate[]) => RowList {
  const { types, orders, window, wantsCount } = criteria
  const matches = typedRowMatcher(criteria, queryContext)
  const ordering = rowOrdering(orders, types, queryContext)
  return (candidates) => {
    const matching = candidates.filter(matches).map((candidate) => ({ candidate, ranks: ordering.ranksOf(candidate) }))
    const sorted = matching.toSorted((a, b) => ordering.compare(a.ranks, b.ranks))
    return { ...cutWindow(sorted, window, ordering), total: wantsCount ? matching.length : null }
  }
}

/** Filters, counts, sorts and cuts one list. */
export function listRows(
  candidates: readonly Candidate[],
  criteria: ListCriteria,
  queryContext: QueryContext,
): RowList {
  return rowLister(criteria, queryContext)(candidates)
}
