import { sql } from 'kysely'
import type { SqlFault } from '../driver/sql-fault.js'
import type { TableName } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { constraintColumns } from './constraint-columns.js'
import type { SqlWriting } from './sql-writing.js'
import { runRead } from './sql-writing.js'

/** The columns that a check constraint looks at, as far as that can be told. */
export async function violatedCheckColumns(
  { constraint }: Extract<SqlFault, { kind: 'check' }>,
  { table, place }: { readonly table: SqlTable; readonly place: TableName },
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  if (constraint === null) return []
  return writing.store.engine === 'postgres'
    ? constraintColumns(constraint, { table, place }, writing)
    : columnsIn(await checkText(constraint, place, writing), table)
}

/** SQLite tells the name of a constraint, or its text where it has none. Its text is in that of the table. */
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

/** Up to the parenthesis that closes. */
function inParentheses(text: string): string {
  let depth = 1
  for (let position = 0; position < text.length; position++) {
    if (text[position] === '(') depth += 1
    if (text[position] === ')') depth -= 1
    if (depth === 0) return text.slice(0, position)
  }
  return text
}

/** What is named in the text of a rule; what stands in quotes is text. */
function columnsIn(text: string, { stored }: SqlTable): readonly SqlColumn[] {
  const words = new Set(
    text
      .replaceAll(/'[^']*'/g, '')
      .match(/\w+/g)
      ?.map((word) => word.toLowerCase()),
  )
  return stored.filter(({ name }) => words.has(name.toLowerCase()))
}
