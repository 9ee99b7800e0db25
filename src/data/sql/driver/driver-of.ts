import { postgresDriver } from './postgres/postgres-driver.js'
import type { PostgresPool } from './postgres/postgres-pool.js'
import { isPostgresPool } from './postgres/postgres-pool.js'
import type { SqlDriver } from './sql-driver.js'
import type { SqliteDatabase } from './sqlite/sqlite-database.js'
import { isSqliteDatabase } from './sqlite/sqlite-database.js'
import { sqliteDriver } from './sqlite/sqlite-driver.js'

/** What a user opens and closes, and a store works with. */
export type SqlDatabase = PostgresPool | SqliteDatabase

export interface DriverOptions {
  /** How many milliseconds the statements of one request may run, all together. PostgreSQL only. Default: as the server lets them. */
  readonly statementTimeout?: number
  /** To read on outside of transactions, in place of a connection that the store opens itself. SQLite only. */
  readonly reader?: SqliteDatabase
  /** For how long to ask again while another process writes, in milliseconds. SQLite only. Default: 5000. */
  readonly busyTimeout?: number
}

/** The driver of a database, told by what the database can do. */
export function driverOf(database: SqlDatabase, options: DriverOptions): SqlDriver {
  if (isPostgresPool(database)) return postgresDriver(database, options)
  if (isSqliteDatabase(database)) return sqliteDriver(database, options)
  throw new TypeError(
    'sqlData() takes a Pool of pg, or an SQLite database of node:sqlite, @photostructure/sqlite or better-sqlite3.',
  )
}
