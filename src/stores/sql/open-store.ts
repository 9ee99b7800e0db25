import type { Transaction } from '../../declare/resource/request/transactions.js'
import { requestTraces } from '../../core/http/request-trace.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { OperationKind, RequestContext } from '../../declare/resource/request/request-context.js'
import { hasCommitted } from './driver/committed-requests.js'
import type { DriverOptions } from './driver/driver-of.js'
import { rethrowFault, rethrowRequestFault } from './driver/rethrow-fault.js'
import type { SqlDriver } from './driver/sql-driver.js'
import type { SqlResult, SqlStatement } from './driver/sql-statement.js'
import type { ReadReplicas } from './replicas/read-replicas.js'
import type { InstantNotation } from './schema/instant-notation.js'
import type { ResolvedTables } from './schema/resolve-tables.js'
import { readTables } from './schema/resolve-tables.js'
import type { SqlTables } from './schema/sql-table.js'
import type { ColumnNaming, TableModel } from './schema/table-model.js'
import type { StoreDeclarations } from './schema/wanted-tables.js'
import type { SqlRunOptions, SqlStore } from './sql-store.js'
import type { SlowStatementSettings, StatementReport, StatementWatch } from './statement/ran-statement.js'
import type { SqlBuilder } from './statement/sql-builder.js'
import { sqlBuilder } from './statement/sql-builder.js'
import { statementCache } from './statement/statement-cache.js'
import { kyselyOn } from './transactions/kysely-on.js'
import type { SqlTransactionOptions, SqlTransactions } from './transactions/sql-transactions.js'
import { defaultRetries, retryPause, sqlTransactionOf } from './transactions/sql-transactions.js'

export interface StoreParts {
  readonly driver: SqlDriver
  /** The read replicas for requests that only read; null if there are none. */
  readonly replicas: Pick<ReadReplicas, 'read'> | null
  readonly transactions: SqlTransactions
  readonly watch: StatementWatch
  readonly declared: Omit<StoreDeclarations, 'types'>
}

export interface StoreOptions {
  /**
   * Join tables, and tables of types whose model is only a name: `model('albums')` refers to the table of that name.
   */
  readonly tables?: readonly TableModel<unknown>[]
  /** The schema of tables that do not name one. Default: the first that the connection searches. */
  readonly schema?: string
  /** The column naming of tables that do not declare one. Default: `same`. */
  readonly naming?: ColumnNaming
  /**
   * How SQLite columns hold instants as text, in tables that do not declare it: the store writes them like this.
   * Default: `YYYY-MM-DDTHH:MM:SS.SSSZ`.
   */
  readonly instants?: InstantNotation
  /** How many statement texts are cached. Default: 500. */
  readonly maxStatements?: number
  /** Called for every statement after it has run, including those that begin and end transactions. */
  readonly onStatement?: StatementReport
  /** Logs statements that take long, without their values. Default: none. */
  readonly slowStatements?: SlowStatementSettings
}

/** A store whose types are registered while servers are built. */
export interface OpenStore extends SqlStore {
  /** Registers a type. */
  addType(type: CompiledType): void
  /** Returns whether a type of that name is registered. */
  hasType(name: string): boolean
  /**
   * Caches the tables that an inspection of some types has read, so that the first request need not read them again.
   * Does nothing if the tables are known already, if some are missing, or if the inspection left out a registered type.
   */
  cacheTables(inspected: readonly CompiledType[], found: ResolvedTables): void
  /** Returns a Kysely instance for the application's own statements. `onStatement` is called for them too. */
  handle(options: SqlRunOptions): SqlBuilder
}

type CacheAndRetries = Pick<
  StoreOptions & DriverOptions & SqlTransactionOptions,
  'maxStatements' | 'prepare' | 'retries'
>

