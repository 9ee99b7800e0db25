import type { SqlDriver } from '../driver/sql-driver.js'
import { enclosingSession } from './kysely-transactions.js'

/**
 * The driver for work that may be part of a transaction of Kysely. Where the database has but one connection, what such work
 * reads without it is part of it, as it is of the transactions of requests: it would wait for ever for the work to end.
 */
export function readingWithin(driver: SqlDriver): SqlDriver {
  if (driver.engine !== 'sqlite') return driver
  return Object.freeze<SqlDriver>({
    ...driver,
    read(statement, occasion) {
      const session = enclosingSession(driver)
      return session?.isOnly === true ? session.run(statement, occasion) : driver.read(statement, occasion)
    },
  })
}
