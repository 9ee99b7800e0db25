import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction, Transactions } from '../../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { asyncContext } from '../../../core/util/async-context.js'
import { invariant } from '../../../core/util/invariant.js'
import { findFault, rethrowCommitFault, rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import { databaseOf } from '../driver/sql-driver.js'
import type { SqlTransaction } from '../sql-store.js'
import type { StatementWatch } from '../statement/ran-statement.js'
import { statementWatch } from '../statement/ran-statement.js'
import { enclosingSession, kyselyTransactions } from './kysely-transactions.js'
import type { SqlSession } from './sql-session.js'
import { sqlSession, transactionHasEnded } from './sql-session.js'

/** The isolation level of PostgreSQL transactions. SQLite runs transactions one after the other. */
export type Isolation = 'read committed' | 'repeatable read' | 'serializable'

export interface SqlTransactionOptions {
  /** PostgreSQL only. Default: the default of the database. */
  readonly isolation?: Isolation
  /** How often a transaction, or a read, is retried after a conflict with another transaction. Default: 5. */
  readonly retries?: number
}

export const defaultRetries = 5

/** The transactions of a database. A nested transaction is a savepoint. */
export interface SqlTransactions extends Transactions {
  /** Returns the transaction that the running code is part of, or null outside of a transaction. */
  current(): SqlTransaction | null
  /**
   * Returns whether a write that is a single statement may run in autocommit mode. False if the running code is part of a
   * transaction, or if an isolation level is configured.
   */
  allowsAutocommit(): boolean
  snapshot: NonNullable<Transactions['snapshot']>
  /**
   * Runs a single statement in an open transaction, after the nested transactions that are open in it. If the statement fails, the
   * transaction continues without it.
   */
  runStatement<Result>(transaction: Transaction, work: (transaction: Transaction) => Promise<Result>): Promise<Result>
}

/** Marks the transactions of SQL stores, with their database as the value. */
const owner: unique symbol = Symbol('owner')

/** A transaction, or a nested transaction. */
interface TransactionLevel extends SqlTransaction {
  readonly [owner]: object
  readonly session: SqlSession
  readonly outer: TransactionLevel | null
  /** The transaction, of this or another SQL store, that was active when this one began. */
  readonly enclosing: TransactionLevel | null
  /** The savepoint that a rollback returns to; empty for the outermost transaction. */
  readonly savepoint: string
  isOpen: boolean
  /** The nested transaction that is open. */
  inner: TransactionLevel | null
  /** The last nested transaction. Each waits for the previous one. */
  lastInner: Promise<unknown>
}

type Work<Result> = (transaction: Transaction) => Promise<Result>

/**
 * The async context with the open transaction of the running code. It nests transactions whose outer transaction is not passed, as when an
 * application dispatches operations in a transaction. Shared by all stores, because work may be part of several transactions.
 */
const openLevels = asyncContext<TransactionLevel>()

export function sqlTransactions(
  driver: SqlDriver,
  options: SqlTransactionOptions = {},
  watch: StatementWatch = statementWatch(driver.dialect.name),
): SqlTransactions {
  const { retries = defaultRetries } = options
  const begin = driver.dialect.transactions.begin(options.isolation)
  const hasOneWriter = !driver.dialect.can.writeConcurrently

  /** Runs a whole transaction once, without retries. */
  async function attempt<Result>(work: Work<Result>, context: RequestContext | null): Promise<Result> {
    if (hasOneWriter && enclosingSession(driver) !== null) throw new Error(wouldDeadlock)
    const session = sqlSession(await driver.hold({ context: null, waitsFor: context }), driver.dialect, watch)
    const level = levelOn(session, null, driver)
    let result: Result
    try {
      // Awaited, although it costs a round trip: if `begin` failed, the statements sent after it would be
      // autocommitted.
      await session.begin(begin, { context })
      result = await openLevels.run(level, () => session.runWork(() => work(level)))
      if (level.inner === null && session.isIdle()) level.isOpen = false
      else await session.exclusively(() => closeInner(level))
    } catch (thrown) {
      level.isOpen = false
      await session.rollback()
      throw originOf(thrown, session)
    }
    try {
      await session.commit()
    } catch (thrown) {
      rethrowCommitFault(thrown, driver, session.context)
    }
    return result
  }

  /**
   * Statements are sent without waiting for earlier ones, so the error of a later one may be seen first: it only says that the transaction
   * was aborted. Returns the error of the statement that has failed.
   */
  function originOf(thrown: unknown, { errors }: SqlSession): unknown {
    if (driver.faultOf(thrown)?.kind !== 'aborted') return thrown
    return errors.findLast((error) => driver.faultOf(error)?.kind !== 'aborted') ?? thrown
  }

  /** The last retry. The next one waits for it, since concurrent retries would conflict again. */
  let lastRetry: Promise<unknown> = Promise.resolve()

  async function retry<Result>(work: Work<Result>, context: RequestContext | null, run: number): Promise<Result> {
    watch.counts.retries += 1
    // Another retry may itself be waiting for this one.
    const turn = Promise.all([Promise.race([lastRetry, sleep(maxRetryWait)]), retryPause(run)])
    const result = turn.then(() => attempt(work, context))
    lastRetry = result.catch(() => undefined)
    return result
  }

  async function runOutermost<Result>(work: Work<Result>, context: RequestContext | null): Promise<Result> {
    for (let run = 0; ; run += 1) {
      try {
        return await (run === 0 ? attempt(work, context) : retry(work, context, run - 1))
      } catch (thrown) {
        if (run >= retries || findFault(thrown, driver)?.kind !== 'conflict') rethrowFault(thrown, driver)
      }
    }
  }

  async function runNested<Result>(outer: TransactionLevel, work: Work<Result>): Promise<Result> {
    const { session } = outer
    const level = levelOn(session, outer, driver)
    const { savepoint } = level
    let opened: Promise<unknown> = idle
    await session.exclusively(async () => {
      if (!isOpen(outer)) throw new Error(outerHasEnded)
      // Not awaited: the connection runs statements in order. The release of the savepoint is not awaited either.
      opened = session.savepoint(savepoint)
      opened.catch(() => undefined)
      outer.inner = level
    })
    try {
      const result = await openLevels.run(level, () => work(level))
      await opened
      if (!isOpen(outer)) throw new Error(outerHasEnded)
      await session.exclusively(async () => {
        await closeInner(level)
        session.expectNotFailed()
        session.releaseWithoutWaiting(savepoint)
      })
      return result
    } catch (thrown) {
      const origin = originOf(thrown, session)
      level.isOpen = false
      if (isOpen(outer)) await session.exclusively(() => session.rollbackSavepoint(savepoint))
      throw origin
    } finally {
      if (outer.inner === level) outer.inner = null
    }
  }

  return Object.freeze<SqlTransactions>({
    current: () => currentTransaction(driver),
    allowsAutocommit() {
      if (options.isolation !== undefined || currentTransaction(driver) !== null) return false
      return !hasOneWriter || kyselyTransactions.current() === undefined || enclosingSession(driver) === null
    },
    runStatement<Result>(transaction: Transaction, work: Work<Result>): Promise<Result> {
      const level = expectLevel(transaction, driver)
      const { session } = level
      const run = (): Promise<Result> => work(level)
      return inTurn(level, async () => {
        // A statement beside the savepoint of another write would be undone with it.
        const alone = (): Promise<Result> => (session.isIdle() ? run() : session.exclusively(run))
        const result = await (driver.dialect.can.continueAfterErrors ? alone() : inSavepoint(level, run))
        // Rolled back in the meantime: nobody may act as if it were stored.
        if (!isOpen(level)) throw new Error(outerHasEnded)
        return result
      })
    },
    async snapshot(work, context) {
      const holding = { context: null, waitsFor: context }
      const held = await (driver.holdSnapshot?.(holding) ?? driver.hold(holding))
      if (held === null) return work(null)
      const session = sqlSession(held, driver.dialect, watch)
      const level = levelOn(session, null, driver)
      try {
        await session.begin(driver.dialect.transactions.snapshot, { context })
        return await work(level)
      } catch (thrown) {
        return rethrowFault(thrown, driver)
      } finally {
        level.isOpen = false
        await session.rollback()
      }
    },
    run<Result>(work: Work<Result>, outer?: Transaction, context?: RequestContext): Promise<Result> {
      const level = outer === undefined ? currentTransaction(driver) : expectLevel(outer, driver)
      if (level === null) return runOutermost(work, context ?? null)
      return inTurn(level, () => runNested(level, work))
    },
  })
}

/**
 * Returns the transaction on the driver's database that the running code is part of, or null outside of a transaction.
 */
export function currentTransaction(driver: SqlDriver): TransactionLevel | null {
  for (let level = openLevels.current() ?? null; level !== null; level = level.enclosing) {
    if (level[owner] === databaseOf(driver) && isOpen(level)) return level
  }
  return null
}

/**
 * Runs the statements of one write in a savepoint: they are applied all or not at all, and the transaction can continue
 * if the database rejects one. Writes of one transaction run one after the other: must not be called within another
 * write.
 */
export function inSavepoint<Result>(transaction: Transaction, work: () => Promise<Result>): Promise<Result> {
  const level = levelOf(transaction)
  invariant(level !== null, `a savepoint was requested in a transaction of another store, ${transaction.store}`)
  const { session } = level
  return session.exclusively(async () => {
    if (!isOpen(level)) throw new Error(transactionHasEnded)
    // Not awaited: the connection runs statements in order. The release of the savepoint is not awaited either.
    const opened = session.savepoint(writeSavepoint)
    try {
      const [result] = await Promise.all([work(), opened])
      session.releaseWithoutWaiting(writeSavepoint)
      return result
    } catch (thrown) {
      if (isOpen(level)) await session.rollbackSavepoint(writeSavepoint)
      throw thrown
    }
  })
}

/** Returns a transaction of an SQL store with its connection. Throws for a transaction of another store. */
export function sqlTransactionOf(transaction: Transaction): SqlTransaction & { readonly session: SqlSession } {
  const level = levelOf(transaction)
  if (level === null) throw new TypeError(`A transaction of the store '${transaction.store}' has no connection.`)
  return level
}

function levelOf(transaction: Transaction): TransactionLevel | null {
  return owner in transaction ? (transaction as TransactionLevel) : null
}

function levelOn(session: SqlSession, outer: TransactionLevel | null, driver: SqlDriver): TransactionLevel {
  const level: TransactionLevel = {
    [owner]: databaseOf(driver),
    store: driver.dialect.name,
    raw: session.raw,
    connection: {
      run(statement, options) {
        if (!isOpen(level)) return Promise.reject(new Error(transactionHasEnded))
        return session.run(statement, options)
      },
    },
    session,
    outer,
    enclosing: openLevels.current() ?? null,
    savepoint: outer === null ? '' : session.newSavepointName(),
    isOpen: true,
    inner: null,
    lastInner: idle,
  }
  return level
}

const idle: Promise<unknown> = Promise.resolve()

/** Runs work in a transaction after all other work that waits for its turn in it. */
function inTurn<Result>(level: TransactionLevel, work: () => Promise<Result>): Promise<Result> {
  const turn = level.lastInner.then(work)
  level.lastInner = turn.catch(() => undefined)
  return turn
}

function isOpen({ isOpen: open, outer }: TransactionLevel): boolean {
  return open && (outer === null || isOpen(outer))
}

/** Closes a transaction. A nested transaction that is still open is rolled back. */
async function closeInner(level: TransactionLevel): Promise<void> {
  level.isOpen = false
  if (level.inner !== null) await level.session.rollbackSavepoint(level.inner.savepoint)
}

function expectLevel(transaction: Transaction, driver: SqlDriver): TransactionLevel {
  const level = levelOf(transaction)
  invariant(
    level?.[owner] === databaseOf(driver),
    `work was to be run inside a transaction of another store, ${transaction.store}`,
  )
  return level
}

/** The savepoint of a write. One name is enough, because a transaction runs one write at a time. */
const writeSavepoint = 'ashlar_write'

const wouldDeadlock =
  'This write would wait forever for the Kysely transaction that the running code is part of: SQLite has one transaction at a time. Write in that transaction, or after it.'

const outerHasEnded = 'The enclosing transaction has ended.'

/**
 * Returns the connection of a transaction as the client library's object, for features that Kysely lacks: a client of
 * `pg`, or an SQLite database.
 *
 * @example
 * ```ts
 * import type { WorkContext } from 'ashlar'
 * import { rawConnection } from 'ashlar/sql'
 * import type { PoolClient } from 'pg'
 *
 * const notify = async (context: WorkContext) => {
 *   if (context.transaction === null) return
 *   const client = rawConnection(context.transaction) as PoolClient
 *   await client.query('notify albums')
 * }
 * ```
 */
export function rawConnection(transaction: Transaction): unknown {
  return sqlTransactionOf(transaction).raw
}

/** The longest pause before a retry, in milliseconds. */
const maxRetryWait = 1000

/**
 * Waits before a retry, longer after each one. The delay is random, since the retries of other processes are independent: equal delays
 * would lead to the same conflict.
 *
 * @param retry the number of the retry, from 0 on
 */
export function retryPause(retry: number): Promise<void> {
  return sleep(Math.min(maxRetryWait, 10 * 2 ** retry) * (0.5 + Math.random()))
}
