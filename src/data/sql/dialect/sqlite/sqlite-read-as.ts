import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ReadAs } from '../operand.js'
import { booleanIn } from '../common-sql.js'
import { momentTypes, numericTypes } from '../../schema/column-type.js'

/** Converts text to a number; null for other text. */
function numberIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when json_type(case when json_valid(ltrim(trim(${reference}), '+')) then ltrim(trim(${reference}), '+') end) in ('integer', 'real') then nullif(nullif(cast(${reference} as numeric), 9e999), -9e999) end`
}

/** Converts text to a moment. Without a time zone it is UTC, and a time without a day is on 1970-01-01. */
function momentIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${reference} glob '[0-9][0-9]:*' then strftime('%Y-%m-%dT%H:%M:%fZ', '1970-01-01T' || ${reference}) when date(substr(${reference}, 1, 10)) = substr(${reference}, 1, 10) and ${reference} > '0001' then strftime('%Y-%m-%dT%H:%M:%fZ', ${reference}) end`
}

/** Returns the day of an instant in UTC, as text. */
export function sqliteDay(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`substr(${momentIn(reference)}, 1, 10)`
}

/** Converts to text as the database displays it. Bytes stay bytes. */
function asText(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case typeof(${reference}) when 'blob' then ${reference} else cast(${reference} as text) end`
}

export const sqliteReadAs: ReadAs = Object.freeze<ReadAs>({
  key: (reference, { type }) => (type === 'other' ? asText(reference) : reference),
  text: (reference, { type }) => (type === 'text' || type === 'uuid' ? reference : asText(reference)),
  number(reference, { type, isUniform, fine }) {
    // Attributes show large integers as doubles.
    if (fine) return sql`case when typeof(${reference}) <> 'blob' then cast(${reference} as real) end`
    if (type === 'decimal' && !isUniform) return sql`cast(${reference} as numeric)`
    if (!numericTypes.has(type)) return numberIn(reference)
    // A column without a type may hold numbers as text.
    return isUniform
      ? reference
      : sql`case typeof(${reference}) when 'text' then ${numberIn(reference)} when 'blob' then null else ${reference} end`
  },
  boolean: (reference, { type }) => (type === 'text' ? booleanIn(reference) : reference),
  moment(reference, { type, isUniform, fine }) {
    if (type === 'date' && fine) return sql`${reference} || 'T00:00:00.000Z'`
    return momentTypes.has(type) && isUniform ? reference : momentIn(reference)
  },
  json: (reference) => reference,
})
