import type { CollectionCriteria, ListFacts } from '../resource/capabilities/provider.js'
import { cutWindow } from './cut-window.js'
import type { Candidate, QueryWorld } from './query-world.js'
import type { TypedConditions } from './row-matcher.js'
import { typedRowMatcher } from './row-matcher.js'
import { rowOrdering } from './row-ordering.js'

/** What a read asks of a list of rows, which may be of several types. */
export interface ListCriteria extends TypedConditions, Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'> {}

/** The rows of a list that a read wants, in order, and what is known of the list. */
export interface RowList extends Required<ListFacts> {
  readonly candidates: readonly Candidate[]
}

/** Filters, counts, sorts and cuts one list after the other by the same criteria, which are read once. */
export function rowLister(criteria: ListCriteria, world: QueryWorld): (candidates: readonly Candidate[]) => RowList {
  const { types, orders, window, wantsCount } = criteria
  const matches = typedRowMatcher(criteria, world)
  const ordering = rowOrdering(orders, types, world)
  return (candidates) => {
    const kept = candidates.filter(matches).map((candidate) => ({ candidate, ranks: ordering.ranksOf(candidate) }))
    const sorted = kept.toSorted((a, b) => ordering.compare(a.ranks, b.ranks))
    return { ...cutWindow(sorted, window, ordering), total: wantsCount ? kept.length : null }
  }
}

/** The same for one list. */
export function listRows(candidates: readonly Candidate[], criteria: ListCriteria, world: QueryWorld): RowList {
  return rowLister(criteria, world)(candidates)
}
