import { sql } from 'kysely'
import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { SqlWriting } from './sql-writing.js'
import { runRead } from './sql-writing.js'
import { columnsNamed } from './violated-columns.js'

/** The columns that a check constraint looks at, as far as that can be told. */
export async function checkColumns(
  { constraint }: Extract<SqlFault, { kind: 'check' }>,
  table: SqlTable,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  if (constraint === null) return []
  return writing.store.engine === 'postgres'
    ? columnsNamed(table, await knownColumns(constraint, table, writing))
    : columnsIn(await checkText(constraint, table, writing), table)
}

async function knownColumns(constraint: string, table: SqlTable, writing: SqlWriting): Promise<readonly string[]> {
  const { rows } = await runRead(writing, (shape) => {
    shape.note('columns of a check')
    const [name, schema, of] = [constraint, table.live.schema ?? table.schema, table.name].map((each) =>
      shape.bind(each),
    )
    return () => sql`select a.attname::text from pg_constraint c
      join pg_class r on r.oid = c.conrelid join pg_namespace n on n.oid = r.relnamespace
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.contype = 'c' and c.conname = ${name}::text and r.relname = ${of}::text
      and (${schema}::text is null or n.nspname = ${schema}::text)`
  })
  return rows.map(([name]) => String(name))
}

/** SQLite tells the name of a constraint, or its text where it has none. Its text is in that of the table. */
async function checkText(constraint: string, table: SqlTable, writing: SqlWriting): Promise<string> {
  const { rows } = await runRead(writing, (shape) => {
    shape.note('text of a table')
    const name = shape.bind(table.name)
    return () => sql`select sql from sqlite_schema where type = 'table' and name = ${name}`
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
function columnsIn(text: string, { columns }: SqlTable): readonly SqlColumn[] {
  const words = new Set(
    text
      .replaceAll(/'[^']*'/g, '')
      .match(/\w+/g)
      ?.map((word) => word.toLowerCase()),
  )
  return columns.filter(({ name }) => words.has(name.toLowerCase()))
}
