import type { Kysely } from 'kysely'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { DataSource } from '../data-source.js'
import { checkComputed } from './check-computed.js'
import { checkExpressions } from './check-expressions.js'
import type { SqlDatabase } from './driver/driver-of.js'
import { driverOf } from './driver/driver-of.js'
import { inspectDatabase } from './inspect-database.js'
import { openStore } from './open-store.js'
import { sqlProvider } from './query/sql-provider.js'
import { servedTypes } from './schema/wanted-tables.js'
import type { SqlDataOptions } from './sql-data-options.js'
import { checkOptions } from './sql-data-options.js'
import { readingWithin } from './transactions/reading-within.js'
import { sqlTransactions } from './transactions/sql-transactions.js'
import { sqlPersister } from './write/sql-persister.js'

/**
 * A store in an SQL database.
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
export interface SqlData<Tables = unknown> extends DataSource {
  /**
   * For statements of your own outside of requests: migrations, workers, scripts. They wait for their turn as those of
   * requests do. Within the transaction of a request it only reads: whatever writes there is told to use `context.db`.
   */
  readonly db: Kysely<Tables>
  /**
   * Closes what the store has opened itself: the connection that it reads on beside an SQLite database. It is opened again
   * where a request still comes. The database stays its owner's.
   */
  close(): void
}

/**
 * Keeps the rows of types in tables of a PostgreSQL or SQLite database, which stays its owner's: nobody closes it here.
 *
 * @example
 * ```ts
 * import { sqlData } from 'ashlar/sql'
 * import { Pool } from 'pg'
 *
 * const data = sqlData(new Pool({ connectionString: process.env['DATABASE_URL'] }), { naming: 'snake_case' })
 * ```
 *
 * @typeParam Tables the tables as `db` knows them, which is a Kysely instance
 * @param database a `Pool` of `pg`, or an SQLite database that `node:sqlite`, `@photostructure/sqlite` or `better-sqlite3` has opened
 */
export function sqlData<Tables = unknown>(database: SqlDatabase, options: SqlDataOptions = {}): SqlData<Tables> {
  checkOptions(options)
  const driver = readingWithin(driverOf(database, options))
  const { tables: models = [], naming = 'same', schema = null } = options
  const transactions = sqlTransactions(driver, options)
  // The reader is one of the primary database.
  const { reader: _reader, ...alike } = options
  const replica = options.replica === undefined ? null : driverOf(options.replica, alike)
  if (replica !== null && replica.engine !== driver.engine) {
    throw new TypeError("sqlData() takes as 'replica' a database of the same kind as the first.")
  }
  const store = openStore({ driver, replica, transactions }, options)
  const [provider, persister] = [sqlProvider(store), sqlPersister(store)]
  const known = (type: CompiledType): boolean => {
    if (servedTypes({ types: [type], models }).length === 0) return false
    store.learn(type)
    return true
  }
  return Object.freeze<SqlData<Tables>>({
    name: driver.engine,
    db: store.handle({ transaction: null, context: null }) as Kysely<Tables>,
    provider: (type) => (known(type) ? provider : null),
    persister: (type) => (known(type) ? persister : null),
    transactions: {
      async run(work, outer) {
        // Nobody reads the tables once a transaction has the connection: there may be one only.
        await store.tables()
        return transactions.run(work, outer)
      },
    },
    handle: (transaction, context) => store.handle({ transaction, context }),
    check: (types) => [
      ...checkExpressions(servedTypes({ types, models })),
      ...checkComputed({ types, models, naming, schema }),
    ],
    inspect: (types, occasion) => inspectDatabase({ driver, replica }, { types, models, naming, schema }, occasion),
    close() {
      driver.close?.()
      replica?.close?.()
    },
  })
}
