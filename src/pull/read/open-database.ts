import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SqlDatabase } from '../../data/sql/driver/driver-of.js'
import { openSqlite, type SqlitePackage } from '../../data/sql/dialect/sqlite/driver/open-sqlite.js'
import { importInstalled } from '../../util/import-installed.js'
import { isPostgresUrl } from './is-postgres-url.js'

export interface OpenDatabase {
  readonly database: SqlDatabase
  /** Null for PostgreSQL. */
  readonly sqlite: { readonly package: SqlitePackage; readonly file: string } | null
  close(): Promise<void>
}

/** A database that cannot be opened, or cannot be the one that is meant. The message is for the user. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/** Opens a PostgreSQL URL or an SQLite file. */
export async function openDatabase(address: string): Promise<OpenDatabase> {
  if (isPostgresUrl(address)) return openPool(address)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address) && !address.startsWith('file:')) {
    throw new OpenError(
      `'${address.split(':')[0]}' is not a known kind of database: use postgres:// or an SQLite file.`,
    )
  }
  const file = address.startsWith('file:') ? fileURLToPath(address) : resolve(address)
  if (!existsSync(file) || !statSync(file).isFile()) throw new OpenError(`There is no file '${address}'.`)
  return openFile(file)
}

async function openPool(connectionString: string): Promise<OpenDatabase> {
  const pg = await importInstalled<{ readonly default?: PgModule }>('pg')
  if (pg?.default === undefined) throw new OpenError("PostgreSQL needs the package 'pg': npm install pg.")
  const pool = new pg.default.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
  })
  return { database: pool as unknown as SqlDatabase, sqlite: null, close: () => pool.end() }
}

interface PgModule {
  readonly Pool: new (options: object) => { end(): Promise<void> }
}

async function openFile(file: string): Promise<OpenDatabase> {
  // Opened as read-only, because the store would change the file to a write-ahead log.
  const opened = await openSqlite(file, { isReadOnly: true })
  if (opened.database === null) throw new OpenError(opened.remedy)
  const { database, package: name } = opened
  return { database, sqlite: { package: name, file }, close: async () => void database.close() }
}
