import { importInstalled } from '../../../../../core/util/import-installed.js'
import type { SqlDatabase } from '../../../driver/driver-of.js'
import type { SqlDriver } from '../../../driver/sql-driver.js'
import { readRows, rowObject } from '../../../driver/sql-statement.js'
import type { SchemaDetails, TableDetails } from '../../../schema/database-schema.js'
import type { Origin, OriginOptions, PullRules } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'

interface PgModule {
  readonly Pool: new (options: object) => { end(): Promise<void> }
}

export const postgresPull: PullRules = Object.freeze<PullRules>({
  name: 'postgres',
  title: 'PostgreSQL',
  namesSchemas: true,
  withoutTables: ' Name another schema with --schema, if the tables are there.',
  packages: ['pg'],
  accepts: (address) => /^postgres(?:ql)?:\/\//.test(address),
  async open(connectionString) {
    const pg = await importInstalled<{ readonly default?: PgModule }>('pg')
    if (pg?.default === undefined) throw new OpenError("PostgreSQL needs the package 'pg': npm install pg.")
    const pool = new pg.default.Pool({
      connectionString,
      max: 1,
      connectionTimeoutMillis: 10_000,
      statement_timeout: 60_000,
    })
    return { database: pool as unknown as SqlDatabase, package: 'pg', file: null, close: () => pool.end() }
  },
  readOrigin,
  readDetails: readPostgresDetails,
  typedColumns: (_driver, { columns }) => Promise.resolve(columns),
  hasSpacedInstants: () => Promise.resolve(false),
  serverLines: () => ({
    imports: [[], [`import { Pool } from 'pg'`]],
    open: [
      'const connection = new Pool({',
      `  connectionString: process.env['DATABASE_URL'],`,
      '  connectionTimeoutMillis: 5000,',
      '})',
      '// PostgreSQL may close an idle connection. The pool then opens a new one.',
      `connection.on('error', (error) => console.error(error.message))`,
    ],
    close: ['  async close() {', '    await connection.end()', '  },'],
    options: [
      '  // The milliseconds that all statements of a request may take together.',
      '  statementTimeout: 10_000,',
    ],
  }),
})

async function readOrigin(driver: SqlDriver, { schemas }: OriginOptions): Promise<Origin> {
  const rows: unknown = await readRows(driver, statement)
  const [[name, current, present]] = rows as [[name: string, current: string | null, present: string[]]]
  const missing = schemas.find((schema) => !present.includes(schema))
  if (missing === undefined && (schemas.length > 0 || current !== null)) return { engine: 'postgres', name }
  const offered = present.filter((each) => !/^pg_|^information_schema$/.test(each)).toSorted()
  const sentence =
    missing === undefined
      ? `No schema of the search path exists in the database '${name}': name one with --schema.`
      : `The database '${name}' has no schema '${missing}'.`
  throw new OpenError(`${sentence} Its schemas: ${listed(offered)}.`)
}

const statement = `
select current_database()::text, current_schema()::text,
  (select coalesce(json_agg(nspname::text), '[]'::json) from pg_catalog.pg_namespace)`

const mostListed = 20

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed
  return [...names.slice(0, mostListed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}

/** Reads the details for declarations that the store does not read. Tables of extensions are excluded. */
const details = `
with recursive based as (
  select t.oid as origin, t.oid, t.typtype, t.typbasetype from pg_catalog.pg_type t where t.typtype = 'd'
  union all
  select b.origin, t.oid, t.typtype, t.typbasetype from based b join pg_catalog.pg_type t on t.oid = b.typbasetype
  where t.typtype = 'd'
)
select
  c.relname::text,
  c.relkind::text,
  obj_description(c.oid, 'pg_class'),
  case when c.relispartition then (select p.relname::text from pg_catalog.pg_inherits i join pg_catalog.pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid limit 1) end,
  case when c.relispartition then '[]'::json else (
    select coalesce(json_agg(p.relname), '[]'::json) from pg_catalog.pg_inherits i join pg_catalog.pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid
  ) end,
  (
    select coalesce(json_agg(pg_catalog.pg_get_expr(k.conbin, k.conrelid)), '[]'::json)
    from pg_catalog.pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
  ),
  (
    select coalesce(json_agg(i.relname), '[]'::json)
    from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid join pg_catalog.pg_am m on m.oid = i.relam
    where x.indrelid = c.oid and m.amname <> 'btree'
  ),
  (
    select coalesce(json_object_agg(a.attname, json_build_object(
      'comment', col_description(c.oid, a.attnum),
      'defaultText', pg_catalog.pg_get_expr(d.adbin, d.adrelid),
      'domainChecks', (
        select coalesce(json_agg(pg_catalog.pg_get_expr(k.conbin, 0)), '[]'::json)
        from based b join pg_catalog.pg_constraint k on k.contypid = b.oid and k.contype = 'c' where b.origin = a.atttypid
      )
    )), '{}'::json)
    from pg_catalog.pg_attribute a left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  ),
  n.nspname::text
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = coalesce($1::text, current_schema()) and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and not exists (
    select from pg_catalog.pg_depend e
    where e.classid = 'pg_catalog.pg_class'::regclass and e.objid = c.oid and e.deptype = 'e'
  )
order by c.relname collate "C"`

/** The columns of the statement, in their order. */
const members = ['name', 'kind', 'comment', 'partitionOf', 'inherits', 'checks', 'otherIndexes', 'columns', 'schema']

interface FoundDetails extends Omit<TableDetails, 'kind' | 'otherIndexes'> {
  readonly kind: string
  readonly otherIndexes: readonly string[]
}

const kinds: Readonly<Record<string, TableDetails['kind']>> = { v: 'view', m: 'materializedView', f: 'foreignTable' }

async function readPostgresDetails(driver: SqlDriver, schemaName: string | null): Promise<SchemaDetails> {
  const tables = (await readRows(driver, details, [schemaName])).map((row) => {
    const found = rowObject(members, row) as FoundDetails
    return { ...found, kind: kinds[found.kind] ?? 'table', otherIndexes: new Set(found.otherIndexes) }
  })
  // PostgreSQL drops no table that a view needs.
  return { tables, unreadable: [] }
}
