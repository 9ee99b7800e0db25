/**
 * Marks row sets, so that no plain object is mistaken for one. It is a symbol of the global registry, so that two
 * copies of the package in one process recognize each other's row sets.
 */
const mark: unique symbol = Symbol.for('ashlar.rows')

/**
 * The result of a read: column names, and rows with values by position. Stores create it, handlers pass it on, and
 * writers read it. Row objects with named members are created only for callbacks.
 */
export interface RowSet {
  readonly [mark]: true
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** The values of a row, in the order of the columns. */
export type Row = readonly unknown[]

/**
 * Creates a row set from rows with values by position.
 *
 * @example
 * ```ts
 * const countries = rowSet(['code', 'name'], [['is', 'Iceland'], ['no', 'Norway']])
 * ```
 */
export function rowSet(columns: readonly string[], rows: readonly Row[]): RowSet {
  return { [mark]: true, columns, rows }
}

export function isRowSet(value: object): value is RowSet {
  return mark in value
}

/** Creates a row set from objects. Without a list of columns, the columns are all the keys of the objects. */
export function rowSetOf(objects: readonly object[], columns?: readonly string[]): RowSet {
  const names = columns ?? namesIn(objects)
  return rowSet(
    names,
    objects.map((object) => names.map((name) => (object as Readonly<Record<string, unknown>>)[name])),
  )
}

/** Converts a row into an object with the columns as keys. */
export function rowObject(columns: readonly string[], row: Row): Readonly<Record<string, unknown>> {
  const object: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]
    if (column !== undefined) object[column] = row[index]
  }
  return object
}

function namesIn(objects: readonly object[]): readonly string[] {
  const names = new Set<string>()
  for (const object of objects) for (const name of Object.keys(object)) names.add(name)
  return [...names]
}

/** Returns whether a flag of a row is set. Some databases have no booleans. */
export function isSet(flag: unknown): boolean {
  return flag === true || flag === 1
}
