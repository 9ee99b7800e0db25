import type { MomentFormat } from '../../../declare/resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from '../../../declare/resource/fields/moment-format.js'
import type { ColumnType } from './column-type.js'
import type { InstantNotation } from './instant-notation.js'
import { defaultNotation, inNotation } from './instant-notation.js'
import type { ValueMapping } from './table-model.js'

/** Converts the values of a column between rows and the driver. */
export interface ColumnCodec {
  /** Converts a driver value to a row value; null if no conversion is needed. Never called with null. */
  readonly decode: ((stored: unknown) => unknown) | null
  /**
   * Converts a row value to a driver value. Never called with null. Returns a value that it cannot convert unchanged,
   * and the database rejects it.
   */
  encode(value: unknown): unknown
}

/** The types of a column, in rows and in the database. */
export interface CodedColumn {
  /** The type of the values in rows. */
  readonly type: ColumnType
  /** The type of the column in the database. */
  readonly storedType: ColumnType
  /** Whether the model declares the type. */
  readonly declared: boolean
  /** Whether an attribute shows whole numbers of eight bytes. Then all of them are bigints in rows. */
  readonly isBigint?: boolean
  /** How SQLite holds instants as text. */
  readonly notation?: InstantNotation
}

/** The parts of codecs in which engines differ. */
export interface CodecRules {
  /** Returns the decoder of a column; null if the driver has parsed its values, or returns them as they are stored. */
  readonly decoderOf: (column: CodedColumn) => Convert | null
  /** Returns the encoder of a column; null for the encoder that all engines have in common. */
  readonly encoderOf: (column: CodedColumn) => Convert | null
  /** Encodes a value for a column that is written as the text that the database displays. */
  readonly text: Convert
}

/** Returns the codec of a column. */
export function codecOf(rules: CodecRules, column: CodedColumn): ColumnCodec {
  return encoding(rules, rules.encoderOf(column) ?? encoderOf(column), decoderOf(rules, column))
}

/** Most values are texts in columns of texts, and whole numbers in columns of numbers: these stay as they are. */
function encoding({ text }: CodecRules, encode: Convert, decode: ColumnCodec['decode']): ColumnCodec {
  const ofNumbers = encode === numberOrValue
  const ofTexts = ofNumbers || encode === text || encode === textOrValue
  return Object.freeze({
    decode,
    encode(value: unknown) {
      if ((ofTexts && typeof value === 'string') || (ofNumbers && Number.isSafeInteger(value))) return value
      return isNothing(value) ? null : encode(value)
    },
  })
}

/** Returns the codec of a column that is read as the text that the database displays, and written as that. */
export function textCodec(rules: CodecRules): ColumnCodec {
  return encoding(rules, rules.text, null)
}

/**
 * Returns the codec of a computed column. Its type in the database is unknown, so only the declared type decides how to decode. On
 * PostgreSQL the expression is cast to the declared type, so the driver has already parsed JSON: a JSON string of digits stays a string.
 */
export function computedCodec(rules: CodecRules, type: ColumnType): ColumnCodec {
  const storedType = type === 'json' ? 'json' : type === 'boolean' ? 'text' : 'other'
  const codec = codecOf(rules, { type, storedType, declared: true })
  return Object.freeze({ ...codec, decode: numberDecoders[type] ?? codec.decode })
}

/** Decoders for SQLite expressions that take their numbers from a text column. */
const numberDecoders: Converts = { integer: parseInteger, number: parseNumber, real: parseNumber }

function parseInteger(stored: unknown): unknown {
  const number = parseNumber(stored)
  return typeof stored === 'string' && wholeNumber.test(stored) && !Number.isSafeInteger(number)
    ? BigInt(stored)
    : number
}

function parseNumber(stored: unknown): unknown {
  return typeof stored === 'string' && stored.trim() !== '' && !Number.isNaN(Number(stored)) ? Number(stored) : stored
}

/** Returns a codec that also applies the value mapping of the model. */
export function mappedCodec(codec: ColumnCodec, mapping: ValueMapping | null): ColumnCodec {
  if (mapping === null) return codec
  const { toRow, fromRow } = mapping
  const { decode } = codec
  return Object.freeze({
    decode: decode === null ? toRow : (stored: unknown) => toRow(decode(stored)),
    encode: (value: unknown) => codec.encode(fromRow === undefined || isNothing(value) ? value : fromRow(value)),
  })
}

