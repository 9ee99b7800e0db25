import type { SqlDatabase } from '../../../driver/driver-of.js'
import { importInstalled } from '../../../../../util/import-installed.js'
import type { PullRules } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'
import { readOrigin } from './read-origin.js'
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
