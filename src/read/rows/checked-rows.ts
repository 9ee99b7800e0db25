import { keyText } from '../../row-query/key-text.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { isRowSet, rowSetOf } from '../../rows/row-set.js'

/**
 * The border to providers and persisters, which may answer plain objects: past it there are only row sets, and every row
 * has its key. A serializer of the author's says the id itself.
 */
export function checkedRows({ type, serializer }: ServedType, found: RowSet | object | readonly object[]): RowSet {
  const rows = asRowSet(found)
  if (rows === null) throw new TypeError(`What was answered as rows of '${type.type}' are none.`)
  const position = rows.columns.indexOf(type.id.column)
  const hasKey = position !== -1 && rows.rows.every((row) => row[position] !== undefined && row[position] !== null)
  if (hasKey || serializer !== null || rows.rows.length === 0) return rows
  throw new TypeError(
    `A row of '${type.type}' came without its key: the column '${type.id.column}' is missing or empty.`,
  )
}

/** The same for a list of different rows: a document shows no resource twice. */
export function checkedList(served: ServedType, found: RowSet | readonly object[]): RowSet {
  const rows = checkedRows(served, found)
  const keyAt = rowKeyReader(served, rows)
  const seen = new Set<string | number | null>()
  for (let position = 0; position < rows.rows.length; position++) {
    const key = keyAt(position)
    if (seen.has(key)) throw new TypeError(`The provider of '${served.type.type}' answered the key '${key}' twice.`)
    seen.add(key)
  }
  return rows
}

/** Tells rows apart by their keys. What a serializer of the author's makes ids of, only it knows: there it is the position. */
export function rowKeyReader(
  { type, serializer }: ServedType,
  { columns, rows }: RowSet,
): (position: number) => string | number | null {
  const column = columns.indexOf(type.id.column)
  return serializer === null ? (position) => keyText(rows[position]?.[column]) : (position) => position
}

function asRowSet(found: unknown): RowSet | null {
  if (Array.isArray(found)) return found.every(isObject) ? rowSetOf(found) : null
  if (!isObject(found)) return null
  return isRowSet(found) ? found : rowSetOf([found])
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
