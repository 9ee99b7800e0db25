import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from '../schema/column-type.js'

/** How a column stores its values. */
export interface ReadColumn {
  readonly type: ColumnType
  readonly isUniform: boolean
  readonly engine: EngineName
  readonly fine: boolean
}

type ReadAs = (reference: RawBuilder<unknown>, column: ReadColumn) => RawBuilder<unknown>

/** Converts text to a number; null for other text, because a cast of it would fail the whole statement. */
const numberIn = (reference: RawBuilder<unknown>, engine: EngineName): RawBuilder<unknown> =>
  engine === 'postgres'
    ? sql`case when ${reference}::text ~ '^\\s*[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?\\s*$' then ${reference}::text::numeric end`
    : sql`case when json_type(case when json_valid(ltrim(trim(${reference}), '+')) then ltrim(trim(${reference}), '+') end) in ('integer', 'real') then nullif(nullif(cast(${reference} as numeric), 9e999), -9e999) end`

/** Matches only days that exist: another day would fail the whole statement on PostgreSQL. */
const day = `(?!0000)(\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`
const hour = `(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.]\\d+)?)?`
const zone = `(?:Z|[+-](?:0\\d|1[0-4]):?[0-5]\\d)`

const patterns = Object.freeze({
  moment: sql.lit(`^${day}(?:[T ]${hour}${zone}?)?$`),
  zoned: sql.lit(`${zone}$`),
  time: sql.lit(`^${hour}$`),
})

/** Converts text to a moment. Without a time zone it is UTC, and a time without a day is on 1970-01-01. */
const momentIn = (reference: RawBuilder<unknown>, engine: EngineName): RawBuilder<unknown> => {
  if (engine === 'sqlite') {
    return sql`case when ${reference} glob '[0-9][0-9]:*' then strftime('%Y-%m-%dT%H:%M:%fZ', '1970-01-01T' || ${reference}) when date(substr(${reference}, 1, 10)) = substr(${reference}, 1, 10) and ${reference} > '0001' then strftime('%Y-%m-%dT%H:%M:%fZ', ${reference}) end`
  }
  const text = sql`${reference}::text`
  const utc = sql`case when ${text} ~ ${patterns.zoned} and ${text} like '%:%' then ${text} else ${text} || 'Z' end`
  return sql`case when ${text} ~ ${patterns.moment} then (${utc})::timestamptz when ${text} ~ ${patterns.time} then ('1970-01-01T' || ${text} || 'Z')::timestamptz end`
}

/** Converts text to a boolean like the codec: SQLite stores a boolean as `1` in a text column. */
const booleanIn = (reference: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case lower(trim(${reference})) when 'true' then 1 when '1' then 1 when 'false' then 0 when '0' then 0 end`

/** Returns the day of an instant in UTC, as a date. */
export function dayIn(reference: RawBuilder<unknown>, type: ColumnType, engine: EngineName): RawBuilder<unknown> {
  if (engine === 'sqlite') return sql`substr(${momentIn(reference, engine)}, 1, 10)`
  return type === 'timestamp' ? sql`(${reference})::date` : sql`(${reference} at time zone 'UTC')::date`
}

/** Returns the expression that is compared, by what the column is compared as. */
export const readAs: Readonly<Record<ComparedAs | 'key', ReadAs>> = {
  key: (reference, column) => (column.type === 'other' ? asText(reference, column) : reference),
  text: (reference, column) =>
    column.type === 'text' || column.type === 'uuid' ? reference : asText(reference, column),
  number: (reference, { type, isUniform, engine, fine }) => {
    // Attributes show large integers of SQLite as doubles.
    if (fine && engine === 'sqlite')
      return sql`case when typeof(${reference}) <> 'blob' then cast(${reference} as real) end`
    if (type === 'decimal' && !isUniform) return sql`cast(${reference} as numeric)`
    if (!numeric.has(type)) return numberIn(reference, engine)
    // A column without a type may hold numbers as text.
    return isUniform
      ? reference
      : sql`case typeof(${reference}) when 'text' then ${numberIn(reference, engine)} when 'blob' then null else ${reference} end`
  },
  boolean: (reference, { type }) => (type === 'text' ? booleanIn(reference) : reference),
  moment: (reference, { type, isUniform, engine, fine }) => {
    if (type === 'date' && fine) {
      return engine === 'postgres'
        ? sql`(${reference}::timestamp at time zone 'UTC')`
        : sql`${reference} || 'T00:00:00.000Z'`
    }
    return moments.has(type) && isUniform ? reference : momentIn(reference, engine)
  },
  json: (reference, column) => (column.engine === 'postgres' ? asText(reference, column) : reference),
}

const numeric: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'real', 'decimal'])
const moments: ReadonlySet<ColumnType> = new Set([
  'instant',
  'timestamp',
  'epochSeconds',
  'epochMilliseconds',
  'date',
  'time',
])

/**
 * Converts to text as the database displays it. A cast of PostgreSQL differs for some types: it adds the mask to an
 * `inet`.
 */
function asText(reference: RawBuilder<unknown>, { type, engine }: ReadColumn): RawBuilder<unknown> {
  if (engine === 'sqlite')
    return sql`case typeof(${reference}) when 'blob' then ${reference} else cast(${reference} as text) end`
  return type === 'other'
    ? sql`case when ${reference} is not null then format('%s', ${reference}) end`
    : sql`${reference}::text`
}

/** Returns whether a column is compared without a conversion. Otherwise some of its values may not be convertible. */
export function isComparedDirectly(
  as: ComparedAs | 'key',
  { type, isUniform }: Pick<ReadColumn, 'type' | 'isUniform'>,
): boolean {
  switch (as) {
    case 'number':
      return numeric.has(type) && (isUniform || type === 'decimal')
    case 'boolean':
      return type !== 'text'
    case 'moment':
      return moments.has(type) && isUniform
    default:
      return true
  }
}
