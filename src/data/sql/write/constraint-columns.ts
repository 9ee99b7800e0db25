import { sql } from 'kysely'
import type { TableName } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { SqlWriting } from './sql-writing.js'
import { runRead } from './sql-writing.js'
import { columnsNamed } from './violated-columns.js'

/** The columns of a table that a constraint of PostgreSQL is about, by where it is: behind a view, or in a partition too. */
export async function constraintColumns(
  constraint: string | null,
  { table, place }: { readonly table: SqlTable; readonly place: TableName },
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const { rows } = await runRead(writing, (shape) => {
    shape.addKeyPart('columns of a constraint')
    const [name, schema, of] = [constraint, place.schema, place.name].map((each) => shape.bind(each))
    return () => sql`select a.attname::text from pg_catalog.pg_constraint c
      join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.conname = ${name}::text and r.relname = ${of}::text and n.nspname = ${schema}::text
      order by array_position(c.conkey, a.attnum)`
  })
  return columnsNamed(
    table,
    rows.map(([name]) => String(name)),
  )
}
