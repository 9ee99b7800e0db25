import type { SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { losesTransaction, mysqlFault, NoConnection, TransactionLost } from './mysql-fault.js'
import type { MysqlCastField, MysqlConnection, MysqlPool, MysqlRows, MysqlStatement } from './mysql-pool.js'

/** The number of the type of integers with eight bytes. */
const EIGHT_BYTES = 8

/** The flag of connections that count the rows which an update has found, and not only those that it has changed. */
const FOUND_ROWS = 2

/** Checks a connection before it is used for the first time. Throws if it cannot be used. */
export type CheckServer = (connection: MysqlConnection) => Promise<void>

/** A connection that is reserved. */
export class MysqlLease {
  readonly connection: MysqlConnection
  /** The error because of which the server has rolled back the transaction. */
  #lost: unknown = null

  constructor(connection: MysqlConnection) {
    this.connection = connection
  }

  run(statement: SqlStatement): Promise<SqlResult> {
    if (this.#lost !== null && statement.sql !== 'rollback') return Promise.reject(new TransactionLost(this.#lost))
    return runOn(this.connection, statement).catch((thrown: unknown) => {
      if (losesTransaction(thrown)) this.#lost ??= thrown
      throw thrown
    })
  }

  release(broken: boolean): void {
    if (broken || mysqlFault(this.#lost)?.kind === 'unavailable') this.connection.destroy()
    else this.connection.release()
  }
}

/** The connections whose session is set. */
const prepared = new WeakSet<object>()

/** Takes a connection of the pool. A new one is prepared first. */
export async function takeLease(pool: MysqlPool, check: CheckServer): Promise<MysqlLease> {
  const connection = await connectionOf(pool)
  if (!prepared.has(connection)) {
    try {
      await prepare(connection, check)
    } catch (thrown) {
      connection.destroy()
      throw thrown
    }
    prepared.add(connection)
  }
  return new MysqlLease(connection)
}

function connectionOf(pool: MysqlPool): Promise<MysqlConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((thrown, connection) => {
      if (thrown === null) resolve(connection as MysqlConnection)
      else reject(mysqlFault(thrown)?.kind === 'other' ? thrown : new NoConnection(thrown))
    })
  })
}

/** Statements see what is committed before they begin, as on the other engines, unless the option `isolation` says otherwise. */
const sessionStatements = [
  'set session transaction isolation level read committed',
  // Instants are stored in UTC. Without the strict mode, a value that does not fit is changed instead of refused. A key may be 0.
  "set time_zone = '+00:00', sql_mode = concat_ws(',', nullif(@@sql_mode, ''), 'STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO'), autocommit = 1",
]

async function prepare(connection: MysqlConnection, check: CheckServer): Promise<void> {
  const { clientFlags } = connection.config
  if (clientFlags !== undefined && (clientFlags & FOUND_ROWS) === 0) throw new Error(changedRows)
  await check(connection)
  await Promise.all(sessionStatements.map((sql) => runOn(connection, { sql, values: [], name: null })))
}

const changedRows =
  "The connections of the pool count only rows that an update has changed: remove '-FOUND_ROWS' from its option 'flags'."

/**
 * Runs a statement. One with values is always prepared, so that no value becomes a part of the text. A statement without a name
 * is closed afterwards: a server has a limited number of them.
 */
export function runOn(
  connection: MysqlConnection,
  { sql, values, name }: SqlStatement,
  timeout?: number,
): Promise<SqlResult> {
  const isPlain = values.length === 0 && name === null
  const options: MysqlStatement = {
    ...reading,
    sql,
    ...(isPlain ? {} : { values: values.map(sentValue) }),
    ...(timeout === undefined ? {} : { timeout }),
  }
  return new Promise((resolve, reject) => {
    const end = (thrown: unknown, rows?: MysqlRows, fields?: Parameters<typeof resultOf>[1]): void => {
      if (!isPlain && name === null) connection.unprepare(sql)
      if (thrown) reject(thrown)
      else resolve(resultOf(rows, fields))
    }
    if (isPlain) connection.query(options, end)
    else connection.execute(options, end)
  })
}

/** JSON stays text: the library would parse it, and lose digits of large numbers. */
function typeCast(field: MysqlCastField, next: () => unknown): unknown {
  return field.type === 'JSON' || field.extendedFormat === 'json' ? field.string('utf8') : next()
}

const reading = {
  rowsAsArray: true,
  dateStrings: true,
  supportBigNumbers: true,
  bigNumberStrings: false,
  typeCast,
} as const

/** Converts values that the library would send in another form. */
function sentValue(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return String(value)
    case 'boolean':
      return Number(value)
    case 'undefined':
      return null
    default:
      return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
  }
}

function resultOf(
  rows: MysqlRows | undefined,
  fields: readonly { readonly name: string; readonly columnType?: number }[] = [],
): SqlResult {
  if (rows === undefined) return { columns: [], rows: [], changes: 0 }
  if (!isRows(rows)) {
    const insertId = wholeNumber(rows.insertId)
    return { columns: [], rows: [], changes: rows.affectedRows, ...(insertId === 0 ? {} : { insertId }) }
  }
  const large = fields.flatMap(({ columnType }, index) => (columnType === EIGHT_BYTES ? [index] : []))
  const hasLarge = large.length > 0 && rows.some((row) => large.some((index) => typeof row[index] === 'string'))
  return {
    columns: fields.map(({ name }) => name),
    rows: hasLarge ? rows.map((row) => withBigints(row, large)) : rows,
    changes: rows.length,
  }
}

function isRows(rows: MysqlRows): rows is readonly (readonly unknown[])[] {
  return Array.isArray(rows)
}

function withBigints(row: readonly unknown[], large: readonly number[]): readonly unknown[] {
  return row.map((value, index) => (large.includes(index) && typeof value === 'string' ? BigInt(value) : value))
}

function wholeNumber(value: number | string): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}
