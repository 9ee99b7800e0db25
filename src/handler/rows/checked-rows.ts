import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { isRowSet, rowSetOf } from '../../rows/row-set.js'

/**
 * The border to providers and persisters, which may answer plain objects: past it there are only row sets, and every row
 * has its key. A serializer of the author's says the id itself.
 */
export function checkedRows({ type, serializer }: ServedType, found: RowSet | object | readonly object[]): RowSet {
  const rows = asRowSet(found)
  const position = rows.columns.indexOf(type.id.column)
  const hasKey = position !== -1 && rows.rows.every((row) => row[position] !== undefined && row[position] !== null)
  if (hasKey || serializer !== null || rows.rows.length === 0) return rows
  throw new TypeError(
    `A row of '${type.type}' came without its key: the column '${type.id.column}' is missing or empty.`,
  )
}

function asRowSet(found: RowSet | object | readonly object[]): RowSet {
  if (Array.isArray(found)) return rowSetOf(found as readonly object[])
  return isRowSet(found) ? found : rowSetOf([found])
}
