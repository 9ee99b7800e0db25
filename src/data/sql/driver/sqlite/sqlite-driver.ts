import { setTimeout as sleep } from 'node:timers/promises'
import type { AsyncContext } from '../../../../util/async-context.js'
import { asyncContext } from '../../../../util/async-context.js'
import type { Awaitable } from '../../../../util/types.js'
import { isPromise } from '../../../../util/awaitable.js'
import { markCommitted } from '../committed-requests.js'
import type { HeldConnection, RunOptions, SqlDriver, SqlResult, SqlStatement } from '../sql-driver.js'
import type { SqliteConnection } from './sqlite-connection.js'
import { sqliteConnection } from './sqlite-connection.js'
import type { SqliteDatabase } from './sqlite-database.js'
import { isBusy, isReadOnly, sqliteError, sqliteFaultOf } from './sqlite-faults.js'
import type { Mutex } from './mutex.js'
import { mutex } from './mutex.js'

export interface SqliteOptions {
  /** A connection for reads outside of transactions, instead of one that the driver opens itself. */
  readonly reader?: SqliteDatabase
  /** How many milliseconds to retry while another process holds the write lock. Default: 5000. */
  readonly busyTimeout?: number
  /** How many milliseconds to wait for other transactions of this process. Default: 30000. */
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
  readonly writerMutex: Mutex
  /**
   * The async context with the connection that the work of a transaction holds. Only for a database with one
   * connection.
   */
  readonly holding: AsyncContext<SqliteHeld>
  /** Whether other connections can read during a write; null until the write connection is configured. */
  allowsReaders: boolean | null
}

const sharedDatabases = new WeakMap<SqliteDatabase, SharedDatabase>()

function sharedOf(database: SqliteDatabase): SharedDatabase {
  const known = sharedDatabases.get(database)
  if (known !== undefined) return known
  const created: SharedDatabase = { writerMutex: mutex(), holding: asyncContext<SqliteHeld>(), allowsReaders: null }
  sharedDatabases.set(database, created)
  return created
}

/**
 * The busy timeout of SQLite in milliseconds, for short locks. It blocks the process, so longer locks are awaited in
 * JavaScript.
 */
const blockingTimeout = 20

/**
 * Returns a driver that runs statements on an SQLite database. A transaction has the write connection to itself until
 * it ends. If the database is a file, reads outside of transactions have a separate connection: they see committed
 * rows and do not wait. A database in memory has one connection, so reads queue for it; reads within the work of a
 * transaction are part of that transaction.
 */
