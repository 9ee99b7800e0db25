import type { DatabaseConnection, Driver, QueryExecutor, TransactionSettings } from 'kysely'
import type { AsyncContext } from '../../../core/util/async-context.js'
import { asyncContext } from '../../../core/util/async-context.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import { databaseOf } from '../driver/sql-driver.js'
import type { SqlSession } from './sql-session.js'

/** A transaction that Kysely has begun, or the transaction of a request that contains such transactions. */
interface OpenTransaction {
  readonly driver: SqlDriver
  /** Null until the transaction has a connection. */
  session: SqlSession | null
  /** The savepoint that a rollback returns to; null for a transaction that is not nested. */
  readonly savepoint: string | null
  readonly outer: OpenTransaction | null
  /** The transaction, of this or another database, that was active when this one began. */
  readonly enclosing: OpenTransaction | null
  isOpen: boolean
  /** The last nested transaction. Each waits for the previous one: concurrent savepoints would release each other. */
  lastInner: Promise<unknown>
  /** Ends the transaction, so that the next nested one can begin. */
  readonly end: () => void
}

/**
 * The async context in which the callback of a transaction runs. Transactions begun in it are nested. Kysely calls the callback, so it
 * cannot be wrapped: the context is entered when a transaction begins, for the code that runs afterwards.
 */
export const kyselyTransactions: AsyncContext<OpenTransaction> = asyncContext<OpenTransaction>()

/**
 * Wraps an executor of Kysely to track the transactions that begin on it. Only `provideConnection` is tracked, which
 * Kysely calls before it begins a transaction. Plain statements do not use it and have no overhead.
 */
export function trackedExecutor(executor: QueryExecutor): QueryExecutor {
  return {
    adapter: executor.adapter,
    plugins: executor.plugins,
    transformQuery: (node, queryId) => executor.transformQuery(node, queryId),
    compileQuery: (node, queryId) => executor.compileQuery(node, queryId),
    executeQuery: (query) => executor.executeQuery(query),
    stream: (query, chunkSize) => executor.stream(query, chunkSize),
    provideConnection: (consumer) => kyselyTransactions.isolate(() => executor.provideConnection(consumer)),
    withConnectionProvider: (provider) => trackedExecutor(executor.withConnectionProvider(provider)),
    withPlugin: (plugin) => trackedExecutor(executor.withPlugin(plugin)),
    withPlugins: (plugins) => trackedExecutor(executor.withPlugins(plugins)),
    withPluginAtFront: (plugin) => trackedExecutor(executor.withPluginAtFront(plugin)),
    withoutPlugins: () => trackedExecutor(executor.withoutPlugins()),
  }
}

const openByConnection = new WeakMap<DatabaseConnection, OpenTransaction>()
const requestTransactions = new WeakMap<SqlSession, OpenTransaction>()

/** Returns the session of the transaction that Kysely has begun on a connection, or null if there is none. */
export function sessionAt(connection: DatabaseConnection): SqlSession | null {
  return openByConnection.get(connection)?.session ?? null
}

/** Returns the session of the Kysely transaction on the driver's database that the running code is part of, or null. */
export function enclosingSession(driver: SqlDriver): SqlSession | null {
  return enclosingOf(driver)?.session ?? null
}

/** Begins a transaction nested in the transaction of a request. */
export function beginInRequest(
  connection: DatabaseConnection,
  { driver, session }: { readonly driver: SqlDriver; readonly session: SqlSession },
  settings: TransactionSettings,
): Promise<void> {
  return beginNested(
    connection,
    enclosing((open) => open.session === session) ?? requestTransactionOf(session, driver),
    settings,
  )
}

/** Begins a transaction on a separate connection, or nested in another one that was begun by this function. */
export async function beginTopLevel(
  connection: DatabaseConnection,
  { driver, begin }: { readonly driver: SqlDriver; readonly begin: () => Promise<SqlSession> },
  settings: TransactionSettings,
): Promise<void> {
  const outer = enclosingOf(driver)
  if (outer !== null) return beginNested(connection, outer, settings)
  const open = enter(connection, { driver, session: null, savepoint: null, outer: null })
  try {
    open.session = await begin()
  } catch (thrown) {
    close(open)
    throw thrown
  }
}

/** The methods of a Kysely driver that end a transaction or use savepoints, which are the same for all transactions. */
export const transactionMethods: Required<
  Pick<Driver, 'commitTransaction' | 'rollbackTransaction' | 'savepoint' | 'rollbackToSavepoint' | 'releaseSavepoint'>
