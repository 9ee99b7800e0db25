import { invariant } from '../../../util/invariant.js'
import type { LogRules } from '../dialect/dialect.js'
import type { LimitedDriver, SqlDriver } from '../driver/sql-driver.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'

/** The positions of the log of the primary database over time, to compute the lag of replicas. */
export interface PrimaryPositions {
  /** Whether the primary database did not respond to the last query. */
  readonly isDown: boolean
  /** Queries the current position. Never rejects. Concurrent calls share one query. */
  sample(): Promise<void>
  /** Returns the last time at which the log had not passed a position; `-Infinity` if that is unknown. */
  timeOf(position: LogPosition): number
}

/** @param retention how long a position is needed, in milliseconds */
export function primaryPositions(driver: LimitedDriver, retention: number): PrimaryPositions {
  let samples: readonly { readonly at: number; readonly position: LogPosition }[] = []
  const log = logOf(driver)
  let isDown = false
  let sampling: Promise<void> | null = null

  async function takeSample(): Promise<void> {
    // Everything committed before this time is at the position, or before it.
    const at = performance.now()
    try {
      const { rows } = await pollDatabase(driver, log.written)
      const position = log.readPosition(rows[0]?.[0])
      isDown = false
      if (position !== null) samples = [...samples.filter((each) => each.at > at - retention), { at, position }]
    } catch {
      isDown = true
    } finally {
      sampling = null
    }
  }

  return {
    get isDown() {
      return isDown
    },
    sample: () => (sampling ??= takeSample()),
    timeOf: (position) => samples.findLast((each) => each.position <= position)?.at ?? -Infinity,
  }
}

/** A position in the log of the primary database, which replicas replay. Each write is at a larger one. */
export type LogPosition = bigint

/** Returns how the engine of a database with replicas reads positions. */
export function logOf({ dialect: { log } }: SqlDriver): LogRules {
  invariant(log !== null, 'a database has replicas, but its engine has no log')
  return log
}

const digits = /^[0-9a-f]{1,16}$/

/** Writes a position for clients: `16b374d848`. */
export function positionText(position: LogPosition): string {
  return position.toString(16)
}

/** Parses a position that a client sends back; null for any other text. */
export function parsePosition(text: string): LogPosition | null {
  return digits.test(text) ? BigInt(`0x${text}`) : null
}

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
