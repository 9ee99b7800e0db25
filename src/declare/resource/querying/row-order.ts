import type { RelationLink } from '../compiled/relation-link.js'
import type { CustomSort } from '../sorts/sort-spec.js'
import type { QueryColumn, RowCondition, SearchCondition } from './row-condition.js'

/**
 * One to-one relation on the path from a row to the row with the sort value. If several rows qualify as its member, the
 * first by type and key of those that meet `condition` is used.
 */
export interface OrderStep {
  readonly relation: RelationLink
  /** The condition that the member must meet to be visible: the scope of its type. `null` if there is none. */
  readonly condition: RowCondition | null
}

/**
 * One sort key of the order of rows. Null is the largest value: last if ascending, first if descending. Text is ordered
 * by code points.
 */
export type RowOrder =
  | {
      readonly kind: 'column'
      /**
       * The to-one relations from the row to the row of the column; empty for the row itself. A missing row counts as
       * null.
       */
      readonly path: readonly OrderStep[]
      readonly column: QueryColumn
      readonly descending: boolean
    }
  /**
   * Orders by a column like `column`, but only in rows that meet `condition`: in others the value counts as null. The
   * column holds the key of a related row, which may be hidden from the client. The condition is that of the row with
   * the column, at the end of `path`.
   */
  | {
      readonly kind: 'visibleColumn'
      readonly path: readonly OrderStep[]
      readonly column: QueryColumn
      readonly condition: RowCondition
      readonly descending: boolean
    }
  /** Orders by the position of the row's type in the targets of a polymorphic relation. */
  | { readonly kind: 'type'; readonly descending: boolean }
  /** Orders by the row's key (`referenceColumn`). Rows of several types are ordered together. */
  | { readonly kind: 'key'; readonly descending: boolean }
  /**
   * Orders by how well a search finds rows. The rank is a whole number that depends on the row alone, and is the same in each store:
   * `searchMatcher()`.
   */
  | { readonly kind: 'relevance'; readonly search: SearchCondition; readonly descending: boolean }
  | { readonly kind: 'custom'; readonly custom: CustomSort; readonly descending: boolean }
