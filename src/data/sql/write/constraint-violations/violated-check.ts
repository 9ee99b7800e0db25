import type { Sentence } from '../../../../errors/sentence.js'
import { sentence } from '../../../../errors/sentence.js'
import { sql } from 'kysely'
import type { SqlFault } from '../../driver/sql-fault.js'
import type { TableName } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import { allowedByCheck } from './allowed-values.js'
import { constraintColumns } from './constraint-columns.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'

/** A check constraint that a row violates. */
export interface ViolatedCheck {
  /** The columns of the constraint, as far as they are known. */
  readonly columns: readonly SqlColumn[]
  /** A sentence for clients: which values are allowed. Null if the constraint is about several columns, or cannot be parsed. */
  readonly allowed: Sentence | null
}

export async function violatedCheck(
  { constraint, partitionedBy = [] }: Extract<SqlFault, { kind: 'check' }>,
  { table, constrained }: { readonly table: SqlTable; readonly constrained: TableName },
  writing: SqlWriting,
): Promise<ViolatedCheck> {
  if (constraint === null) {
    const columns = partitionedBy.flatMap((name) => table.columnNamed.get(name) ?? [])
    return { columns, allowed: columns.length === 1 ? sentence('partition') : null }
  }
  const isPostgres = writing.store.engine.name === 'postgres'
  const text = await (isPostgres ? postgresCheck : sqliteCheck)(constraint, constrained, writing)
  const columns = isPostgres
    ? await constraintColumns(constraint, { table, constrained }, writing)
    : columnsIn(text, table)
  const [only, ...others] = columns
  return { columns, allowed: only === undefined || others.length > 0 ? null : allowedByCheck(text, only.name) }
}

async function postgresCheck(constraint: string, { schema, name }: TableName, writing: SqlWriting): Promise<string> {
  const { rows } = await runRead(writing, (shape) => {
    shape.describe('read constraint', null)
    shape.addKeyPart('text of a constraint')
    const [named, of, table] = [constraint, schema, name].map((each) => shape.bind(each))
    return () => sql`select pg_catalog.pg_get_constraintdef(c.oid) from pg_catalog.pg_constraint c
      join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
      where c.conname = ${named}::text and r.relname = ${table}::text and n.nspname = ${of}::text`
  })
  const [text] = rows[0] ?? []
  return typeof text === 'string' ? text : ''
}

/**
 * Returns the text of a check constraint. SQLite reports its name, or its text if it has no name. The text for a name
 * is in the SQL of the table.
 */
async function sqliteCheck(constraint: string, { schema, name }: TableName, writing: SqlWriting): Promise<string> {
  const { rows } = await runRead(writing, (shape) => {
    shape.describe('read constraints', null)
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
