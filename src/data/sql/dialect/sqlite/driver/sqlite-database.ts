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

export function isNodeSqlite(value: unknown): value is NodeSqliteDatabase {
  return hasFunctions(value, ['exec', 'prepare', 'close', 'location'])
}

function isBetterSqlite(value: unknown): value is BetterSqliteDatabase {
  return hasFunctions(value, ['exec', 'prepare', 'close']) && 'name' in value && 'inTransaction' in value
}

function hasFunctions(value: unknown, names: readonly string[]): value is object {
  if (typeof value !== 'object' || value === null) return false
  return names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'function')
}
