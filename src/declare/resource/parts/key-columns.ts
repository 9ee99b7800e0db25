import type { Row } from '../../../core/rows/row-set.js'

type RowObject = Readonly<Record<string, unknown>>

/** Separates the columns in the name of a composite key. No column of a model has this character in its name. */
const separator = '\u001f'

/**
 * Returns the name of a key: the name of its column, or one text for all its columns if there are several. Everything
 * that refers to a key by name (`id.column`, the key of a model, the keys of relations, conditions) uses this name.
 */
export function keyColumn(columns: readonly string[]): string {
  return columns.join(separator)
}

/**
 * Returns the columns of a key by its name: one, or several for a composite key.
 *
 * @example
 * ```ts
 * const columnsOf = ({ id }: CompiledType) => keyColumns(id.column) // ['orderId', 'productId']
 * ```
 */
export function keyColumns(name: string): readonly string[] {
  return isComposite(name) ? name.split(separator) : [name]
}

/** Returns whether a name is that of a composite key. A declaration in JavaScript may have a name that is not a string. */
export function isComposite(name: string): boolean {
  return typeof name === 'string' && name.includes(separator)
}

/** Describes the columns of a key for messages: `'id'`, or `'orderId', 'productId'`. */
export function describeKey(name: string): string {
  return keyColumns(name)
    .map((column) => `'${column}'`)
    .join(', ')
}

/**
 * Returns the key of a row. A composite key is a list with the values of its columns; `null` if one of them is null.
 *
 * @example
 * ```ts
 * const keyOf = ({ id }: CompiledType, row: Readonly<Record<string, unknown>>) => keyIn(row, id.column) // [10248, 11]
 * ```
 */
export function keyIn(row: RowObject, name: string): unknown {
  return isComposite(name) ? compositeKey(keyColumns(name).map((column) => row[column])) : row[name]
}

/** Returns a function that reads the key of rows with values by position. A key whose columns are missing is `null`. */
export function keyReader(columns: readonly string[], name: string): (row: Row) => unknown {
  if (!isComposite(name)) {
    const position = columns.indexOf(name)
    return (row) => row[position]
  }
  const positions = keyColumns(name).map((column) => columns.indexOf(column))
  return (row) => compositeKey(positions.map((each) => row[each]))
}

/** Returns a composite key made of its values; `null` if one of them is null. */
function compositeKey(values: readonly unknown[]): readonly unknown[] | null {
  return values.some((value) => value === null || value === undefined) ? null : values
}

/** Returns the values of the columns of a key. All are null if the key is. */
export function keyValues(name: string, key: unknown): RowObject {
  if (!isComposite(name)) return { [name]: key }
  const parts: readonly unknown[] = Array.isArray(key) ? key : []
  return Object.fromEntries(keyColumns(name).map((column, index) => [column, parts[index] ?? null]))
}
