import { keyColumn } from './key-columns.js'

/**
 * A named set of rows behind a resource type, as {@link model} returns it. A store may add further members;
 * declarations use only the name, the key and the row type.
 */
export interface Model<Row, Keys = unknown> {
  readonly name: string
  /** The column that identifies a row. The name of a composite key is made by `keyColumn`. */
  readonly key: string
  /** Whether the declaration names no key. Then a composite id is the key too. */
  readonly hasDefaultKey?: boolean
  /** The columns; `null` if they are unknown. Then only the compiler finds a misspelt column, not the build. */
  readonly columns: readonly string[] | null
  /** The foreign keys to other models. Relations find their columns by them. Absent if they are unknown. */
  readonly foreignKeys?: readonly ForeignKey[]
  /** The columns that the store computes from other rows or columns. A hash of the stored row leaves them out. */
  readonly computedColumns?: readonly string[]
  /** Never set: holds the row type for the compiler. */
  readonly row?: Row
  /** Never set: `'byName'` if the model has no foreign keys. Then the compiler checks the columns of relations that name none. */
  readonly relationKeys?: Keys
}

/** A foreign key: columns of a row that hold the key of another row. */
export interface ForeignKey {
  readonly columns: readonly string[]
  /** The name of the model that the columns point at. */
  readonly model: string
  /** The columns of that model, in the same order. */
  readonly references: readonly string[]
}

/**
 * Declares a model: a name for a set of rows, with the type of a row. Without options it has no foreign keys, so that the compiler knows the
 * column of each `belongsTo`, and refuses one that the row does not have.
 *
 * @example
 * ```ts
 * interface AlbumRow { id: number; title: string; releasedAt: Date | null }
 * const albumModel = model<AlbumRow>('albums')
 * const countryModel = model<{ code: string; name: string }>('countries', { key: 'code', columns: ['code', 'name'] })
 * ```
 */
export function model<Row extends object>(name: string): Model<Row, 'byName'>
export function model<Row extends object>(name: string, options: ModelOptions<Row> | undefined): Model<Row>
export function model<Row extends object>(name: string, options: ModelOptions<Row> = {}): Model<Row> {
  return Object.freeze({
    name,
    key: keyName(options.key),
    ...(options.key === undefined ? { hasDefaultKey: true } : {}),
    columns: options.columns === undefined ? null : Object.freeze([...options.columns]),
    ...(options.foreignKeys === undefined ? {} : { foreignKeys: Object.freeze([...options.foreignKeys]) }),
  })
}

/** Returns the name of the key that an option names: one column, or several. */
export function keyName(key: string | readonly string[] | undefined): string {
  if (key === undefined) return 'id'
  return typeof key === 'string' ? key : keyColumn(key)
}

/** Options of {@link model}: the key column, the columns and the foreign keys. */
export interface ModelOptions<Row> {
  /** The key column, or the columns of a composite key. Default: `id`. */
  readonly key?: (keyof Row & string) | readonly [keyof Row & string, ...(keyof Row & string)[]]
  /** Lets the build report a misspelt column in JavaScript declarations too. */
  readonly columns?: readonly (keyof Row & string)[]
  /** Lets relations find columns that do not follow the naming convention. */
  readonly foreignKeys?: readonly (ForeignKey & { readonly columns: readonly (keyof Row & string)[] })[]
}

/** Returns whether a value looks like a model. The build checks the types of its members. */
export function isModel(value: unknown): value is Model<unknown> {
  return typeof value === 'object' && value !== null && 'name' in value && 'key' in value
}
