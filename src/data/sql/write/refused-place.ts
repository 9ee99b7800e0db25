import { sql } from 'kysely'
import type { TableName } from '../schema/live-schema.js'
import type { SqlTable } from '../schema/sql-table.js'
import type { SqlWriting } from './sql-writing.js'
import { runRead } from './sql-writing.js'

/**
 * Where a row of a table was refused: in the table, or, of a partitioned one or of a view, in what lies behind it, which
 * PostgreSQL names instead. `null` for elsewhere: what a trigger of the author's wrote to another table is not the row
 * that was given.
 */
export async function refusedPlace(
  { table: told }: { readonly table: string | null },
  { live, schema: asked }: SqlTable,
  writing: SqlWriting,
): Promise<TableName | null> {
  const schema = live.schema ?? asked
  if (told === null || told === live.name) return { schema, name: live.name }
  if (writing.store.engine === 'sqlite') return null
  const { rows } = await runRead(writing, (shape) => {
    shape.addKeyPart('what is behind a table')
    const [inside, name, other] = [schema, live.name, told].map((each) => shape.bind(each))
    return () => sql`with recursive behind (oid) as (
        select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where c.relname = ${name}::text and n.nspname = ${inside}::text
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
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relname = ${other}::text limit 1`
  })
  const [found] = rows
  return found === undefined ? null : { schema: String(found[0]), name: told }
}
