import type { PostgresDriver } from '../driver/postgres/postgres-driver.js'
import { askWithin } from './ask-within.js'
import { readPosition, type WalPosition } from './wal-position.js'

/** Where the log of the primary database was at which time, to tell how far behind a replica is. */
export interface PrimaryPositions {
  /** Whether the primary database did not respond when it was asked last. */
  readonly isDown: boolean
  /** Asks for the present position. Never rejects. Concurrent calls ask once. */
  sample(): Promise<void>
  /** Returns the last time at which the log had not passed a position; `-Infinity` if that is unknown. */
  timeOf(position: WalPosition): number
}

/** The end of what is written. Unlike the insert position, it is never beyond the last record. */
const statement = Object.freeze({ sql: 'select pg_current_wal_lsn()::text', values: [], name: null })

/** @param keptFor how long a position is of interest, in milliseconds */
export function primaryPositions(driver: PostgresDriver, keptFor: number): PrimaryPositions {
  let samples: readonly { readonly at: number; readonly position: WalPosition }[] = []
  let isDown = false
  let sampling: Promise<void> | null = null

  async function ask(): Promise<void> {
    // What is committed before the question is at the position, or before it.
    const at = performance.now()
    try {
      const { rows } = await askWithin(driver, statement)
      const position = readPosition(rows[0]?.[0])
      isDown = false
      if (position !== null) samples = [...samples.filter((each) => each.at > at - keptFor), { at, position }]
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
    sample: () => (sampling ??= ask()),
    timeOf: (position) => samples.findLast((each) => each.position <= position)?.at ?? -Infinity,
  }
}
