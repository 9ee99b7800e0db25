import type { SqlColumn } from '../schema/sql-table.js'
import type { SetColumns } from './new-row.js'
import { encoded } from './sql-writing.js'

/**
 * Rows as one JSON text for `json_populate_recordset`, which gives each value to the type of its column as the text that it
 * would be as a value of its own. `null` where one cannot be written so that it is sure to arrive as the same.
 */
export function jsonRows(columns: readonly SqlColumn[], rows: readonly SetColumns[]): string | null {
  const members = columns.map((column) => ({ column, name: `${JSON.stringify(column.name)}:` }))
  let text = '['
  for (const row of rows) {
    let written = ''
    for (const { column, name } of members) {
      const value = encoded(column, row.get(column))
      // What is left out is null.
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
      return Array.isArray(value) && type !== 'json' ? JSON.stringify(arrayText(value)) : null
  }
}

/** Stands in the text as it is, so it must be one value and no more. A column would not hold the null of JSON, but none. */
function wholeJson(text: string): string | null {
  try {
    return JSON.parse(text) === null ? null : text
  } catch {
    return null
  }
}

/** As PostgreSQL writes arrays: it reads a text for one as it reads a value. */
function arrayText(members: readonly unknown[]): string {
  const texts = members.map((member) => {
    if (member === null || member === undefined) return 'NULL'
    if (Array.isArray(member)) return arrayText(member)
    const text = member instanceof Uint8Array ? bytesText(member) : String(member)
    return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  })
  return `{${texts.join(',')}}`
}

function bytesText(bytes: Uint8Array): string {
  return String.raw`\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`
}
