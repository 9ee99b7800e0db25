import { keyText } from '../../row-query/key-text.js'
import { describeKey, keyReader } from '../../resource/key-columns.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { isRowSet, rowSetOf } from '../../rows/row-set.js'

/**
 * Checks the rows of providers, persisters and user-defined answers, which may be plain objects. Returns a row set in
 * which every row has its key. Rows of a type with a serializer need no key, because the serializer returns the id.
 */
export function checkedRows({ type, serializer }: ServedType, found: RowSet | object | readonly object[]): RowSet {
  const rows = asRowSet(found)
  if (rows === null)
    throw new TypeError(
      `The value returned as rows of '${type.type}' is neither an object, nor a list of objects, nor a row set.`,
    )
  const keyOf = keyReader(rows.columns, type.id.column)
  const hasKey = rows.rows.every((row) => {
    const key = keyOf(row)
    return key !== undefined && key !== null
  })
  if (hasKey || serializer !== null || rows.rows.length === 0) return rows
  throw new TypeError(
    `A row of '${type.type}' has no key: the column ${describeKey(type.id.column)} is missing or empty.`,
  )
}

/** Checks a list of rows, which must not contain a row twice, because a document shows each resource once. */
export function checkedList(served: ServedType, found: RowSet | readonly object[]): RowSet {
  const rows = checkedRows(served, found)
  const keyAt = rowKeyReader(served, rows)
  const seen = new Set<string | number | null>()
  for (let position = 0; position < rows.rows.length; position++) {
    const key = keyAt(position)
    if (seen.has(key)) throw new TypeError(`The provider of '${served.type.type}' returned the key '${key}' twice.`)
    seen.add(key)
  }
  return rows
}

/** Returns a function that identifies a row by its key; by its position, if a serializer makes the ids. */
export function rowKeyReader(
  { type, serializer }: ServedType,
  { columns, rows }: RowSet,
): (position: number) => string | number | null {
  const keyOf = keyReader(columns, type.id.column)
  return serializer === null ? (position) => keyText(keyOf(rows[position] ?? [])) : (position) => position
}

function asRowSet(found: unknown): RowSet | null {
  if (Array.isArray(found)) return found.every(isObject) ? rowSetOf(found) : null
  if (!isObject(found)) return null
  return isRowSet(found) ? found : rowSetOf([found])
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
