import { sql } from 'kysely'
import type { TableName } from '../../schema/live-schema.js'
import type { ConstraintRules, ReadCatalogue } from '../dialect.js'
import { contentOf, tokensOf } from './schema/sql-tokens.js'

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
  const start = new RegExp(String.raw`constraint\s+["\[\x60]?${escaped}["\]\x60]?\s+check\s*(?=\()`, 'i').exec(named)
  return start === null ? constraint : contentOf(tokensOf(named.slice(start.index + start[0].length)))
}
