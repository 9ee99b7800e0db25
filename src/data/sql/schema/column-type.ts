/** All there are, for authors whose compiler does not know them. */
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
 * What a column of a table holds.
 *
 * - `integer`, `number`: numbers. `real`: the same in a PostgreSQL column of four bytes. `bigint`: whole numbers beyond what a double holds. `decimal`: exact, as text.
 * - `instant`: a point in time, `Date` in a row. On SQLite text, `2026-01-31T12:00:00.000Z`.
 * - `timestamp`: the same in a column without a zone, which is then UTC. PostgreSQL only.
 * - `epochSeconds`, `epochMilliseconds`: the same in a column of numbers, counted from 1970.
 * - `date`, `time`: text in a row, `2026-01-31` and `12:00:00`.
 * - `json`: any JSON value. `list`: an array of a PostgreSQL type; on SQLite JSON.
 * - `other`: what only the database knows; compared as its text.
 */
export type ColumnType = (typeof columnTypes)[number]
