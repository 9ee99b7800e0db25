import type { Row } from '../../../../rows/row-set.js'
import type { SqlResult } from '../sql-driver.js'
import type { ExecutionHead } from './execution-message.js'
import { executionMessage } from './execution-message.js'
import type { PostgresAnswer } from './postgres-pool.js'
import type { Reader } from './postgres-values.js'
import { postgresTypes } from './postgres-values.js'
import type { SentText } from './sent-value.js'
import type { Settle } from './settle.js'
import { StalePlan } from './stale-plan.js'

/** What is known of a statement that a connection keeps prepared. */
export interface PreparedStatement {
  readonly text: string
  readonly name: string
  readonly columns: readonly string[]
  /** The numbers that PostgreSQL gives to the types of the columns. */
  readonly types: readonly number[]
  /** Of the columns whose values are not the texts that come. */
  readonly readers: readonly ColumnReader[]
  readonly head: ExecutionHead
  /** How many values it takes. */
  readonly places: number
}

interface ColumnReader {
  readonly at: number
  readonly read: Reader
}

/** The side of pg's connections that queries write to. */
export interface QueryConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Uint8Array): unknown }
}

/** How pg's clients start a query, and tell it what has come. */
export interface PgQuery {
  submit(connection: QueryConnection): Error | null
  handleRowDescription(message: { readonly fields: readonly { readonly dataTypeID: number }[] }): void
  handleDataRow(message: { readonly fields: (string | null)[] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

export type PgQueryClass = new (...given: never[]) => PgQuery

/** pg gives an answer of its own where somebody between has made a plain query of ours. */
export type Answered = Settle<SqlResult | PostgresAnswer | readonly PostgresAnswer[]>

/** One run of a prepared statement. */
export interface PreparedRun {
  readonly values: readonly SentText[]
  /** Whether the columns may be others by now, without the server refusing to run the statement. */
  readonly describes: boolean
  readonly answered: Answered
}

export type PreparedQueryClass = new (statement: PreparedStatement, run: PreparedRun) => PgQuery

/**
 * A query of pg for a statement that is prepared already, and whose columns are known. It sends one message in place of
 * four, and reads rows where they are, which costs a good part less than what pg makes for each query.
 *
 * Its class is followed, since clients ask for that; its constructor is not called.
 */
export function preparedQueryClass(Query: PgQueryClass): PreparedQueryClass {
  class PreparedQuery implements PgQuery {
    readonly text: string
    readonly name: string
    readonly values: readonly SentText[]
    readonly types = postgresTypes
    readonly rowMode = 'array'
    /** pg replaces it where queries have a time limit. */
    callback: Answered
    readonly #statement: PreparedStatement
    readonly #describes: boolean
    readonly #rows: Row[] = []
    #done = ''
    #unread: unknown = null

    constructor(statement: PreparedStatement, { values, describes, answered }: PreparedRun) {
      this.text = statement.text
      this.name = statement.name
      this.values = values
      this.callback = answered
      this.#statement = statement
      this.#describes = describes
    }

    submit({ stream }: QueryConnection): null {
      // As pg does: where it is not, the connection is about to tell all queries that it has ended.
      if (stream.writable) stream.write(executionMessage(this.#statement.head, this.values, this.#describes))
      return null
    }

    handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
      const { types } = this.#statement
      if (fields.some(({ dataTypeID }, at) => dataTypeID !== types[at])) this.#unread = new StalePlan()
    }

    handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
      if (this.#unread !== null) return
      try {
        this.#rows.push(readRow(fields, this.#statement))
      } catch (thrown) {
        this.#unread = thrown
      }
    }

    handleCommandComplete({ text }: { readonly text: string }): void {
      this.#done = text
    }

    handleError(error: unknown): void {
      this.callback(this.#unread ?? error)
    }

    handleReadyForQuery(): void {
      if (this.#unread === null) this.callback(null, resultOf(this.#statement.columns, this.#rows, this.#done))
      else this.callback(this.#unread)
    }
  }
  Object.setPrototypeOf(PreparedQuery.prototype, Query.prototype as object)
  return PreparedQuery
}

/** The texts become values where they are: nobody else has them. */
function readRow(fields: (string | null)[], { columns, readers }: PreparedStatement): Row {
  if (fields.length !== columns.length) throw new StalePlan()
  const row: unknown[] = fields
  for (const { at, read } of readers) {
    const held = fields[at]
    if (typeof held === 'string') row[at] = read(held)
  }
  return row
}

const form = /^([a-z]+)(?: (\d+))?(?: (\d+))?/i

/** @param done such as `SELECT 50`, or `INSERT 0 1` */
function resultOf(columns: readonly string[], rows: readonly Row[], done: string): SqlResult {
  if (rows.length > 0 && done.startsWith('SELECT ')) return { columns, rows, changes: rows.length, command: 'SELECT' }
  // What is created is mostly one row.
  if (done === 'INSERT 0 1') return { columns, rows, changes: 1, command: 'INSERT' }
  const [, command = '', first, second] = form.exec(done) ?? []
  return { columns, rows, changes: Number(second ?? first ?? 0), command }
}
