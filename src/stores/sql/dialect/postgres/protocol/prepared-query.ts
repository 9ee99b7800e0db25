import type { Row } from '../../../../../core/rows/row-set.js'
import type { SqlResult } from '../../../driver/sql-statement.js'
import { StalePlan } from '../driver/postgres-fault.js'
import type { NodeCallback, PostgresResult } from '../driver/postgres-pool.js'
import type { BytesReader, ValueReader } from '../driver/postgres-values.js'
import { postgresTypes } from '../driver/postgres-values.js'
import type { SentText } from '../driver/sent-value.js'

/** A statement that is prepared on a connection, with its columns. */
export interface PreparedStatement {
  readonly text: string
  readonly name: string
  readonly columns: readonly string[]
  /** The oids of the column types. */
  readonly types: readonly number[]
  /** The parsers of the columns whose values do not stay text. */
  readonly readers: readonly { readonly at: number; readonly read: ValueReader }[]
  /** The parsers of the bytes of all columns. */
  readonly bytesReaders: readonly BytesReader[]
  readonly head: ExecutionHead
  /** The number of parameters. */
  readonly parameterCount: number
}

/** The part of pg's connections that queries write to. */
export interface QueryConnection {
  readonly stream: {
    readonly writable: boolean
    write(bytes: Uint8Array): unknown
    cork?(): void
    uncork?(): void
    destroy?(): unknown
  }
}

