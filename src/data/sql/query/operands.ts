import { dateFormat, timeFormat } from '../../../resource/fields/moment-format.js'
import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import { keyText } from '../../../row-query/key-text.js'
import { comparableOf } from '../../../row-query/stored-value.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from '../schema/column-type.js'
import { farDay, infiniteMoments, infiniteTime } from './far-days.js'

/** A value in the form in which it is compared with a column. */
export interface Operand {
  readonly value: unknown
  /** The type of the parameter for PostgreSQL; `null` if the engine needs none. */
  readonly type: string | null
  /** Whether the column must be converted to a higher precision, as a date column that is compared with an instant. */
  readonly fine: boolean
}

/** Converts a value; `null` if no value of the column can be compared with it. */
type OperandOf = (value: unknown, type: ColumnType, engine: EngineName) => Operand | null

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A uuid column of PostgreSQL is only compared with texts in the form in which it returns its values. */
function textOperand(value: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const text = comparableOf({ comparedAs: 'text' })(value)
  if (text instanceof Date) return plain(text.toISOString(), 'text')
  if (typeof text !== 'string' || !isStorable(text)) return null
  if (type !== 'uuid' || engine === 'sqlite') return plain(text, 'text')
  return uuid.test(text) ? plain(text, 'uuid') : null
}

/** Returns whether a database can store a text: without unpaired surrogates and without NUL characters. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function numberOperand(value: unknown, type: ColumnType, engine: EngineName): Operand | null {
  if (engine === 'postgres' && typeof value === 'number' && !Number.isFinite(value)) return specialOperand(value, type)
  const number = comparableOf({ comparedAs: 'number' })(value)
  if (typeof number !== 'number' && typeof number !== 'bigint') return null
  if (engine === 'sqlite') return plain(fitting(number), null)
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

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n]

function isInt8(number: number | bigint): boolean {
  if (Number.isSafeInteger(number)) return true
  if (typeof number === 'number' && !Number.isInteger(number)) return false
  const exact = BigInt(number)
  return exact >= smallest && exact <= largest
}

/** SQLite binds integers of up to 64 bits. A larger integer becomes a double, which is the nearest value. */
function fitting(number: number | bigint): number | bigint {
  if (typeof number === 'bigint' && !isInt8(number)) return Number(number)
  return number
}

function booleanOperand(value: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const number = comparableOf({ comparedAs: 'boolean' })(value)
  if (typeof number !== 'number' && typeof number !== 'bigint') return null
  if (engine === 'sqlite' || type !== 'boolean') return numberOperand(number, type, engine)
  return Number(number) === 0 || Number(number) === 1 ? plain(Number(number) === 1, 'bool') : null
}

/** Matches moments with more digits than a `Date` has. A cursor contains the microseconds of PostgreSQL. */
const finerThanDates = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{4,6}Z$/

const timeText = /^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?|24:00:00)$/

function momentOperand(value: unknown, type: ColumnType, engine: EngineName): Operand | null {
  // A cursor contains times of PostgreSQL with all digits.
  if (type === 'time' && engine === 'postgres' && typeof value === 'string' && timeText.test(value))
    return plain(value, 'time')
  const moment = comparableOf({ comparedAs: 'moment' })(value)
  if (!(moment instanceof Date)) return null
  if (type === 'epochSeconds') return plain(moment.getTime() / 1000, 'float8')
  if (type === 'epochMilliseconds') return plain(moment.getTime(), 'float8')
  const iso = typeof value === 'string' && finerThanDates.test(value) ? value : moment.toISOString()
  if (!fourDigits.test(iso)) return beyondCalendar(moment, type, engine)
  const [day, time] = [iso.slice(0, 10), iso.slice(11, -1)]
  switch (type) {
    case 'date':
      return time === '00:00:00.000' ? plain(day, 'date') : { ...instant(iso, engine), fine: true }
    case 'time':
      return day === '1970-01-01' ? plain(time.replace(/\.000$/, ''), 'time') : null
    case 'timestamp':
      return plain(iso.slice(0, -1), 'timestamp')
    default:
      return instant(iso, engine)
  }
}

