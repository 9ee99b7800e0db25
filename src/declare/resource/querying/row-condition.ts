import type { ComparedAs, ValueKind } from '../fields/value-kind.js'
import type { CustomFilter, FilterOperator } from '../filters/filter-spec.js'
import type { RelationLink } from '../compiled/relation-link.js'
import type { RequestContext } from '../request/request-context.js'
import type { SearchQuery } from './search-query.js'

/** A column that a query uses. */
export interface QueryColumn {
  /** Whether it is a column of the row itself, or of the join row (pivot) through which a relation reads the row. */
  readonly of: 'row' | 'pivot'
  readonly name: string
  /** The kind of its values; `null` if only the store knows it. */
  readonly kind: ValueKind | null
  /**
   * Whether the column holds the keys of resource ids. The values to compare it with are keys as `id.decode` returns
   * them: text, if the id has no codec. Stores convert them to the type of the column, and match nothing if that is
   * impossible. `01` is not the key 1.
   */
  readonly isKey: boolean
  /**
   * Set if a rule of a policy or a scope compares the column: by the type of the column, or of the stored value, whatever
   * attributes show of it. `kind` is then `null`. A value that cannot be compared exactly with a stored one meets no
   * comparison, negated or not. Texts in columns without a more exact type are parsed as this, and compared as text if
   * the attributes of the column do not agree.
   */
  readonly asStored?: StoredTexts
}

/** What the texts in a column mean: `text` unless all attributes of the column have one of the other meanings. */
export type StoredTexts = Exclude<ComparedAs, 'json'>

/** Without `===`, which means the same as `=`: stores have one kind of equality. */
export type ComparisonOperator = Exclude<FilterOperator, '==='>

/**
 * The condition that a read applies to rows, with resolved columns and with values of the columns' kinds. Null is equal
 * to nothing: comparisons, ranges and sets never match a null column, not even if they are negated. Text operators
 * ignore the case of ASCII letters. They match only columns that are compared as text or, if the column has no kind,
 * that hold text. A column with a list matches `=` and `in` if one of its items does.
 */
export type RowCondition =
  | {
      readonly kind: 'compare'
      readonly column: QueryColumn
      readonly operator: ComparisonOperator
      readonly value: unknown
    }
  /** Both bounds are inclusive; a bound that is `null` does not limit the range. */
  | { readonly kind: 'range'; readonly column: QueryColumn; readonly min: unknown; readonly max: unknown }
  | {
      readonly kind: 'in'
      readonly column: QueryColumn
      readonly values: readonly unknown[]
      readonly negated: boolean
    }
  | { readonly kind: 'null'; readonly column: QueryColumn; readonly negated: boolean }
  /**
   * Matches if at least one visible related row meets the condition; negated, if none does. A to-one relation has one
   * member only: if several visible rows qualify, the first by type and key is tested.
   */
  | {
      readonly kind: 'related'
      readonly relation: RelationLink
      /** By type name: the conditions that rows of the type must meet to be visible, such as its scope. */
      readonly conditionsOf: ReadonlyMap<string, readonly RowCondition[]>
      /** `null` tests only whether there is a visible related row. */
      readonly condition: RowCondition | null
      readonly negated: boolean
    }
  /** Without conditions, `all` matches every row, and `any` matches none. */
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly RowCondition[] }
  | SearchCondition
  /** Matches exactly the rows that do not match the condition, rows with null included. Only filter trees have it. */
  | { readonly kind: 'not'; readonly condition: RowCondition }
  | { readonly kind: 'custom'; readonly custom: CustomFilter; readonly value: unknown }
  | ScopeCondition

/**
 * Matches if each required term of the query is in one of the columns, and no excluded term in any of them. Only a provider with
 * `acceptsSearch` gets it. A null column has no words.
 */
export interface SearchCondition {
  readonly kind: 'search'
  readonly columns: readonly SearchedColumn[]
  readonly query: SearchQuery
}

export interface SearchedColumn {
  readonly column: QueryColumn
  /** How much a hit in the column counts in the rank: a positive whole number. */
  readonly weight: number
}

/**
 * A slot for the scope of a type, or the rule of one of its abilities, which depends on the request. Only read functions that set `acceptsScopes` get it;
 * for others the framework replaces it by the condition of the request.
 */
export interface ScopeCondition {
  readonly kind: 'scope'
  /** The name of the type. */
  readonly type: string
  /** Returns the condition for a request, `null` if all rows pass. For the same request it returns the same object. */
  conditionIn(context: RequestContext): RowCondition | null
}
