import type { Row } from '../../../../../core/rows/row-set.js'
import type { SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { defineSearchFunction } from './search-function.js'
import { isTooLargeForNumber, sqliteError, withResultCode } from './sqlite-faults.js'

/** A database of `node:sqlite`, or of a package with the same API: `@photostructure/sqlite`. */
export interface NodeSqliteDatabase {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): NodeSqliteStatement
  /** Returns null for a database in memory. */
  location(): string | null
  close(): void
}

/** The part of its statements that the driver uses. */
export interface NodeSqliteStatement {
  run(...values: unknown[]): SqliteChanges
  all(...values: unknown[]): unknown[]
  columns(): { readonly name: string }[]
  setReturnArrays(enabled: boolean): void
  setReadBigInts(enabled: boolean): void
}

export interface SqliteChanges {
  readonly changes: number | bigint
  readonly lastInsertRowid: number | bigint
}

/** A database of `better-sqlite3`, or of a package with the same API: `libsql`. */
export interface BetterSqliteDatabase {
  readonly open: boolean
  readonly inTransaction: boolean
  readonly memory: boolean
  readonly name: string
  exec(sql: string): unknown
  prepare(sql: string): BetterSqliteStatement
  close(): unknown
}

/** The part of its statements that the driver uses. */
export interface BetterSqliteStatement {
  /** Whether the statement returns rows. */
  readonly reader: boolean
  run(...values: unknown[]): SqliteChanges
  all(...values: unknown[]): unknown[]
  columns(): { readonly name: string }[]
  raw(enabled: boolean): unknown
  safeIntegers(enabled: boolean): unknown
}

/** A database that the SQLite driver supports. */
export type SqliteDatabase = NodeSqliteDatabase | BetterSqliteDatabase

/** Returns whether a value is an SQLite database of a supported library. */
export function isSqliteDatabase(value: unknown): value is SqliteDatabase {
  return isNodeSqlite(value) || isBetterSqlite(value)
}

function isNodeSqlite(value: unknown): value is NodeSqliteDatabase {
  return hasFunctions(value, ['exec', 'prepare', 'close', 'location'])
}

function isBetterSqlite(value: unknown): value is BetterSqliteDatabase {
  return hasFunctions(value, ['exec', 'prepare', 'close']) && 'name' in value && 'inTransaction' in value
}

function hasFunctions(value: unknown, names: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function')
}

/**
 * A connection to an SQLite database, of any supported library. All methods are synchronous: SQLite runs in this
 * thread.
 */
export interface SqliteConnection {
  readonly database: SqliteDatabase
  isOpen(): boolean
  /** A closed connection, whose library may throw, has none: its next statement fails. */
  readonly isInTransaction: () => boolean
  /** Returns the path of the file; null for a database in memory. */
  file(): string | null
  /** Opens another, read-only connection to the same file. */
  readerOf(file: string): SqliteConnection
  execute(statement: SqlStatement): SqlResult
  close(): void
}

/** A statement that the library has prepared. */
interface Prepared {
  readonly columns: readonly string[]
  rows(values: readonly unknown[]): readonly Row[]
  changes(values: readonly unknown[]): SqliteChanges
}

type Constructor = new (file: string, options: object) => SqliteDatabase

/** @param maxStatements the size of the LRU cache of prepared statements */
export function sqliteConnection(database: SqliteDatabase, maxStatements: number): SqliteConnection {
  const cached = new Map<string, Prepared>()
  defineSearchFunction(database)
  const isNode = isNodeSqlite(database)
  const prepare = isNode ? nodePrepare(database) : betterPrepare(database)

  /** Returns the prepared statement. Only named statements are cached: they are reused, with the same columns. */
  function prepared({ sql, name }: SqlStatement): Prepared {
    if (name === null) return prepare(sql)
    const known = cached.get(sql)
    // The order of use matters only when the cache is full.
    if (known !== undefined && cached.size < maxStatements) return known
    const statement = known ?? prepare(sql)
    cached.delete(sql)
    cached.set(sql, statement)
    if (cached.size > maxStatements) {
      const [oldest] = cached.keys()
      if (oldest !== undefined) cached.delete(oldest)
    }
    return statement
  }

  return {
    database,
    isOpen: () => (isNode ? database.isOpen : database.open),
    isInTransaction() {
      try {
        return isNode ? database.isTransaction : database.inTransaction
      } catch {
        return false
      }
    },
    // An empty name is a temporary file, which no other connection can open.
    file: () => (isNode ? database.location() : database.memory ? null : database.name) || null,
    readerOf(file) {
      const { constructor } = database as { readonly constructor: unknown }
      // The libraries spell the option differently, and ignore the other spelling.
      const options = isNode ? { readOnly: true } : { readonly: true }
      return sqliteConnection(new (constructor as Constructor)(file, options), maxStatements)
    },
    execute(statement) {
      const { values } = statement
      if (hasUnsupported(values))
        throw sqliteError({ kind: 'value' }, 'SQLite cannot store objects or arrays as values.')
      const preparedStatement = prepared(statement)
      const { columns } = preparedStatement
      if (columns.length === 0) {
        const { changes, lastInsertRowid } = preparedStatement.changes(values)
        return { columns, rows: [], changes: Number(changes), insertId: smallAsNumber(lastInsertRowid) }
      }
      const rows = preparedStatement.rows(values)
      // A write with `returning` returns one row for each that it has written.
      return { columns, rows, changes: rows.length }
    },
    close() {
      cached.clear()
      database.close()
    },
  }
}

