/** The part of a date, in UTC, by which an aggregate groups rows. Weeks are those of ISO 8601. */
export type DatePart = 'year' | 'quarter' | 'month' | 'week' | 'day'

/** How a measure is computed. `count` without a field counts rows; all others ignore null. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** A field by which an aggregate groups the rows of its type. */
export interface AggregateGroup {
  readonly name: string
  /** The attribute or the to-one relation of the type. */
  readonly field: string
  /** `null` for the value itself. */
  readonly part: DatePart | null
  readonly description: string | null
}

/** A field that an aggregate computes for each group. */
export interface AggregateMeasure {
  readonly name: string
  readonly function: AggregateFunction
  /** The attribute of the type; `null` for the number of rows. */
  readonly field: string | null
  readonly description: string | null
}

/** An aggregate of a type, compiled once at build. */
export interface CompiledAggregate {
  /** The path segment after `-aggregates`. */
  readonly name: string
  /** The type of its resources, each of which is one group of rows. */
  readonly type: string
  readonly groups: readonly AggregateGroup[]
  readonly measures: readonly AggregateMeasure[]
  /** Groups of fewer rows are left out. */
  readonly minGroupSize: number
  readonly pages: { readonly size: number; readonly maxSize: number }
  readonly description: string | null
}

/** The path segment before the name of an aggregate. It is never an id. */
export const aggregateSegment = '-aggregates'

/** Returns the type of the resources of an aggregate. */
export function aggregateType(owner: string, name: string): string {
  return `${owner}-${name}`
}
