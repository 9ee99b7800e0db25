/** The parts of the `Pool` of `mysql2` that the driver uses. */
export interface MysqlPool {
  getConnection(callback: (error: Error | null, connection: MysqlPoolConnection) => unknown): void
}

/** The `Pool` of `mysql2/promise`, which wraps one with callbacks. */
export interface MysqlPromisePool {
  readonly pool: MysqlPool
}

/** The options of one statement. They override those of the connection. */
export interface MysqlStatement {
  readonly sql: string
  readonly values?: readonly unknown[]
  readonly rowsAsArray: true
  readonly dateStrings: true
  readonly supportBigNumbers: true
  readonly bigNumberStrings: false
  readonly typeCast: (field: MysqlCastField, next: () => unknown) => unknown
  /** In milliseconds. */
  readonly timeout?: number
}

/** A column of a result, while its values are read. */
export interface MysqlCastField {
  readonly type: string
  readonly extendedFormat?: string | undefined
  readonly string: (encoding?: string) => string | null
}

/** A column of a result. */
interface MysqlField {
  readonly name: string
  readonly columnType?: number
}

/** What a statement without rows returns. */
interface MysqlHeader {
  readonly affectedRows: number
  readonly insertId: number | string
}

export type MysqlRows = readonly (readonly unknown[])[] | MysqlHeader

export type MysqlCallback = (error: unknown, rows?: MysqlRows, fields?: readonly MysqlField[]) => void

/** A connection of the pool, as far as its type is public. */
export interface MysqlPoolConnection {
  release(): void
  destroy(): void
}

/** The parts of a connection of the pool that the driver uses. */
export interface MysqlConnection extends MysqlPoolConnection {
  /** Runs a prepared statement, which the connection caches by its text. */
  execute(statement: MysqlStatement, callback: MysqlCallback): unknown
  /** Runs a statement without parameters. */
  query(statement: MysqlStatement, callback: MysqlCallback): unknown
  /** Removes a prepared statement from the cache, and closes it. */
  unprepare(sql: string): unknown
  readonly config: { readonly clientFlags?: number }
}

/** Returns whether a value is a pool of `mysql2` or `mysql2/promise`. */
export function isMysqlPool(value: unknown): value is MysqlPool | MysqlPromisePool {
  return poolIn(value) !== null
}

/** Returns the pool with callbacks. */
export function corePool(pool: MysqlPool | MysqlPromisePool): MysqlPool {
  return poolIn(pool) ?? (pool as MysqlPool)
}

function poolIn(value: unknown): MysqlPool | null {
  if (isCorePool(value)) return value
  const pool = isObject(value) && 'pool' in value ? value.pool : null
  return isCorePool(pool) ? pool : null
}

/** Only a pool of `mysql2` has the configuration of its connections, with their flags. */
function isCorePool(value: unknown): value is MysqlPool {
  if (!isObject(value)) return false
  const { getConnection, config } = value as Partial<MysqlPool> & { readonly config?: unknown }
  return typeof getConnection === 'function' && isObject(config) && 'connectionConfig' in config && !('pool' in value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
