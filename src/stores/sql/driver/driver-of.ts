import type { PoolEngineName } from '../../../core/util/engine-name.js'
import { defaultPoolEngine, poolDialects } from '../dialect/dialects.js'
import { mysqlDriver } from '../dialect/mysql/driver/mysql-driver.js'
import type { MysqlPool, MysqlPromisePool } from '../dialect/mysql/driver/mysql-pool.js'
import { isMysqlPool } from '../dialect/mysql/driver/mysql-pool.js'
import type { PostgresDriverOptions } from '../dialect/postgres/driver/postgres-driver.js'
import { postgresDriver } from '../dialect/postgres/driver/postgres-driver.js'
import type { PostgresPool } from '../dialect/postgres/driver/postgres-pool.js'
import { isPostgresPool } from '../dialect/postgres/driver/postgres-pool.js'
import type { SessionOf } from '../dialect/postgres/driver/session-settings.js'
import type { SqliteDatabase } from '../dialect/sqlite/driver/sqlite-database.js'
import { isSqliteDatabase } from '../dialect/sqlite/driver/sqlite-database.js'
import { sqliteDriver } from '../dialect/sqlite/driver/sqlite-driver.js'
import type { DatabaseErrorMapper } from './database-error.js'
import type { LimitedDriver, SqlDriver } from './sql-driver.js'

/** A database that the application opens and closes, and a store uses. */
export type SqlDatabase = PostgresPool | SqliteDatabase | MysqlPool | MysqlPromisePool

export interface DriverOptions {
  /**
   * How many milliseconds the statements of one request may run in total. PostgreSQL only. Default: the limit of the
   * server.
   */
  readonly statementTimeout?: number
  /**
   * Returns the role and the settings that the statements of a request run with, for row-level security. They are set for
   * the statement or the transaction only. PostgreSQL only.
   */
  readonly session?: SessionOf
  /**
   * Whether to use prepared statements. Turn it off behind a connection pooler that does not support them. Default:
   * true.
   */
  readonly prepare?: boolean
  /** A connection for reads outside of transactions, instead of one that the store opens itself. SQLite only. */
  readonly reader?: SqliteDatabase
  /** How many milliseconds a write waits while another process holds the write lock. SQLite only. Default: 5000. */
  readonly busyTimeout?: number
  /**
   * The engine of a pool of `mysql2`, which does not say it before it has a connection. The first connection checks it. Default: `mysql`.
   */
  readonly engine?: PoolEngineName
  /** Maps errors of triggers and missing privileges to the error that the client gets. Default: `mapDatabaseError`. */
  readonly mapError?: DatabaseErrorMapper
}

/** Returns the driver for a database, chosen by the methods that the database object has. */
export function driverOf(database: SqlDatabase, options: DriverOptions): SqlDriver {
  if (isPostgresPool(database)) return driverOfPool(database, options)
  if (isMysqlPool(database)) {
    if (options.session !== undefined) throw new TypeError(sessionOnMysql)
    return mappingErrors(mysqlDriver(database, poolDialects[options.engine ?? defaultPoolEngine]), options)
  }
  if (!isSqliteDatabase(database)) {
    throw new TypeError(
      'sqlData() takes a Pool of pg or mysql2, or an SQLite database of node:sqlite, @photostructure/sqlite or better-sqlite3.',
    )
  }
  if (options.session !== undefined) throw new TypeError(sessionOnSqlite)
  return mappingErrors(sqliteDriver(database, options), options)
}

/** Returns the driver for a pool of connections to PostgreSQL. */
export function driverOfPool(
  pool: PostgresPool,
  options: DriverOptions & Pick<PostgresDriverOptions, 'onCommit'>,
): LimitedDriver {
  return mappingErrors(postgresDriver(pool, options), options)
}

function mappingErrors<Driver extends SqlDriver>(driver: Driver, { mapError }: DriverOptions): Driver {
  return mapError === undefined ? driver : Object.freeze({ ...driver, mapError })
}

const sessionOnMysql =
  "The option 'session' of sqlData() needs PostgreSQL: this engine has no row-level security. Leave it out, and write the rule with 'scope'."

const sessionOnSqlite =
  "The option 'session' of sqlData() needs PostgreSQL: SQLite has no roles and no row-level security. Leave it out, and write the rule with 'scope'."
