import { sql } from 'kysely'
import type { SqlFault } from '../driver/sql-fault.js'
import type { TableName } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { constraintColumns } from './constraint-columns.js'
import type { SqlWriting } from './sql-writing.js'
import { runRead } from './sql-writing.js'

/** Returns the columns of a check constraint, as far as they are known. */
export async function violatedCheckColumns(
  { constraint }: Extract<SqlFault, { kind: 'check' }>,
  { table, refusing }: { readonly table: SqlTable; readonly refusing: TableName },
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  if (constraint === null) return []
  return writing.store.engine === 'postgres'
    ? constraintColumns(constraint, { table, refusing }, writing)
    : columnsIn(await checkText(constraint, refusing, writing), table)
}

/**
 * Returns the text of a check constraint. SQLite reports its name, or its text if it has no name. The text for a name
 * is in the SQL of the table.
 */
async function checkText(constraint: string, { schema, name }: TableName, writing: SqlWriting): Promise<string> {
  const { rows } = await runRead(writing, (shape) => {
    shape.addKeyPart(JSON.stringify(['text of a table', schema]))
    const slot = shape.bind(name)
    const tables = sql.id(schema ?? 'main', 'sqlite_schema')
    return () => sql`select sql from ${tables} where type = 'table' and name = ${slot}`
  })
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

/** Returns the columns that the text of a constraint names. String literals are ignored. */
function columnsIn(text: string, { stored }: SqlTable): readonly SqlColumn[] {
  const words = new Set(
    text
      .replaceAll(/'[^']*'/g, '')
      .match(/\w+/g)
      ?.map((word) => word.toLowerCase()),
  )
  return stored.filter(({ name }) => words.has(name.toLowerCase()))
}
