import type { Transaction, Transactions } from '../../resource/capabilities/transactions.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { EngineName, SqlConnection, SqlDriver, SqlResult, SqlStatement } from './driver/sql-driver.js'
import type { SqlTables } from './schema/sql-table.js'
import type { SqlBuilder } from './statement/engine.js'
import type { StatementCache } from './statement/statement-cache.js'

/** When and for whom a statement runs. */
export interface SqlOccasion {
  readonly transaction: Transaction | null
  readonly context: RequestContext | null
}

/** A transaction of a SQL store. */
export interface SqlTransaction extends Transaction {
  readonly connection: SqlConnection
  /** The driver's own connection. */
  readonly raw: unknown
}

/** What providers and persisters of a SQL store work with. */
export interface SqlStore {
  readonly engine: EngineName
  readonly driver: SqlDriver
  readonly builder: SqlBuilder
  readonly statements: StatementCache
  readonly transactions: Transactions & {
    /** The one that the running code is part of; `null` outside of any. */
    current(): SqlTransaction | null
  }
  /** The tables, held against the database when they are asked for first. Rejects with a sentence where that fails. */
  tables(): Promise<SqlTables>
  /** The same where they are known already, which they are but for the first requests; `null` where they are not. */
  knownTables(): SqlTables | null
  /** Reads: in the transaction where there is one, else on any connection. */
  read(statement: SqlStatement, occasion: SqlOccasion): Promise<SqlResult>
  /**
   * Writes by one statement, in no transaction: the database keeps it by itself. `null`, and nothing is run, where the
   * statement belongs into one: into that of the running code, or into one that sees less of others.
   */
  writeAlone(statement: SqlStatement, context: RequestContext | null): Promise<SqlResult> | null
  /** Writes: in the transaction where there is one, else in one of its own. */
  write(statement: SqlStatement, occasion: SqlOccasion): Promise<SqlResult>
}
