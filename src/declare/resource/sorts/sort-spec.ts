import type { Deprecation } from '../parts/deprecation.js'
import type { RequestContext } from '../request/request-context.js'
import type { UseCondition, UseGuard } from '../request/use-guard.js'

/**
 * A user-defined order. As with custom filters, a store that has rows in memory calls `compare`, and other stores
 * define the type of `apply`.
 *
 * @example
 * ```ts
 * const byLength: CustomSort = { compare: (a, b) => String(a['title']).length - String(b['title']).length }
 * const sorts = (s: SortKit<'title'>) => ({ titleLength: s.custom(byLength) })
 * ```
 */
export interface CustomSort {
  readonly compare?: (
    a: Readonly<Record<string, unknown>>,
    b: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ) => number
  readonly apply?: unknown
}

type SortTarget =
  /** Sorts by a column; `null` for the column that the key names. */
  | { readonly kind: 'field'; readonly column: string | null }
  /** Sorts by an attribute at the end of a path of to-one relations. */
  | { readonly kind: 'through'; readonly path: string | null }
  /** Sorts by how well rows are found by a filter with `search()`, which the request must have. */
  | { readonly kind: 'relevance'; readonly filter: string }
  | { readonly kind: 'custom'; readonly custom: CustomSort }

export type SortSpec = SortTarget & {
  /** Who may send the sort key; `null` for everybody. */
  readonly usableIf: UseCondition | null
  /** The guard of `usableIf`. Set when the type is compiled. */
  readonly useGuard: UseGuard | null
  /** `null` if the sort is not deprecated. */
  readonly deprecation: Deprecation | null
}

/** Returns the specification of a sort that everybody may use. */
export function sortBy(target: SortTarget): SortSpec {
  return Object.freeze({ ...target, usableIf: null, useGuard: null, deprecation: null })
}

/** The sorts of a type or relation, by the key that clients use in the `sort` query parameter. */
export type SortSpecs = Readonly<Record<string, SortSpec>>
