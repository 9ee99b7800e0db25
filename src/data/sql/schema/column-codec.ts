import type { MomentFormat } from '../../../resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from '../../../resource/fields/moment-format.js'
import type { EngineName } from '../driver/sql-driver.js'
import { readArray } from '../driver/postgres/postgres-array.js'
import type { ColumnType } from './column-type.js'
import type { ValueMapping } from './table-model.js'

/** How values of a column travel between rows and the driver. */
export interface ColumnCodec {
  /** From the driver to the row; `null` where nothing is to be done. Null is never asked. */
  readonly decode: ((held: unknown) => unknown) | null
  /** From a row to the driver, to be stored. Null is never asked. Passes on what it cannot convert: the database refuses it. */
  encode(value: unknown): unknown
}

/** What is known of the values of a column. */
export interface CodedColumn {
  /** What rows have. */
  readonly type: ColumnType
  /** What the database says that the column holds. */
  readonly held: ColumnType
  /** Whether the model says the type itself. */
  readonly declared: boolean
}

/**
 * The codec of a column. PostgreSQL's driver answers values as the types of their columns say, so that only what a model
 * declares otherwise is left to decode; SQLite's answers what is held.
 */
export function codecOf(engine: EngineName, column: CodedColumn): ColumnCodec {
  const encoded = encoderOf(engine, column)
  return Object.freeze({
    decode: decoderOf(engine, column),
    encode: (value: unknown) => (isNothing(value) ? null : encoded(value)),
  })
}

/**
 * The codec of what a database computes: what it holds nobody knows before, so that the type alone says what rows have.
 * PostgreSQL is told the type, so that JSON is read by then: a text in it that spells a number stays one.
 */
export function computedCodec(engine: EngineName, type: ColumnType): ColumnCodec {
  const codec = codecOf(engine, { type, held: type === 'json' ? 'json' : 'other', declared: true })
  return Object.freeze({ ...codec, decode: numberDecoders.get(type) ?? codec.decode })
}

/** An expression of SQLite may take its numbers from a column of texts. */
const numberDecoders: ReadonlyMap<ColumnType, Convert> = new Map([
  ['integer', integerIn],
  ['number', numberIn],
  ['real', numberIn],
])

function integerIn(held: unknown): unknown {
  const number = numberIn(held)
  return typeof held === 'string' && wholeNumber.test(held) && !Number.isSafeInteger(number) ? BigInt(held) : number
}

function numberIn(held: unknown): unknown {
  return typeof held === 'string' && held.trim() !== '' && !Number.isNaN(Number(held)) ? Number(held) : held
}

/** The codec of a column of which the model makes something else in rows. */
export function mappedCodec(codec: ColumnCodec, mapping: ValueMapping | null): ColumnCodec {
  if (mapping === null) return codec
  const { toRow, fromRow } = mapping
  const { decode } = codec
  return Object.freeze({
    decode: decode === null ? toRow : (held: unknown) => toRow(decode(held)),
    encode: (value: unknown) => codec.encode(fromRow === undefined || isNothing(value) ? value : fromRow(value)),
  })
}

/** What has no value on any store: stored, it is null. */
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
  decimal: (held) => (typeof held === 'number' || typeof held === 'bigint' ? String(held) : held),
  boolean: (held) => truthIn(held) ?? held,
  instant: (held) => (typeof held === 'string' ? (instantIn(held) ?? held) : held),
  timestamp: (held) => (typeof held === 'string' ? (instantIn(held) ?? held) : held),
  epochSeconds: (held) => epochIn(held, 1000),
  epochMilliseconds: (held) => epochIn(held, 1),
  date: (held) => writtenAs(dateFormat, held) ?? held,
  time: (held) => writtenAs(timeFormat, held) ?? held,
  json: jsonIn,
  list: jsonIn,
  uuid: null,
  bytes: null,
  other: null,
}

function decoderOf(engine: EngineName, { type, held, declared }: CodedColumn): Convert | null {
  // Whole numbers that fit are numbers in rows, unless the author asks for one class in all rows.
  if (type === 'bigint') return declared ? bigintIn : null
  if (engine === 'sqlite') return decoders[type]
  if (held === 'list') return listIn
  return type === held ? null : decoders[type]
}

