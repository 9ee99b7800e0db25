import type { Kysely } from 'kysely'
import type { Transactions } from '../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DataSource } from '../common/data-source.js'
import { observedPersister } from '../observe/observed-persister.js'
import type { ObservableStore } from '../observe/store-events.js'
import { StoreListeners } from '../observe/store-events.js'
import { checkComputed, checkExpressions } from './check-expressions.js'
import type { SqlDatabase } from './driver/driver-of.js'
import { driverOf, driverOfPool } from './driver/driver-of.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { defaultIdempotencyTable } from './idempotency/idempotency-table.js'
import { sqlIdempotency } from './idempotency/sql-idempotency.js'
import { inspectDatabase } from './inspect-database.js'
import { openStore } from './open-store.js'
import { sqlProvider } from './query/sql-provider.js'
import type { ReadReplicas } from './replicas/read-replicas.js'
import { readReplicas, replicaProblems } from './replicas/read-replicas.js'
import type { ReplicaState, ReplicatedDatabase } from './replicas/replicated-database.js'
import { checkReplicated, defaultMaxLag, isReplicated } from './replicas/replicated-database.js'
import { defaultNotation } from './schema/instant-notation.js'
import type { TableName } from './schema/live-schema.js'
import type { ResolvedTables } from './schema/resolve-tables.js'
import { tableName } from './schema/table-model.js'
import { servedTypes } from './schema/wanted-tables.js'
import type { SqlDataOptions } from './sql-data-options.js'
import { checkOptions } from './sql-data-options.js'
import type { StatementReport } from './statement/ran-statement.js'
import { slowStatementLog, statementWatch } from './statement/ran-statement.js'
import { enclosingSession, kyselyTransactions } from './transactions/kysely-transactions.js'
import { sqlTransactions } from './transactions/sql-transactions.js'
import { joinsOf } from './write/change-joins.js'
import { sqlPersister } from './write/sql-persister.js'

/**
 * A data source that stores resources in an SQL database.
 *
 * @example
 * ```ts
 * import type { SqlData } from 'ashlar/sql'
 *
 * const end = (data: SqlData, database: { close(): void }) => {
 *   data.close()
 *   database.close()
 * }
 * ```
 */
export interface SqlData<Tables = unknown> extends DataSource, ObservableStore {
  /**
   * A Kysely instance for your own statements outside of requests: migrations, workers, scripts. They wait for a
   * connection like the statements of requests. Within the transaction of a request it only reads: a write throws an
   * error that points to `context.db`.
   */
  readonly db: Kysely<Tables>
  /** Returns the known state of each read replica, in the order of `replicas`, for metrics. Empty without replicas. */
  replicas(): readonly ReplicaState[]
  /**
   * Closes the read connection that the store has opened to an SQLite database. A later request opens it again. The
   * database itself stays open: the caller closes it.
   */
  close(): void
}

/**
 * Stores resources in the tables of a PostgreSQL or SQLite database. The store never closes the database: the caller
 * does.
 *
 * @example
 * ```ts
 * import { sqlData } from 'ashlar/sql'
 * import { Pool } from 'pg'
 *
 * const data = sqlData(new Pool({ connectionString: process.env['DATABASE_URL'] }), { naming: 'snake_case' })
 * ```
 *
 * @typeParam Tables the tables of the Kysely instance `db`
 * @param database a `Pool` of `pg`, or an SQLite database that `node:sqlite`, `@photostructure/sqlite` or
 * `better-sqlite3` has opened; or a {@link ReplicatedDatabase}: a `Pool`, and one for each of its read replicas
 */
export function sqlData<Tables = unknown>(
  database: SqlDatabase | ReplicatedDatabase,
  options: SqlDataOptions = {},
): SqlData<Tables> {
  checkOptions(options)
  return sqlDataOn(driversOf(database, options), options)
}

