import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely'
import { Kysely } from 'kysely'
import type { Transaction } from '../../../resource/capabilities/transactions.js'
import type { RequestContext } from '../../../resource/request-context.js'
import { invariant } from '../../../util/invariant.js'
import { noteKept } from '../driver/asking-request.js'
import { rethrowFault } from '../driver/raise-fault.js'
import type { EngineName, Occasion, SqlDriver, SqlResult, SqlStatement } from '../driver/sql-driver.js'
import type { SqlBuilder } from '../statement/engine.js'
import { dialectOf } from '../statement/engine.js'
import type { Watch } from '../statement/ran-statement.js'
import { unwatched } from '../statement/ran-statement.js'
import type { SqlSession } from './sql-session.js'
import { sqlSession } from './sql-session.js'
import { sqlTransactionOf } from './sql-transactions.js'

/** Where statements of an author's code run. */
export interface KyselyPlace {
  readonly transaction: Transaction | null
  readonly context: RequestContext | null
  /** Told of what runs; without it nobody is. */
  readonly watch?: Watch
}

/**
 * Kysely for an author's own statements. In a transaction they run on its connection, and a transaction begun there is a
 * savepoint. Outside of one each runs by itself.
 */
export function kyselyOn(driver: SqlDriver, place: KyselyPlace): SqlBuilder {
  const { transaction } = place
  const own = transaction === null ? looseDriver(driver, place) : boundDriver(driver, transaction, place)
  const dialect: Dialect = { ...dialectOf(driver.engine), createDriver: () => own }
  return new Kysely({ dialect })
}

/** All of it runs on the connection of one transaction. */
function boundDriver({ engine }: SqlDriver, transaction: Transaction, occasion: KyselyPlace): Driver {
  const { watch = unwatched } = occasion
  const { connection, session } = sqlTransactionOf(transaction)
  // Savepoints that are open beside each other would end each other.
  let last: Promise<unknown> = Promise.resolve()
  const endings = new WeakMap<DatabaseConnection, () => void>()
  const end = (place: DatabaseConnection): void => {
    savepoints.delete(place)
    endings.get(place)?.()
  }
  const savepoints = new WeakMap<DatabaseConnection, string>()
  const undo = async (place: DatabaseConnection): Promise<void> => {
    const savepoint = savepoints.get(place)
    if (savepoint !== undefined) await session.turn(() => session.undoSavepoint(savepoint))
    end(place)
  }
  return {
    ...driverParts(() => session),
    acquireConnection: async () =>
      placeOn(engine, (statement) => watch(statement, occasion, () => connection.run(statement, occasion))),
    async beginTransaction(place, { isolationLevel, accessMode }) {
      if (isolationLevel !== undefined || accessMode !== undefined) throw new Error(isInside)
      const before = last
      last = new Promise<void>((resolve) => endings.set(place, resolve))
      await before
      const savepoint = session.newName()
      try {
        await session.turn(() => session.savepoint(savepoint))
      } catch (thrown) {
        end(place)
        throw thrown
      }
      savepoints.set(place, savepoint)
    },
    async commitTransaction(place) {
      const savepoint = savepoints.get(place)
      invariant(savepoint !== undefined, 'a transaction of Kysely was ended that was not begun')
      await session.turn(async () => {
        session.expectSound()
        await session.releaseSavepoint(savepoint)
      })
      end(place)
    },
    rollbackTransaction: undo,
  }
}

