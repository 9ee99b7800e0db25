import type { Transaction, Transactions } from '../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { SqlDriver } from './driver/sql-driver.js'
import type { SqlConnection, SqlResult, SqlStatement } from './driver/sql-statement.js'
import type { SqlTables } from './schema/sql-table.js'
import type { SqlBuilder } from './statement/sql-builder.js'
import type { StatementCache } from './statement/statement-cache.js'

/** The transaction and the request that a statement runs for. */
export interface SqlRunOptions {
  readonly transaction: Transaction | null
  readonly context: RequestContext | null
}

/** A transaction of an SQL store. */
export interface SqlTransaction extends Transaction {
  readonly connection: SqlConnection
  /** The connection object of the client library. */
  readonly raw: unknown
}

/** The SQL store, as its provider and its persister use it. */
export interface SqlStore {
  readonly dialect: SqlDialect
  readonly driver: SqlDriver
  readonly builder: SqlBuilder
  readonly statements: StatementCache
  readonly transactions: Transactions & {
    /** Returns the transaction that the running code is part of, or null outside of a transaction. */
    current(): SqlTransaction | null
  }
  /** Returns the tables. The first call reads the schema of the database, and rejects with an error if that fails. */
  tables(): Promise<SqlTables>
  /** Returns the cached tables without waiting, or null if they have not been read yet, as for the first requests. */
  knownTables(): SqlTables | null
  /** Runs a statement that reads: in the given transaction, or on any connection if there is none. */
  read(statement: SqlStatement, options: SqlRunOptions): Promise<SqlResult>
  /**
   * Runs one statement that writes: in the given transaction, which continues if the database refuses the statement, or in autocommit mode.
   * Returns null, and runs nothing, if the statement needs a transaction of its own: because the running code is in another one, or
   * because an isolation level is configured.
   */
  writeStatement(statement: SqlStatement, options: SqlRunOptions): Promise<SqlResult> | null
  /** Runs a statement that writes: in the given transaction, or in a new one if there is none. */
  write(statement: SqlStatement, options: SqlRunOptions): Promise<SqlResult>
}