const fourDigits = /^\d{4}-/

/**
 * Converts a moment whose year does not have four digits: a bound of a range, such as the day after the last one, or a
 * value that only PostgreSQL can store. On SQLite, all stored values are less, or greater.
 */
function beyondCalendar(moment: Date, type: ColumnType, engine: EngineName): Operand | null {
  const time = moment.getTime()
  if (type === 'time') return null
  if (engine === 'sqlite') return plain(time > 0 ? '~' : '', null)
  const text = Math.abs(time) === infiniteTime ? (time > 0 ? 'infinity' : '-infinity') : farText(moment)
  return plain(text, typeNames[type] ?? 'timestamptz')
}

/** Formats a moment for PostgreSQL, where the year before 1 is 1 BC. */
function farText(moment: Date): string {
  const year = moment.getUTCFullYear()
  const [, rest = ''] = /^[+-]?\d+-(.*)Z$/.exec(moment.toISOString()) ?? []
  const day = `${String(year < 1 ? 1 - year : year).padStart(4, '0')}-${rest.replace('T', ' ')}+00`
  return year < 1 ? `${day} BC` : day
}

function instant(iso: string, engine: EngineName): Operand {
  return plain(iso, engine === 'postgres' ? 'timestamptz' : null)
}

/** Members of lists are compared as text. */
function jsonOperand(value: unknown): Operand | null {
  if (typeof value === 'boolean') return plain(String(value), 'text')
  const compared = comparableOf(null)(value)
  if (compared === null) return null
  return plain(compared instanceof Date ? compared.toISOString() : String(compared), 'text')
}

/** Converts a key. `01` is not the key 1: it is no key at all if keys are numbers. */
function keyOperand(value: unknown, type: ColumnType, engine: EngineName): Operand | null {
  // Fast path: most keys are integers in integer columns, or their digits.
  if (type === 'integer' || type === 'bigint') {
    const number = typeof value === 'string' ? Number(value) : value
    if (typeof number === 'number' && Number.isSafeInteger(number) && (number === value || String(number) === value)) {
      return engine === 'sqlite' ? plain(number, null) : plain(String(number), 'int8')
    }
  }
  const text = keyText(value)
  if (text === null) return null
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'real':
      return /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? numberOperand(text, type, engine) : null
    case 'decimal':
      return /^(?:0|-?[1-9]\d{0,999})$/.test(text) ? numberOperand(text, type, engine) : null
    case 'boolean':
      return booleanOperand(text, type, engine)
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
      return momentOperand(infiniteMoments.get(text) ?? farInstant(text) ?? text, type, engine)
    case 'date':
    case 'time':
      // The days and times of SQLite are texts, which rows contain unchanged.
      if (engine === 'sqlite') return textOperand(value instanceof Date ? shownText(value, type) : text, type, engine)
      return momentOperand(farDay(text) ?? farInstant(text) ?? text, type, engine)
    default:
      return textOperand(text, type, engine)
  }
}

/** Parses the text that a `Date` with a year outside of 0 to 9999 has. */
function farInstant(text: string): Date | null {
  const parsed = /^[+-]\d{6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? new Date(text) : null
  return parsed === null || Number.isNaN(parsed.getTime()) ? null : parsed
}

function shownText(moment: Date, type: 'date' | 'time'): string {
  return (type === 'date' ? dateFormat : timeFormat).write(moment)
}

/** Converts values to operands, by what they are compared as. */
export const operands: Readonly<Record<ComparedAs | 'key', OperandOf>> = {
  key: keyOperand,
  text: textOperand,
  number: numberOperand,
  boolean: booleanOperand,
  moment: momentOperand,
  json: jsonOperand,
}

function plain(value: unknown, type: string | null): Operand {
  return { value, type, fine: false }
}

/** The names of the column types in PostgreSQL. */
const typeNames: Partial<Record<ColumnType, string>> = { instant: 'timestamptz', timestamp: 'timestamp', date: 'date' }
