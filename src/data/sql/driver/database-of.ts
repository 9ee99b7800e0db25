import type { SqlDriver } from './sql-driver.js'

/**
 * Returns the object that identifies the database of a driver. Two stores on one database share a transaction: on
 * SQLite the second would otherwise wait forever for the first.
 */
export function databaseOf(driver: SqlDriver): object {
  return driver.database ?? driver
}
