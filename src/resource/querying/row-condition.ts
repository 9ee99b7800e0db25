import type { ValueKind } from '../fields/value-kind.js'
import type { CustomFilter, FilterOperator } from '../filters/filter-spec.js'
import type { RelationLink } from '../relations/relation-link.js'

/** A column that a query looks at. */
export interface QueryColumn {
  /** A column of the row itself, or of the join row that leads to it. */
  readonly of: 'row' | 'pivot'
  readonly name: string
  /** What its values are; `null` where only the store knows. */
  readonly kind: ValueKind | null
  /**
   * Whether it holds the keys that ids stand for. What is asked of it are keys as `id.decode` answers them, which are
   * texts where ids have no codec: stores make them values of the column's type, and find nothing where that cannot be.
   * `01` is not the key 1.
   */
  readonly isKey: boolean
}

/** `===` is `=`: stores know one equality. */
export type ComparisonOperator = Exclude<FilterOperator, '==='>

/**
 * What a read asks of rows, with columns found and values of the columns' kinds. Null is equal to nothing: comparisons,
 * ranges and sets never match a null column, not even when they are negated. Text operators know no difference between
 * the cases of ASCII letters, and match only columns that are compared as text, or, where there is no kind, hold text.
 * A column that holds a list is equal to, or in, what one of its members is.
 */
export type RowCondition =
  | {
      readonly kind: 'compare'
      readonly column: QueryColumn
      readonly operator: ComparisonOperator
      readonly value: unknown
    }
  /** Both bounds are inclusive; a bound that is `null` is open. */
  | { readonly kind: 'range'; readonly column: QueryColumn; readonly min: unknown; readonly max: unknown }
  | {
      readonly kind: 'in'
      readonly column: QueryColumn
      readonly values: readonly unknown[]
      readonly negated: boolean
    }
  | { readonly kind: 'null'; readonly column: QueryColumn; readonly negated: boolean }
  /**
   * At least one related row that is there meets the condition; negated, none does. Of a to-one relation only one row
   * is asked: where several claim to be it, the one that comes first by type and key among those that are there.
   */
  | {
      readonly kind: 'related'
      readonly relation: RelationLink
      /** By type name: what rows of that type must meet to be there, such as its scope. */
      readonly conditionsOf: ReadonlyMap<string, readonly RowCondition[]>
      /** `null` asks only whether there is one. */
      readonly condition: RowCondition | null
      readonly negated: boolean
    }
  /** No conditions at all: `all` holds, `any` does not. */
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly RowCondition[] }
  | { readonly kind: 'custom'; readonly custom: CustomFilter; readonly value: unknown }