export function openStore(
  { driver, replicas, transactions, watch, declared }: StoreParts,
  { prepare = true, maxStatements = 500, retries = defaultRetries }: CacheAndRetries,
): OpenStore {
  const { schema } = declared
  const builder = sqlBuilder(driver.dialect)
  const types = new Set<CompiledType>()
  let reading: Promise<SqlTables> | null = null
  let cached: SqlTables | null = null
  let staleAt = Infinity

  const watched = (
    statement: SqlStatement,
    runOptions: SqlRunOptions,
    run: () => Promise<SqlResult>,
  ): Promise<SqlResult> => {
    if (watch.hasReports || requestTraces.current() !== undefined) return watch.run(statement, runOptions, run)
    watch.counts.statements += 1
    return run()
  }

  const runRead = (statement: SqlStatement, { transaction, context }: SqlRunOptions): Promise<SqlResult> => {
    if (transaction !== null) return sqlTransactionOf(transaction).connection.run(statement, { context })
    return (replicas !== null && onlyReads(context) ? replicas : driver).read(statement, { context })
  }

  const runWrite = (statement: SqlStatement, open: Transaction, context: RequestContext | null): Promise<SqlResult> =>
    watched(statement, { transaction: open, context }, () =>
      sqlTransactionOf(open).connection.run(statement, { context }),
    )

  /** Reads the tables of all registered types. If some are missing, the result is cached for one second only. */
  async function readAll(): Promise<SqlTables> {
    try {
      const { tables, problems } = await readTables(driver, { types: [...types], ...declared })
      if (problems.length > 0) staleAt = performance.now() + 1000
      return tables
    } catch (thrown) {
      return rethrowFault(thrown, driver)
    }
  }

  return {
    dialect: driver.dialect,
    driver,
    transactions,
    builder,
    statements: statementCache({ size: maxStatements, prepares: prepare, builder }),
    handle(runOptions) {
      const db = kyselyOn(driver, { ...runOptions, watch })
      return schema === null ? db : db.withSchema(schema)
    },
    addType(type) {
      if (types.has(type)) return
      types.add(type)
      // A second server that shares the store may add types, so the tables are read again.
      reading = null
      cached = null
    },
    hasType: (name) => [...types].some(({ type }) => type === name),
    cacheTables(inspected, { tables, problems }) {
      if (reading !== null || problems.length > 0) return
      const all = new Set(inspected)
      if ([...types].some((type) => !all.has(type))) return
      reading = Promise.resolve(tables)
      cached = tables
    },
    knownTables: () => (staleAt === Infinity ? cached : null),
    tables() {
      // A missing table may have been created since. Never read within a transaction, which may hold the only
      // connection.
      if (performance.now() > staleAt && transactions.current() === null) {
        reading = null
        cached = null
        staleAt = Infinity
      }
      // A failed read, as when the database is down, is not cached: the next call reads again.
      const current = (reading ??= readAll().then(
        (tables) => {
          if (reading === current) cached = tables
          return tables
        },
        (thrown: unknown) => {
          if (reading === current) reading = null
          throw thrown
        },
      ))
      return current
    },
    async read(statement, runOptions) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await watched(statement, runOptions, () => runRead(statement, runOptions))
        } catch (thrown) {
          // In a transaction, all of it is retried. If there is one writer, reads have already waited for the lock.
          const isRetried = attempt < retries && runOptions.transaction === null && driver.dialect.can.writeConcurrently
          if (!isRetried || driver.faultOf(thrown)?.kind !== 'conflict') {
            return (runOptions.context === null ? rethrowFault : rethrowRequestFault)(thrown, driver)
          }
        }
        watch.counts.retries += 1
        await retryPause(attempt)
      }
    },
    writeStatement(statement, { transaction, context }) {
      if (transaction !== null)
        return transactions.runStatement(transaction, (open) => runWrite(statement, open, context))
      if (!transactions.allowsAutocommit()) return null
      return watched(statement, { transaction: null, context }, () => driver.write(statement, { context }))
    },
    write(statement, { transaction, context }) {
      const runIn = (open: Transaction): Promise<SqlResult> => runWrite(statement, open, context)
      return transaction === null ? transactions.run(runIn, undefined, context ?? undefined) : runIn(transaction)
    },
  }
}

const reads: ReadonlySet<OperationKind | 'CustomAction'> = new Set([
  'FetchResource',
  'FetchRelated',
  'FetchRelationship',
])

/**
 * Returns whether a request only reads. One that has committed a write reads from the primary database, also after the commit.
 */
function onlyReads(context: RequestContext | null): boolean {
  return context !== null && reads.has(context.operation) && !hasCommitted(context)
}
