import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ColumnType } from '../../schema/column-type.js'
import type { ReadAs, ReadColumn } from '../operand.js'
import { booleanIn } from '../common-sql.js'
import { momentTypes, numericTypes } from '../../schema/column-type.js'

/** Converts text to a number; null for other text, because a cast of it would fail the whole statement. */
function numberIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${reference}::text ~ '^\\s*[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?\\s*$' then ${reference}::text::numeric end`
}

/** Matches only days that exist: another day would fail the whole statement. */
const day = `(?!0000)(\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))|(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`
const hour = `(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:[.]\\d+)?)?`
const zone = `(?:Z|[+-](?:0\\d|1[0-4]):?[0-5]\\d)`

const patterns = Object.freeze({
  moment: sql.lit(`^${day}(?:[T ]${hour}${zone}?)?$`),
  zoned: sql.lit(`${zone}$`),
  time: sql.lit(`^${hour}$`),
})

/** Converts text to a moment. Without a time zone it is UTC, and a time without a day is on 1970-01-01. */
function momentIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  const text = sql`${reference}::text`
  const utc = sql`case when ${text} ~ ${patterns.zoned} and ${text} like '%:%' then ${text} else ${text} || 'Z' end`
  return sql`case when ${text} ~ ${patterns.moment} then (${utc})::timestamptz when ${text} ~ ${patterns.time} then ('1970-01-01T' || ${text} || 'Z')::timestamptz end`
}

/** Returns the day of an instant in UTC, as a date. */
export function postgresDay(reference: RawBuilder<unknown>, type: ColumnType): RawBuilder<unknown> {
  return type === 'timestamp' ? sql`(${reference})::date` : sql`(${reference} at time zone 'UTC')::date`
}

/**
 * Converts to text as the database displays it. A cast differs for some types: it adds the mask to an `inet`.
 */
function asText(reference: RawBuilder<unknown>, { type }: ReadColumn): RawBuilder<unknown> {
  return type === 'other'
    ? sql`case when ${reference} is not null then format('%s', ${reference}) end`
    : sql`${reference}::text`
}

export const postgresReadAs: ReadAs = Object.freeze<ReadAs>({
  key: (reference, column) => (column.type === 'other' ? asText(reference, column) : reference),
  text: (reference, column) =>
    column.type === 'text' || column.type === 'uuid' ? reference : asText(reference, column),
  number: (reference, { type }) => (numericTypes.has(type) ? reference : numberIn(reference)),
  boolean: (reference, { type }) => (type === 'text' ? booleanIn(reference) : reference),
  moment(reference, { type, isUniform, fine }) {
    if (type === 'date' && fine) return sql`(${reference}::timestamp at time zone 'UTC')`
    return momentTypes.has(type) && isUniform ? reference : momentIn(reference)
  },
  json: asText,
})
