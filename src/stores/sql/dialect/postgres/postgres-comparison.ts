import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { comparableNumber, infiniteMoments, infiniteTime, isInt8, operandsOf, plain } from '../../query/operands.js'
import type { ColumnType } from '../../schema/column-type.js'
import { momentTypes, numericTypes } from '../../schema/column-type.js'
import { booleanIn } from '../common-sql.js'
import type { Operand, Operands, ReadAs, ReadColumn } from '../operand.js'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const timeText = /^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?|24:00:00)$/

function numberOperand(value: unknown, type: ColumnType): Operand | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return specialOperand(value, type)
  const number = comparableNumber(value)
  if (number === null) return null
  if (type === 'number') return plain(number, 'float8')
  if (type === 'real') return plain(number, 'float4')
  // A cursor contains decimals as text, with digits that a double would lose.
  if (type === 'decimal' && typeof value === 'string' && plainDecimal.test(value)) return plain(value, 'numeric')
  // The text of a large double has zeros instead of its last digits.
  const text = Number.isInteger(number) ? String(BigInt(number)) : String(number)
  return plain(text, isInt8(number) ? 'int8' : 'numeric')
}

/**
 * The operand for `NaN` and the infinities, which only cursors contain. PostgreSQL has infinite numerics only since
 * version 14, so they are compared as doubles.
 */
function specialOperand(value: number, type: ColumnType): Operand | null {
  const isFloat = type === 'number' || type === 'real' || type === 'decimal'
  return isFloat || !Number.isNaN(value) ? plain(String(value), 'float8') : null
}

const plainDecimal = /^-?\d{1,1000}(?:\.\d{1,1000})?$/

/** Formats a moment whose year PostgreSQL writes otherwise: the year before 1 is 1 BC. */
function farText(moment: Date): string {
  const year = moment.getUTCFullYear()
  const [, rest = ''] = /^[+-]?\d+-(.*)Z$/.exec(moment.toISOString()) ?? []
  const day = `${String(year < 1 ? 1 - year : year).padStart(4, '0')}-${rest.replace('T', ' ')}+00`
  return year < 1 ? `${day} BC` : day
}

/** The names of the column types in PostgreSQL. */
const typeNames: Partial<Record<ColumnType, string>> = { instant: 'timestamptz', timestamp: 'timestamp', date: 'date' }

export const postgresOperands: Operands = operandsOf({
  /** A uuid column is only compared with texts in the form in which it returns its values. */
  text: (text, type) => (type !== 'uuid' ? plain(text, 'text') : uuid.test(text) ? plain(text, 'uuid') : null),
  number: numberOperand,
  boolean(number, type) {
    if (type !== 'boolean') return numberOperand(number, type)
    return Number(number) === 0 || Number(number) === 1 ? plain(Number(number) === 1, 'bool') : null
  },
  exactTime: (value) => (typeof value === 'string' && timeText.test(value) ? plain(value, 'time') : null),
  farMoment(moment, type) {
    const time = moment.getTime()
    const text = Math.abs(time) === infiniteTime ? (time > 0 ? 'infinity' : '-infinity') : farText(moment)
    return plain(text, typeNames[type] ?? 'timestamptz')
  },
  instantType: 'timestamptz',
  wholeKeyType: 'int8',
  areDaysTexts: false,
})

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

/** Seconds since the epoch that a `Date` can represent exactly. */
const wholeMilliseconds = /^(\d{1,12})\.(\d{3})000$/

/** Converts seconds since the epoch to a position value, with all digits. */
export function instantPosition(stored: unknown): unknown {
  const text = typeof stored === 'number' ? stored.toFixed(6) : stored
  if (typeof text !== 'string') return null
  const [, seconds, milliseconds] = wholeMilliseconds.exec(text) ?? []
  if (seconds !== undefined) return new Date(Number(seconds) * 1000 + Number(milliseconds))
  if (infiniteMoments.has(text)) return infiniteMoments.get(text)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?/.exec(text) ?? []
  const micros = BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const moment = new Date(Number((micros - rest) / 1000n))
  return rest === 0n ? moment : moment.toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`)
}
