import type { PoolState } from '../../common/data-source.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { DatabaseErrorMapper } from './database-error.js'
import type {
  DatabaseAccess,
  HeldConnection,
  HoldOptions,
  RunOptions,
  SqlResult,
  SqlStatement,
} from './sql-statement.js'

/** A driver of a server that may not respond. */
export interface LimitedDriver extends SqlDriver {
  /** Runs a cheap statement, and stops it after the limit, in milliseconds. Rejects if the database does not respond. */
  runWithin(statement: SqlStatement, limit: number): Promise<SqlResult>
}

/** The interface between a store and a database. Only drivers use the client libraries. */
export interface SqlDriver extends DatabaseAccess {
  readonly dialect: SqlDialect
  /** The database that the application has opened. Drivers of the same database share their transactions. */
  readonly database?: object
  /**
   * Runs a statement that writes, in autocommit mode. It is retried only if the first attempt is known to have changed
   * nothing.
   */
  write(statement: SqlStatement, options: RunOptions): Promise<SqlResult>
  /** Maps errors of the database to the errors that clients get. Default: `mapDatabaseError`. */
  readonly mapError?: DatabaseErrorMapper
  /** Runs a cheap query, and stops it after the limit, in milliseconds. Rejects if the database does not respond. */
  ping(limit: number): Promise<void>
  /** Returns the state of the connection pool. Left out if there is none. */
  pool?(): PoolState
  /**
   * Acquires a connection for reads that see the rows of one moment; `null` if the database has none to spare. Left out if any connection
   * does.
   */
  holdSnapshot?(options: HoldOptions): Promise<HeldConnection | null>
  /** Closes the connections that the driver has opened itself. The database of the application stays open. */
  close?(): void
}

/**
 * Returns the object that identifies the database of a driver. Two stores on one database share a transaction: on
 * SQLite the second would otherwise wait forever for the first.
 */
export function databaseOf(driver: SqlDriver): object {
  return driver.database ?? driver
}
