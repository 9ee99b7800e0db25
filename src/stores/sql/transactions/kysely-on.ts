import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { Kysely } from 'kysely'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { markCommitted } from '../driver/committed-requests.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import type { RunOptions, SqlResult, SqlStatement } from '../driver/sql-statement.js'
import { rowObject, unnamed } from '../driver/sql-statement.js'
import type { StatementWatch } from '../statement/ran-statement.js'
import { statementWatch } from '../statement/ran-statement.js'
import type { AnyDatabase, SqlBuilder } from '../statement/sql-builder.js'
import {
  beginInRequest,
  beginTopLevel,
  enclosingSession,
  sessionAt,
  trackedExecutor,
  transactionMethods,
} from './kysely-transactions.js'
import type { SqlSession } from './sql-session.js'
import { sqlSession } from './sql-session.js'
import { currentTransaction, sqlTransactionOf } from './sql-transactions.js'

/** The transaction and the request that the application's own statements run for. */
export interface KyselyRunOptions {
  readonly transaction: Transaction | null
  readonly context: RequestContext | null
  /** Counts and reports the statements that run. Default: none. */
  readonly watch?: StatementWatch
}

/**
 * Returns a Kysely instance for the application's own statements. In a transaction they run on its connection, and a
 * transaction begun there is a savepoint. Outside of a transaction each statement runs in autocommit mode.
 */
export function kyselyOn(driver: SqlDriver, options: KyselyRunOptions): SqlBuilder {
  const { transaction } = options
  const kyselyDriver =
    transaction === null ? autocommitDriver(driver, options) : transactionDriver(driver, transaction, options)
  const dialect: Dialect = { ...driver.dialect.kysely, createDriver: () => kyselyDriver }
  const executor = trackedExecutor(new Kysely<AnyDatabase>({ dialect }).getExecutor())
  return new Kysely({ config: { dialect }, dialect, driver: kyselyDriver, executor })
}

/** Returns a Kysely driver that runs all statements on the connection of one transaction. */
function transactionDriver(driver: SqlDriver, transaction: Transaction, options: KyselyRunOptions): Driver {
  const { watch = statementWatch(driver.dialect.name) } = options
  const { connection, session } = sqlTransactionOf(transaction)
  const connect = (): DatabaseConnection =>
    kyselyConnection(driver.dialect, (statement) => {
      const run = (): Promise<SqlResult> => watch.run(statement, options, () => connection.run(statement, options))
      // Waits for a write of the store: inside its savepoint, the statement would be rolled back with it.
      return session.isIdle() ? run() : session.exclusively(run)
    })
  return {
    ...unmanaged,
    ...transactionMethods,
    acquireConnection: async () => connect(),
    beginTransaction: (at, settings) => beginInRequest(at, { driver, session }, settings),
  }
}

/**
 * Returns a Kysely driver that runs each statement in autocommit mode, and each transaction on a separate connection.
 */
function autocommitDriver(driver: SqlDriver, options: KyselyRunOptions): Driver {
  const { dialect } = driver
  const { watch = statementWatch(dialect.name) } = options
  const rethrowingFaults = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (thrown) {
      return rethrowFault(thrown, driver)
    }
  }
  const connect = (): DatabaseConnection => {
    const connection = kyselyConnection(dialect, (statement, readsOnly) => {
      const session = sessionAt(connection)
      if (session === null && !readsOnly) expectNoTransaction(driver)
      const run = (): Promise<SqlResult> =>
        session?.run(statement, options) ?? runAutocommit(driver, options, { statement, readsOnly })
      return rethrowingFaults(() => watch.run(statement, options, run))
    })
    return connection
  }
  const begin = async (statement: string): Promise<SqlSession> => {
    const session = sqlSession(await driver.hold(options), dialect, watch)
    try {
      await session.begin(statement, options)
    } catch (thrown) {
      await session.rollback()
      throw thrown
    }
    return session
  }
  return {
    ...unmanaged,
    ...transactionMethods,
    acquireConnection: async () => connect(),
    async beginTransaction(at, settings) {
      if (currentTransaction(driver) !== null) throw new Error(outsideRequestTransaction)
      await rethrowingFaults(() =>
        beginTopLevel(
          at,
          { driver, begin: () => begin(dialect.transactions.begin(settings.isolationLevel, settings.accessMode)) },
          settings,
        ),
      )
    },
    commitTransaction: (at) => rethrowingFaults(() => transactionMethods.commitTransaction(at)),
  }
}

const unmanaged: Pick<Driver, 'init' | 'destroy' | 'releaseConnection'> = {
  init: nothing,
  destroy: nothing,
  releaseConnection: nothing,
}

/**
 * Throws if the running code is part of a transaction, which a write outside of it would wait for forever: on SQLite
 * always, on PostgreSQL for a row that the transaction has locked.
 */
function expectNoTransaction(driver: SqlDriver): void {
  if (currentTransaction(driver) !== null) throw new Error(outsideRequestTransaction)
  if (enclosingSession(driver) !== null) throw new Error(outsideKyselyTransaction)
}

const outsideRequestTransaction =
  'This statement would run outside the transaction that the running code is part of: within a request, use context.db.'

const outsideKyselyTransaction =
  'This statement would run outside the transaction that the running code is part of: use the transaction that Kysely passes to the callback.'

async function runAutocommit(
  driver: SqlDriver,
  options: RunOptions,
  { statement, readsOnly }: { readonly statement: SqlStatement; readonly readsOnly: boolean },
): Promise<SqlResult> {
  if (readsOnly) return driver.read(statement, options)
  // The statement commits by itself: nothing after it can roll it back.
  markCommitted(options.context)
  const held = await driver.hold(options)
  try {
    const result = await held.run(statement)
    await held.recordPosition?.(options.context)
    held.release(false)
    return result
  } catch (thrown) {
    held.release(driver.faultOf(thrown)?.kind === 'unavailable')
    throw thrown
  }
}

/** Returns a Kysely connection that runs its queries with the given function. */
function kyselyConnection(
  dialect: SqlDialect,
  run: (statement: SqlStatement, readsOnly: boolean) => Promise<SqlResult>,
): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { kind } = query.query
      const values = query.parameters.map(dialect.values.ofApplication)
      // The `with` clause of a query may write.
      const readsOnly = kind === 'SelectQueryNode' && !('with' in query.query && query.query.with !== undefined)
      const { columns, rows, changes, insertId } = await run(unnamed(query.sql, values), readsOnly)
      return {
        rows: rows.map((row) => rowObject(columns, row) as Row),
        ...(writes.has(kind) && { numAffectedRows: BigInt(changes) }),
        ...(kind === 'InsertQueryNode' && insertId !== undefined && { insertId: BigInt(insertId) }),
      }
    },
    streamQuery() {
      throw new Error(
        'This database handle does not support streaming: execute the query, or use the connection of the client library.',
      )
    },
  }
}

const writes: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

async function nothing(): Promise<void> {}
