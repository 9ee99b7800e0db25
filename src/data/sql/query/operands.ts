import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import { keyText } from '../../../row-query/key-text.js'
import { comparableOf } from '../../../row-query/stored-value.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from '../schema/column-type.js'

/** A value as it is compared with a column. */
export interface Operand {
  readonly value: unknown
  /** The type that PostgreSQL is told the value has; `null` where the engine does not ask. */
  readonly type: string | null
  /** Whether the column has to be read at a finer grain for it, as a day that is compared with an instant. */
  readonly fine: boolean
}

/** `null` for what no value of the column can be compared with. */
type OperandOf = (asked: unknown, type: ColumnType, engine: EngineName) => Operand | null

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Only the text that the column itself would show is a value of it. */
function textOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const text = comparableOf({ comparedAs: 'text' })(asked)
  if (text instanceof Date) return plain(text.toISOString(), 'text')
  if (typeof text !== 'string' || !isStorable(text)) return null
  if (type !== 'uuid' || engine === 'sqlite') return plain(text, 'text')
  return uuid.test(text) ? plain(text, 'uuid') : null
}

/** What no text of a database is: half a character, or one with the sign that ends texts elsewhere. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}

function numberOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const number = comparableOf({ comparedAs: 'number' })(asked)
  if (typeof number !== 'number' && typeof number !== 'bigint') return null
  if (engine === 'sqlite') return plain(fitting(number), null)
  if (type === 'number') return plain(number, 'float8')
  if (type === 'real') return plain(number, 'float4')
  // Digits that a double would lose: a cursor brings them back as they were read.
  if (type === 'decimal' && typeof asked === 'string' && plainDecimal.test(asked)) return plain(asked, 'numeric')
  return isInt8(number) ? plain(String(number), 'int8') : plain(decimalText(number), 'numeric')
}

const plainDecimal = /^-?\d{1,1000}(?:\.\d{1,1000})?$/

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n]

function isInt8(number: number | bigint): boolean {
  if (Number.isSafeInteger(number)) return true
  if (typeof number === 'number' && !Number.isInteger(number)) return false
  const exact = BigInt(number)
  return exact >= smallest && exact <= largest
}

/** PostgreSQL knows no infinite numerics before its version 14; no finite one is as large. */
function decimalText(number: number | bigint): string {
  return Number.isFinite(Number(number)) ? String(number) : number > 0 ? '1e400' : '-1e400'
}

/** SQLite binds integers of 64 bits; beyond them a double is as near as it gets. */
function fitting(number: number | bigint): number | bigint {
  if (typeof number === 'bigint' && !isInt8(number)) return Number(number)
  return number
}

function booleanOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const truth = comparableOf({ comparedAs: 'boolean' })(asked)
  if (typeof truth !== 'number' && typeof truth !== 'bigint') return null
  if (engine === 'sqlite' || type !== 'boolean') return numberOperand(truth, type, engine)
  return truth === 0 || truth === 1 ? plain(truth === 1, 'bool') : null
}

/** A cursor may hold more digits than a `Date`: those that PostgreSQL keeps. */
const finerThanDates = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{4,6}Z$/

function momentOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const moment = comparableOf({ comparedAs: 'moment' })(asked)
  if (!(moment instanceof Date)) return null
  if (type === 'epochSeconds') return plain(moment.getTime() / 1000, 'float8')
  if (type === 'epochMilliseconds') return plain(moment.getTime(), 'float8')
  const iso = typeof asked === 'string' && finerThanDates.test(asked) ? asked : moment.toISOString()
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

/** Stands for an instant without an end, which PostgreSQL has and `Date` has not. */
export const farthest = 8.64e15

/**
 * What lies outside of the years of four digits: the bound of a range, such as the day after the last one, or what only
 * PostgreSQL stores. All that is stored on SQLite lies below, or above.
 */
function beyondCalendar(moment: Date, type: ColumnType, engine: EngineName): Operand | null {
  const time = moment.getTime()
  if (type === 'time') return null
  if (engine === 'sqlite') return plain(time > 0 ? '~' : '', null)
  const text = Math.abs(time) === farthest ? (time > 0 ? 'infinity' : '-infinity') : farText(moment)
  return plain(text, typeNames[type] ?? 'timestamptz')
}

/** As PostgreSQL reads it; the year before 1 is 1 BC there. */
function farText(moment: Date): string {
  const year = moment.getUTCFullYear()
  const [, rest = ''] = /^[+-]?\d+-(.*)Z$/.exec(moment.toISOString()) ?? []
  const day = `${String(year < 1 ? 1 - year : year).padStart(4, '0')}-${rest.replace('T', ' ')}+00`
  return year < 1 ? `${day} BC` : day
}

function instant(iso: string, engine: EngineName): Operand {
  return plain(iso, engine === 'postgres' ? 'timestamptz' : null)
}

/** Of lists, members are compared, as texts. */
function jsonOperand(asked: unknown): Operand | null {
  const value = comparableOf(null)(asked)
  if (value === null) return null
  return plain(value instanceof Date ? value.toISOString() : String(value), 'text')
}

/** `01` is not the key 1, and no key where keys are numbers. */
function keyOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  // Most keys are whole numbers in columns of whole numbers, or their digits.
  if (type === 'integer' || type === 'bigint') {
    const isDigits = typeof asked === 'string' && /^[1-9]\d{0,14}$/.test(asked)
    if (isDigits || Number.isSafeInteger(asked)) {
      return engine === 'sqlite' ? plain(Number(asked), null) : plain(String(asked), 'int8')
    }
  }
  const text = keyText(asked)
  if (text === null) return null
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'real':
    case 'decimal':
      return /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? numberOperand(text, type, engine) : null
    case 'boolean':
      return booleanOperand(text, type, engine)
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
    case 'date':
    case 'time':
      return momentOperand(text, type, engine)
    default:
      return textOperand(text, type, engine)
  }
}

/** How values become operands, by what they are compared as. */
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

/** What PostgreSQL calls them. */
const typeNames: Partial<Record<ColumnType, string>> = { instant: 'timestamptz', timestamp: 'timestamp', date: 'date' }
