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
  /** What leads from its rows to those of other models; relations are found from it. None where nothing is known. */
  readonly foreignKeys?: readonly ForeignKey[]
  /** Never set: carries the row type. */
  readonly row?: Row
}

/** Columns of a row that hold the key of another one. */
export interface ForeignKey {
  readonly columns: readonly string[]
  /** The name of the model that they point at. */
  readonly model: string
  /** The columns that they point at, in the same order. */
  readonly references: readonly string[]
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
    ...(options.foreignKeys === undefined ? {} : { foreignKeys: Object.freeze([...options.foreignKeys]) }),
  })
}

export interface ModelOptions<Row> {
  /** Default: `id`. */
  readonly key?: keyof Row & string
  /** Lets the build name a misspelt column to JavaScript authors too. */
  readonly columns?: readonly (keyof Row & string)[]
  /** Lets relations be found whose columns are not called as convention has it. */
  readonly foreignKeys?: readonly (ForeignKey & { readonly columns: readonly (keyof Row & string)[] })[]
}

/** Whether something was made to be a model; the build looks at what its members really are. */
export function isModel(given: unknown): given is Model<unknown> {
  return typeof given === 'object' && given !== null && 'name' in given && 'key' in given
}
