import type { Kysely } from 'kysely'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { Transactions } from '../../resource/capabilities/transactions.js'
import type { DataSource } from '../data-source.js'
import { observedPersister } from '../observe/observed-persister.js'
import type { ObservableStore } from '../observe/store-events.js'
import { StoreListeners } from '../observe/store-events.js'
import { checkComputed, checkExpressions } from './check-expressions.js'
import type { SqlDatabase } from './driver/driver-of.js'
import { driverOf } from './driver/driver-of.js'
import { defaultIdempotencyTable } from './idempotency/idempotency-table.js'
import { sqlIdempotency } from './idempotency/sql-idempotency.js'
import { inspectDatabase } from './inspect-database.js'
import { openStore } from './open-store.js'
import { sqlProvider } from './query/sql-provider.js'
import { defaultNotation } from './schema/instant-notation.js'
import type { TableName } from './schema/live-schema.js'
import type { ResolvedTables } from './schema/resolve-tables.js'
import { tableName } from './schema/table-model.js'
import { servedTypes } from './schema/wanted-tables.js'
import type { SqlDataOptions } from './sql-data-options.js'
import { checkOptions } from './sql-data-options.js'
import { unwatched, watchedBy } from './statement/ran-statement.js'
import { sqlTransactions } from './transactions/sql-transactions.js'
import { joinsOf } from './write/change-joins.js'
import { sqlPersister } from './write/sql-persister.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { enclosingSession } from './transactions/kysely-transactions.js'

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
 * `better-sqlite3` has opened
 */
export function sqlData<Tables = unknown>(database: SqlDatabase, options: SqlDataOptions = {}): SqlData<Tables> {
  checkOptions(options)
  const driver = withJoinedReads(driverOf(database, options))
  const { types: served, tables: models = [], naming = 'same', instants = defaultNotation, schema = null } = options
  const watched = options.onStatement === undefined ? unwatched : watchedBy(options.onStatement, driver.engine)
  const transactions = sqlTransactions(driver, options, watched)
  // The reader is a connection to the primary database, not to the replica.
  const { reader: _reader, ...replicaOptions } = options
  const replica = options.replica === undefined ? null : driverOf(options.replica, replicaOptions)
  if (replica !== null && replica.engine !== driver.engine) {
    throw new TypeError(
      "The option 'replica' of sqlData() must be a database of the same kind as the primary database.",
    )
  }
  const store = openStore({ driver, replica, transactions, watched }, options)
  const provider = sqlProvider(store)
  const listeners = new StoreListeners()
  const servedTransactions: Transactions = {
    async run(work, outer, context) {
      // Reads the tables first: the transaction may hold the only connection.
      await store.tables()
      return transactions.run(work, outer, context)
    },
  }
  const persister = observedPersister({
    provider,
    persister: sqlPersister(store),
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
    name: driver.engine,
    ...(served === undefined ? {} : { types: served }),
    db: store.handle({ transaction: null, context: null }) as Kysely<Tables>,
    provider: (type) => (serves(type) ? provider : null),
    persister: (type) => (serves(type) ? persister : null),
    transactions: servedTransactions,
    on: listeners.on,
    handle: (transaction, context) => store.handle({ transaction, context }),
    check: (types) => [
      ...checkExpressions(servedTypes({ types, served, models })),
      ...checkComputed({ types, served, models, naming, instants, schema }),
    ],
    idempotency,
    async inspect(types, inspection) {
      const onTables = (found: ResolvedTables): void => store.keepTables(types, found)
      const inspected = new Set(types.map(({ type }) => type))
      const isInspected = (name: string): boolean => inspected.has(name) || !store.hasType(name)
      const waivers = { reasons: options.waive ?? {}, isInspected }
      const declarations = { types, served, models, naming, instants, schema }
      const found = await inspectDatabase({ driver, replica, waivers, onTables }, declarations, inspection)
      const problem = inspection.storesResponses === true ? await idempotency.problem() : null
      return problem === null ? found : { ...found, missing: [...found.missing, problem] }
    },
    async ping(limit) {
      await Promise.all([driver.ping(limit), replica?.ping(limit)])
    },
    pools: () => [driver, replica].flatMap((each) => each?.pool?.() ?? []),
    close() {
      driver.close?.()
      replica?.close?.()
    },
  })
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
  if (driver.engine !== 'sqlite') return driver
  return Object.freeze<SqlDriver>({
    ...driver,
    read(statement, options) {
      const session = enclosingSession(driver)
      return session?.isOnlyConnection === true ? session.run(statement, options) : driver.read(statement, options)
    },
  })
}
