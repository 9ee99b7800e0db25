import type { LimitedDriver } from '../driver/sql-driver.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'

/** How many milliseconds a database may take to return its position. */
const limit = 2000

/** Runs a statement on a database. Rejects if there is no result in time, including the wait for a connection. */
export function pollDatabase(driver: LimitedDriver, statement: SqlStatement): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    // If this process was busy, the result may have arrived already: the next step of the event loop reads it.
    const giveUp = (): unknown => setImmediate(() => reject(new Error(`It has not responded within ${limit} ms.`)))
    const timer = setTimeout(giveUp, limit)
    const end = (): void => clearTimeout(timer)
    driver.runWithin(statement, limit).finally(end).then(resolve, reject)
  })
}
