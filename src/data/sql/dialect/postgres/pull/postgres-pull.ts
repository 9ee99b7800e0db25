import { importInstalled } from '../../../../../util/import-installed.js'
import type { SqlDatabase } from '../../../driver/driver-of.js'
import type { SqlDriver } from '../../../driver/sql-driver.js'
import { quotedTable } from '../../../schema/quoted-name.js'
import type { Origin, OriginOptions, PullRules } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'
import { readPostgresDetails } from './read-postgres-details.js'

interface PgModule {
  readonly Pool: new (options: object) => { end(): Promise<void> }
}

export const postgresPull: PullRules = Object.freeze<PullRules>({
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
  views: {
    definition: ({ schema, name }) => ({ sql: viewDefinition, values: [quotedTable(schema, name)] }),
    hasArrays: true,
  },
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

/** A function in the list of columns may return several rows: then the rule of the view says so. */
const viewDefinition = `
select pg_catalog.pg_get_viewdef(r.ev_class, false)
from pg_catalog.pg_rewrite r
where r.ev_class = $1::regclass and r.ev_type = '1' and r.ev_action::text not like '%:hasTargetSRFs true%'`

async function readOrigin(driver: SqlDriver, { schemas }: OriginOptions): Promise<Origin> {
  const { rows } = await driver.read({ sql: statement, values: [], name: null }, { context: null })
  const [[name, current, present]] = rows as unknown as [[name: string, current: string | null, present: string[]]]
  const missing = schemas.find((schema) => !present.includes(schema))
  if (missing === undefined && (schemas.length > 0 || current !== null)) return { engine: driver.dialect.name, name }
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
