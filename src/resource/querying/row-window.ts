/** The place of a row in an order: its value at each level. */
export type RowPlace = readonly unknown[]

/** The part of the rows that a read wants, per parent where it has several. */
export type RowWindow =
  | { readonly kind: 'offset'; readonly offset: number; readonly limit: number }
  /**
   * The rows strictly after one place, strictly before another, or between both; the places are of the order of the
   * read. Those that fit are taken from the side of `after`, and from the side of `before` only when that stands alone.
   * They come in the natural order.
   */
  | {
      readonly kind: 'cursor'
      readonly limit: number
      readonly after: RowPlace | null
      readonly before: RowPlace | null
    }

/** The places of the first and the last row of what was read. */
export interface RowEdges {
  readonly first: RowPlace
  readonly last: RowPlace
}
