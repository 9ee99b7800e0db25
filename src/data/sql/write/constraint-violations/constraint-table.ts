import { sql } from 'kysely'
import type { TableName } from '../../schema/live-schema.js'
import type { SqlTable } from '../../schema/sql-table.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'

/**
 * Returns the table that refused a row. That is the written table, or the partition or the table behind a view that
 * PostgreSQL names instead. Returns `null` for any other table: then a trigger wrote another row, and that was refused.
 */
export async function constraintTable(
  { table: reported }: { readonly table: string | null },
  { live, schema: declaredSchema }: SqlTable,
  writing: SqlWriting,
): Promise<TableName | null> {
  const schema = live.schema ?? declaredSchema
  if (reported === null || reported === live.name) return { schema, name: live.name }
  if (writing.store.engine.name === 'sqlite') return null
  const { rows } = await runRead(writing, (shape) => {
    shape.describe('find tables behind a view', null)
    shape.addKeyPart('what is behind a table')
    const [schemaName, name, reportedName] = [schema, live.name, reported].map((each) => shape.bind(each))
    return () => sql`with recursive behind (oid) as (
        select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where c.relname = ${name}::text and n.nspname = ${schemaName}::text
      union
        select next.oid from behind join lateral (
          select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = behind.oid
          union all
          select d.refobjid from pg_catalog.pg_rewrite w
          join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
          where w.ev_class = behind.oid and d.refclassid = 'pg_catalog.pg_class'::regclass
        ) next (oid) on true
      )
      select n.nspname::text from behind join pg_catalog.pg_class c on c.oid = behind.oid
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relname = ${reportedName}::text limit 1`
  })
  const [found] = rows
  return found === undefined ? null : { schema: String(found[0]), name: reported }
}
