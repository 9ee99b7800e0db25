import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { Row } from '../../../core/rows/row-set.js'

/** A statement with its query parameters. */
export interface SqlStatement {
  readonly sql: string
  /**
   * The parameters, as codecs encode them: strings, numbers, bigints, booleans (PostgreSQL), bytes, null, and arrays of
   * these (PostgreSQL).
   */
  readonly values: readonly unknown[]
  /** The name of the prepared statement, unique to the text. Null for a statement that is not worth preparing. */
  readonly name: string | null
  /** A description for logs. Left out for statements that the store did not build, such as those of the application. */
  readonly label?: StatementLabel | null
}

/** Returns a statement that is not worth preparing. */
export function unnamed(sql: string, values: readonly unknown[] = []): SqlStatement {
  return { sql, values, name: null }
}

/** The description of the statements of one shape, for logs and traces. It has no values. */
export interface StatementLabel {
  /** The purpose, and the table or the relation: `list albums`, `list albums.tracks`, `insert albums`. */
  readonly name: string
  /** The table that is read or written, with its schema if it has one; null if it is a catalog of the database. */
  readonly table: string | null
}

export interface SqlResult {
  readonly columns: readonly string[]
  /** Values by position: on PostgreSQL parsed by column type (`postgres-values`), on SQLite as stored. */
  readonly rows: readonly Row[]
  /** How many rows the statement wrote. */
  readonly changes: number
  /** The key of the last row that an insert without `returning` created, if the database counts keys and reports it. */
  readonly insertId?: number | bigint
  /** The command tag of PostgreSQL. It is `ROLLBACK` for the commit of a failed transaction. */
  readonly command?: string
}

/** The request that a statement runs for. */
export interface RunOptions {
  /** Null if the statement does not belong to a request. */
  readonly context: RequestContext | null
}

export interface HoldOptions extends RunOptions {
  /** The request that waits for the connection, if its statements name their request themselves. SQLite only. Default: `context`. */
  readonly waitsFor?: RequestContext | null
}

/** A connection that runs statements one after the other, in the order of the calls. */
export interface SqlConnection {
  /**
   * Runs a statement. May be called again before the last statement has ended: a driver that supports pipelining sends
   * it without waiting.
   *
   * @param options the request, if it was not known yet when the connection was acquired
   */
  run(statement: SqlStatement, options?: RunOptions): Promise<SqlResult>
}

/** A connection that is reserved for one transaction. */
export interface HeldConnection extends SqlConnection {
  /** The connection object of the client library, for code that uses it directly. */
  readonly raw: unknown
  /**
   * Runs the work of the transaction. Only on a database with a single connection: reads outside of transactions that
   * the work makes run on this connection, because they would otherwise wait forever for the work to end.
   */
  runWork?<Result>(work: () => Promise<Result>): Promise<Result>
  /**
   * Begins the transaction with the role and the settings of a request. Left out if the driver does not set them: `run` then begins it.
   */
  readonly begin?: (statement: SqlStatement, options: RunOptions) => Promise<SqlResult>
  /**
   * Queries the position of the log, and records it for the request. Call it when a commit was sent, without waiting for its result. Never
   * rejects. Left out if the driver does not record positions.
   */
  readonly recordPosition?: (context: RequestContext | null) => Promise<void>
  /** Releases the connection. A broken one, or one in an unknown state, is not used again. */
  release(broken: boolean): void
}

/** The part of a driver that reads the schema of a database. */
export interface DatabaseAccess {
  /** Runs a statement that only reads, outside of transactions. */
  read(statement: SqlStatement, options: RunOptions): Promise<SqlResult>
  /** Acquires a connection for a transaction. SQLite has one write connection, so callers queue for it. */
  hold(options: HoldOptions): Promise<HeldConnection>
  /** Classifies an error that `read`, `write`, `run` or `hold` threw. Null if it is not an error of the database. */
  faultOf(thrown: unknown): SqlFault | null
}

/** Returns the rows of a statement of the store itself, outside of requests. */
export async function readRows(
  database: Pick<DatabaseAccess, 'read'>,
  sql: string,
  values?: readonly unknown[],
): Promise<readonly Row[]> {
  return (await database.read(unnamed(sql, values), { context: null })).rows
}

/** Returns a row as an object with these members, in the order of the columns. */
export function rowObject(members: readonly string[], row: Row): object {
  return Object.fromEntries(members.map((member, at) => [member, row[at]]))
}

/**
 * The kind of a database error, the same for both engines. Tables, columns and constraints have their names in the
 * database.
 */
export type SqlFault =
  /**
   * A unique constraint was violated. `columns` is null if the engine does not report them. PostgreSQL reports the
   * constraint too.
   */
  | {
      readonly kind: 'unique'
      readonly table: string | null
      readonly columns: readonly string[] | null
      readonly constraint: string | null
      readonly raisedAs?: string
    }
  /**
   * A row refers to a missing row (insert, update), or is still referred to (delete). Which one depends on the
   * statement.
   */
  | {
      readonly kind: 'foreignKey'
      readonly table: string | null
      readonly constraint: string | null
      readonly raisedAs?: string
    }
  | { readonly kind: 'notNull'; readonly table: string | null; readonly column: string | null }
  | {
      readonly kind: 'check'
      readonly table: string | null
      readonly constraint: string | null
      /** The name of the constraint, if `raise exception` of a trigger gave it: the table need not have it. */
      readonly raisedAs?: string
      /** The columns that choose the partition, if there is no partition for the row. */
      readonly partitionedBy?: readonly string[]
    }
  /** A value does not fit its column: it is too long, too large, or of another type. */
  | {
      readonly kind: 'value'
      /** The column, if the engine reports it. */
      readonly column?: string | null
    }
  /** A trigger or a function of the database refused the statement. */
  | { readonly kind: 'raised' }
  /** The database user lacks a privilege. */
  | { readonly kind: 'forbidden' }
  /** The transaction conflicted with another one and may be retried. */
  | { readonly kind: 'conflict' }
  /** An earlier statement of the transaction has failed, so that it runs no more. */
  | { readonly kind: 'aborted' }
  /** The statement exceeded a time limit. */
  | { readonly kind: 'timeout' }
  /** The statement was cancelled because the client disconnected. */
  | { readonly kind: 'cancelled' }
  /** There is no connection, or it was lost. */
  | { readonly kind: 'unavailable' }
  /** Any other error, such as a missing table. */
  | { readonly kind: 'other' }
