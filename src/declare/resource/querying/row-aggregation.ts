import type { AggregateFunction, DatePart } from '../aggregates/compiled-aggregate.js'
import type { QueryColumn, RowCondition } from './row-condition.js'

/** A value by which rows are grouped. All nulls are one value. */
export interface RowGroup {
  readonly column: QueryColumn
  /** The condition that a row must meet to show the value; in other rows it counts as null. `null` if there is none. */
  readonly condition: RowCondition | null
  /**
   * The part of the date, in UTC, which is a text: `1997`, `1997-Q2`, `1997-05`, `1997-W21` (ISO 8601) or `1997-05-21`. It is null for
   * dates before the year 1 and after the year 9999. `null` for the value itself.
   */
  readonly part: DatePart | null
}

/**
 * A value that is computed for each group. Null is ignored, except by the number of rows. Without values, `count` is 0, and all others are
 * null. Texts are compared by code points.
 */
export interface RowMeasure {
  readonly function: AggregateFunction
  /** `null` for the number of rows. */
  readonly column: QueryColumn | null
}

/** One sort key of the groups. Null is the largest value, and text is ordered by code points. */
export interface GroupOrder {
  readonly of: 'group' | 'measure'
  /** The index among the groups or the measures. */
  readonly index: number
  readonly descending: boolean
}

/** Returns whether sums of a column are whole numbers, with all their digits. Others have 15 digits, as `roundedNumber()` returns them. */
export function isWhole({ kind }: QueryColumn): boolean {
  return kind !== null && !kind.isRounded
}

/**
 * Rounds a sum or an average to 15 digits. Every double has these, so that the order in which numbers were added does not show.
 */
export function roundedNumber(value: unknown): number | null {
  if (value === null || value === undefined) return null
  const number = Number(value)
  return Number.isFinite(number) ? Number(number.toPrecision(15)) : number
}

const DAY = 86_400_000

/** Returns the part of a date as stores return it; `null` for dates before the year 1 and after the year 9999. */
export function datePartOf(moment: Date, part: DatePart): string | null {
  const year = moment.getUTCFullYear()
  if (!(year >= 1 && year <= 9999)) return null
  const [day = ''] = moment.toISOString().split('T')
  switch (part) {
    case 'year':
      return day.slice(0, 4)
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.floor(moment.getUTCMonth() / 3) + 1}`
    case 'month':
      return day.slice(0, 7)
    case 'week':
      return weekOf(moment)
    case 'day':
      return day
  }
}

/** A week belongs to the year of its Thursday. */
function weekOf(moment: Date): string {
  const start = Math.floor(moment.getTime() / DAY)
  const thursday = new Date((start - ((((start + 3) % 7) + 7) % 7) + 3) * DAY)
  const [day = ''] = thursday.toISOString().split('T')
  const first = new Date(thursday.getTime())
  first.setUTCMonth(0, 1)
  const week = Math.floor((thursday.getTime() - first.getTime()) / DAY / 7) + 1
  return `${day.slice(0, 4)}-W${String(week).padStart(2, '0')}`
}
