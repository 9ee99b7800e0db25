import type { RawBuilder } from 'kysely'
import type { DatePart } from '../../../declare/resource/aggregates/compiled-aggregate.js'
import type { ColumnType } from '../schema/column-type.js'

type Expression = RawBuilder<unknown>

/** The spelling of groups and of their measures. */
export interface GroupSpelling {
  /** The day of a date or an instant, in UTC, in the form that `part` takes; null for values that are neither. */
  readonly day: (reference: Expression, type: ColumnType) => Expression
  /** The part of a day as text; null for days before the year 1 and after the year 9999. */
  readonly part: (day: Expression, part: DatePart) => Expression
  /** The sum of whole numbers. */
  readonly wholeSum: SummedNumbers
  /** The sum, and the average, of any numbers, with at least 15 digits: one column that is a double. */
  readonly sum: (numbers: Expression) => Expression
  readonly average: (numbers: Expression, isWhole: boolean) => Expression
}

/** A sum that is selected in one or several columns. Sums are ordered by these columns. */
export interface SummedNumbers {
  readonly columns: (numbers: Expression) => readonly Expression[]
  /** How a column is selected: as text, of which no driver loses digits. */
  readonly select: (column: Expression) => Expression
  /** Returns the sum with all its digits; `null` if there were no numbers. */
  readonly decode: (columns: readonly unknown[]) => bigint | null
}
