import { dateFormat, timeFormat } from '../../../declare/resource/fields/moment-format.js'
import { keyText } from '../../row-query/key-text.js'
import { comparableOf } from '../../row-query/stored-value.js'
import { isStorableText } from '../../../core/util/storable-text.js'
import type { Operand, Operands } from '../dialect/operand.js'
import type { ColumnType } from '../schema/column-type.js'

/** The parts of the conversion to operands in which engines differ. */
export interface OperandRules {
  /** Converts a text that a database can store. */
  readonly text: (text: string, type: ColumnType) => Operand | null
  readonly number: (value: unknown, type: ColumnType) => Operand | null
  readonly boolean: (number: number | bigint, type: ColumnType) => Operand | null
  /** Converts a time of a cursor that has all digits; `null` for every other value. */
  readonly exactTime: (value: unknown) => Operand | null
  /** Converts a moment whose year does not have four digits. */
  readonly farMoment: (moment: Date, type: ColumnType) => Operand | null
  /** The type of a parameter with an instant. */
  readonly instantType: string | null
  /** The type of a parameter with a key that is an integer, as text; `null` if it is a number. */
  readonly wholeKeyType: string | null
  /** Whether days and times are texts, which rows contain unchanged. */
  readonly areDaysTexts: boolean
}

/** Returns the conversions of values, by what they are compared as. */
export function operandsOf(rules: OperandRules): Operands {
  function textOperand(value: unknown, type: ColumnType): Operand | null {
    const text = comparableOf({ comparedAs: 'text' })(value)
    if (text instanceof Date) return plain(text.toISOString(), 'text')
    return typeof text === 'string' && isStorableText(text) ? rules.text(text, type) : null
  }

  function booleanOperand(value: unknown, type: ColumnType): Operand | null {
    const number = comparableNumber(value, 'boolean')
    return number === null ? null : rules.boolean(number, type)
  }

  function momentOperand(value: unknown, type: ColumnType): Operand | null {
    const exact = type === 'time' ? rules.exactTime(value) : null
    if (exact !== null) return exact
    const moment = comparableOf({ comparedAs: 'moment' })(value)
    if (!(moment instanceof Date)) return null
    if (type === 'epochSeconds') return plain(moment.getTime() / 1000, 'float8')
    if (type === 'epochMilliseconds') return plain(moment.getTime(), 'float8')
    const iso = typeof value === 'string' && finerThanDates.test(value) ? value : moment.toISOString()
    if (!fourDigits.test(iso)) return type === 'time' ? null : rules.farMoment(moment, type)
    const [day, time] = [iso.slice(0, 10), iso.slice(11, -1)]
    switch (type) {
      case 'date':
        return time === '00:00:00.000' ? plain(day, 'date') : { value: iso, type: rules.instantType, fine: true }
      case 'time':
        return day === '1970-01-01' ? plain(time.replace(/\.000$/, ''), 'time') : null
      case 'timestamp':
        return plain(iso.slice(0, -1), 'timestamp')
      default:
        return plain(iso, rules.instantType)
    }
  }

  /** Converts a key. `01` is not the key 1: it is no key at all if keys are numbers. */
  function keyOperand(value: unknown, type: ColumnType): Operand | null {
    // Fast path: most keys are integers in integer columns, or their digits.
    if (type === 'integer' || type === 'bigint') {
      const number = typeof value === 'string' ? Number(value) : value
      if (
        typeof number === 'number' &&
        Number.isSafeInteger(number) &&
        (number === value || String(number) === value)
      ) {
        return plain(rules.wholeKeyType === null ? number : String(number), rules.wholeKeyType)
      }
    }
    const text = keyText(value)
    if (text === null) return null
    switch (type) {
      case 'integer':
      case 'bigint':
      case 'number':
      case 'real':
        return /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? rules.number(text, type) : null
      case 'decimal':
        return /^(?:0|-?[1-9]\d{0,999})$/.test(text) ? rules.number(text, type) : null
      case 'boolean':
        return booleanOperand(text, type)
      case 'instant':
      case 'timestamp':
      case 'epochSeconds':
      case 'epochMilliseconds':
        return momentOperand(infiniteMoments.get(text) ?? farInstant(text) ?? text, type)
      case 'date':
      case 'time':
        if (rules.areDaysTexts) return textOperand(value instanceof Date ? shownText(value, type) : text, type)
        return momentOperand(farDay(text) ?? farInstant(text) ?? text, type)
      default:
        return textOperand(text, type)
    }
  }

  return {
    key: keyOperand,
    text: textOperand,
    number: rules.number,
    boolean: booleanOperand,
    moment: momentOperand,
    json: jsonOperand,
  }
}

const [numberOf, booleanOf] = [comparableOf({ comparedAs: 'number' }), comparableOf({ comparedAs: 'boolean' })]

/** Returns a value as a number; `null` if it is none. */
export function comparableNumber(value: unknown, comparedAs: 'number' | 'boolean' = 'number'): number | bigint | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value
  const number = comparedAs === 'number' ? numberOf(value) : booleanOf(value)
  return typeof number === 'number' || typeof number === 'bigint' ? number : null
}

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Returns whether a number is an integer of 64 bits. */
export function isInt8(number: number | bigint): boolean {
  if (Number.isSafeInteger(number)) return true
  if (typeof number === 'number' && !Number.isInteger(number)) return false
  const exact = BigInt(number)
  return exact >= smallest && exact <= largest
}

/** Matches moments with more digits than a `Date` has. A cursor contains the microseconds of PostgreSQL. */
const finerThanDates = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{4,6}Z$/

const fourDigits = /^\d{4}-/

/** Members of lists are compared as text. */
function jsonOperand(value: unknown): Operand | null {
  if (typeof value === 'boolean') return plain(String(value), 'text')
  const compared = comparableOf(null)(value)
  if (compared === null) return null
  return plain(compared instanceof Date ? compared.toISOString() : String(compared), 'text')
}

/** Parses the text that a `Date` with a year outside of 0 to 9999 has. */
function farInstant(text: string): Date | null {
  const parsed = /^[+-]\d{6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? new Date(text) : null
  return parsed === null || Number.isNaN(parsed.getTime()) ? null : parsed
}

function shownText(moment: Date, type: 'date' | 'time'): string {
  return (type === 'date' ? dateFormat : timeFormat).write(moment)
}

export function plain(value: unknown, type: string | null): Operand {
  return { value, type, fine: false }
}

/** The time value that represents the instant `infinity` of PostgreSQL, which `Date` does not have. */
export const infiniteTime = 8.64e15

/** The infinite instants and days of PostgreSQL. */
export const infiniteMoments: ReadonlyMap<unknown, Date> = new Map([
  ['Infinity', new Date(infiniteTime)],
  ['infinity', new Date(infiniteTime)],
  ['-Infinity', new Date(-infiniteTime)],
  ['-infinity', new Date(-infiniteTime)],
])

const farDays = /^(\d{4,6})-(\d\d)-(\d\d)( BC)?$/

/**
 * Parses a day of PostgreSQL that is infinite, or outside of the years 1 to 9999. Returns `null` for other days, and
 * for days that do not exist.
 */
export function farDay(stored: unknown): Date | null {
  const infinite = infiniteMoments.get(stored)
  if (infinite !== undefined) return infinite
  const [, year, month, day, era] = (typeof stored === 'string' ? farDays.exec(stored) : null) ?? []
  if (year === undefined || (era === undefined && year.length === 4)) return null
  const date = new Date(0)
  date.setUTCFullYear(era === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) ? date : null
}
