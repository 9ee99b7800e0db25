/** The position of a row in an order: its value for each sort key of the order. */
export type RowPosition = readonly unknown[]

/** The part of the rows that a read returns. If a read has several parents, it applies to each parent separately. */
export type RowWindow =
  | { readonly kind: 'offset'; readonly offset: number; readonly limit: number }
  /**
   * The rows strictly after one position, strictly before another, or between both. The positions refer to the order of
   * the read. If there are more rows than `limit`, the first rows after `after` are returned; with only `before`, the
   * last rows before it. The rows are always returned in the order of the read.
   */
  | {
      readonly kind: 'cursor'
      readonly limit: number
      readonly after: RowPosition | null
      readonly before: RowPosition | null
    }

/** The positions of the first and the last row that a read returned. */
export interface RowEdges {
  readonly first: RowPosition
  readonly last: RowPosition
}
