import type { RequestContext } from '../../../../../declare/resource/request/request-context.js'
import type { AsyncContext } from '../../../../../core/util/async-context.js'
import { asyncContext } from '../../../../../core/util/async-context.js'
import { isPromise } from '../../../../../core/util/awaitable.js'
import type { Awaitable } from '../../../../../core/util/types.js'
import { markCommitted } from '../../../driver/committed-requests.js'
import type { SqlDriver } from '../../../driver/sql-driver.js'
import type { HeldConnection, HoldOptions, RunOptions, SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { readRows, unnamed } from '../../../driver/sql-statement.js'
import { sqliteDialect } from '../sqlite-dialect.js'
import type { SqliteConnection, SqliteDatabase } from './sqlite-database.js'
import { sqliteConnection } from './sqlite-database.js'
import { isBusy, isReadOnly, sqliteError, sqliteFaultOf } from './sqlite-faults.js'
import type { LockLimits, WriterLock, WriterTurn } from './writer-lock.js'
import { heldTooLong, retryBusy, writerLock } from './writer-lock.js'

export interface SqliteOptions {
  /** A connection for reads outside of transactions, instead of one that the driver opens itself. */
  readonly reader?: SqliteDatabase
  /** How many milliseconds a write waits while another process holds the write lock. Default: 5000. */
  readonly busyTimeout?: number
  /** How many milliseconds a write waits for other transactions of this process. Default: 30000. */
  readonly lockTimeout?: number
  /** How many prepared statements each connection caches. Default: 500. */
  readonly maxStatements?: number
}

export interface SqliteDriver extends SqlDriver {
  /** Closes the read connection. It is opened again when it is needed. */
  close(): void
}

/** The state that all drivers of one database share, because it has one write connection. */
interface SharedDatabase {
  readonly lock: WriterLock
  /**
   * The async context with the connection that the work of a transaction holds. Only for a database with one
   * connection.
   */
  readonly holding: AsyncContext<SqliteHeld>
  /** Whether other connections can read during a write; null until the write connection is configured. */
  allowsReaders: boolean | null
}

const sharedDatabases = new WeakMap<SqliteDatabase, SharedDatabase>()

function sharedOf(writer: SqliteConnection): SharedDatabase {
  const known = sharedDatabases.get(writer.database)
  if (known !== undefined) return known
  const lock = writerLock(writer.isInTransaction)
  const created: SharedDatabase = { lock, holding: asyncContext<SqliteHeld>(), allowsReaders: null }
  sharedDatabases.set(writer.database, created)
  return created
}

/**
 * Returns a driver that runs statements on an SQLite database. A transaction has the write connection to itself until
 * it ends. If the database is a file, reads outside of transactions have a separate connection: they see committed
 * rows and do not wait. A database in memory has one connection, so reads queue for it; reads within the work of a
 * transaction are part of that transaction.
 */
export function sqliteDriver(database: SqliteDatabase, options: SqliteOptions = {}): SqliteDriver {
  const { busyTimeout = 5000, lockTimeout = 30_000, maxStatements = 500 } = options
  const limits: LockLimits = { lockTimeout, busyTimeout }
  const writer = sqliteConnection(database, maxStatements)
  const shared = sharedOf(writer)
  const { lock, holding } = shared
  const readerState = { reader: null as SqliteConnection | null, isReady: false }

  /** Configures the write connection before its first use. The caller must have acquired it. */
  async function configureWriter(turn: WriterTurn): Promise<void> {
    if (shared.allowsReaders !== null) return
    // The journal mode cannot be changed within a transaction.
    expectFree(writer)
    shared.allowsReaders = await turn.run(() => configure(writer))
  }

  function openReader(): void {
    if (readerState.isReady) return
    readerState.reader = openedReader(writer, shared.allowsReaders === true, options)
    readerState.isReady = true
  }

  function read(statement: SqlStatement, { context }: RunOptions): Promise<SqlResult> {
    const { reader } = readerState
    return reader !== null && writer.isOpen() ? readFrom(reader, statement) : readOrWait(statement, context)
  }

  /** Another process can prevent a read for a short time only, as while it recovers the file after a crash. */
  async function readFrom(reader: SqliteConnection, statement: SqlStatement): Promise<SqlResult> {
    const { isInTransaction } = reader
    try {
      return reader.execute(statement)
    } catch (thrown) {
      if (!isBusy(thrown, isInTransaction)) throw thrown
      const end = performance.now() + busyTimeout
      const check = (busy: unknown): void => {
        if (performance.now() >= end) throw heldTooLong(busyTimeout, busy)
      }
      return retryBusy(() => reader.execute(statement), { thrown, isInTransaction, check })
    }
  }

  async function readOrWait(statement: SqlStatement, context: RequestContext | null): Promise<SqlResult> {
    // The application has closed the database, so the reader that was opened here is closed too.
    if (readerState.reader !== null && !writer.isOpen()) close()
    if (!readerState.isReady) {
      if (shared.allowsReaders === null) {
        const turn = await lock.acquire({ context, limits })
        await configureWriter(turn).finally(() => turn.release())
      }
      openReader()
    }
    const { reader } = readerState
    if (reader !== null) return readFrom(reader, statement)
    const current = holding.current()
    if (current !== undefined && !current.isReleased()) return current.run(statement)
    const turn = await lock.acquire({ context, limits })
    try {
      return await turn.run(() => writer.execute(statement))
    } finally {
      turn.release()
    }
  }

  async function write(statement: SqlStatement, { context }: RunOptions): Promise<SqlResult> {
    const acquired = lock.acquire({ context, limits })
    // Usually synchronous, so that no other caller has to wait for the connection.
    const turn = isPromise(acquired) ? await acquired : acquired
    let result: SqlResult
    try {
      if (shared.allowsReaders === null) await configureWriter(turn)
      openReader()
      expectFree(writer)
      const written = turn.run(() => writer.execute(statement))
      result = isPromise(written) ? await written : written
    } finally {
      turn.release()
    }
    markCommitted(context)
    return result
  }

  function close(): void {
    if (readerState.reader !== null && readerState.reader.database !== options.reader) readerState.reader.close()
    readerState.reader = null
    readerState.isReady = false
    if (!writer.isOpen()) shared.allowsReaders = null
  }

  async function hold({ context, waitsFor = context }: HoldOptions): Promise<HeldConnection> {
    const turn = await lock.acquire({ context: waitsFor, limits })
    try {
      if (shared.allowsReaders === null) await configureWriter(turn)
      openReader()
      expectFree(writer)
    } catch (thrown) {
      turn.release()
      throw thrown
    }
    const connection: SqliteHeld = heldConnection(writer, turn)
    if (readerState.reader === null) connection.runWork = (work) => holding.run(connection, work)
    return connection
  }

  /** A connection of its own: the transaction does not keep writes from the log, nor other reads from new rows. */
  async function holdSnapshot({ context }: HoldOptions): Promise<HeldConnection | null> {
    // Opens the reader, and finds out whether others can read during a write.
    await read(unnamed('pragma schema_version'), { context })
    const file = writer.file()
    if (shared.allowsReaders !== true || file === null) return null
    const connection = writer.readerOf(file)
    connection.execute(unnamed(`pragma ${noWait}`))
    return {
      raw: connection.database,
      run: (statement) => readFrom(connection, statement),
      release: () => connection.close(),
    }
  }

  return Object.freeze<SqliteDriver>({
    dialect: sqliteDialect,
    database,
    read,
    write,
    hold,
    holdSnapshot,
    // Reads the header of the file. `select 1` would not touch it.
    ping: () => readRows({ read }, 'pragma schema_version').then(() => undefined),
    faultOf: sqliteFaultOf,
    close,
  })
}

interface SqliteHeld extends HeldConnection {
  isReleased(): boolean
  runWork?: NonNullable<HeldConnection['runWork']>
}

/** Returns the write connection, reserved for one transaction. */
function heldConnection(writer: SqliteConnection, turn: WriterTurn): SqliteHeld {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let rollbackCause: unknown = null
  let isReleased = false
  let hasBegun = false

  function execute(statement: SqlStatement): SqlResult {
    if (isReleased) throw new Error('The connection was released: it runs no more statements.')
    // Without the transaction, this statement would be autocommitted.
    if (rollbackCause !== null)
      throw new Error('SQLite has rolled back the whole transaction.', { cause: rollbackCause })
    const wasInTransaction = writer.isInTransaction()
    try {
      const result = writer.execute(statement)
      if (!wasInTransaction && writer.isInTransaction()) hasBegun = true
      return result
    } catch (thrown) {
      if (wasInTransaction && !writer.isInTransaction()) rollbackCause = thrown
      throw thrown
    }
  }

  /** Runs a statement, after the previous ones, which may be waiting for a lock. */
  function run(statement: SqlStatement): Promise<SqlResult> {
    const execution = (): Awaitable<SqlResult> => turn.run(() => execute(statement))
    try {
      const result = waiting === 0 ? execution() : last.then(execution)
      if (!isPromise(result)) return Promise.resolve(result)
      waiting += 1
      last = result.catch(() => undefined).finally(() => (waiting -= 1))
      return result
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }

  return {
    raw: writer.database,
    isReleased: () => isReleased,
    run,
    release() {
      if (isReleased) return
      isReleased = true
      if (hasBegun) endTransaction(writer)
      turn.release()
    },
  }
}

/** Throws if other code has begun a transaction on the connection. Only that code may end it. */
function expectFree(writer: SqliteConnection): void {
  if (writer.isInTransaction()) {
    throw sqliteError(
      { kind: 'unavailable' },
      'A transaction is open on the SQLite connection that was not begun by the store.',
    )
  }
}

/** Rolls back a transaction that is still open. There is no other write connection, so this one must stay usable. */
function endTransaction(writer: SqliteConnection): void {
  try {
    if (writer.isInTransaction()) writer.execute(unnamed('rollback'))
  } catch {
    // The next user of the connection gets the error that a transaction is open.
  }
}

/** The wait of SQLite for a lock blocks the process. The driver waits itself. */
const noWait = 'busy_timeout = 0'

/**
 * The bytes that the file of the write-ahead log has at most when it is used from the start again. It grows while a slow reader, such as a
 * backup, prevents that. Usually it has 4 MiB.
 */
const maxLogSize = 16 * 2 ** 20

/**
 * Sets the pragmas of the write connection. Returns whether others can read during a write, which the write-ahead log
 * allows.
 */
function configure(writer: SqliteConnection): boolean {
  const pragma = (text: string): unknown => writer.execute(unnamed(`pragma ${text}`)).rows[0]?.[0]
  pragma(noWait)
  pragma('foreign_keys = on')
  const isShared = usesWriteAheadLog(pragma, writer)
  if (!isShared) return false
  // Safe with the write-ahead log only: with another journal, a power failure could corrupt the file.
  pragma('synchronous = normal')
  // -1 is the default of SQLite: no limit.
  if (pragma('journal_size_limit') === -1) pragma(`journal_size_limit = ${maxLogSize}`)
  return true
}

/** Turns on the write-ahead log, if possible, and returns whether it is on. */
function usesWriteAheadLog(pragma: (text: string) => unknown, writer: SqliteConnection): boolean {
  if (pragma('journal_mode') === 'wal') return true
  if (writer.file() === null) return false
  try {
    return pragma('journal_mode = wal') === 'wal'
  } catch (thrown) {
    // The journal mode of a read-only database cannot be changed.
    if (isReadOnly(thrown)) return false
    throw thrown
  }
}

function openedReader(
  writer: SqliteConnection,
  isShared: boolean,
  { reader, maxStatements = 500 }: SqliteOptions,
): SqliteConnection | null {
  const file = writer.file()
  if (reader === undefined && (!isShared || file === null)) return null
  const opened = reader === undefined ? writer.readerOf(file ?? '') : sqliteConnection(reader, maxStatements)
  opened.execute(unnamed(`pragma ${noWait}`))
  return opened
}
