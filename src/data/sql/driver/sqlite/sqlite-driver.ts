import { setTimeout as sleep } from 'node:timers/promises'
import type { Carried } from '../../../../util/carried.js'
import { carried } from '../../../../util/carried.js'
import type { Awaitable } from '../../../../util/types.js'
import { isLater } from '../../../../util/when-known.js'
import { noteKept } from '../asking-request.js'
import type { HeldConnection, Occasion, SqlDriver, SqlResult, SqlStatement } from '../sql-driver.js'
import type { SqliteConnection } from './sqlite-connection.js'
import { sqliteConnection } from './sqlite-connection.js'
import type { SqliteDatabase } from './sqlite-database.js'
import { isBusy, isReadOnly, sqliteError, sqliteFaultOf } from './sqlite-faults.js'
import type { TurnQueue } from './turn-queue.js'
import { turnQueue } from './turn-queue.js'

export interface SqliteOptions {
  /** To read on outside of transactions, where the driver shall not open a connection of its own. */
  readonly reader?: SqliteDatabase
  /** For how long to ask again while another process writes, in milliseconds. Default: 5000. */
  readonly busyTimeout?: number
  /** For how long to wait until other transactions of this process are over, in milliseconds. Default: 30000. */
  readonly turnTimeout?: number
  /** How many prepared statements each connection keeps. Default: 500. */
  readonly maxStatements?: number
}

export interface SqliteDriver extends SqlDriver {
  /** Closes the connection to read on, until one is needed again. */
  close(): void
}

/** What all drivers of one database share: it has one connection to write on. */
interface SharedDatabase {
  readonly turns: TurnQueue
  /** Who has the connection of a database in memory, for the work that is done there. */
  readonly inside: Carried<SqliteHeld>
  /** Whether others can read while one writes; `null` as long as nothing is settled. */
  allowsReaders: boolean | null
}

const sharedDatabases = new WeakMap<SqliteDatabase, SharedDatabase>()

function sharedOf(database: SqliteDatabase): SharedDatabase {
  const known = sharedDatabases.get(database)
  if (known !== undefined) return known
  const made: SharedDatabase = { turns: turnQueue(), inside: carried<SqliteHeld>(), allowsReaders: null }
  sharedDatabases.set(database, made)
  return made
}

/** How the database is asked for while locks are held for moments only. Longer ones are waited for without blocking. */
const busyMoment = 20

/**
 * Runs statements on an SQLite database. Whoever writes has the connection to himself until the transaction ends. Reads
 * outside of transactions have a connection of their own where the database is a file: they see what is committed, and
 * wait for nobody. A database in memory has one connection, so that its reads wait for their turn; those within the work of
 * a transaction are part of it.
 */
export function sqliteDriver(database: SqliteDatabase, options: SqliteOptions = {}): SqliteDriver {
  const { busyTimeout = 5000, turnTimeout = 30_000, maxStatements = 500 } = options
  const writer = sqliteConnection(database, maxStatements)
  const shared = sharedOf(database)
  const { turns, inside } = shared
  const own = { reader: null as SqliteConnection | null, isReady: false }

  /** Runs it, and again while another process has the lock: nothing of it was done then. */
  function asked<Result>(work: () => Result): Promise<Result> {
    return untilFree(work, busyTimeout)
  }

  /** Takes the connection to write on, and answers how to give it back. */
  async function taken(): Promise<() => void> {
    return turns.takeNow() ?? turns.take(turnTimeout, tooLate)
  }

  function tooLate(): Error {
    return unavailable(`Other transactions had the database for longer than ${turnTimeout} ms.`)
  }

  /** Settles what holds for the connection, when it is needed first: who has it does so. */
  async function settled(): Promise<void> {
    if (shared.allowsReaders !== null) return
    // Nothing can be settled within a transaction.
    expectFree(writer)
    shared.allowsReaders = await asked(() => settle(writer))
  }

  function openReader(): void {
    if (own.isReady) return
    own.reader = readerBeside(writer, shared.allowsReaders === true, options)
    own.isReady = true
  }

  function read(statement: SqlStatement): Promise<SqlResult> {
    const { reader } = own
    return reader !== null && writer.isOpen() ? asked(() => reader.execute(statement)) : readInTurn(statement)
  }

  async function readInTurn(statement: SqlStatement): Promise<SqlResult> {
    // Who closes the database is not asked to close what we have opened beside it.
    if (own.reader !== null && !writer.isOpen()) close()
    if (!own.isReady) {
      if (shared.allowsReaders === null) {
        const done = await taken()
        await settled().finally(done)
      }
      openReader()
    }
    const { reader } = own
    if (reader !== null) return asked(() => reader.execute(statement))
    const holding = inside.current()
    if (holding !== undefined && !holding.isReleased()) return holding.run(statement)
    const done = await taken()
    try {
      return await asked(() => writer.execute(statement))
    } finally {
      done()
    }
  }

  async function write(statement: SqlStatement, { context }: Occasion): Promise<SqlResult> {
    const done = turns.takeNow() ?? (await turns.take(turnTimeout, tooLate))
    let result: SqlResult
    try {
      if (shared.allowsReaders === null) await settled()
      openReader()
      expectFree(writer)
      // Mostly the turn is over before anybody else can ask for it.
      const written = onceFree(() => writer.execute(statement), busyTimeout)
      result = isLater(written) ? await written : written
    } finally {
      done()
    }
    noteKept(context)
    return result
  }

  function close(): void {
    if (own.reader !== null && own.reader.database !== options.reader) own.reader.close()
    own.reader = null
    own.isReady = false
    if (!writer.isOpen()) shared.allowsReaders = null
  }

  async function hold(): Promise<HeldConnection> {
    const done = await taken()
    try {
      if (shared.allowsReaders === null) await settled()
      openReader()
      expectFree(writer)
    } catch (thrown) {
      done()
      throw thrown
    }
    const connection: SqliteHeld = held(writer, asked, done)
    if (own.reader === null) connection.within = (work) => inside.run(connection, work)
    return connection
  }

  return Object.freeze<SqliteDriver>({
    engine: 'sqlite',
    database,
    read,
    write,
    hold,
    faultOf: sqliteFaultOf,
    close,
  })
}

