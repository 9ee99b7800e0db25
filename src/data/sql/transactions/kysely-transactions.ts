import type { DatabaseConnection, Driver, QueryExecutor, TransactionSettings } from 'kysely'
import { carried } from '../../../util/carried.js'
import { invariant } from '../../../util/invariant.js'
import { databaseOf } from '../driver/database-of.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import type { SqlSession } from './sql-session.js'

/** A transaction that Kysely has begun, or the one of a request that those lie in. */
interface OpenTransaction {
  readonly driver: SqlDriver
  /** `null` until it has a connection. */
  session: SqlSession | null
  /** What it goes back to; `null` for one that is not inside another. */
  readonly savepoint: string | null
  readonly outer: OpenTransaction | null
  /** That of the code which has begun it. */
  readonly around: OpenTransaction | null
  isOpen: boolean
  /** The last of those inside, each of which waits for the one before: beside each other they would end each other. */
  lastInner: Promise<unknown>
  /** Lets the next one begin. */
  readonly end: () => void
}

/**
 * Leads from the work of one to those that are begun in it. Kysely calls the work, so that no function of ours is around
 * it: it is entered when one begins, for what comes after that.
 */
const underWay = carried<OpenTransaction>()

/**
 * The executor of Kysely, where it asks for a connection of its own: then it may begin a transaction. For plain statements it
 * asks itself, and they pay nothing for those.
 */
export function beginningWatched(executor: QueryExecutor): QueryExecutor {
  return {
    adapter: executor.adapter,
    plugins: executor.plugins,
    transformQuery: (node, queryId) => executor.transformQuery(node, queryId),
    compileQuery: (node, queryId) => executor.compileQuery(node, queryId),
    executeQuery: (query) => executor.executeQuery(query),
    stream: (query, chunkSize) => executor.stream(query, chunkSize),
    provideConnection: (consumer) => underWay.watch(() => executor.provideConnection(consumer)),
    withConnectionProvider: (provider) => beginningWatched(executor.withConnectionProvider(provider)),
    withPlugin: (plugin) => beginningWatched(executor.withPlugin(plugin)),
    withPlugins: (plugins) => beginningWatched(executor.withPlugins(plugins)),
    withPluginAtFront: (plugin) => beginningWatched(executor.withPluginAtFront(plugin)),
    withoutPlugins: () => beginningWatched(executor.withoutPlugins()),
  }
}

const begun = new WeakMap<DatabaseConnection, OpenTransaction>()
const roots = new WeakMap<SqlSession, OpenTransaction>()

/** The session of the transaction that Kysely has begun there; `null` where it has begun none. */
export function sessionAt(place: DatabaseConnection): SqlSession | null {
  return begun.get(place)?.session ?? null
}

/** The session of the transaction of Kysely, on the database of the driver, that the running code is part of. */
export function enclosingSession(driver: SqlDriver): SqlSession | null {
  return enclosingOf(driver)?.session ?? null
}

/** Begins one inside the transaction of a request. */
export function beginInside(
  place: DatabaseConnection,
  { driver, session }: { readonly driver: SqlDriver; readonly session: SqlSession },
  settings: TransactionSettings,
): Promise<void> {
  return openInside(place, enclosing((open) => open.session === session) ?? rootOf(session, driver), settings)
}

/** Begins one with a connection of its own, or inside another that has been begun so. */
export async function beginAlone(
  place: DatabaseConnection,
  { driver, begin }: { readonly driver: SqlDriver; readonly begin: () => Promise<SqlSession> },
  settings: TransactionSettings,
): Promise<void> {
  const outer = enclosingOf(driver)
  if (outer !== null) return openInside(place, outer, settings)
  const own = entered(place, { driver, session: null, savepoint: null, outer: null })
  try {
    own.session = await begin()
  } catch (thrown) {
    close(own)
    throw thrown
  }
}

/** What comes after the beginning is the same for all of them. */
export const transactionEnds: Required<
  Pick<Driver, 'commitTransaction' | 'rollbackTransaction' | 'savepoint' | 'rollbackToSavepoint' | 'releaseSavepoint'>
