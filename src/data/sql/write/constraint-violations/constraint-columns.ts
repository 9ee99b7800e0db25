import { sql } from 'kysely'
import type { TableName } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'
import { columnsNamed } from './violated-columns.js'

/** Returns whether a table of PostgreSQL has a constraint, or a unique index, of a name. */
export async function hasConstraint(
  constraint: string,
  { schema, name }: TableName,
  writing: SqlWriting,
): Promise<boolean> {
  const { rows } = await runRead(writing, (shape) => {
    shape.addKeyPart('whether a constraint exists')
    const [named, of, table] = [constraint, schema, name].map((each) => shape.bind(each))
    return () => sql`select 1 from pg_catalog.pg_class r join pg_catalog.pg_namespace n on n.oid = r.relnamespace
      where r.relname = ${table}::text and n.nspname = ${of}::text and (
        exists (select from pg_catalog.pg_constraint c where c.conrelid = r.oid and c.conname = ${named}::text)
        or exists (
          select from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
          where x.indrelid = r.oid and x.indisunique and i.relname = ${named}::text
        )
      )`
  })
  return rows.length > 0
}

/**
 * Returns the columns of a table that a constraint of PostgreSQL is about.
 *
 * @param constrained the table of the constraint: `table` itself, a partition, or a table behind a view
 */
export async function constraintColumns(
  constraint: string | null,
  { table, constrained }: { readonly table: SqlTable; readonly constrained: TableName },
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const { rows } = await runRead(writing, (shape) => {
    shape.addKeyPart('columns of a constraint')
    const [name, schema, tableName] = [constraint, constrained.schema, constrained.name].map((each) => shape.bind(each))
    return () => sql`select a.attname::text from pg_catalog.pg_constraint c
      join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.conname = ${name}::text and r.relname = ${tableName}::text and n.nspname = ${schema}::text
      order by array_position(c.conkey, a.attnum)`
  })
  return columnsNamed(
    table,
    rows.map(([name]) => String(name)),
  )
}
