import type { Column } from 'drizzle-orm'
import { is } from 'drizzle-orm'
import { PgArray } from 'drizzle-orm/pg-core'
import { SQLiteTimestamp } from 'drizzle-orm/sqlite-core'
import type { TableColumn, ValueMapping } from '../sql/schema/table-model.js'

type ColumnValues = Pick<TableColumn, 'type' | 'mapping'>

/**
 * Returns the value type of a column and the conversion of its values, so that rows have the values that Drizzle
 * infers. PostgreSQL reports the types of its columns, so only the `mode` of a column needs a conversion. SQLite
 * reports little, so its columns need a type here.
 */
export function columnValues(column: Column): ColumnValues {
  if (is(column, SQLiteTimestamp)) {
    return { type: column.mode === 'timestamp' ? 'epochSeconds' : 'epochMilliseconds' }
  }
  if (is(column, PgArray)) return arrayValues(columnValues(column.baseColumn).mapping)
  const known = knownColumns.get(column.columnType)
  return known ?? { type: null, mapping: drizzleMapping(column) }
}

const plain: ColumnValues = Object.freeze({ type: null })
const numbers: ColumnValues = Object.freeze({ type: null, mapping: { toRow: numberOf } })
const bigints: ColumnValues = Object.freeze({ type: null, mapping: { toRow: bigintOf } })

/** Columns by Drizzle's `columnType`. Columns that are not listed convert values with their own mapping functions. */
const knownColumns: ReadonlyMap<string, ColumnValues> = new Map<string, ColumnValues>([
  ...['PgBigInt53', 'PgBigSerial53', 'PgNumericNumber'].map((name) => [name, numbers] as const),
  ...['PgBigInt64', 'PgBigSerial64', 'PgNumericBigInt'].map((name) => [name, bigints] as const),
  ['PgTimestampString', { type: null, mapping: { toRow: textOf } }],
  ['PgDate', { type: null, mapping: { toRow: dateOf } }],
  ...[
    'PgBoolean',
    'PgChar',
    'PgCidr',
    'PgDateString',
    'PgDoublePrecision',
    'PgEnumColumn',
    'PgEnumObjectColumn',
    'PgInet',
    'PgInteger',
    'PgInterval',
    'PgJson',
    'PgJsonb',
    'PgMacaddr',
    'PgMacaddr8',
    'PgNumeric',
    'PgReal',
    'PgSerial',
    'PgSmallInt',
    'PgSmallSerial',
    'PgText',
    'PgTime',
    'PgTimestamp',
    'PgUUID',
    'PgVarchar',
  ].map((name) => [name, plain] as const),
  ['SQLiteText', { type: 'text' }],
  ['SQLiteTextJson', { type: 'json' }],
  ['SQLiteInteger', { type: 'integer' }],
  ['SQLiteReal', { type: 'number' }],
  ['SQLiteBoolean', { type: 'boolean' }],
  ['SQLiteNumeric', { type: 'decimal' }],
  ['SQLiteNumericNumber', { type: 'decimal', mapping: { toRow: numberOf } }],
  ['SQLiteNumericBigInt', { type: 'decimal', mapping: { toRow: bigintOf } }],
  ['SQLiteBlobBuffer', { type: 'bytes', mapping: { toRow: bufferOf } }],
])

function arrayValues(mapping: ValueMapping | undefined): ColumnValues {
  if (mapping === undefined) return plain
  const { toRow, fromRow } = mapping
  return {
    type: null,
    mapping: { toRow: eachOf(toRow), ...(fromRow === undefined ? {} : { fromRow: eachOf(fromRow) }) },
  }
}

type Convert = (value: unknown) => unknown

function eachOf(convert: Convert): Convert {
  return (values) =>
    Array.isArray(values) ? values.map((value: unknown) => (value === null ? null : convert(value))) : values
}

/** Uses Drizzle's mapping functions of the column. They may throw for values of other types, which stay unchanged. */
function drizzleMapping(column: Column): ValueMapping {
  return {
    toRow: (value) => attempt(() => column.mapFromDriverValue(value), value),
    fromRow: (value) => attempt(() => column.mapToDriverValue(value), value),
  }
}

function attempt(convert: () => unknown, value: unknown): unknown {
  try {
    return convert()
  } catch {
    return value
  }
}

/** A whole number that a double cannot represent stays a bigint: it would lose digits. */
function numberOf(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value !== 'string') return value
  const number = Number(value)
  return Number.isNaN(number) ? value : number
}

function bigintOf(value: unknown): unknown {
  return attempt(() => (typeof value === 'string' || typeof value === 'number' ? BigInt(value) : value), value)
}

function textOf(value: unknown): unknown {
  return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value
}

function dateOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const day = new Date(value)
  return Number.isNaN(day.getTime()) ? value : day
}

function bufferOf(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value
}