interface SqliteHeld extends HeldConnection {
  isReleased(): boolean
  within?: NonNullable<HeldConnection['within']>
}

/** The connection as one transaction has it. */
function held(
  writer: SqliteConnection,
  asked: <Result>(work: () => Result) => Promise<Result>,
  done: () => void,
): SqliteHeld {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let undone: unknown = null
  let isReleased = false
  let hasBegun = false

  function execute(statement: SqlStatement): SqlResult {
    if (isReleased) throw new Error('The connection was given back: it runs no more statements.')
    // What came now would be written at once, by itself.
    if (undone !== null) throw new Error('SQLite has undone the whole transaction.', { cause: undone })
    const wasInTransaction = writer.isInTransaction()
    try {
      const result = writer.execute(statement)
      if (!wasInTransaction && writer.isInTransaction()) hasBegun = true
      return result
    } catch (thrown) {
      if (wasInTransaction && !writer.isInTransaction()) undone = thrown
      throw thrown
    }
  }

  /** While one waits for a lock, those after it wait too. */
  function inOrder(statement: SqlStatement): Promise<SqlResult> {
    waiting += 1
    const result = last.then(() => asked(() => execute(statement))).finally(() => (waiting -= 1))
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
      done()
    },
  }
}

/** A transaction that somebody has begun on the connection himself is his to end. */
function expectFree(writer: SqliteConnection): void {
  if (writer.isOpen() && writer.isInTransaction()) {
    throw unavailable('A transaction is open on the SQLite connection that was not begun by the store.')
  }
}

function unavailable(message: string): Error {
  return sqliteError({ kind: 'unavailable' }, message)
}

/** There is no other connection to go on with, so that nothing may be left open on this one. */
function endTransaction(writer: SqliteConnection): void {
  try {
    if (writer.isOpen() && writer.isInTransaction()) writer.execute({ sql: 'rollback', values: [], name: null })
  } catch {
    // Who holds the connection next is told by the database that a transaction is open.
  }
}

/** Answers whether others can read while one writes, which the write-ahead log allows. */
function settle(writer: SqliteConnection): boolean {
  const pragma = (text: string): unknown =>
    writer.execute({ sql: `pragma ${text}`, values: [], name: null }).rows[0]?.[0]
  pragma(`busy_timeout = ${busyMoment}`)
  pragma('foreign_keys = on')
  const isShared = logsAhead(pragma, writer)
  // Safe with this log only: with another, a power cut could damage the file.
  if (isShared) pragma('synchronous = normal')
  return isShared
}

function logsAhead(pragma: (text: string) => unknown, writer: SqliteConnection): boolean {
  if (pragma('journal_mode') === 'wal') return true
  if (writer.file() === null) return false
  try {
    return pragma('journal_mode = wal') === 'wal'
  } catch (thrown) {
    // A database that may only be read keeps the journal that it has.
    if (isReadOnly(thrown)) return false
    throw thrown
  }
}

function readerBeside(
  writer: SqliteConnection,
  isShared: boolean,
  { reader, maxStatements = 500 }: SqliteOptions,
): SqliteConnection | null {
  const file = writer.file()
  if (reader === undefined && (!isShared || file === null)) return null
  const beside = reader === undefined ? writer.readerOf(file ?? '') : sqliteConnection(reader, maxStatements)
  beside.execute({ sql: `pragma busy_timeout = ${busyMoment}`, values: [], name: null })
  return beside
}

async function untilFree<Result>(work: () => Result, patience: number): Promise<Result> {
  return onceFree(work, patience)
}

/** What meets nobody is done at once. */
function onceFree<Result>(work: () => Result, patience: number): Awaitable<Result> {
  try {
    return work()
  } catch (thrown) {
    if (!isBusy(thrown)) throw thrown
    return againUntil(performance.now() + patience, work, thrown)
  }
}

/** The wait of the database itself would stop the whole process, and with it, maybe, who has the lock. */
async function againUntil<Result>(end: number, work: () => Result, thrown: unknown): Promise<Result> {
  let busy = thrown
  for (let pause = 1; performance.now() < end; pause = Math.min(pause * 2, 50)) {
    await sleep(pause * (0.5 + Math.random() / 2))
    try {
      return work()
    } catch (again) {
      if (!isBusy(again)) throw again
      busy = again
    }
  }
  throw busy
}
