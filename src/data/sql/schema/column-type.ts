import type { ComparedAs, StorageType } from '../../../resource/fields/value-kind.js'

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

/** Returns how a column is compared if no attribute defines it. */
export function defaultComparison(type: ColumnType): ComparedAs {
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'real':
    case 'decimal':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
    case 'date':
    case 'time':
      return 'moment'
    case 'json':
    case 'list':
      return 'json'
    default:
      return 'text'
  }
}

export const numericTypes: ReadonlySet<ColumnType> = typesComparedAs('number')

export const momentTypes: ReadonlySet<ColumnType> = typesComparedAs('moment')

function typesComparedAs(comparedAs: ComparedAs): ReadonlySet<ColumnType> {
  return new Set(columnTypes.filter((type) => defaultComparison(type) === comparedAs))
}

/**
 * The column types whose values a kind shows, writes, compares and sorts, by the type that the kind stores. Text kinds
 * without a format fit every column: they show the text that the database displays.
 */
export type Fitting = Readonly<Record<Exclude<StorageType, 'text'>, ReadonlySet<ColumnType>>>

export function columnTypeSet(...names: readonly ColumnType[]): ReadonlySet<ColumnType> {
  return new Set(names)
}
