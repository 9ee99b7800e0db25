import type { RequestContext } from '../request-context.js'

/** An order of the author's own; like custom filters, each store reads the part it understands. */
export interface CustomSort {
  readonly compare?: (
    a: Readonly<Record<string, unknown>>,
    b: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ) => number
  readonly apply?: unknown
}

export type SortSpec =
  /** By a column; `null` for the one that the key names. */
  | { readonly kind: 'field'; readonly column: string | null }
  /** By an attribute at the end of a chain of to-one relations. */
  | { readonly kind: 'through'; readonly path: string | null }
  | { readonly kind: 'custom'; readonly custom: CustomSort }

/** Sorts by the key that clients write. */
export type SortSpecs = Readonly<Record<string, SortSpec>>
