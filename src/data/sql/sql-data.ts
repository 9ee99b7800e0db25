import type { CompiledType } from '../../resource/compiled-type.js'
import type { DataSource } from '../data-source.js'
import { checkExpressions } from './check-expressions.js'
import type { DriverOptions, SqlDatabase } from './driver/driver-of.js'
import { driverOf } from './driver/driver-of.js'
import { inspectDatabase } from './inspect-database.js'
import type { StoreOptions } from './open-store.js'
import { openStore } from './open-store.js'
import { sqlProvider } from './query/sql-provider.js'
import { isTableModel } from './schema/table-model.js'
import type { SqlTransactionOptions } from './transactions/sql-transactions.js'
import { sqlTransactions } from './transactions/sql-transactions.js'
import { sqlPersister } from './write/sql-persister.js'

export interface SqlDataOptions extends StoreOptions, SqlTransactionOptions, DriverOptions {
  /** Another server with the same rows, a little behind: requests that only read are sent there. */
  readonly replica?: SqlDatabase
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
 * @param database a `Pool` of `pg`, or an SQLite database that `node:sqlite`, `@photostructure/sqlite` or `better-sqlite3` has opened
 */
export function sqlData(database: SqlDatabase, options: SqlDataOptions = {}): DataSource {
  const driver = driverOf(database, options)
  const named = new Set(options.tables?.map(({ name }) => name))
  const transactions = sqlTransactions(driver, options)
  // The reader is one of the primary database.
  const { reader: _reader, ...alike } = options
  const replica = options.replica === undefined ? null : driverOf(options.replica, alike)
  const store = openStore({ driver, replica, transactions }, options)
  const [provider, persister] = [sqlProvider(store), sqlPersister(store)]
  const serves = ({ model }: CompiledType): boolean => model !== null && (isTableModel(model) || named.has(model.name))
  const known = (type: CompiledType): boolean => {
    if (!serves(type)) return false
    store.learn(type)
    return true
  }
  return Object.freeze<DataSource>({
    name: driver.engine,
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
    check: (types) => checkExpressions(types.filter(serves)),
    inspect: (types, occasion) => {
      const { tables: models = [], naming = 'same', schema = null } = options
      return inspectDatabase({ driver, replica }, { types, models, naming, schema }, occasion)
    },
  })
}
