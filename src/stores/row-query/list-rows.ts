import type { CollectionCriteria, ListFacts } from '../../declare/resource/capabilities/provider.js'
import type { RankedRow } from './cut-window.js'
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

/**
 * Filters, counts, sorts and cuts a list.
 *
 * @param most the number of rows after which it stops, before it sorts them; default: no limit
 */
export type RowLister = (candidates: Iterable<Candidate>, most?: number) => RowList

/** Returns a function for several lists. The criteria are compiled once for all of them. */
export function rowLister(criteria: ListCriteria, queryContext: QueryContext): RowLister {
  const { types, orders, window, wantsCount } = criteria
  const matches = typedRowMatcher(criteria, queryContext)
  const ordering = rowOrdering(orders, types, queryContext)
  return (candidates, most = Number.POSITIVE_INFINITY) => {
    const matching: RankedRow[] = []
    for (const candidate of candidates) {
      if (matching.length >= most) break
      if (matches(candidate)) matching.push({ candidate, ranks: ordering.ranksOf(candidate) })
    }
    const sorted = matching.toSorted((a, b) => ordering.compare(a.ranks, b.ranks))
    return { ...cutWindow(sorted, window, ordering), total: wantsCount ? matching.length : null, estimate: null }
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
