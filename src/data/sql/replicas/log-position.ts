import { invariant } from '../../../util/invariant.js'
import type { LogRules } from '../dialect/dialect.js'
import type { SqlDriver } from '../driver/sql-driver.js'

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