/** Arrays of types that only this database knows, such as its enumerations, come as text. */
function listIn(held: unknown): unknown {
  return typeof held === 'string' && /^[[{]/.test(held) ? readArray(held, (item) => item) : held
}

const wholeNumber = /^-?\d+$/

function bigintIn(held: unknown): unknown {
  if (typeof held === 'number') return Number.isInteger(held) ? BigInt(held) : held
  return typeof held === 'string' && wholeNumber.test(held) ? BigInt(held) : held
}

function truthIn(value: unknown): boolean | null {
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
/** As codecs write instants; most are so. */
const written = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Text without a zone is UTC, as `current_timestamp` of SQLite writes it. */
function instantIn(text: string): Date | null {
  if (written.test(text)) {
    const instant = new Date(text)
    if (!Number.isNaN(instant.getTime())) return instant
  }
  return dateTime.read(text.replace(' ', 'T')) ?? dateFormat.read(text)
}

function epochIn(held: unknown, milliseconds: number): unknown {
  const count = typeof held === 'bigint' ? Number(held) : held
  return typeof count === 'number' ? new Date(Math.round(count * milliseconds)) : held
}

function epochOf(value: unknown, milliseconds: number): unknown {
  const instant = typeof value === 'string' ? instantIn(value) : value
  return instant instanceof Date ? Math.floor(instant.getTime() / milliseconds) : plain(value)
}

function writtenAs(format: MomentFormat, value: unknown): string | null {
  return value instanceof Date && !isNothing(value) ? format.write(value) : null
}

function jsonIn(held: unknown): unknown {
  if (typeof held !== 'string') return held
  try {
    return JSON.parse(held)
  } catch {
    return held
  }
}

function encoderOf(engine: EngineName, { type, held }: CodedColumn): Convert {
  switch (type) {
    case 'boolean':
      return truthEncoder(engine === 'sqlite' || numeric.has(held))
    case 'instant':
    case 'timestamp':
      return engine === 'postgres' && held !== 'text' ? (value) => postgresMoment(instantText(value)) : instantText
    case 'epochSeconds':
      return (value) => epochOf(value, 1000)
    case 'epochMilliseconds':
      return (value) => epochOf(value, 1)
    case 'date':
      return (value) => writtenAs(dateFormat, value) ?? plain(value)
    case 'time':
      return (value) => writtenAs(timeFormat, value) ?? plain(value)
    case 'json':
      return jsonText
    case 'list':
      return engine === 'postgres' && held === 'list' ? listValues : jsonText
    case 'decimal':
      return (value) => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : plain(value))
    case 'text':
    case 'uuid':
      return engine === 'postgres' ? postgresValue : sqliteText
    default:
      return engine === 'postgres' ? postgresValue : sqliteValue
  }
}

const numeric: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'real', 'decimal'])

function truthEncoder(asNumber: boolean): Convert {
  return (value) => {
    const truth = truthIn(value)
    return truth === null ? plain(value) : asNumber ? Number(truth) : truth
  }
}

/** Text that spells an instant is stored like any other, so that all of a column compare alike. */
function instantText(value: unknown): unknown {
  const instant = typeof value === 'string' ? instantIn(value) : value
  return instant instanceof Date ? instant.toISOString() : plain(value)
}

const farYear = /^([+-]\d{6})(-.*)$/

/** PostgreSQL knows no signs before years: it counts those before the year 1 from 1 BC, and writes others as they are. */
function postgresMoment(text: unknown): unknown {
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
  if (!Array.isArray(members)) return plain(value)
  return members.map((member: unknown) => (Array.isArray(member) ? listValues(member) : listMember(member)))
}

function listMember(member: unknown): unknown {
  return isNothing(member) ? null : postgresValue(member)
}

/** A value in a column that was not made for it: the text that other stores would compare it as. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value instanceof Uint8Array) return value
  return value instanceof Date ? value.toISOString() : jsonText(value)
}

function postgresValue(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : plain(value)
}

/** SQLite has no booleans to bind. */
function sqliteValue(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : plain(value)
}

/** A number that is bound may be a double, which a column of text would hold as `1.0`. */
function sqliteText(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return plain(value)
  }
}
