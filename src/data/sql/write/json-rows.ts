import type { ColumnValues } from '../../../resource/capabilities/persister.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { SetColumns } from './new-row.js'
import { encodedValue } from './sql-writing.js'

/**
 * Returns rows as one JSON text for `json_populate_recordset`. PostgreSQL parses each value as the text of the column
 * type, like a parameter. Returns `null` if a value cannot be written without the risk of a change.
 */
export function jsonRows(columns: readonly SqlColumn[], rows: readonly SetColumns[]): string | null {
  return jsonText(columns, rows, (row, column) => row.get(column))
}

/** Like `jsonRows()`, for rows by the names of their properties. */
export function jsonValues(columns: readonly SqlColumn[], rows: readonly ColumnValues[]): string | null {
  return jsonText(columns, rows, (row, { property }) => row[property])
}

function jsonText<Given>(
  columns: readonly SqlColumn[],
  rows: readonly Given[],
  valueOf: (row: Given, column: SqlColumn) => unknown,
): string | null {
  const members = columns.map((column) => ({ column, name: `${JSON.stringify(column.name)}:` }))
  let text = '['
  for (const row of rows) {
    let written = ''
    for (const { column, name } of members) {
      const value = encodedValue(column, valueOf(row, column))
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