> = {
  async commitTransaction(connection) {
    const open = openAt(connection)
    const { savepoint } = open
    const session = sessionOf(open)
    if (savepoint === null) {
      // Closes first: a failed commit has rolled back the transaction.
      close(open)
      return session.commit()
    }
    await session.exclusively(async () => {
      if (open.outer?.isOpen !== true) throw new Error(outerHasEnded)
      session.expectNotFailed()
      await session.releaseSavepoint(savepoint)
    })
    close(open)
  },
  async rollbackTransaction(connection) {
    const open = openByConnection.get(connection)
    if (open === undefined) return
    const { savepoint, outer } = open
    const session = sessionOf(open)
    if (savepoint === null) await session.rollback()
    else if (outer?.isOpen === true) await session.exclusively(() => session.rollbackSavepoint(savepoint))
    close(open)
  },
  savepoint: (connection, name) => exclusivelyAt(connection, (session) => session.savepoint(session.quotedName(name))),
  rollbackToSavepoint: (connection, name) =>
    exclusivelyAt(connection, (session) => session.rollbackTo(session.quotedName(name))),
  releaseSavepoint: (connection, name) =>
    exclusivelyAt(connection, (session) => session.releaseSavepoint(session.quotedName(name))),
}

async function exclusivelyAt(
  connection: DatabaseConnection,
  work: (session: SqlSession) => Promise<unknown>,
): Promise<void> {
  const session = sessionOf(openAt(connection))
  await session.exclusively(() => work(session))
}

async function beginNested(
  connection: DatabaseConnection,
  outer: OpenTransaction,
  { isolationLevel, accessMode }: TransactionSettings,
): Promise<void> {
  if (isolationLevel !== undefined || accessMode !== undefined) throw new Error(nestedSettings)
  const session = sessionOf(outer)
  const savepoint = session.newSavepointName()
  const previous = outer.lastInner
  const open = enter(connection, { driver: outer.driver, session, savepoint, outer })
  try {
    await previous
    await session.exclusively(async () => {
      if (!outer.isOpen) throw new Error(outerHasEnded)
      await session.savepoint(savepoint)
    })
  } catch (thrown) {
    close(open)
    throw thrown
  }
}

/**
 * Enters the async context of a transaction. Must be called before the first await, or later code is not part of it.
 */
function enter(connection: DatabaseConnection, parts: TransactionParts): OpenTransaction {
  let resolveEnded = nothing
  const ended = new Promise<void>((resolve) => (resolveEnded = resolve))
  const open = opened(parts, () => {
    openByConnection.delete(connection)
    leave()
    resolveEnded()
  })
  const leave = kyselyTransactions.enter(open)
  openByConnection.set(connection, open)
  if (parts.outer !== null) parts.outer.lastInner = ended
  return open
}

function close(open: OpenTransaction): void {
  if (!open.isOpen) return
  open.isOpen = false
  open.end()
}

/** Returns the innermost matching transaction that the running code is part of. */
function enclosing(matches: (open: OpenTransaction) => boolean): OpenTransaction | null {
  for (let open = kyselyTransactions.current() ?? null; open !== null; open = open.enclosing) {
    if (open.isOpen && open.session !== null && matches(open)) return open
  }
  return null
}

function enclosingOf(driver: SqlDriver): OpenTransaction | null {
  return enclosing((open) => databaseOf(open.driver) === databaseOf(driver))
}

function requestTransactionOf(session: SqlSession, driver: SqlDriver): OpenTransaction {
  const root = requestTransactions.get(session) ?? opened({ driver, session, savepoint: null, outer: null }, nothing)
  requestTransactions.set(session, root)
  return root
}

type TransactionParts = Pick<OpenTransaction, 'driver' | 'session' | 'savepoint' | 'outer'>

function opened(parts: TransactionParts, end: () => void): OpenTransaction {
  const current = kyselyTransactions.current() ?? null
  return { ...parts, enclosing: current, isOpen: true, lastInner: Promise.resolve(), end }
}

function openAt(connection: DatabaseConnection): OpenTransaction {
  const open = openByConnection.get(connection)
  invariant(open !== undefined, 'a Kysely transaction was used that was not begun')
  return open
}

function sessionOf({ session }: OpenTransaction): SqlSession {
  invariant(session !== null, 'a Kysely transaction was used that has no connection')
  return session
}

function nothing(): void {}

const nestedSettings =
  'A transaction is open already: a nested transaction cannot set an isolation level or an access mode.'

const outerHasEnded = 'The enclosing transaction has ended.'
