import { sql } from 'kysely'
import type { Sentence } from '../../../../../errors/sentence.js'
import { quotedTable } from '../../../schema/quoted-name.js'
import { allowedByCheck, allowedByType } from '../../../write/constraint-violations/allowed-values.js'
import type { ConstraintRules, ReadCatalogue } from '../../dialect.js'

/** The first version of PostgreSQL that can check whether a text is a valid value of a type. */
const versionWithCheck = 160_000

/**
 * Returns the values of a refused row that do not fit into their columns: PostgreSQL reports neither the column nor the allowed values.
 * Queries the catalogue, by one statement for all values. Returns nothing before PostgreSQL 16.
 */
export const invalidValues: ConstraintRules['invalidValues'] = async ({ schema, name: tableName }, sent, read) => {
  if ((await serverVersion(read)) < versionWithCheck) return []
  const { rows } = await read((shape) => {
    shape.describe('find values that do not fit', null)
    shape.addKeyPart('values that do not fit')
    const [names, texts] = [sent.map(({ name }) => name), sent.map(({ text }) => text)].map((list) => shape.bind(list))
    const of = shape.bind(quotedTable(schema, tableName))
    return () => sql`select a.attname::text, t.typtype::text,
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
      order by a.attnum`
  })
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
  const { rows } = await read((shape) => {
    shape.describe('read version of the server', null)
    shape.addKeyPart('version of the server')
    return () => sql`select pg_catalog.current_setting('server_version_num')`
  })
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
