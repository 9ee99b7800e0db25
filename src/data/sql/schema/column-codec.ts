import type { MomentFormat } from '../../../resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from '../../../resource/fields/moment-format.js'
import type { EngineName } from '../driver/sql-driver.js'
import { readArray } from '../dialect/postgres/driver/postgres-array.js'
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

/**
 * Returns the codec of a column. The PostgreSQL driver parses values by the type of their column, so only columns whose
 * model declares another type are decoded here. The SQLite driver returns the stored values.
 */
export function codecOf(engine: EngineName, column: CodedColumn): ColumnCodec {
  const encode = encoderOf(engine, column)
  return Object.freeze({
    decode: decoderOf(engine, column),
    encode: (value: unknown) => (isNothing(value) ? null : encode(value)),
  })
}

/** Returns the codec of a column that is read as the text that the database displays, and written as that. */
export function textCodec(engine: EngineName): ColumnCodec {
  const encode = engine === 'postgres' ? postgresValue : sqliteText
  return Object.freeze({ decode: null, encode: (value: unknown) => (isNothing(value) ? null : encode(value)) })
}

/**
 * Returns the codec of a computed column. Its type in the database is unknown, so only the declared type decides how to decode. On
 * PostgreSQL the expression is cast to the declared type, so the driver has already parsed JSON: a JSON string of digits stays a string.
 */
export function computedCodec(engine: EngineName, type: ColumnType): ColumnCodec {
  const storedType = type === 'json' ? 'json' : type === 'boolean' ? 'text' : 'other'
  const codec = codecOf(engine, { type, storedType, declared: true })
  return Object.freeze({ ...codec, decode: numberDecoders.get(type) ?? codec.decode })
}

/** Decoders for SQLite expressions that take their numbers from a text column. */
const numberDecoders: ReadonlyMap<ColumnType, Convert> = new Map([
  ['integer', parseInteger],
  ['number', parseNumber],
  ['real', parseNumber],
])

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
function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'function' || typeof value === 'symbol') return true
  return Number.isNaN(value) || (value instanceof Date && Number.isNaN(value.getTime()))
}

type Convert = (value: unknown) => unknown

const decoders: Readonly<Record<ColumnType, Convert | null>> = {
  text: null,
  integer: null,
  number: null,
  real: null,
  bigint: null,
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
  uuid: null,
  bytes: null,
  other: null,
}

function decoderOf(engine: EngineName, { type, storedType: held, declared, isBigint }: CodedColumn): Convert | null {
  // Integers that fit are numbers in rows. A model that declares `bigint` gets a bigint in every row.
  if (isBigint === true && integers.has(type)) return parseBigint
  if (type === 'bigint') return declared ? parseBigint : null
  if (engine === 'sqlite') return type === 'boolean' && held !== 'text' ? zeroOrOne : decoders[type]
  if (held === 'list') return parseList
  return type === held ? null : decoders[type]
}

/** Parses a boolean of SQLite. Texts represent booleans only in columns of text. */
function zeroOrOne(stored: unknown): unknown {
  return typeof stored === 'string' ? stored : (parseBoolean(stored) ?? stored)
}

const integers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint'])

/** Parses arrays of types that are defined in the database, such as enums: the driver returns them as text. */
function parseList(stored: unknown): unknown {
  return typeof stored === 'string' && /^[[{]/.test(stored) ? readArray(stored, (item) => item) : stored
}

const wholeNumber = /^-?\d+$/

function parseBigint(stored: unknown): unknown {
  if (typeof stored === 'number') return Number.isInteger(stored) ? BigInt(stored) : stored
  return typeof stored === 'string' && wholeNumber.test(stored) ? BigInt(stored) : stored
}

function parseBoolean(value: unknown): boolean | null {
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

function encoderOf(engine: EngineName, { type, storedType: held, notation }: CodedColumn): Convert {
  switch (type) {
    case 'boolean':
      return booleanEncoder(engine === 'sqlite' || numeric.has(held))
    case 'instant':
    case 'timestamp':
      if (engine === 'postgres' && held !== 'text') return (value) => postgresInstant(instantText(value))
      return engine === 'postgres' ? instantText : (value) => instantText(value, notation)
    case 'epochSeconds':
      return (value) => epochOf(value, 1000)
    case 'epochMilliseconds':
      return (value) => epochOf(value, 1)
    case 'date':
      return (value) => formatDate(dateFormat, value) ?? textOrValue(value)
    case 'time':
      return (value) => formatDate(timeFormat, value) ?? textOrValue(value)
    case 'json':
      return jsonText
    case 'list':
      return engine === 'postgres' && held === 'list' ? listValues : jsonText
    case 'decimal':
      return (value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : textOrValue(value))
    case 'text':
    case 'uuid':
      return engine === 'postgres' ? postgresValue : sqliteText
    default:
      if (engine === 'sqlite') return sqliteValue
      return numeric.has(type) ? postgresNumber : postgresValue
  }
}

const numeric: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'real', 'decimal'])

function booleanEncoder(asNumber: boolean): Convert {
  return (value) => {
    const parsed = parseBoolean(value)
    return parsed === null ? textOrValue(value) : asNumber ? Number(parsed) : parsed
  }
}

/**
 * Converts an instant to text. A string with an instant is normalized too, so that all values of a column compare alike.
 */
function instantText(value: unknown, notation: InstantNotation = defaultNotation): unknown {
  const instant = typeof value === 'string' ? parseInstant(value) : value
  return instant instanceof Date ? inNotation(instant.toISOString(), notation) : textOrValue(value)
}

const farYear = /^([+-]\d{6})(-.*)$/

/** Rewrites ISO years with a sign for PostgreSQL, which does not accept one: it writes `1 BC` for the year 0. */
function postgresInstant(text: unknown): unknown {
  const [, signed, rest] = (typeof text === 'string' ? farYear.exec(text) : null) ?? []
  if (rest === undefined) return text
  const year = Number(signed)
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

function jsonText(value: unknown): unknown {
  try {
    return JSON.stringify(value instanceof Set ? [...value] : value) ?? null
  } catch {
    return value
  }
}

function listValues(value: unknown): unknown {
  const members = value instanceof Set ? [...value] : value
  if (!Array.isArray(members)) return textOrValue(value)
  return members.map((member: unknown) => (Array.isArray(member) ? listValues(member) : listMember(member)))
}

function listMember(member: unknown): unknown {
  return isNothing(member) ? null : postgresValue(member)
}

/** Converts a value that does not fit its column: objects become the text that other stores compare them as. */
function textOrValue(value: unknown): unknown {
  if (typeof value !== 'object' || value instanceof Uint8Array) return value
  return value instanceof Date ? value.toISOString() : jsonText(value)
}

function postgresValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : textOrValue(value)
}

/** Converts a value for a column of numbers, which may hold booleans as 0 and 1. */
function postgresNumber(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : postgresValue(value)
}

/** Converts a value for SQLite, which cannot bind booleans. */
function sqliteValue(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : textOrValue(value)
}

/**
 * Converts a value for a text column of SQLite. A number may be bound as a double, which the column would store as
 * `1.0`.
 */
function sqliteText(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return textOrValue(value)
  }
}
