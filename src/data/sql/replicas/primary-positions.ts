import type { LimitedDriver } from '../driver/sql-driver.js'
import { pollDatabase } from './poll-database.js'
import { type LogPosition, logOf } from './log-position.js'

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