/** Returns whether a value has no counterpart in any store, such as NaN or a function. It is stored as null. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'symbol') return true
  return Number.isNaN(value) || (value instanceof Date && Number.isNaN(value.getTime()))
}

export type Convert = (value: unknown) => unknown

export type Converts = Readonly<Partial<Record<ColumnType, Convert>>>

/** The decoders of texts and numbers, by the type of the values in rows. Values of other types stay unchanged. */
export const decoders: Converts = {
  decimal: (stored) => (typeof stored === 'number' || typeof stored === 'bigint' ? String(stored) : stored),
  boolean: (stored) => parseBoolean(stored) ?? stored,
  instant: (stored) => (typeof stored === 'string' ? (parseInstant(stored) ?? stored) : stored),
  timestamp: (stored) => (typeof stored === 'string' ? (parseInstant(stored) ?? stored) : stored),
  epochSeconds: (stored) => dateOfEpoch(stored, 1000),
  epochMilliseconds: (stored) => dateOfEpoch(stored, 1),
  date: (stored) => formatDate(dateFormat, stored) ?? stored,
  time: (stored) => formatDate(timeFormat, stored) ?? stored,
  json: parseJson,
  list: parseJson,
}

function decoderOf(rules: CodecRules, column: CodedColumn): Convert | null {
  const { type, declared, isBigint } = column
  // Integers that fit are numbers in rows. A model that declares `bigint` gets a bigint in every row.
  if (isBigint === true && integers.has(type)) return parseBigint
  if (type === 'bigint') return declared ? parseBigint : null
  return rules.decoderOf(column)
}

const integers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint'])

const wholeNumber = /^-?\d+$/

function parseBigint(stored: unknown): unknown {
  if (typeof stored === 'number') return Number.isInteger(stored) ? BigInt(stored) : stored
  return typeof stored === 'string' && wholeNumber.test(stored) ? BigInt(stored) : stored
}

export function parseBoolean(value: unknown): boolean | null {
  switch (value) {
    case true:
    case 1:
    case 1n:
    case '1':
    case 'true':
      return true
    case false:
    case 0:
    case 0n:
    case '0':
    case 'false':
      return false
    default:
      return null
  }
}

const dateTime = dateTimeFormat(null)
/** The form in which codecs store instants. Only this form has years with six digits. */
const storedInstant = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Parses an instant. Text without a time zone is UTC, as SQLite's `current_timestamp` writes it. */
function parseInstant(text: string): Date | null {
  if (storedInstant.test(text)) {
    const instant = new Date(text)
    if (!Number.isNaN(instant.getTime())) return instant
  }
  return dateTime.read(text.replace(' ', 'T')) ?? dateFormat.read(text)
}

function dateOfEpoch(stored: unknown, milliseconds: number): unknown {
  const count = typeof stored === 'bigint' ? Number(stored) : stored
  return typeof count === 'number' ? new Date(Math.round(count * milliseconds)) : stored
}

function epochOf(value: unknown, milliseconds: number): unknown {
  const instant = typeof value === 'string' ? parseInstant(value) : value
  return instant instanceof Date ? Math.floor(instant.getTime() / milliseconds) : textOrValue(value)
}

function formatDate(format: MomentFormat, value: unknown): string | null {
  return value instanceof Date && !isNothing(value) ? format.write(value) : null
}

function parseJson(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored
  try {
    return JSON.parse(stored)
  } catch {
    return stored
  }
}

function encoderOf({ type, notation }: CodedColumn): Convert {
  if (type === 'instant' || type === 'timestamp') return (value) => instantText(value, notation)
  return encoders[type] ?? textOrValue
}

const encoders: Converts = {
  epochSeconds: (value) => epochOf(value, 1000),
  epochMilliseconds: (value) => epochOf(value, 1),
  date: (value) => formatDate(dateFormat, value) ?? textOrValue(value),
  time: (value) => formatDate(timeFormat, value) ?? textOrValue(value),
  json: jsonText,
  list: jsonText,
  integer: numberOrValue,
  bigint: numberOrValue,
  number: numberOrValue,
  real: numberOrValue,
  decimal: (value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : textOrValue(value)),
}

/** Converts a value for a column of numbers, which may hold booleans as 0 and 1. */
export function numberOrValue(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' ? textOrValue(value) : value
}

export function booleanEncoder(asNumber: boolean): Convert {
  return (value) => {
    const parsed = parseBoolean(value)
    return parsed === null ? textOrValue(value) : asNumber ? Number(parsed) : parsed
  }
}

/**
 * Converts an instant to text. A string with an instant is normalized too, so that all values of a column compare alike.
 */
export function instantText(value: unknown, notation: InstantNotation = defaultNotation): unknown {
  const instant = typeof value === 'string' ? parseInstant(value) : value
  return instant instanceof Date ? inNotation(instant.toISOString(), notation) : textOrValue(value)
}

function jsonText(value: unknown): unknown {
  try {
    return JSON.stringify(value instanceof Set ? [...value] : value) ?? null
  } catch {
    return value
  }
}

/** Converts a value that does not fit its column: objects become the text that other stores compare them as. */
export function textOrValue(value: unknown): unknown {
  if (typeof value !== 'object' || value instanceof Uint8Array) return value
  return value instanceof Date ? value.toISOString() : jsonText(value)
}
