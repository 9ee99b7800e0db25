import type { SqlDriver } from './sql-driver.js'

/** Two stores over one database may be parts of one transaction: on SQLite the second would wait for the first for ever. */
export function databaseOf(driver: SqlDriver): object {
  return driver.database ?? driver
}
