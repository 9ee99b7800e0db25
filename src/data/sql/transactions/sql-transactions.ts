import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction, Transactions } from '../../../resource/capabilities/transactions.js'
import { carried } from '../../../util/carried.js'
import { invariant } from '../../../util/invariant.js'
import { faultBehind, rethrowFault, rethrowUnkept } from '../driver/raise-fault.js'
import { databaseOf } from '../driver/database-of.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import type { SqlTransaction } from '../sql-store.js'
import { enclosingSession } from './kysely-transactions.js'
import type { SqlSession } from './sql-session.js'
import { sqlSession, transactionIsOver } from './sql-session.js'

/** How much transactions of PostgreSQL see of each other. Those of SQLite run one after the other. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

export interface SqlTransactionOptions {
  /** Default: what the database has. PostgreSQL only. */
  readonly isolation?: Isolation
  /** How often work is run again that met another transaction. Default: 5. */
  readonly retries?: number
}

/** Transactions of a database, one inside the other as savepoints. */
export interface SqlTransactions extends Transactions {
  /** The transaction that the running code is part of; `null` outside of any. */
  current(): SqlTransaction | null
  /**
   * Whether a write of the running code that is one statement may stand alone. Not where it belongs into a transaction: into
   * that of the running code, or into one that sees less of others.
   */
  letsAlone(): boolean
}

/** Tells our transactions from those of other stores, and whose they are. */
const owner = Symbol('owner')

/** A transaction, or one inside another. */
interface Level extends SqlTransaction {
  readonly [owner]: object
  readonly session: SqlSession
  readonly outer: Level | null
  /** The transaction, of whichever store, that the work began in. */
  readonly around: Level | null
  /** What it goes back to; `null` for the outermost. */
  readonly savepoint: string | null
  isOpen: boolean
  /** The one that is open inside this one. */
  inner: Level | null
  /** The last of those inside, each of which waits for the one before. */
  lastInner: Promise<unknown>
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/**
 * Leads from work to the transactions that it runs without naming theirs, as a program does that dispatches operations in
 * one; of whichever store, since the work may be part of several.
 */
const underWay = carried<Level>()

export function sqlTransactions(driver: SqlDriver, options: SqlTransactionOptions = {}): SqlTransactions {
  const { retries = 5 } = options
  const begin = beginStatement(driver, options)

  function openLevel(session: SqlSession, outer: Level | null): Level {
    return levelOn(session, outer, driver)
  }

  /** The whole of it, once. */
  async function attempt<Result>(work: Work<Result>): Promise<Result> {
    if (driver.engine === 'sqlite' && enclosingSession(driver) !== null) throw new Error(wouldWait)
    const session = sqlSession(await driver.hold({ context: null }), driver.engine)
    const level = openLevel(session, null)
    let result: Result
    try {
      // Waited for, though it costs a way to the server: were it to fail, what was sent after it would be kept at once.
      await session.begin(begin)
      result = await underWay.run(level, () => session.within(() => work(level)))
      if (level.inner === null && session.isIdle()) level.isOpen = false
      else await session.turn(() => closeInner(level))
    } catch (thrown) {
      level.isOpen = false
      await session.rollback()
      throw thrown
    }
    try {
      await session.commit()
    } catch (thrown) {
      rethrowUnkept(thrown, driver, session.context)
    }
    return result
  }

  /** The last work that is run again: the next one waits for it, since those that met would go on meeting each other. */
  let lastAgain: Promise<unknown> = Promise.resolve()

  async function again<Result>(work: Work<Result>, run: number): Promise<Result> {
    // Other processes take no turns: two that met there would meet again, if both waited equally long.
    const turn = Promise.all([
      Promise.race([lastAgain, sleep(longestTurn)]),
      sleep(10 * 2 ** run * (0.5 + Math.random())),
    ])
    const result = turn.then(() => attempt(work))
    lastAgain = result.catch(() => undefined)
    return result
  }

  async function runOutermost<Result>(work: Work<Result>): Promise<Result> {
    for (let run = 0; ; run += 1) {
      try {
        return await (run === 0 ? attempt(work) : again(work, run - 1))
      } catch (thrown) {
        if (run >= retries || faultBehind(thrown, driver)?.kind !== 'conflict') rethrowFault(thrown, driver)
      }
    }
  }

  async function runInside<Result>(outer: Level, work: Work<Result>): Promise<Result> {
    const { session } = outer
    const level = openLevel(session, outer)
    const savepoint = savepointOf(level)
    let opened: Promise<unknown> = idle
    await session.turn(async () => {
      if (!isOpen(outer)) throw new Error(outerIsOver)
      // Statements run in the order in which they are given, so that the work need not wait for this one, nor for its end.
      opened = session.savepoint(savepoint)
      opened.catch(() => undefined)
      outer.inner = level
    })
    try {
      const result = await underWay.run(level, () => work(level))
      await opened
      if (!isOpen(outer)) throw new Error(outerIsOver)
      await session.turn(async () => {
        await closeInner(level)
        session.expectSound()
        session.releaseSoon(savepoint)
      })
      return result
    } catch (thrown) {
      level.isOpen = false
      if (isOpen(outer)) await session.turn(() => session.undoSavepoint(savepoint))
      throw thrown
    } finally {
      if (outer.inner === level) outer.inner = null
    }
  }

  return Object.freeze<SqlTransactions>({
    current: () => joined(driver),
    letsAlone() {
      if (options.isolation !== undefined || joined(driver) !== null) return false
      return driver.engine !== 'sqlite' || enclosingSession(driver) === null
    },
    run<Result>(work: Work<Result>, outer?: Transaction): Promise<Result> {
      const level = outer === undefined ? joined(driver) : known(outer, driver)
      if (level === null) return runOutermost(work)
      const turn = level.lastInner.then(() => runInside(level, work))
      level.lastInner = turn.catch(() => undefined)
      return turn
    },
  })
}

/** The transaction of the driver's database that the running code is part of; `null` outside of any. */
export function currentTransaction(driver: SqlDriver): SqlTransaction | null {
  return joined(driver)
}

function joined(driver: SqlDriver): Level | null {
  for (let level = underWay.current() ?? null; level !== null; level = level.around) {
    if (level[owner] === databaseOf(driver) && isOpen(level)) return level
  }
  return null
}

/**
 * Runs the statements of one write so that all of it counts or nothing, and so that the transaction goes on where the
 * database refuses it. Writes of one transaction do so one after the other: must not be asked for within itself.
 */
export function inSavepoint<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  const level = levelOf(transaction)
  invariant(level !== null, `a savepoint was asked for in a transaction of another store, ${transaction.store}`)
  const { session } = level
  return session.turn(async () => {
    if (!isOpen(level)) throw new Error(transactionIsOver)
    // Statements run in the order in which they are given, so that nobody has to wait for this one, nor for its end.
    const opened = session.savepoint(writeSavepoint)
    try {
      const [result] = await Promise.all([work(), opened])
      session.releaseSoon(writeSavepoint)
      return result
    } catch (thrown) {
      if (isOpen(level)) await session.undoSavepoint(writeSavepoint)
      throw thrown
    }
  })
}

