import type { PostgresDriver } from '../driver/postgres/postgres-driver.js'
import type { SqlResult, SqlStatement } from '../driver/sql-driver.js'

/** How many milliseconds a database may take to say where it is. */
const limit = 2000

/** Asks a database. Rejects if there is no result in time, be it that there is no connection, or that nothing responds. */
export function askWithin(driver: PostgresDriver, statement: SqlStatement): Promise<SqlResult> {
  return new Promise((resolve, reject) => {
    // If this process was busy for so long, the result may be there already: the next step of the event loop reads it.
    const giveUp = (): unknown => setImmediate(() => reject(new Error(`It has not responded within ${limit} ms.`)))
    const timer = setTimeout(giveUp, limit)
    const end = (): void => clearTimeout(timer)
    driver.ask(statement, limit).finally(end).then(resolve, reject)
  })
}
