import type { DeclarationFault } from '../parts/declaration-fault.js'
import type { Deprecation } from '../parts/deprecation.js'
import type { Constraint } from '../fields/constraint.js'
import type { RequestContext } from '../request/request-context.js'
import type { UseCondition, UseGuard } from '../request/use-guard.js'

export type FilterOperator = '=' | '===' | '!=' | '>' | '>=' | '<' | '<=' | 'like' | 'starts' | 'ends'

/**
 * A user-defined condition in the language of each store. A {@link ComposedFilter} needs no such code. A store that tests rows one by one, such as the memory store, calls `matches`. Other stores
 * define the type of `apply` in their own query language and ignore `matches`.
 *
 * @example
 * ```ts
 * const decade: CustomFilter = { matches: (row, value) => Math.floor(Number(row['year']) / 10) * 10 === Number(value) }
 * const filters = (f: FilterKit<'year'>) => ({ decade: f.custom(decade) })
 * ```
 */
export interface CustomFilter {
  readonly matches?: (row: Readonly<Record<string, unknown>>, value: unknown, context: RequestContext) => boolean
  readonly apply?: unknown
}

/**
 * The function of a composed filter. It returns a filter, or `null` for no condition; the result is not validated. The
 * kit is typed where the filter is declared.
 */
export type ComposeFilter = (value: unknown, kit: never, context: RequestContext) => unknown

/** The shape of the value that a client sends. It decides how the value is parsed from the query string. */
export type FilterShape = 'value' | 'set' | 'range' | 'presence'

/** An attribute, or a column, that a search looks in. */
export interface SearchedField {
  readonly name: string
  /** How much a hit counts in the rank. */
  readonly weight: number
}

/** The test that a filter applies to a row. */
export type FilterTest =
  | { readonly kind: 'compare'; readonly column: string | null; readonly operator: FilterOperator }
  | { readonly kind: 'range'; readonly column: string | null; readonly moments: boolean }
  | { readonly kind: 'in'; readonly column: string | null; readonly negated: boolean }
  | { readonly kind: 'idIn'; readonly negated: boolean }
  | { readonly kind: 'null'; readonly column: string | null; readonly negated: boolean }
  | {
      readonly kind: 'has'
      readonly relation: string | null
      readonly negated: boolean
      /** The user-defined condition of related rows; `null` if any row matches. */
      readonly matching: CustomFilter | ComposeFilter | null
    }
  | { readonly kind: 'through'; readonly path: string | null; readonly operator: FilterOperator }
  | { readonly kind: 'all' | 'any'; readonly filters: FilterSpecs }
  /** Matches no row, also if it is negated: the value to compare with is missing. Only rules of policies have it. */
  | { readonly kind: 'missing' }
  /** Matches the rows that do not meet the filter. Only rules of policies have it. */
  | { readonly kind: 'not'; readonly filter: FilterSpec }
  /** Matches rows with a visible related row for which the caller has an ability. Only rules of policies have it. */
  | { readonly kind: 'granted'; readonly relation: string; readonly ability: string }
  /** Searches the words of texts. */
  | { readonly kind: 'search'; readonly fields: readonly SearchedField[] }
  | { readonly kind: 'custom'; readonly custom: CustomFilter }
  | { readonly kind: 'composed'; readonly compose: ComposeFilter }
  /** Does not test rows, but selects whether soft-deleted rows are added to the result or are the only ones in it. */
  | { readonly kind: 'trashed'; readonly only: boolean }

export interface FilterSpec {
  readonly test: FilterTest
  readonly shape: FilterShape
  /** Whether the target is a column of the row, also if an attribute has its name. Only rules of policies set it. */
  readonly byColumn?: boolean
  /** True for filters such as `contains()`, whose operator cannot be changed. */
  readonly operatorFixed: boolean
  readonly coercion: 'field' | 'number' | 'boolean'
  readonly singular: boolean
  readonly delimiter: string
  readonly deserialize: ((value: unknown) => unknown) | null
  /** Used if the client does not send the key. */
  readonly default: { readonly value: unknown } | null
  /** Used instead of the value that the client sends: only the presence of the key matters. */
  readonly fixed: { readonly value: unknown } | null
  readonly constraints: readonly Constraint[]
  /** Who may send the filter; `null` for everybody. */
  readonly usableIf: UseCondition | null
  /** The guard of `usableIf`. Set when the type is compiled. */
  readonly useGuard: UseGuard | null
  readonly description: string | null
  readonly examples: readonly unknown[]
  /** `null` if the filter is not deprecated. */
  readonly deprecation: Deprecation | null
  readonly faults: readonly DeclarationFault[]
}

/** A filter of the application, and the value that it compares with, which is `undefined` if the filter has its own values. */
export interface ValuedFilter {
  readonly spec: FilterSpec
  readonly value: unknown
}

/** The filters of a type or relation, by the key that clients use in the `filter` query parameter. */
export type FilterSpecs = Readonly<Record<string, FilterSpec>>
