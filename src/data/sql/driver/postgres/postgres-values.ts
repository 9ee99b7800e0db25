import { readArray } from './postgres-array.js'
import { readInstant } from './postgres-instant.js'
import type { PostgresTypes } from './postgres-pool.js'

/** Reads the text that PostgreSQL writes for a value. */
export type Reader = (held: string) => unknown

/** How the values of a type are read, and the number of the type of its arrays. Types that are not here stay text. */
interface ReadType {
  readonly oid: number
  readonly array: number
  readonly read: Reader
}

export const asText: Reader = (held) => held

/** Numbers of types never change: they are those of the catalogue `pg_type`. */
const types: readonly ReadType[] = [
  { oid: 16, array: 1000, read: (held) => held === 't' }, // boolean
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

const readers: ReadonlyMap<number, Reader> = new Map(
  types.flatMap(({ oid, array, read }): [number, Reader][] => [
    [oid, read],
    [array, (held) => readArray(held, read)],
  ]),
)

/** Given with every statement, so that what the pool's owner has set for other code neither matters nor is changed. */
export const postgresTypes: PostgresTypes = {
  getTypeParser: (oid, format) => (format === 'binary' ? refuseBinary : (readers.get(oid) ?? asText)),
}

const MINUS = 45
const ZERO = 48

/** So many digits make a number that is exact. */
const EXACT = 15

/** Nothing else is read as often: digit by digit takes half the time of `Number`. */
function readInteger(held: string): number | bigint {
  const { length } = held
  const isNegative = held.charCodeAt(0) === MINUS
  if (length > EXACT) return readLarge(held)
  let value = 0
  for (let at = isNegative ? 1 : 0; at < length; at += 1) value = value * 10 + held.charCodeAt(at) - ZERO
  return isNegative ? -value : value
}

function readLarge(held: string): number | bigint {
  const value = Number(held)
  return Number.isSafeInteger(value) ? value : BigInt(held)
}

/** The blanks that fill it up mean nothing: what is compared with it is compared without them. */
function readPadded(held: string): string {
  return held.replace(/ +$/, '')
}

function readJson(held: string): unknown {
  return JSON.parse(held)
}

const BACKSLASH = 92

/** Both forms of `bytea_output`: `\x00ff`, or text in which a backslash starts three octal digits or a backslash. */
function readBytes(held: string): Uint8Array {
  if (held.startsWith(String.raw`\x`)) return new Uint8Array(Buffer.from(held.slice(2), 'hex'))
  const bytes: number[] = []
  for (let at = 0; at < held.length; at += 1) {
    if (held.charCodeAt(at) !== BACKSLASH) bytes.push(held.charCodeAt(at))
    else if (held.charCodeAt(at + 1) === BACKSLASH) {
      bytes.push(BACKSLASH)
      at += 1
    } else {
      bytes.push(Number.parseInt(held.slice(at + 1, at + 4), 8))
      at += 3
    }
  }
  return new Uint8Array(bytes)
}

function refuseBinary(): never {
  throw new Error('The pool asks PostgreSQL for values in binary form: make it without `binary: true`.')
}
