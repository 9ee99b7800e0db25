import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SqlDatabase } from '../../data/sql/driver/driver-of.js'

/** The package that a database of SQLite is opened with. */
export type SqlitePackage = '@photostructure/sqlite' | 'node:sqlite' | 'better-sqlite3'

export interface OpenDatabase {
  readonly database: SqlDatabase
  /** Null for PostgreSQL. */
  readonly sqlite: { readonly package: SqlitePackage; readonly file: string } | null
  close(): Promise<void>
}

/** A database that cannot be opened. The message is for the user. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/** Opens the database at a URL of PostgreSQL, or in a file of SQLite. */
export async function openDatabase(address: string): Promise<OpenDatabase> {
  if (/^postgres(?:ql)?:\/\//.test(address)) return openPool(address)
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(address) && !address.startsWith('file:')) {
    throw new OpenError(`'${address.split(':')[0]}' is no known kind of database: use postgres:// or a file of SQLite.`)
  }
  const file = address.startsWith('file:') ? fileURLToPath(address) : resolve(address)
  if (!existsSync(file) || !statSync(file).isFile()) throw new OpenError(`There is no file '${address}'.`)
  return openFile(file)
}

async function openPool(connectionString: string): Promise<OpenDatabase> {
  const pg: { readonly default?: PgModule } | null = await imported('pg')
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

type OpenSqlite = new (file: string, options: object) => SqlDatabase & { close(): unknown }

const packages: readonly SqlitePackage[] = ['@photostructure/sqlite', 'node:sqlite', 'better-sqlite3']

async function openFile(file: string): Promise<OpenDatabase> {
  for (const name of packages) {
    const module: {
      readonly DatabaseSync?: OpenSqlite
      readonly default?: OpenSqlite
    } | null = await imported(name)
    const Database = module?.DatabaseSync ?? module?.default
    if (Database === undefined) continue
    // Both spellings: `node:sqlite` has one, `better-sqlite3` the other. The store would switch the file to a write-ahead log.
    const database = new Database(file, { timeout: 5000, readOnly: true, readonly: true })
    return { database, sqlite: { package: name, file }, close: async () => void database.close() }
  }
  throw new OpenError(
    "SQLite needs a package: npm install @photostructure/sqlite. Node 22.16 and later have 'node:sqlite'.",
  )
}

/** Imports a package that may not be installed. Returns null if it is not. */
async function imported(name: string): Promise<object | null> {
  try {
    return (await import(name)) as object
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown }
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNKNOWN_BUILTIN_MODULE') return null
    throw thrown
  }
}