/** Returns whether a statement only reads, according to its keywords. */
function readsOnly(sql: string): boolean {
  return /^\s*(?:select|pragma|values|explain|with\b(?!.*\b(?:insert|update|delete|replace)))\b/is.test(sql)
}

/**
 * Prepares statements of `node:sqlite`. Integers are read as numbers, which is fast. The library throws if one is too
 * large for a number: a statement that only reads is then run again with bigints, and always from then on. A write
 * cannot run twice, so it reads bigints from the start.
 */
function nodePrepare(database: NodeSqliteDatabase): (sql: string) => Prepared {
  return (sql) => {
    const statement: NodeSqliteStatement = database.prepare(sql)
    if (typeof statement.setReturnArrays !== 'function') throw new Error(tooOld)
    statement.setReturnArrays(true)
    let isExact = !readsOnly(sql)
    statement.setReadBigInts(isExact)
    const all = (values: readonly unknown[]): readonly Row[] => {
      const rows = statement.all(...values) as unknown[][]
      return isExact ? rows.map(smallAsNumbers) : rows
    }
    return {
      columns: statement.columns().map(({ name }) => name),
      rows(values) {
        try {
          return all(values)
        } catch (thrown) {
          if (!readsOnly(sql))
            throw withResultCode(thrown, () => refusedAgain(database, () => statement.run(...values)))
          if (isExact || !isTooLargeForNumber(thrown)) throw thrown
          isExact = true
          statement.setReadBigInts(true)
          return all(values)
        }
      },
      changes: (values) => statement.run(...values),
    }
  }
}

/**
 * Repeats a refused write in a savepoint that is rolled back, and returns the error. `all()` of
 * `@photostructure/sqlite` leaves out the result code, without which the message of a trigger could be any error;
 * `run()` has it.
 */
function refusedAgain(database: NodeSqliteDatabase, write: () => unknown): unknown {
  database.exec('savepoint ashlar_refused')
  try {
    write()
    return null
  } catch (thrown) {
    return thrown
  } finally {
    // A trigger with `raise(rollback, …)` has ended the transaction together with the savepoint.
    if (database.isTransaction) database.exec('rollback to savepoint ashlar_refused; release savepoint ashlar_refused')
  }
}

const tooOld =
  'The SQLite driver reads rows as arrays, which node:sqlite supports from Node 22.16 and 24 on: use one of these, or @photostructure/sqlite.'

/**
 * Prepares statements of `better-sqlite3`, which rounds large integers silently unless all integers are read as
 * bigints.
 */
function betterPrepare(database: BetterSqliteDatabase): (sql: string) => Prepared {
  return (sql) => {
    const statement: BetterSqliteStatement = database.prepare(sql)
    const { reader } = statement
    if (reader) {
      statement.raw(true)
      statement.safeIntegers(true)
    }
    return {
      columns: reader ? statement.columns().map(({ name }) => name) : [],
      rows: (values) => (statement.all(...values) as unknown[][]).map(smallAsNumbers),
      changes: (values) => statement.run(...values),
    }
  }
}

/** Returns whether a value is an object or an array, which the libraries would take for named or for several parameters. */
function hasUnsupported(values: readonly unknown[]): boolean {
  for (const value of values) if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) return true
  return false
}

function smallAsNumbers(row: unknown[]): Row {
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at]
    if (typeof value === 'bigint' && value <= largest && value >= -largest) row[at] = Number(value)
  }
  return row
}

function smallAsNumber(value: number | bigint): number | bigint {
  return value <= largest && value >= -largest ? Number(value) : value
}

const largest = BigInt(Number.MAX_SAFE_INTEGER)
