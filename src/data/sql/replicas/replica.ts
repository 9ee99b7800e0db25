import type { PostgresDriver } from '../driver/postgres/postgres-driver.js'
import type { RunOptions, SqlResult, SqlStatement } from '../driver/sql-driver.js'
import { askWithin } from './ask-within.js'
import type { PrimaryPositions } from './primary-positions.js'
import { readPosition, type WalPosition } from './wal-position.js'

/** A read replica and its known state. Times are those of `performance.now()`. */
export interface Replica {
  readonly driver: PostgresDriver
  /** How far it has replayed the log of the primary database; null if that is unknown. */
  readonly position: WalPosition | null
  /** The time of the last poll. */
  readonly askedAt: number
  /** The time up to which it is known to have all commits. */
  readonly freshAt: number
  /** The error because of which it is not used; null if it is used. */
  readonly problem: unknown
  /** Returns whether it should be polled: it has no problem, or the pause after its failure is over. */
  isWorthAsking(now: number): boolean
  /** Queries its position. Never rejects. Concurrent calls share one query. */
  ask(): Promise<void>
  /** Runs a read on the replica. Rejects immediately if a poll shows that the replica does not respond. */
  read(statement: SqlStatement, options: RunOptions): Promise<SqlResult>
}

/** How long a failed replica is not polled, in milliseconds. */
const pauseAfterFailure = 5000

/** How often a replica is polled while reads wait for it, in milliseconds. */
const watchInterval = 1000

/** A server in recovery replays the log of another one. */
const question = Object.freeze({
  sql: 'select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text',
  values: [],
  name: null,
})

export function replicaOn(driver: PostgresDriver, primary: PrimaryPositions): Replica {
  let position: WalPosition | null = null
  let askedAt = -Infinity
  let freshAt = -Infinity
  let problem: unknown = null
  let outUntil = -Infinity
  let asking: Promise<void> | null = null

  /** The reads that are running. */
  const reads = new Set<(thrown: unknown) => void>()

  const takeOut = (thrown: unknown): void => {
    problem = thrown
    outUntil = performance.now() + pauseAfterFailure
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
      void ask()
      watch()
    }
    setTimeout(check, watchInterval).unref()
  }

  const ask = (): Promise<void> => (asking ??= askNow())

  async function askNow(): Promise<void> {
    askedAt = performance.now()
    try {
      const [row] = (await askWithin(driver, question)).rows
      // It may have been promoted, and then has another history than the primary database.
      if (row?.[0] !== true) throw new Error('The server is not in recovery, so it is not a replica.')
      position = readPosition(row[1])
      freshAt = position === null ? -Infinity : primary.timeOf(position)
      problem = null
    } catch (thrown) {
      takeOut(thrown)
    } finally {
      asking = null
    }
  }

  return {
    driver,
    get position() {
      return position
    },
    get askedAt() {
      return askedAt
    },
    get freshAt() {
      return freshAt
    },
    get problem() {
      return problem
    },
    isWorthAsking: (now) => problem === null || now >= outUntil,
    ask,
    read: (statement, options) =>
      new Promise((resolve, reject) => {
        reads.add(reject)
        watch()
        const end = (): unknown => reads.delete(reject)
        driver.read(statement, options).finally(end).then(resolve, reject)
      }),
  }
}
