/**
 * What stands behind a resource type: a named set of rows. Stores add what they need to know about it; the
 * declarations only ask for its name, its key and the type of its rows.
 */
export interface Model<Row> {
  readonly name: string
  /** The column that identifies a row. */
  readonly key: string
  /** The columns, where they are known; without them a misspelt column is found by the compiler only. */
  readonly columns: readonly string[] | null
  /** Never set: carries the row type. */
  readonly row?: Row
}

/**
 * Names a set of rows by the type of a row.
 *
 * @example
 * ```ts
 * interface AlbumRow { id: number; title: string; releasedAt: Date | null }
 * const albumModel = model<AlbumRow>('albums')
 * ```
 */
export function model<Row extends object>(name: string, options: ModelOptions<Row> = {}): Model<Row> {
  return Object.freeze({
    name,
    key: options.key ?? 'id',
    columns: options.columns === undefined ? null : Object.freeze([...options.columns]),
  })
}

export interface ModelOptions<Row> {
  /** Default: `id`. */
  readonly key?: keyof Row & string
  /** Lets the build name a misspelt column to JavaScript authors too. */
  readonly columns?: readonly (keyof Row & string)[]
}
