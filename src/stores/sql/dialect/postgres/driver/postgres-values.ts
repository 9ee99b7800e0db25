import { instantIn, readInstant } from './postgres-instant.js'
import type { PostgresTypes } from './postgres-pool.js'

/** Parses the text that PostgreSQL writes for a value. */
export type ValueReader = (text: string) => unknown

/** Parses the bytes that PostgreSQL sends for a value, from one position to another. */
export type BytesReader = (bytes: Buffer, start: number, end: number) => unknown

/** The parser of a type, and the oid of its array type. Values of other types stay text. */
interface ParsedType {
  readonly oid: number
  readonly array: number
  readonly read: ValueReader
}

export const asText: ValueReader = (text) => text

/** The oids of built-in types, which never change. They are those of the system catalog `pg_type`. */
const types: readonly ParsedType[] = [
  { oid: 16, array: 1000, read: readBoolean }, // boolean
  { oid: 17, array: 1001, read: readBytes }, // bytea
  { oid: 20, array: 1016, read: readInteger }, // bigint
  { oid: 21, array: 1005, read: readInteger }, // smallint
  { oid: 23, array: 1007, read: readInteger }, // integer
  { oid: 26, array: 1028, read: readInteger }, // oid
  { oid: 700, array: 1021, read: Number }, // real
  { oid: 701, array: 1022, read: Number }, // double precision
  { oid: 1042, array: 1014, read: readPadded }, // character
  { oid: 114, array: 199, read: readJson }, // json
  { oid: 3802, array: 3807, read: readJson }, // jsonb
  { oid: 1114, array: 1115, read: readInstant }, // timestamp
  { oid: 1184, array: 1185, read: readInstant }, // timestamptz
  ...[
    [18, 1002], // "char"
    [19, 1003], // name
    [25, 1009], // text
    [142, 143], // xml
    [650, 651], // cidr
    [829, 1040], // macaddr
    [869, 1041], // inet
    [1043, 1015], // character varying
    [1082, 1182], // date
    [1083, 1183], // time
    [1186, 1187], // interval
    [1266, 1270], // timetz
    [1560, 1561], // bit
    [1562, 1563], // bit varying
    [1700, 1231], // numeric
    [2950, 2951], // uuid
    [4072, 4073], // jsonpath
  ].map(([oid = 0, array = 0]) => ({ oid, array, read: asText })),
]

const readers: ReadonlyMap<number, ValueReader> = new Map(
  types.flatMap(({ oid, array, read }): [number, ValueReader][] => [
    [oid, read],
    [array, (text) => readArray(text, read)],
  ]),
)

/**
 * Passed with every statement, so that the type parsers that the application sets on pg are neither used nor changed.
 */
export const postgresTypes: PostgresTypes = {
  getTypeParser: (oid, format) => (format === 'binary' ? refuseBinary : (readers.get(oid) ?? asText)),
}

/**
 * Returns the parser of the bytes of a value, with the same result as the parser of its text. The frequent types other than text need
 * no text.
 */
export function bytesReader(read: ValueReader): BytesReader {
  return withoutText.get(read) ?? ((bytes, start, end) => read(bytes.toString('utf8', start, end)))
}

const TRUE = 116
const MINUS = 45
const ZERO = 48

function readBoolean(text: string): boolean {
  return text === 't'
}

/** The number of digits that a double can represent exactly. */
const EXACT = 15

/** Parses an integer, the most frequent type. Digit by digit takes half the time of `Number`. */
function readInteger(text: string): number | bigint {
  const { length } = text
  const isNegative = text.charCodeAt(0) === MINUS
  if (length > EXACT) return readLarge(text)
  let value = 0
  for (let at = isNegative ? 1 : 0; at < length; at += 1) value = value * 10 + text.charCodeAt(at) - ZERO
  return isNegative ? -value : value
}

const integerIn: BytesReader = (bytes, start, end) => {
  if (end - start > EXACT) return readLarge(bytes.toString('latin1', start, end))
  const isNegative = bytes[start] === MINUS
  let value = 0
  for (let at = isNegative ? start + 1 : start; at < end; at += 1) value = value * 10 + (bytes[at] ?? ZERO) - ZERO
  return isNegative ? -value : value
}

const withoutText: ReadonlyMap<ValueReader, BytesReader> = new Map<ValueReader, BytesReader>([
  [asText, (bytes, start, end) => bytes.toString('utf8', start, end)],
  [readBoolean, (bytes, start) => bytes[start] === TRUE],
  [readInteger, integerIn],
  [readInstant, instantIn],
])

function readLarge(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

/** Removes the padding of `character(n)`, which PostgreSQL ignores in comparisons. The expression `/ +$/` would take quadratic time. */
function readPadded(text: string): string {
  let end = text.length
  while (text[end - 1] === ' ') end -= 1
  return text.slice(0, end)
}

function readJson(text: string): unknown {
  return JSON.parse(text)
}

const BACKSLASH = 92

/**
 * Parses both forms of `bytea_output`: `\x00ff`, or text in which a backslash precedes three octal digits or a
 * backslash.
 */
function readBytes(text: string): Uint8Array {
  if (text.startsWith(String.raw`\x`)) return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) !== BACKSLASH) bytes.push(text.charCodeAt(at))
    else if (text.charCodeAt(at + 1) === BACKSLASH) {
      bytes.push(BACKSLASH)
      at += 1
    } else {
      bytes.push(Number.parseInt(text.slice(at + 1, at + 4), 8))
      at += 3
    }
  }
  return new Uint8Array(bytes)
}

function refuseBinary(): never {
  throw new Error('The pool requests values in binary format from PostgreSQL: create it without `binary: true`.')
}

/** A value of an array type. Arrays may be nested. */
export type PostgresArray = readonly unknown[]

/**
 * Parses an array as PostgreSQL writes it: `{1,NULL,"a,b",{…}}`. Bounds that do not start at one, `[0:2]={…}`, are
 * ignored.
 *
 * @param readItem called for every item that is not null
 */
export function readArray(text: string, readItem: (item: string) => unknown): PostgresArray {
  const from = text.startsWith('[') ? text.indexOf('=') + 1 : 0
  const open: unknown[][] = []
  let outermost: unknown[] = []
  for (let at = from; at < text.length; ) {
    const character = text[at]
    if (character === '{') {
      const list: unknown[] = []
      const parent = open.at(-1)
      if (parent === undefined) outermost = list
      else parent.push(list)
      open.push(list)
      at += 1
    } else if (character === '}') {
      open.pop()
      at += 1
    } else if (character === ',') {
      at += 1
    } else {
      const { item, isQuoted, end } = character === '"' ? quotedItem(text, at) : plainItem(text, at)
      open.at(-1)?.push(item === 'NULL' && !isQuoted ? null : readItem(item))
      at = end
    }
  }
  return outermost
}

interface ParsedItem {
  readonly item: string
  readonly isQuoted: boolean
  /** The position after the item. */
  readonly end: number
}

function plainItem(text: string, from: number): ParsedItem {
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1
  return { item: text.slice(from, end), isQuoted: false, end }
}

function quotedItem(text: string, from: number): ParsedItem {
  let end = from + 1
  let isEscaped = false
  while (end < text.length && text[end] !== '"') {
    if (text[end] === '\\') isEscaped = true
    end += text[end] === '\\' ? 2 : 1
  }
  const content = text.slice(from + 1, end)
  return { item: isEscaped ? content.replaceAll(/\\(.)/gsu, '$1') : content, isQuoted: true, end: end + 1 }
}