/** Returns a data source over a driver. */
export function sqlDataOn<Tables = unknown>({ driver, replicas }: Drivers, options: SqlDataOptions): SqlData<Tables> {
  const { types: served, tables: models = [], naming = 'same', instants = defaultNotation, schema = null } = options
  const declared = { served, models, naming, instants, schema }
  const watch = statementWatch(driver.dialect.name, reportsOf(options))
  const transactions = sqlTransactions(driver, options, watch)
  const store = openStore({ driver, replicas, transactions, watch, declared }, options)
  const provider = sqlProvider(store)
  const listeners = new StoreListeners()
  const servedTransactions: Transactions = {
    async run(work, outer, context) {
      // Reads the tables first: the transaction may hold the only connection.
      await store.tables()
      return transactions.run(work, outer, context)
    },
    async snapshot(work, context) {
      await store.tables()
      return transactions.snapshot(work, context)
    },
  }
  const persister = observedPersister({
    provider,
    persister: sqlPersister(store, listeners),
    transactions: servedTransactions,
    current: () => transactions.current(),
    joinRows: (relation, owner, write) => joinsOf(store, relation, owner, write),
    listeners,
  })
  const idempotency = sqlIdempotency(store, {
    table: idempotencyTableOf(options),
    hasLocks: options.advisoryLocks ?? true,
  })
  const serves = (type: CompiledType): boolean => {
    if (servedTypes({ types: [type], served, models }).length === 0) return false
    store.addType(type)
    return true
  }
  return Object.freeze<SqlData<Tables>>({
    name: driver.dialect.name,
    ...(served === undefined ? {} : { types: served }),
    db: store.handle({ transaction: null, context: null }) as Kysely<Tables>,
    provider: (type) => (serves(type) ? provider : null),
    persister: (type) => (serves(type) ? persister : null),
    transactions: servedTransactions,
    on: listeners.on,
    handle: (transaction, context) => store.handle({ transaction, context }),
    check: (types) => [
      ...listeners.check(servedTypes({ types, ...declared })),
      ...checkExpressions(servedTypes({ types, ...declared })),
      ...checkComputed({ types, ...declared }),
    ],
    idempotency,
    async inspect(types, inspection) {
      const onTables = (found: ResolvedTables): void => store.cacheTables(types, found)
      const inspected = new Set(types.map(({ type }) => type))
      const isInspected = (name: string): boolean => inspected.has(name) || !store.hasType(name)
      const waivers = { reasons: options.waive ?? {}, isInspected }
      const inspectedStore = { driver, replicas, waivers, onTables }
      const found = await inspectDatabase(inspectedStore, { types, ...declared }, inspection)
      const problem = inspection.storesResponses === true ? await idempotency.problem() : null
      return problem === null ? found : { ...found, missing: [...found.missing, problem] }
    },
    // Requests that only read are served as long as one of the databases responds.
    ping: (limit) => pingAny([driver, ...(replicas?.drivers ?? [])], limit),
    pools: () => [driver, ...(replicas?.drivers ?? [])].flatMap((each) => each.pool?.() ?? []),
    replicas: () => replicas?.states() ?? [],
    ...(replicas === null
      ? null
      : { positions: replicas.positions, pingReplicas: () => pingReplicas(replicas, driver) }),
    stats: () => ({ ...watch.counts, caches: [{ name: 'statements', ...store.statements.state() }] }),
    close() {
      driver.close?.()
    },
  })
}

function reportsOf({ onStatement, slowStatements }: SqlDataOptions): readonly StatementReport[] {
  return [
    ...(onStatement === undefined ? [] : [onStatement]),
    ...(slowStatements === undefined ? [] : [slowStatementLog(slowStatements)]),
  ]
}

/** The driver of a database, and its read replicas. */
export interface Drivers {
  readonly driver: SqlDriver
  readonly replicas: ReadReplicas | null
}

function driversOf(database: SqlDatabase | ReplicatedDatabase, options: SqlDataOptions): Drivers {
  if (!isReplicated(database)) return { driver: withJoinedReads(driverOf(database, options)), replicas: null }
  checkReplicated(database)
  if (database.replicas.length === 0) return { driver: driverOf(database.primary, options), replicas: null }
  const reached = new WeakMap<object, bigint>()
  const driver = driverOfPool(database.primary, {
    ...options,
    onCommit(request, position) {
      if (position !== null) reached.set(request, position)
    },
  })
  const replicas = database.replicas.map((pool) => driverOfPool(pool, options))
  const { maxLag = defaultMaxLag } = database
  return { driver, replicas: readReplicas({ primary: driver, replicas, maxLag, reached }) }
}

/** Rejects with the error of the first driver if none of them responds. */
async function pingAny(drivers: readonly SqlDriver[], limit: number): Promise<void> {
  const pings = drivers.map((driver) => driver.ping(limit))
  await Promise.any(pings).catch(() => pings[0])
}

async function pingReplicas(replicas: ReadReplicas, { dialect }: SqlDriver): Promise<void> {
  const problems = replicaProblems(await replicas.poll(), dialect)
  if (problems.length > 0) throw new Error(problems.join(' '))
}

function idempotencyTableOf({ idempotencyTable = defaultIdempotencyTable, schema }: SqlDataOptions): TableName {
  const named = tableName(idempotencyTable)
  return { ...named, schema: named.schema ?? schema ?? null }
}

/**
 * Returns a driver whose reads join a Kysely transaction that the running code is part of, if the database has only one
 * connection. Such a read would otherwise wait forever for the transaction to end. Reads in transactions of requests do
 * the same.
 */
function withJoinedReads(driver: SqlDriver): SqlDriver {
  if (driver.dialect.can.writeConcurrently) return driver
  return Object.freeze<SqlDriver>({
    ...driver,
    read(statement, options) {
      // Most code runs in no transaction of Kysely.
      const session = kyselyTransactions.current() === undefined ? null : enclosingSession(driver)
      return session?.isOnlyConnection === true ? session.run(statement, options) : driver.read(statement, options)
    },
  })
}
