import type { ColumnType } from './column-type.js'

/** The number of decimal digits that a double always represents exactly. */
const EXACT_DIGITS = 15

/** The number of digits of a second that a `Date` has. */
const DATE_DIGITS = 3

/**
 * Returns whether a PostgreSQL column may hold more digits than attributes show: microseconds, or more digits than a double has.
 *
 * @param databaseType the type as the database spells it: `numeric(8,2)`, `timestamp(3) with time zone`
 */
export function mayBeFiner(type: ColumnType, databaseType: string): boolean {
  const digits = Number(/\((\d+)/.exec(databaseType)?.[1] ?? Number.POSITIVE_INFINITY)
  switch (type) {
    case 'instant':
    case 'timestamp':
    case 'time':
      return digits > DATE_DIGITS
    case 'decimal':
      return digits > EXACT_DIGITS
    case 'bigint':
      return true
    default:
      return false
  }
}
