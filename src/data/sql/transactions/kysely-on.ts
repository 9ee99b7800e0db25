import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult, TransactionSettings } from 'kysely'
import { Kysely } from 'kysely'
import type { Transaction } from '../../../resource/capabilities/transactions.js'
import type { RequestContext } from '../../../resource/request-context.js'
import { noteKept } from '../driver/asking-request.js'
import { rethrowFault } from '../driver/raise-fault.js'
import type { EngineName, Occasion, SqlDriver, SqlResult, SqlStatement } from '../driver/sql-driver.js'
import type { AnyDatabase, SqlBuilder } from '../statement/engine.js'
import { dialectOf } from '../statement/engine.js'
import type { Watch } from '../statement/ran-statement.js'
import { unwatched } from '../statement/ran-statement.js'
import {
  beginAlone,
  beginInside,
  beginningWatched,
  enclosingSession,
  sessionAt,
  transactionEnds,
} from './kysely-transactions.js'
import type { SqlSession } from './sql-session.js'
import { sqlSession } from './sql-session.js'
import { currentTransaction, sqlTransactionOf } from './sql-transactions.js'

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
  const executor = beginningWatched(new Kysely<AnyDatabase>({ dialect }).getExecutor())
  return new Kysely({ config: { dialect }, dialect, driver: own, executor })
}

/** All of it runs on the connection of one transaction. */
function boundDriver(driver: SqlDriver, transaction: Transaction, occasion: KyselyPlace): Driver {
  const { watch = unwatched } = occasion
  const { connection, session } = sqlTransactionOf(transaction)
  const place = (): DatabaseConnection =>
    placeOn(driver.engine, (statement) => {
      const run = (): Promise<SqlResult> => watch(statement, occasion, () => connection.run(statement, occasion))
      // Between the statements of a write it would be undone with them.
      return session.isIdle() ? run() : session.turn(run)
    })
  return {
    ...unmanaged,
    ...transactionEnds,
    acquireConnection: async () => place(),
    beginTransaction: (at, settings) => beginInside(at, { driver, session }, settings),
  }
}

/** Each statement runs by itself, and a transaction has a connection of its own. */
function looseDriver(driver: SqlDriver, occasion: KyselyPlace): Driver {
  const { engine } = driver
  const { watch = unwatched } = occasion
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (thrown) {
      return rethrowFault(thrown, driver)
    }
  }
  const place = (): DatabaseConnection => {
    const own = placeOn(engine, (statement, readsOnly) => {
      const session = sessionAt(own)
      if (session === null && !readsOnly) expectOutside(driver)
      const run = (): Promise<SqlResult> =>
        session?.run(statement, occasion) ?? runAlone(driver, occasion, { statement, readsOnly })
      return told(() => watch(statement, occasion, run))
    })
    return own
  }
  const begin = async (statement: string): Promise<SqlSession> => {
    const session = sqlSession(await driver.hold(occasion), engine)
    try {
      await session.begin(statement)
    } catch (thrown) {
      await session.rollback()
      throw thrown
    }
    return session
  }
  return {
    ...unmanaged,
    ...transactionEnds,
    acquireConnection: async () => place(),
    async beginTransaction(at, settings) {
      if (currentTransaction(driver) !== null) throw new Error(besideRequest)
      await told(() => beginAlone(at, { driver, begin: () => begin(beginStatement(engine, settings)) }, settings))
    },
    commitTransaction: (at) => told(() => transactionEnds.commitTransaction(at)),
  }
}

const unmanaged: Pick<Driver, 'init' | 'destroy' | 'releaseConnection'> = {
  init: nothing,
  destroy: nothing,
  releaseConnection: nothing,
}

/** On SQLite it would wait for ever; on PostgreSQL too, for a row that the transaction has locked. */
function expectOutside(driver: SqlDriver): void {
  if (currentTransaction(driver) !== null) throw new Error(besideRequest)
  if (enclosingSession(driver) !== null) throw new Error(besideOwn)
}

const besideRequest =
  'This statement would be no part of the transaction that the running code is part of: within the work of a request use its context.db.'

const besideOwn =
  'This statement would be no part of the transaction that the running code is part of: use the one that Kysely gives to the work.'

async function runAlone(
  driver: SqlDriver,
  occasion: Occasion,
  { statement, readsOnly }: { readonly statement: SqlStatement; readonly readsOnly: boolean },
): Promise<SqlResult> {
  if (readsOnly) return driver.read(statement, occasion)
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
