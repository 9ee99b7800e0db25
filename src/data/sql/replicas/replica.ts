import type { LimitedDriver } from '../driver/sql-driver.js'
import type { RunOptions, SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { LogPosition, PrimaryPositions } from './primary-positions.js'
import { logOf, pollDatabase } from './primary-positions.js'

/** A read replica and its known state. Times are those of `performance.now()`. */
export interface Replica {
  readonly driver: LimitedDriver
  /** How far it has replayed the log of the primary database; null if that is unknown. */
  readonly position: LogPosition | null
  /** The time of the last poll. */
  readonly polledAt: number
  /** The time up to which it is known to have all commits. */
  readonly freshAt: number
  /** The error because of which it is not used; null if it is used. */
  readonly problem: unknown
  /** Returns whether it should be polled: it has no problem, or the pause after its failure is over. */
  isPollDue(now: number): boolean
  /** Queries its position. Never rejects. Concurrent calls share one query. */
  poll(): Promise<void>
  /** Runs a read on the replica. Rejects immediately if a poll shows that the replica does not respond. */
  read(statement: SqlStatement, options: RunOptions): Promise<SqlResult>
}

/** How long a failed replica is not polled, in milliseconds. */
const pauseAfterFailure = 5000

/** How often a replica is polled while reads wait for it, in milliseconds. */
const watchInterval = 1000

export function replicaOn(driver: LimitedDriver, primary: PrimaryPositions): Replica {
  const log = logOf(driver)
  let position: LogPosition | null = null
  let polledAt = -Infinity
  let freshAt = -Infinity
  let problem: unknown = null
  let pausedUntil = -Infinity
  let polling: Promise<void> | null = null

  /** The reads that are running. */
  const reads = new Set<(thrown: unknown) => void>()

  const exclude = (thrown: unknown): void => {
    problem = thrown
    pausedUntil = performance.now() + pauseAfterFailure
    for (const reject of reads) reject(thrown)
  }

  let isWatched = false
  /** Polls at intervals while there are reads. One timer serves all reads, and stops after the last one. */
  const watch = (): void => {
    if (isWatched) return
    isWatched = true
    const check = (): void => {
      isWatched = false
      if (reads.size === 0) return
      void poll()
      watch()
    }
    setTimeout(check, watchInterval).unref()
  }

  const poll = (): Promise<void> => (polling ??= pollNow())

  async function pollNow(): Promise<void> {
    polledAt = performance.now()
    try {
      const [row] = (await pollDatabase(driver, log.replayed)).rows
      // It may have been promoted, and then has another history than the primary database.
      if (row?.[0] !== true) throw new Error(log.notReplica)
      position = log.readPosition(row[1])
      freshAt = position === null ? -Infinity : primary.timeOf(position)
      problem = null
    } catch (thrown) {
      exclude(thrown)
    } finally {
      polling = null
    }
  }

  return {
    driver,
    get position() {
      return position
    },
    get polledAt() {
      return polledAt
    },
    get freshAt() {
      return freshAt
    },
    get problem() {
      return problem
    },
    isPollDue: (now) => problem === null || now >= pausedUntil,
    poll,
    read: (statement, options) =>
      new Promise((resolve, reject) => {
        reads.add(reject)
        watch()
        const end = (): unknown => reads.delete(reject)
        driver.read(statement, options).finally(end).then(resolve, reject)
      }),
  }
}
