import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { dateFormat, timeFormat } from '../../../../declare/resource/fields/moment-format.js'
import { RawStored } from '../../../../core/util/raw-stored.js'
import type { ComparedColumn } from '../../query/compared-column.js'
import { comparableNumber, isInt8, operandsOf, plain } from '../../query/operands.js'
import type { ColumnType } from '../../schema/column-type.js'
import { epochTypes, momentTypes, numericTypes } from '../../schema/column-type.js'
import type { InstantNotation } from '../../schema/instant-notation.js'
import { inNotation } from '../../schema/instant-notation.js'
import { booleanIn } from '../common-sql.js'
import type { Operand, Operands, ReadAs } from '../operand.js'

/** SQLite binds integers of up to 64 bits. A larger integer becomes a double, which is the nearest value. */
function numberOperand(value: unknown): Operand | null {
  const number = comparableNumber(value)
  if (number === null) return null
  return plain(typeof number === 'bigint' && !isInt8(number) ? Number(number) : number, null)
}

export const sqliteOperands: Operands = operandsOf({
  text: (text) => plain(text, 'text'),
  number: numberOperand,
  boolean: numberOperand,
  exactTime: () => null,
  // All stored values are less, or greater.
  farMoment: (moment) => plain(moment.getTime() > 0 ? '~' : '', null),
  instantType: null,
  wholeKeyType: null,
  areDaysTexts: true,
})

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

interface StoredColumn {
  readonly as: ComparedColumn['as']
  readonly type: ColumnType
  readonly notation: InstantNotation
}

/**
 * Returns a stored value of SQLite for a cursor, if it is not of the class or in the form that the column declares:
 * SQLite stores any value in any column, and sorts numbers before texts and texts before bytes. Returns `null` for
 * regular values.
 */
export function irregularValue(stored: unknown, column: StoredColumn): RawStored | null {
  const isValue =
    typeof stored === 'number' ||
    typeof stored === 'bigint' ||
    typeof stored === 'string' ||
    stored instanceof Uint8Array
  return !isValue || isRegular(stored, column) ? null : new RawStored(stored)
}

function isRegular(stored: number | bigint | string | Uint8Array, { as, type, notation }: StoredColumn): boolean {
  switch (as) {
    case 'text':
      return typeof stored === 'string'
    case 'number':
    case 'boolean':
      return typeof stored === 'number' || typeof stored === 'bigint'
    case 'moment':
      return isRegularMoment(stored, type, notation)
    default:
      return true
  }
}

function isRegularMoment(stored: unknown, type: ColumnType, notation: InstantNotation): boolean {
  if (epochTypes.has(type)) return typeof stored === 'number'
  if (typeof stored !== 'string') return false
  switch (type) {
    case 'date':
      return dateFormat.isCanonical?.(stored) === true
    case 'time': {
      const time = timeFormat.read(stored)
      return time !== null && timeFormat.write(time) === stored
    }
    default: {
      const instant = new Date(notation.includes('T') ? stored : `${stored.replace(' ', 'T')}Z`)
      return !Number.isNaN(instant.getTime()) && inNotation(instant.toISOString(), notation) === stored
    }
  }
}
