import { sql } from 'kysely'
import type { Sentence } from '../../../../core/errors/sentence.js'
import { quotedTable } from '../../schema/quoted-name.js'
import { allowedByCheck, allowedByType } from '../../write/constraint-violations/allowed-values.js'
import type { ConstraintRules, ReadCatalogue } from '../dialect.js'

/** The first version of PostgreSQL that can check whether a text is a valid value of a type. */
const versionWithCheck = 160_000

/**
 * Returns the values of a refused row that do not fit into their columns: PostgreSQL reports neither the column nor the allowed values.
 * Queries the catalogue, by one statement for all values. Returns nothing before PostgreSQL 16.
 */
const invalidValues: ConstraintRules['invalidValues'] = async ({ schema, name: tableName }, sent, read) => {
  if ((await serverVersion(read)) < versionWithCheck) return []
  const values = [sent.map(({ name }) => name), sent.map(({ text }) => text), quotedTable(schema, tableName)]
  const { rows } = await read(
    { purpose: 'find values that do not fit', key: 'values that do not fit', values },
    (names, texts, of) => sql`select a.attname::text, t.typtype::text,
        pg_catalog.format_type(case when t.typtype = 'd' then t.typbasetype else a.atttypid end,
          case when t.typtype = 'd' then t.typtypmod else a.atttypmod end),
        (select pg_catalog.json_agg(e.enumlabel order by e.enumsortorder)::text from pg_catalog.pg_enum e
          where e.enumtypid = t.oid),
        (select pg_catalog.json_agg(pg_catalog.pg_get_constraintdef(c.oid))::text from pg_catalog.pg_constraint c
          where c.contypid = t.oid),
        case when t.typtype = 'd' and not exists (
          select from pg_catalog.pg_type b where b.oid = t.typbasetype and b.typtype = 'd'
        ) then pg_catalog.pg_input_is_valid(given.value, pg_catalog.format_type(t.typbasetype, t.typtypmod)) end
      from unnest(${names}::text[], ${texts}::text[]) as given (name, value)
      join pg_catalog.pg_attribute a on a.attrelid = to_regclass(${of}::text) and a.attname = given.name
      join pg_catalog.pg_type t on t.oid = a.atttypid
      where not pg_catalog.pg_input_is_valid(given.value, pg_catalog.format_type(a.atttypid, a.atttypmod))
      order by a.attnum`,
  )
  return rows.map(([name, kind, type, labels, checks, fitsBase]) => {
    const byType = allowedByType({ type: String(type), labels: listOf(labels) })
    if (kind !== 'd') return { name: String(name), allowed: byType }
    // A domain over another domain has checks of both: it is unknown which of them failed.
    if (fitsBase === null) return { name: String(name), allowed: null }
    const allowed = checkSentence(listOf(checks) ?? []) ?? (fitsBase === false ? byType : null)
    return { name: String(name), allowed }
  })
}

async function serverVersion(read: ReadCatalogue): Promise<number> {
  const statement = { purpose: 'read version of the server', key: 'version of the server' }
  const { rows } = await read(statement, () => sql`select pg_catalog.current_setting('server_version_num')`)
  return Number(rows[0]?.[0])
}

/** Returns the sentence of the one check of a domain; null if there are several, or if it cannot be parsed. */
function checkSentence(checks: readonly string[]): Sentence | null {
  const [only, ...others] = checks
  return only === undefined || others.length > 0 ? null : allowedByCheck(only, 'VALUE')
}

function listOf(json: unknown): readonly string[] | null {
  return typeof json === 'string' ? (JSON.parse(json) as readonly string[]) : null
}

export const postgresConstraints: ConstraintRules = Object.freeze<ConstraintRules>({
  async schemaBehind({ schema, name: writtenName }, reported, read) {
    const values = [schema, writtenName, reported]
    const { rows } = await read(
      { purpose: 'find tables behind a view', key: 'what is behind a table', values },
      (schemaName, name, reportedName) => sql`with recursive behind (oid) as (
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
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relname = ${reportedName}::text limit 1`,
    )
    const [found] = rows
    return found === undefined ? null : String(found[0])
  },
  async has(constraint, { schema, name }, read) {
    const { rows } = await read(
      { key: 'whether a constraint exists', values: [constraint, schema, name] },
      (
        named,
        of,
        table,
      ) => sql`select 1 from pg_catalog.pg_class r join pg_catalog.pg_namespace n on n.oid = r.relnamespace
        where r.relname = ${table}::text and n.nspname = ${of}::text and (
          exists (select from pg_catalog.pg_constraint c where c.conrelid = r.oid and c.conname = ${named}::text)
          or exists (
            select from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid
            where x.indrelid = r.oid and x.indisunique and i.relname = ${named}::text
          )
        )`,
    )
    return rows.length > 0
  },
  async columnsOf(constraint, { schema, name: tableName }, read) {
    const { rows } = await read(
      { key: 'columns of a constraint', values: [constraint, schema, tableName] },
      (name, of, table) => sql`select a.attname::text from pg_catalog.pg_constraint c
        join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
        join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.conname = ${name}::text and r.relname = ${table}::text and n.nspname = ${of}::text
        order by array_position(c.conkey, a.attnum)`,
    )
    return rows.map(([name]) => String(name))
  },
  async checkText(constraint, { schema, name }, read) {
    const { rows } = await read(
      { purpose: 'read constraint', key: 'text of a constraint', values: [constraint, schema, name] },
      (named, of, table) => sql`select pg_catalog.pg_get_constraintdef(c.oid) from pg_catalog.pg_constraint c
        join pg_catalog.pg_class r on r.oid = c.conrelid join pg_catalog.pg_namespace n on n.oid = r.relnamespace
        where c.conname = ${named}::text and r.relname = ${table}::text and n.nspname = ${of}::text`,
    )
    const [text] = rows[0] ?? []
    return typeof text === 'string' ? text : ''
  },
  invalidValues,
})