> = {
  async commitTransaction(place) {
    const open = openAt(place)
    const { savepoint } = open
    const session = sessionOf(open)
    if (savepoint === null) {
      // What could not be kept is undone by then.
      close(open)
      return session.commit()
    }
    await session.turn(async () => {
      if (open.outer?.isOpen !== true) throw new Error(outerIsOver)
      session.expectSound()
      await session.releaseSavepoint(savepoint)
    })
    close(open)
  },
  async rollbackTransaction(place) {
    const open = begun.get(place)
    if (open === undefined) return
    const { savepoint, outer } = open
    const session = sessionOf(open)
    if (savepoint === null) await session.rollback()
    else if (outer?.isOpen === true) await session.turn(() => session.undoSavepoint(savepoint))
    close(open)
  },
  async savepoint(place, name) {
    const session = sessionOf(openAt(place))
    await session.turn(() => session.savepoint(quoted(name)))
  },
  async rollbackToSavepoint(place, name) {
    const session = sessionOf(openAt(place))
    await session.turn(() => session.returnTo(quoted(name)))
  },
  async releaseSavepoint(place, name) {
    const session = sessionOf(openAt(place))
    await session.turn(() => session.releaseSavepoint(quoted(name)))
  },
}

async function openInside(
  place: DatabaseConnection,
  outer: OpenTransaction,
  { isolationLevel, accessMode }: TransactionSettings,
): Promise<void> {
  if (isolationLevel !== undefined || accessMode !== undefined) throw new Error(isInside)
  const session = sessionOf(outer)
  const savepoint = session.newName()
  const before = outer.lastInner
  const open = entered(place, { driver: outer.driver, session, savepoint, outer })
  try {
    await before
    await session.turn(async () => {
      if (!outer.isOpen) throw new Error(outerIsOver)
      await session.savepoint(savepoint)
    })
  } catch (thrown) {
    close(open)
    throw thrown
  }
}

/** Must be called before anything is waited for: only then the code after the beginning is part of it. */
function entered(
  place: DatabaseConnection,
  parts: Pick<OpenTransaction, 'driver' | 'session' | 'savepoint' | 'outer'>,
): OpenTransaction {
  let ended = nothing
  const over = new Promise<void>((resolve) => (ended = resolve))
  const open: OpenTransaction = {
    ...parts,
    around: underWay.current() ?? null,
    isOpen: true,
    lastInner: Promise.resolve(),
    end() {
      begun.delete(place)
      leave()
      ended()
    },
  }
  const leave = underWay.enter(open)
  begun.set(place, open)
  if (parts.outer !== null) parts.outer.lastInner = over
  return open
}

function close(open: OpenTransaction): void {
  if (!open.isOpen) return
  open.isOpen = false
  open.end()
}

/** The innermost that the running code is part of. */
function enclosing(isMeant: (open: OpenTransaction) => boolean): OpenTransaction | null {
  for (let open = underWay.current() ?? null; open !== null; open = open.around) {
    if (open.isOpen && open.session !== null && isMeant(open)) return open
  }
  return null
}

function enclosingOf(driver: SqlDriver): OpenTransaction | null {
  return enclosing((open) => databaseOf(open.driver) === databaseOf(driver))
}

function rootOf(session: SqlSession, driver: SqlDriver): OpenTransaction {
  const known = roots.get(session)
  if (known !== undefined) return known
  const root: OpenTransaction = {
    driver,
    session,
    savepoint: null,
    outer: null,
    around: null,
    isOpen: true,
    lastInner: Promise.resolve(),
    end: nothing,
  }
  roots.set(session, root)
  return root
}

function openAt(place: DatabaseConnection): OpenTransaction {
  const open = begun.get(place)
  invariant(open !== undefined, 'a transaction of Kysely was used that was not begun')
  return open
}

function sessionOf({ session }: OpenTransaction): SqlSession {
  invariant(session !== null, 'a transaction of Kysely was used that has no connection')
  return session
}

function nothing(): void {}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

const isInside =
  'A transaction is open already: one inside it has neither an isolation level nor an access mode of its own.'

const outerIsOver = 'The transaction that this one was part of is over.'
