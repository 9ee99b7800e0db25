import type { DeclarationFault } from '../declaration-fault.js'
import type { Constraint } from '../fields/constraint.js'
import type { RequestContext } from '../request-context.js'

export type FilterOperator = '=' | '===' | '!=' | '>' | '>=' | '<' | '<=' | 'like' | 'starts' | 'ends'

/**
 * A condition of the author's own. A store that knows rows only one by one calls `matches`; other stores bring their own
 * language for `apply` and ignore `matches`.
 */
export interface CustomFilter {
  readonly matches?: (row: Readonly<Record<string, unknown>>, value: unknown, context: RequestContext) => boolean
  readonly apply?: unknown
}

/** What the client's value looks like, and so how it is read from the query string. */
export type FilterShape = 'value' | 'set' | 'range' | 'presence'

/** What a filter asks of a row. */
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
      readonly matching: CustomFilter | null
    }
  | { readonly kind: 'through'; readonly path: string | null; readonly operator: FilterOperator }
  | { readonly kind: 'all' | 'any'; readonly filters: FilterSpecs }
  | { readonly kind: 'custom'; readonly custom: CustomFilter }
  /** Asks nothing of rows, but which are there: with those that are deleted softly, or only those. */
  | { readonly kind: 'trashed'; readonly only: boolean }

export interface FilterSpec {
  readonly test: FilterTest
  readonly shape: FilterShape
  /** Whether the operator may be chosen; the fixed-operator conveniences refuse another. */
  readonly operatorFixed: boolean
  readonly coercion: 'field' | 'number' | 'boolean'
  readonly singular: boolean
  readonly delimiter: string
  readonly deserialize: ((value: unknown) => unknown) | null
  /** Used when the client does not send the key. */
  readonly default: { readonly value: unknown } | null
  /** Used instead of what the client sends: the key's presence is all that counts. */
  readonly fixed: { readonly value: unknown } | null
  readonly constraints: readonly Constraint[]
  readonly description: string | null
  readonly examples: readonly unknown[]
  readonly faults: readonly DeclarationFault[]
}

/** Filters by the key that clients write. */
export type FilterSpecs = Readonly<Record<string, FilterSpec>>
