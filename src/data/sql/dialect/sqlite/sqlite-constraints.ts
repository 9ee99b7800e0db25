import { sql } from 'kysely'
import type { TableName } from '../../schema/live-schema.js'
import type { ConstraintRules, ReadCatalogue } from '../dialect.js'

export const sqliteConstraints: ConstraintRules = Object.freeze<ConstraintRules>({
  schemaBehind: () => Promise.resolve(null),
  has: () => Promise.resolve(true),
  columnsOf: null,
  checkText,
  invalidValues: () => Promise.resolve([]),
})

/**
 * Returns the text of a check constraint. SQLite reports its name, or its text if it has no name. The text for a name
 * is in the SQL of the table.
 */
async function checkText(constraint: string, { schema, name }: TableName, read: ReadCatalogue): Promise<string> {
  const key = JSON.stringify(['text of a table', schema])
  const tables = sql.id(schema ?? 'main', 'sqlite_schema')
  const { rows } = await read(
    { purpose: 'read constraints', key, values: [name] },
    (slot) => sql`select sql from ${tables} where type = 'table' and name = ${slot}`,
  )
  const [text] = rows[0] ?? []
  const named = typeof text === 'string' ? text : ''
  const escaped = constraint.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const start = new RegExp(String.raw`constraint\s+["\[\x60]?${escaped}["\]\x60]?\s+check\s*\(`, 'i').exec(named)
  return start === null ? constraint : inParentheses(named.slice(start.index + start[0].length))
}

/** Returns the text up to the closing parenthesis. */
function inParentheses(text: string): string {
  let depth = 1
  for (let position = 0; position < text.length; position++) {
    if (text[position] === '(') depth += 1
    if (text[position] === ')') depth -= 1
    if (depth === 0) return text.slice(0, position)
  }
  return text
}
