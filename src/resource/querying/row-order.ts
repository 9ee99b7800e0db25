import type { RelationLink } from '../relations/relation-link.js'
import type { CustomSort } from '../sorts/sort-spec.js'
import type { QueryColumn, RowCondition } from './row-condition.js'

/**
 * One to-one relation on the way from a row to the row that orders it. Where several rows claim to be the one, it leads
 * to the first by type and key among those that are there.
 */
export interface OrderStep {
  readonly relation: RelationLink
  /** What the row that it leads to must meet to be there: the scope of its type. `null` for nothing. */
  readonly condition: RowCondition | null
}

/**
 * One level of the order of rows. Null is the largest value: last ascending, first descending. Text is ordered by code
 * points.
 */
export type RowOrder =
  | {
      readonly kind: 'column'
      /** To-one relations that lead to the row of the column; empty for the row itself. A missing row counts as null. */
      readonly path: readonly OrderStep[]
      readonly column: QueryColumn
      readonly descending: boolean
    }
  /** By the place of the row's type among the targets of a relation to several types. */
  | { readonly kind: 'type'; readonly descending: boolean }
  /** By the row's key (`referenceColumn`), whichever of several types it is of. */
  | { readonly kind: 'key'; readonly descending: boolean }
  | { readonly kind: 'custom'; readonly custom: CustomSort; readonly descending: boolean }