/** The interface of pg's queries: the client submits a query, and passes it the messages of the server. */
export interface PgQuery {
  submit(connection: QueryConnection): Error | null
  handleRowDescription(message: { readonly fields: readonly { readonly dataTypeID: number }[] }): void
  handleDataRow(message: { readonly fields: (string | null)[] }): void
  /** Whether `parseRow` is called instead of `handleDataRow`. pg's own queries do not have it. */
  readonly parsesRows?: true
  /** Parses a row from the bytes of its message. */
  parseRow?(bytes: Buffer, start: number): void
  handleCommandComplete(message: { readonly text: string }): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

// oxlint-disable-next-line typescript/no-explicit-any -- TypeScript requires it of a class that a generated class extends
export type PgQueryClass = new (...parameters: any[]) => PgQuery

/**
 * Receives the result of a query. It is a result of pg if a wrapper of the client has turned our query into a plain
 * one.
 */
export type QueryCallback = NodeCallback<SqlResult | PostgresResult | readonly PostgresResult[]>

/** One run of a prepared statement. */
export interface PreparedRun {
  readonly values: readonly SentText[]
  /**
   * Whether the columns may have changed without the server rejecting the statement, so that they are requested again.
   */
  readonly describes: boolean
  readonly callback: QueryCallback
}

export type PreparedQueryClass = new (statement: PreparedStatement, run: PreparedRun) => PgQuery

/**
 * Returns a query class of pg for statements that are already prepared and whose columns are known. Fast path of pg's
 * own queries (`#queryPlain` of postgres-lease.ts): it sends one message instead of four and parses rows in place.
 * Without it, one resource takes 49 % more instructions (W1), and a list of 50 takes 19 % more (W2).
 *
 * The class has the prototype of pg's `Query`, because clients check for it. The constructor of `Query` is not called.
 */
export function preparedQueryClass(Query: PgQueryClass): PreparedQueryClass {
  class PreparedQuery implements PgQuery {
    readonly text: string
    readonly name: string
    readonly values: readonly SentText[]
    readonly types = postgresTypes
    readonly rowMode = 'array'
    readonly parsesRows = true
    /** pg replaces the callback if queries have a time limit. */
    callback: QueryCallback
    readonly #statement: PreparedStatement
    readonly #describes: boolean
    readonly #rows: Row[] = []
    #commandTag = ''
    #readError: unknown = null

    constructor(statement: PreparedStatement, { values, describes, callback }: PreparedRun) {
      this.text = statement.text
      this.name = statement.name
      this.values = values
      this.callback = callback
      this.#statement = statement
      this.#describes = describes
    }

    submit({ stream }: QueryConnection): null {
      // As in pg: if the stream is not writable, the connection is about to fail all queries.
      const tail = this.#describes ? described : undescribed
      if (stream.writable) stream.write(executionMessage(this.#statement.head, this.values, tail))
      return null
    }

    handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
      const { types } = this.#statement
      if (fields.some(({ dataTypeID }, at) => dataTypeID !== types[at])) this.#readError = new StalePlan()
    }

    handleDataRow({ fields }: { readonly fields: (string | null)[] }): void {
      if (this.#readError !== null) return
      try {
        this.#rows.push(readRow(fields, this.#statement))
      } catch (thrown) {
        this.#readError = thrown
      }
    }

    parseRow(bytes: Buffer, start: number): void {
      if (this.#readError !== null) return
      try {
        this.#rows.push(rowIn(bytes, start, this.#statement.bytesReaders))
      } catch (thrown) {
        this.#readError = thrown
      }
    }

    handleCommandComplete({ text }: { readonly text: string }): void {
      this.#commandTag = text
    }

    handleError(error: unknown): void {
      this.callback(this.#readError ?? error)
    }

    handleReadyForQuery(): void {
      if (this.#readError === null) this.callback(null, resultOf(this.#statement.columns, this.#rows, this.#commandTag))
      else this.callback(this.#readError)
    }
  }
  Object.setPrototypeOf(PreparedQuery.prototype, Query.prototype as object)
  return PreparedQuery
}

/** Parses the values in place, which is safe because nothing else uses the array. */
function readRow(fields: (string | null)[], { columns, readers }: PreparedStatement): Row {
  if (fields.length !== columns.length) throw new StalePlan()
  const row: unknown[] = fields
  for (const { at, read } of readers) {
    const text = fields[at]
    if (typeof text === 'string') row[at] = read(text)
  }
  return row
}

/** Parses the content of a `DataRow` message: the number of columns, and for each the length and the bytes of its value. */
function rowIn(bytes: Buffer, start: number, readers: readonly BytesReader[]): Row {
  const count = bytes.readUInt16BE(start)
  if (count !== readers.length) throw new StalePlan()
  const row: unknown[] = []
  let at = start + 2
  for (const read of readers) {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === NULL_LENGTH) {
      row.push(null)
      continue
    }
    row.push(read(bytes, at, at + length))
    at += length
  }
  return row
}

const NULL_LENGTH = -1

const form = /^([a-z]+)(?: (\d+))?(?: (\d+))?/i

/** @param commandTag such as `SELECT 50` or `INSERT 0 1` */
function resultOf(columns: readonly string[], rows: readonly Row[], commandTag: string): SqlResult {
  if (rows.length > 0 && commandTag.startsWith('SELECT '))
    return { columns, rows, changes: rows.length, command: 'SELECT' }
  // Most inserts create one row.
  if (commandTag === 'INSERT 0 1') return { columns, rows, changes: 1, command: 'INSERT' }
  const [, command = '', first, second] = form.exec(commandTag) ?? []
  return { columns, rows, changes: Number(second ?? first ?? 0), command }
}

/**
 * The part of the message that is the same for each run of a prepared statement: its name and the number of parameters.
 */
export type ExecutionHead = Uint8Array

const BIND = 66
const PARSE = 80

/** The maximum number of parameters: PostgreSQL counts them in 16 bits. */
export const MAX_PARAMETERS: number = 65_535

/**
 * The bytes that follow the values: text format for every column (`Int16` 0), `Describe` if requested, `Execute`
 * without a row limit, and `Sync`. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const formats = [0, 0]
const describe = [68, 0, 0, 0, 6, 80, 0]
const execute = [69, 0, 0, 0, 9, 0, 0, 0, 0, 0]
const sync = [83, 0, 0, 0, 4]
export const undescribed: Uint8Array = Buffer.from([...formats, ...execute, ...sync])
export const described: Uint8Array = Buffer.from([...formats, ...describe, ...execute, ...sync])
export const unsynced: Uint8Array = Buffer.from([...formats, ...execute])

export function executionHead(name: string, parameterCount: number): ExecutionHead {
  const length = Buffer.byteLength(name)
  const head = Buffer.alloc(length + 11)
  head[0] = BIND
  // The unnamed portal follows the length. All values are text, which needs no format codes.
  head.write(name, 6)
  head.writeUInt16BE(parameterCount, length + 9)
  return head
}

/** Returns the `Parse` message of an unnamed statement. */
export function parseMessage(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const message = Buffer.alloc(length + 9)
  message[0] = PARSE
  message.writeInt32BE(length + 8, 1)
  // The empty name precedes the text. No types of parameters follow it.
  message.write(text, 6)
  return message
}

/**
 * Returns the `Bind`, `Execute` and `Sync` messages of a prepared statement in one buffer.
 *
 * @param tail `described` adds `Describe`, so that the server sends the columns of the statement again; `unsynced` leaves
 * out `Sync`, which is that of the next statement
 */
export function executionMessage(head: ExecutionHead, values: readonly SentText[], tail: Uint8Array): Buffer {
  let maxSize = head.length + tail.length
  for (const value of values) maxSize += value === null ? 4 : 4 + maxBytes(value)
  const message = Buffer.allocUnsafe(maxSize)
  message.set(head)
  let at = head.length
  for (const value of values) {
    const length = value === null ? -1 : writeText(message, value, at + 4)
    at = message.writeInt32BE(length, at) + Math.max(length, 0)
  }
  message.set(tail, at)
  message.writeInt32BE(at + formats.length - 1, 1)
  const size = at + tail.length
  return size === maxSize ? message : message.subarray(0, size)
}

/** Texts up to this length are not measured before they are written: measuring costs more than the unused bytes. */
const SHORT = 256

/** Up to this length, writing the characters in JavaScript is faster than `Buffer.write`. */
const FEW = 24

const LAST_OF_ASCII = 127

function maxBytes(text: string): number {
  return text.length > SHORT ? Buffer.byteLength(text) : text.length * 3
}

/** Writes a text, and returns the number of bytes written. */
function writeText(message: Buffer, text: string, at: number): number {
  const { length } = text
  if (length > FEW) return message.write(text, at)
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > LAST_OF_ASCII) return message.write(text, at)
    message[at + index] = code
  }
  return length
}
