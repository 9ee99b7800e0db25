/** Says of itself that it is one, so that no plain object is taken for it; registered, for two copies of the package. */
const mark: unique symbol = Symbol.for('ashlar.rows')

/**
 * The one currency of results: column names and positional rows. Stores make it, handlers pass it on, writers read it;
 * named row objects are a view for callbacks, made only where one is there.
 */
export interface RowSet {
  readonly [mark]: true
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

/** Values by the position of their column. */
export type Row = readonly unknown[]

/**
 * Rows of a provider that has them by position.
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

/** Plain objects as a row set, with the columns named or, without names, those of the objects. */
export function rowSetOf(objects: readonly object[], columns?: readonly string[]): RowSet {
  const names = columns ?? namesIn(objects)
  return rowSet(
    names,
    objects.map((object) => names.map((name) => (object as Readonly<Record<string, unknown>>)[name])),
  )
}

/** A row as an object with named members. */
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
