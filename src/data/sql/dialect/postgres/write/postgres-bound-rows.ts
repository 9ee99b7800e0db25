import type { SqlColumn } from '../../../schema/sql-table.js'
import { encodedValue } from '../../../write/sql-writing.js'
import type { BoundRowsSpelling } from '../../spelling.js'
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
      if (value instanceof Uint8Array) return type === 'bytes' ? String.raw`"\\x${hexOf(value)}"` : null
      return type === 'json' ? null : quotedText(arrayText(value))
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

function quotedText(text: string | null): string | null {
  return text === null ? null : JSON.stringify(text)
}

/** Returns an array in the text form of PostgreSQL, which parses it like a parameter. */
function arrayText(members: unknown): string | null {
  if (!Array.isArray(members)) return null
  let text = ''
  for (const member of members as readonly unknown[]) {
    const written = memberText(member)
    if (written === null) return null
    text += text === '' ? written : `,${written}`
  }
  return `{${text}}`
}

function memberText(member: unknown): string | null {
  switch (typeof member) {
    case 'string':
      return `"${member.replaceAll(/["\\]/g, String.raw`\$&`)}"`
    case 'number':
    case 'bigint':
    case 'boolean':
      return `"${member}"`
    case 'object':
      if (member === null) return 'NULL'
      return member instanceof Uint8Array ? String.raw`"\\x${hexOf(member)}"` : arrayText(member)
    default:
      return null
  }
}

function hexOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}