export function sqliteDriver(database: SqliteDatabase, options: SqliteOptions = {}): SqliteDriver {
  const { busyTimeout = 5000, lockTimeout = 30_000, maxStatements = 500 } = options
  const writer = sqliteConnection(database, maxStatements)
  const shared = sharedOf(database)
  const { writerMutex, holding } = shared
  const readerState = { reader: null as SqliteConnection | null, isReady: false }

  /**
   * Runs work, and retries it while another process holds the lock. That is safe: a busy statement has changed nothing.
   */
  function retried<Result>(work: () => Result): Promise<Result> {
    return retryWhileBusy(work, busyTimeout)
  }

  /** Acquires the write connection, and returns the function that releases it. */
  async function acquireWriter(): Promise<() => void> {
    return writerMutex.tryAcquire() ?? writerMutex.acquire(lockTimeout, tooLate)
  }

  function tooLate(): Error {
    return unavailable(`Other transactions held the database for longer than ${lockTimeout} ms.`)
  }

  /** Configures the write connection before its first use. The caller must have acquired it. */
  async function configureWriter(): Promise<void> {
    if (shared.allowsReaders !== null) return
    // The journal mode cannot be changed within a transaction.
    expectFree(writer)
    shared.allowsReaders = await retried(() => configure(writer))
  }

  function openReader(): void {
    if (readerState.isReady) return
    readerState.reader = openedReader(writer, shared.allowsReaders === true, options)
    readerState.isReady = true
  }

  function read(statement: SqlStatement): Promise<SqlResult> {
    const { reader } = readerState
    return reader !== null && writer.isOpen() ? retried(() => reader.execute(statement)) : readOrWait(statement)
  }

  async function readOrWait(statement: SqlStatement): Promise<SqlResult> {
    // The application has closed the database, so the reader that was opened here is closed too.
    if (readerState.reader !== null && !writer.isOpen()) close()
    if (!readerState.isReady) {
      if (shared.allowsReaders === null) {
        const release = await acquireWriter()
        await configureWriter().finally(release)
      }
      openReader()
    }
    const { reader } = readerState
    if (reader !== null) return retried(() => reader.execute(statement))
    const current = holding.current()
    if (current !== undefined && !current.isReleased()) return current.run(statement)
    const release = await acquireWriter()
    try {
      return await retried(() => writer.execute(statement))
    } finally {
      release()
    }
  }

  /** Reads the header of the file. `select 1` would not touch it. */
  async function ping(): Promise<void> {
    await read({ sql: 'pragma schema_version', values: [], name: null })
  }

  async function write(statement: SqlStatement, { context }: RunOptions): Promise<SqlResult> {
    const release = writerMutex.tryAcquire() ?? (await writerMutex.acquire(lockTimeout, tooLate))
    let result: SqlResult
    try {
      if (shared.allowsReaders === null) await configureWriter()
      openReader()
      expectFree(writer)
      // Usually synchronous, so that no other caller has to wait for the connection.
      const written = executeOrRetry(() => writer.execute(statement), busyTimeout)
      result = isPromise(written) ? await written : written
    } finally {
      release()
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

  async function hold(): Promise<HeldConnection> {
    const release = await acquireWriter()
    try {
      if (shared.allowsReaders === null) await configureWriter()
      openReader()
      expectFree(writer)
    } catch (thrown) {
      release()
      throw thrown
    }
    const connection: SqliteHeld = heldConnection(writer, retried, release)
    if (readerState.reader === null) connection.runWork = (work) => holding.run(connection, work)
    return connection
  }

  return Object.freeze<SqliteDriver>({
    engine: 'sqlite',
    database,
    read,
    write,
    hold,
    ping,
    faultOf: sqliteFaultOf,
    close,
  })
}

interface SqliteHeld extends HeldConnection {
  isReleased(): boolean
  runWork?: NonNullable<HeldConnection['runWork']>
}

/** Returns the write connection, reserved for one transaction. */
function heldConnection(
  writer: SqliteConnection,
  retried: <Result>(work: () => Result) => Promise<Result>,
  releaseWriter: () => void,
): SqliteHeld {
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

  /** Runs a statement after the previous ones, which may be waiting for a lock. */
  function inOrder(statement: SqlStatement): Promise<SqlResult> {
    waiting += 1
    const result = last.then(() => retried(() => execute(statement))).finally(() => (waiting -= 1))
    last = result.catch(() => undefined)
    return result
  }

  return {
    raw: writer.database,
    isReleased: () => isReleased,
    run(statement) {
      if (waiting === 0) {
        try {
          return Promise.resolve(execute(statement))
        } catch (thrown) {
          if (!isBusy(thrown)) return Promise.reject(thrown)
        }
      }
      return inOrder(statement)
    },
    release() {
      if (isReleased) return
      isReleased = true
      if (hasBegun) endTransaction(writer)
      releaseWriter()
    },
  }
}

/** Throws if other code has begun a transaction on the connection. Only that code may end it. */
function expectFree(writer: SqliteConnection): void {
  if (hasTransaction(writer)) {
    throw unavailable('A transaction is open on the SQLite connection that was not begun by the store.')
  }
}

/** Returns whether a transaction is open. A closed connection, whose library may throw, has none: its next statement fails. */
function hasTransaction(writer: SqliteConnection): boolean {
  try {
    return writer.isInTransaction()
  } catch {
    return false
  }
}

function unavailable(message: string): Error {
  return sqliteError({ kind: 'unavailable' }, message)
}

/** Rolls back a transaction that is still open. There is no other write connection, so this one must stay usable. */
function endTransaction(writer: SqliteConnection): void {
  try {
    if (hasTransaction(writer)) writer.execute({ sql: 'rollback', values: [], name: null })
  } catch {
    // The next user of the connection gets the error that a transaction is open.
  }
}

/**
 * Sets the pragmas of the write connection. Returns whether others can read during a write, which the write-ahead log
 * allows.
 */
function configure(writer: SqliteConnection): boolean {
  const pragma = (text: string): unknown =>
    writer.execute({ sql: `pragma ${text}`, values: [], name: null }).rows[0]?.[0]
  pragma(`busy_timeout = ${blockingTimeout}`)
  pragma('foreign_keys = on')
  const isShared = usesWriteAheadLog(pragma, writer)
  // Safe with the write-ahead log only: with another journal, a power failure could corrupt the file.
  if (isShared) pragma('synchronous = normal')
  return isShared
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
  opened.execute({ sql: `pragma busy_timeout = ${blockingTimeout}`, values: [], name: null })
  return opened
}

async function retryWhileBusy<Result>(work: () => Result, timeout: number): Promise<Result> {
  return executeOrRetry(work, timeout)
}

/** Runs work synchronously. Returns a promise of retries only if the database is busy. */
function executeOrRetry<Result>(work: () => Result, timeout: number): Awaitable<Result> {
  try {
    return work()
  } catch (thrown) {
    if (!isBusy(thrown)) throw thrown
    return retryUntil(performance.now() + timeout, work, thrown)
  }
}

/**
 * Retries work without blocking. SQLite's own wait would block the process, and possibly the code that holds the lock.
 */
async function retryUntil<Result>(end: number, work: () => Result, thrown: unknown): Promise<Result> {
  let busy = thrown
  for (let pause = 1; performance.now() < end; pause = Math.min(pause * 2, 50)) {
    await sleep(pause * (0.5 + Math.random() / 2))
    try {
      return work()
    } catch (failure) {
      if (!isBusy(failure)) throw failure
      busy = failure
    }
  }
  throw busy
}