/** The transaction as ours, with the connection that it has to itself. */
export function sqlTransactionOf(transaction: Transaction): SqlTransaction & { readonly session: SqlSession } {
  const level = levelOf(transaction)
  if (level === null) throw new TypeError(`A transaction of the store '${transaction.store}' has no connection.`)
  return level
}

function levelOf(transaction: Transaction): Level | null {
  return owner in transaction ? (transaction as Level) : null
}

function levelOn(session: SqlSession, outer: Level | null, driver: SqlDriver): Level {
  const level: Level = {
    [owner]: databaseOf(driver),
    store: driver.engine,
    raw: session.raw,
    connection: {
      run(statement, occasion) {
        if (!isOpen(level)) return Promise.reject(new Error(transactionIsOver))
        return session.run(statement, occasion)
      },
    },
    session,
    outer,
    around: underWay.current() ?? null,
    savepoint: outer === null ? null : session.newName(),
    isOpen: true,
    inner: null,
    lastInner: idle,
  }
  return level
}

const idle: Promise<unknown> = Promise.resolve()

function isOpen({ isOpen: open, outer }: Level): boolean {
  return open && (outer === null || isOpen(outer))
}

/** Work that has left another behind inside its own, still open, keeps nothing of that. */
async function closeInner(level: Level): Promise<void> {
  level.isOpen = false
  if (level.inner !== null) await level.session.undoSavepoint(savepointOf(level.inner))
}

function savepointOf({ savepoint }: Level): string {
  invariant(savepoint !== null, 'a transaction inside another has no savepoint')
  return savepoint
}

function known(transaction: Transaction, driver: SqlDriver): Level {
  const level = levelOf(transaction)
  invariant(
    level?.[owner] === databaseOf(driver),
    `work was to be run inside a transaction of another store, ${transaction.store}`,
  )
  return level
}

function beginStatement({ engine }: SqlDriver, { isolation }: SqlTransactionOptions): string {
  // A transaction that begins by reading could meet another when it comes to write, too late to wait for it.
  if (engine === 'sqlite') return 'begin immediate'
  return isolation === undefined ? 'begin' : `begin isolation level ${isolation}`
}

/** In milliseconds, for which work waits for other work that is run again: it may be part of what that waits for. */
const longestTurn = 1000

/** There is one at a time. */
const writeSavepoint = 'ashlar_write'

const wouldWait =
  'This write would wait for the transaction of Kysely that the running code is part of: SQLite has one at a time. Write in that one, or when it is over.'

const outerIsOver = 'The transaction that this one was part of is over.'
