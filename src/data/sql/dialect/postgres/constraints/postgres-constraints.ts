import { sql } from 'kysely'
import type { ConstraintRules } from '../../dialect.js'
import { invalidValues } from './invalid-values.js'

export const postgresConstraints: ConstraintRules = Object.freeze<ConstraintRules>({
  async schemaBehind({ schema, name: writtenName }, reported, read) {
    const { rows } = await read((shape) => {
      shape.describe('find tables behind a view', null)
      shape.addKeyPart('what is behind a table')
      const [schemaName, name, reportedName] = [schema, writtenName, reported].map((each) => shape.bind(each))
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
    return found === undefined ? null : String(found[0])
  },
  async has(constraint, { schema, name }, read) {
    const { rows } = await read((shape) => {
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
  },
  async columnsOf(constraint, { schema, name: tableName }, read) {
    const { rows } = await read((shape) => {
      shape.addKeyPart('columns of a constraint')
      const [name, of, table] = [constraint, schema, tableName].map((each) => shape.bind(each))
      return () => sql`select a.attname::text from pg_catalog.pg_constraint c
        join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
        join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.conname = ${name}::text and r.relname = ${table}::text and n.nspname = ${of}::text
        order by array_position(c.conkey, a.attnum)`
    })
    return rows.map(([name]) => String(name))
  },
  async checkText(constraint, { schema, name }, read) {
    const { rows } = await read((shape) => {
      shape.describe('read constraint', null)
      shape.addKeyPart('text of a constraint')
      const [named, of, table] = [constraint, schema, name].map((each) => shape.bind(each))
      return () => sql`select pg_catalog.pg_get_constraintdef(c.oid) from pg_catalog.pg_constraint c
        join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
        where c.conname = ${named}::text and r.relname = ${table}::text and n.nspname = ${of}::text`
    })
    const [text] = rows[0] ?? []
    return typeof text === 'string' ? text : ''
  },
  invalidValues,
})