/** Each statement runs by itself, and a transaction has a connection of its own. */
function looseDriver(driver: SqlDriver, occasion: KyselyPlace): Driver {
  const { engine } = driver
  const { watch = unwatched } = occasion
  const sessions = new WeakMap<DatabaseConnection, SqlSession>()
  const sessionOf = (place: DatabaseConnection): SqlSession => {
    const session = sessions.get(place)
    invariant(session !== undefined, 'a transaction of Kysely was used that was not begun')
    return session
  }
  return {
    ...driverParts(sessionOf),
    async acquireConnection() {
      const place = placeOn(engine, (statement, readsOnly) => {
        const session = sessions.get(place)
        const run = (): Promise<SqlResult> =>
          session?.run(statement, occasion) ?? runAlone(driver, occasion, { statement, readsOnly })
        return watch(statement, occasion, run)
      })
      return place
    },
    async beginTransaction(place, settings) {
      const session = sqlSession(await driver.hold(occasion), engine)
      try {
        await session.begin(beginStatement(engine, settings))
      } catch (thrown) {
        await session.rollback()
        throw thrown
      }
      sessions.set(place, session)
    },
    async commitTransaction(place) {
      const session = sessionOf(place)
      sessions.delete(place)
      await session.commit()
    },
    // What could not be kept is undone already.
    async rollbackTransaction(place) {
      const session = sessions.get(place)
      sessions.delete(place)
      await session?.rollback()
    },
  }
}

type DriverParts = Required<
  Pick<Driver, 'init' | 'destroy' | 'releaseConnection' | 'savepoint' | 'rollbackToSavepoint' | 'releaseSavepoint'>
>

/** What both have alike: nothing to set up, and savepoints that Kysely names, in a transaction that it is told to control. */
function driverParts(sessionOf: (place: DatabaseConnection) => SqlSession): DriverParts {
  return {
    init: nothing,
    destroy: nothing,
    releaseConnection: nothing,
    async savepoint(place, name) {
      const session = sessionOf(place)
      await session.turn(() => session.savepoint(quoted(name)))
    },
    async rollbackToSavepoint(place, name) {
      const session = sessionOf(place)
      await session.turn(() => session.returnTo(quoted(name)))
    },
    async releaseSavepoint(place, name) {
      const session = sessionOf(place)
      await session.turn(() => session.releaseSavepoint(quoted(name)))
    },
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

async function runAlone(
  driver: SqlDriver,
  occasion: Occasion,
  { statement, readsOnly }: { readonly statement: SqlStatement; readonly readsOnly: boolean },
): Promise<SqlResult> {
  try {
    if (readsOnly) return await driver.read(statement, occasion)
    // Nothing comes after it that could undo it.
    noteKept(occasion.context)
    const held = await driver.hold(occasion)
    try {
      const result = await held.run(statement)
      held.release(false)
      return result
    } catch (thrown) {
      held.release(driver.faultOf(thrown)?.kind === 'unavailable')
      throw thrown
    }
  } catch (thrown) {
    return rethrowFault(thrown, driver)
  }
}

function placeOn(
  engine: EngineName,
  run: (statement: SqlStatement, readsOnly: boolean) => Promise<SqlResult>,
): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { kind } = query.query
      const values = engine === 'sqlite' ? query.parameters.map(heldBySqlite) : query.parameters
      // A query with parts before it may write in them.
      const readsOnly = kind === 'SelectQueryNode' && !('with' in query.query && query.query.with !== undefined)
      const { columns, rows, changes, insertId } = await run({ sql: query.sql, values, name: null }, readsOnly)
      return {
        rows: rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])) as Row),
        ...(writes.has(kind) && { numAffectedRows: BigInt(changes) }),
        ...(kind === 'InsertQueryNode' && insertId !== undefined && { insertId: BigInt(insertId) }),
      }
    },
    streamQuery() {
      throw new Error('The database of a request does not stream: execute the query, or use the connection itself.')
    },
  }
}

const writes: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

/** SQLite has neither, and the store keeps them so. */
function heldBySqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof Date ? value.toISOString() : value
}

function beginStatement(engine: EngineName, { isolationLevel, accessMode }: TransactionSettings): string {
  if (engine === 'sqlite') return 'begin immediate'
  const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
  return `begin${isolation}${accessMode === undefined ? '' : ` ${accessMode}`}`
}

async function nothing(): Promise<void> {}

const isInside =
  'The transaction of the request is open already: one inside it has neither an isolation level nor an access mode of its own.'
