import type { ComparedAs, StorageType } from '../../../declare/resource/fields/value-kind.js'

/** The list of column types, to check declarations at run time. */
export const columnTypes = [
  'text',
  'integer',
  'bigint',
  'number',
  'real',
  'decimal',
  'boolean',
  'instant',
  'timestamp',
  'epochSeconds',
  'epochMilliseconds',
  'date',
  'time',
  'json',
  'list',
  'uuid',
  'bytes',
  'other',
] as const

/**
 * The type of a column.
 *
 * - `integer`, `number`: numbers. `real`: a number in a four-byte column of PostgreSQL. `bigint`: integers that a double cannot represent exactly. `decimal`: exact numbers, as text in a row.
 * - `instant`: a point in time, a `Date` in a row. On SQLite stored as text, `2026-01-31T12:00:00.000Z`.
 * - `timestamp`: an instant in a column without a time zone, read as UTC. PostgreSQL only.
 * - `epochSeconds`, `epochMilliseconds`: an instant in a numeric column, counted from 1970.
 * - `date`, `time`: text in a row, `2026-01-31` and `12:00:00`.
 * - `json`: any JSON value. `list`: an array of a PostgreSQL type; JSON on SQLite.
 * - `other`: any other type of the database, compared as text.
 */
export type ColumnType = (typeof columnTypes)[number]

export const numericTypes: ReadonlySet<ColumnType> = columnTypeSet('integer', 'bigint', 'number', 'real', 'decimal')

/** Instants that are numbers to the database. */
export const epochTypes: ReadonlySet<ColumnType> = columnTypeSet('epochSeconds', 'epochMilliseconds')

export const momentTypes: ReadonlySet<ColumnType> = columnTypeSet('instant', 'timestamp', ...epochTypes, 'date', 'time')

/** Returns how a column is compared if no attribute defines it. */
export function defaultComparison(type: ColumnType): ComparedAs {
  if (numericTypes.has(type)) return 'number'
  if (momentTypes.has(type)) return 'moment'
  if (type === 'boolean') return 'boolean'
  return type === 'json' || type === 'list' ? 'json' : 'text'
}

/**
 * The column types whose values a kind shows, writes, compares and sorts, by the type that the kind stores. Text kinds
 * without a format fit every column: they show the text that the database displays.
 */
export type Fitting = Readonly<Record<Exclude<StorageType, 'text'>, ReadonlySet<ColumnType>>>

export function columnTypeSet(...names: readonly ColumnType[]): ReadonlySet<ColumnType> {
  return new Set(names)
}
