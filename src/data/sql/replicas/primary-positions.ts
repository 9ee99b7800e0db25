import type { PostgresDriver } from '../dialect/postgres/driver/postgres-driver.js'
import { pollDatabase } from './poll-database.js'
import { readPosition, type WalPosition } from './wal-position.js'

/** The positions of the log of the primary database over time, to compute the lag of replicas. */
export interface PrimaryPositions {
  /** Whether the primary database did not respond to the last query. */
  readonly isDown: boolean
  /** Queries the current position. Never rejects. Concurrent calls share one query. */
  sample(): Promise<void>
  /** Returns the last time at which the log had not passed a position; `-Infinity` if that is unknown. */
  timeOf(position: WalPosition): number
}

/** The end of the written log. Unlike the insert position, it is never beyond the last record. */
const statement = Object.freeze({ sql: 'select pg_current_wal_lsn()::text', values: [], name: null })

/** @param retention how long a position is needed, in milliseconds */
export function primaryPositions(driver: PostgresDriver, retention: number): PrimaryPositions {
  let samples: readonly { readonly at: number; readonly position: WalPosition }[] = []
  let isDown = false
  let sampling: Promise<void> | null = null

  async function takeSample(): Promise<void> {
    // Everything committed before this time is at the position, or before it.
    const at = performance.now()
    try {
      const { rows } = await pollDatabase(driver, statement)
      const position = readPosition(rows[0]?.[0])
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
