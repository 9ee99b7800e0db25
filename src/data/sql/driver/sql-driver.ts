import type { RequestContext } from '../../../resource/request-context.js'
import type { Row } from '../../../rows/row-set.js'
import type { SqlFault } from './sql-fault.js'

/** The databases that statements are written for. */
export type EngineName = 'postgres' | 'sqlite'

/** A statement with what stands in its places. */
export interface SqlStatement {
  readonly sql: string
  /** As codecs made them: text, numbers, bigints, booleans (PostgreSQL), bytes, null, and lists of these (PostgreSQL). */
  readonly values: readonly unknown[]
  /** Under which a connection may keep it prepared: one name, one text. `null` for what is not worth it. */
  readonly name: string | null
}

export interface SqlResult {
  readonly columns: readonly string[]
  /** Values by position: on PostgreSQL as their types say (`postgres-values`), on SQLite as they are held. */
  readonly rows: readonly Row[]
  /** How many rows a write has written. */
  readonly changes: number
  /** Of the last row that an insert without `returning` made. SQLite only. */
  readonly insertId?: number | bigint
  /** What PostgreSQL says that it has done: it answers the commit of what has failed with `ROLLBACK`. */
  readonly command?: string
}

/** For whom a statement runs. `null` for what no request asks for. */
export interface Occasion {
  readonly context: RequestContext | null
}

/** Where statements are run, one after the other, in the order in which they are given. */
export interface SqlConnection {
  /**
   * May be called again before the last one has answered: a driver that can sends them without waiting.
   *
   * @param occasion for whom, where that was not known yet when the connection was taken
   */
  run(statement: SqlStatement, occasion?: Occasion): Promise<SqlResult>
}

/** A connection that one transaction has to itself. */
export interface HeldConnection extends SqlConnection {
  /** The driver's own connection, for code that speaks to it directly. */
  readonly raw: unknown
  /**
   * Where a database has but one connection: reads outside of transactions that are asked for within the work run here,
   * since they would wait for ever for the work to end.
   */
  within?<Result>(work: () => Promise<Result>): Promise<Result>
  /** Gives it back. A broken one, or one in an unknown state, is not used again. */
  release(broken: boolean): void
}

/** What a store asks of a database: the one place that knows a client library. */
export interface SqlDriver {
  readonly engine: EngineName
  /** What the user has opened. Work of one driver within a transaction of another of the same database is part of that. */
  readonly database?: object
  /** Runs a statement that changes nothing, outside of transactions. */
  read(statement: SqlStatement, occasion: Occasion): Promise<SqlResult>
  /**
   * Runs a statement that writes, outside of transactions: the database keeps it by itself. Never twice, unless it is known
   * that nothing of it was done.
   */
  write(statement: SqlStatement, occasion: Occasion): Promise<SqlResult>
  /** Waits for a connection to write on. On SQLite there is one, and whoever asks waits for the turn. */
  hold(occasion: Occasion): Promise<HeldConnection>
  /** What an error says that `read`, `write`, `run` or `hold` threw; `null` for one that is not the database's. */
  faultOf(thrown: unknown): SqlFault | null
  /** Closes what the driver has opened itself; what the user has opened stays open. */
  close?(): void
}
