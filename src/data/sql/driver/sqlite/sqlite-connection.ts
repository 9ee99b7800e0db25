import type { Row } from '../../../../rows/row-set.js'
import type { SqlResult, SqlStatement } from '../sql-driver.js'
import type {
  BetterSqliteDatabase,
  BetterSqliteStatement,
  NodeSqliteDatabase,
  NodeSqliteStatement,
  SqliteChanges,
  SqliteDatabase,
} from './sqlite-database.js'
import { isNodeSqlite } from './sqlite-database.js'
import { isTooLargeForNumber, sqliteError } from './sqlite-faults.js'

/** One connection to an SQLite database, whichever library made it. All of it happens at once: SQLite runs in this thread. */
export interface SqliteConnection {
  readonly database: SqliteDatabase
  isOpen(): boolean
  isInTransaction(): boolean
  /** The file; `null` for a database in memory. */
  file(): string | null
  /** Another connection to the same file, to read on. */
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

/** @param statements how many prepared statements are kept, those used last */
export function sqliteConnection(database: SqliteDatabase, statements: number): SqliteConnection {
  const kept = new Map<string, Prepared>()
  const isNode = isNodeSqlite(database)
  const prepare = isNode ? nodePrepare(database) : betterPrepare(database)

  /** Only what has a name is worth keeping, and comes back with the same columns. */
  function prepared({ sql, name }: SqlStatement): Prepared {
    if (name === null) return prepare(sql)
    const known = kept.get(sql)
    // Which was used last matters only where one has to go.
    if (known !== undefined && kept.size < statements) return known
    const statement = known ?? prepare(sql)
    kept.delete(sql)
    kept.set(sql, statement)
    if (kept.size > statements) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    return statement
  }

  return {
    database,
    isOpen: () => (isNode ? database.isOpen : database.open),
    isInTransaction: () => (isNode ? database.isTransaction : database.inTransaction),
    file: () => fileOf(database),
    readerOf(file) {
      const { constructor } = database as { readonly constructor: unknown }
      // The one library spells the option with a capital, and passes over the other's.
      const options = isNode ? { readOnly: true } : { readonly: true }
      return sqliteConnection(new (constructor as Constructor)(file, options), statements)
    },
    execute(statement) {
      const { values } = statement
      if (values.some(isNoValue))
        throw sqliteError({ kind: 'value' }, 'SQLite has no such values as objects and lists.')
      const ready = prepared(statement)
      const { columns } = ready
      if (columns.length === 0) {
        const { changes, lastInsertRowid } = ready.changes(values)
        return { columns, rows: [], changes: Number(changes), insertId: smallAsNumber(lastInsertRowid) }
      }
      const rows = ready.rows(values)
      // A write that answers rows answers one for each that it has written.
      return { columns, rows, changes: rows.length }
    },
    close() {
      kept.clear()
      database.close()
    },
  }
}

/** The empty name is a database in a file that is gone when it is closed: nobody else can open it. */
function fileOf(database: SqliteDatabase): string | null {
  if (isNodeSqlite(database)) return database.location() || null
  return database.memory || database.name === '' ? null : database.name
}

/** Whether a text changes nothing, as far as can be told at a glance. */
function readsOnly(sql: string): boolean {
  return /^\s*(?:select|pragma|values|explain|with\b(?!.*\b(?:insert|update|delete|replace)))\b/is.test(sql)
}

/**
 * Whole numbers are read as numbers, which is fast. Where one is too large for that the library throws; a statement that
 * only reads is then run again with exact numbers, and from then on. A write cannot be run twice: it is exact at once.
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
        if (isExact) return all(values)
        try {
          return all(values)
        } catch (thrown) {
          if (!isTooLargeForNumber(thrown)) throw thrown
          isExact = true
          statement.setReadBigInts(true)
          return all(values)
        }
      },
      changes: (values) => statement.run(...values),
    }
  }
}

const tooOld =
  'The SQLite driver reads rows as lists, which node:sqlite can from Node 22.16 and 24 on: take one of these, or @photostructure/sqlite.'

/** This library rounds large numbers silently, unless all are read exactly. */
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

/** The libraries would take an object for values by name, and a list for several. */
function isNoValue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}

function smallAsNumbers(row: unknown[]): Row {
  for (let at = 0; at < row.length; at += 1) {
    const value = row[at]
    if (typeof value === 'bigint') row[at] = smallAsNumber(value)
  }
  return row
}

function smallAsNumber(value: number | bigint): number | bigint {
  return value <= largest && value >= -largest ? Number(value) : value
}

const largest = BigInt(Number.MAX_SAFE_INTEGER)
