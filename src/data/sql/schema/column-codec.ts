/** How values of a column travel between rows and the driver. */
export interface ColumnCodec {
  /** From the driver to the row; `null` where nothing is to be done. Null is never asked. */
  readonly decode: ((held: unknown) => unknown) | null
  /** From a row to the driver, to be stored. Null is never asked. Passes on what it cannot convert: the database refuses it. */
  encode(value: unknown): unknown
}
