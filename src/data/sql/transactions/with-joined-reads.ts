import type { SqlDriver } from '../driver/sql-driver.js'
import { enclosingSession } from './kysely-transactions.js'

/**
 * Returns a driver whose reads join a Kysely transaction that the running code is part of, if the database has only one
 * connection. Such a read would otherwise wait forever for the transaction to end. Reads in transactions of requests do
 * the same.
 */
export function withJoinedReads(driver: SqlDriver): SqlDriver {
  if (driver.engine !== 'sqlite') return driver
  return Object.freeze<SqlDriver>({
    ...driver,
    read(statement, options) {
      const session = enclosingSession(driver)
      return session?.isOnlyConnection === true ? session.run(statement, options) : driver.read(statement, options)
    },
  })
}
