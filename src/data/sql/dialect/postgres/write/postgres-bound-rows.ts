import type { SqlColumn } from '../../../schema/sql-table.js'
import { encodedValue } from '../../../write/sql-writing.js'
import type { BoundRowsSpelling } from '../../spelling.js'
import { bytesText, sentValue } from '../driver/sent-value.js'
import { checkedInsert, rowsFrom } from './checked-insert.js'

/** Rows as one JSON text. PostgreSQL parses each value as the text of the column type, like a parameter. */
export const postgresBoundRows: BoundRowsSpelling = Object.freeze<BoundRowsSpelling>({
  valueOf: jsonText,
  from: rowsFrom,
  checkedInsert,
})

function jsonText<Row>(
  columns: readonly SqlColumn[],
  rows: readonly Row[],
  read: (row: Row, column: SqlColumn) => unknown,
): string | null {
  const members = columns.map((column) => ({ column, name: `${JSON.stringify(column.name)}:` }))
  let text = '['
  for (const row of rows) {
    let written = ''
    for (const { column, name } of members) {
      const value = encodedValue(column, read(row, column))
      // A member that is left out is null.
      if (value === null || value === undefined) continue
      const json = jsonValue(column, value)
      if (json === null) return null
      written += written === '' ? name + json : `,${name}${json}`
    }
    text += text === '[' ? `{${written}}` : `,{${written}}`
  }
  return `${text}]`
}

function jsonValue({ type }: SqlColumn, value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return type === 'json' ? wholeJson(value) : JSON.stringify(value)
    case 'number':
    case 'bigint':
    case 'boolean':
      return type === 'json' ? wholeJson(String(value)) : `"${value}"`
    default:
      if (value instanceof Uint8Array) return type === 'bytes' ? JSON.stringify(bytesText(value)) : null
      return Array.isArray(value) && type !== 'json' ? JSON.stringify(sentValue(value)) : null
  }
}

/**
 * Returns JSON to embed unchanged, so it must be exactly one value. Returns `null` for a JSON null, which would become
 * an SQL null.
 */
function wholeJson(text: string): string | null {
  try {
    return JSON.parse(text) === null ? null : text
  } catch {
    return null
  }
}
