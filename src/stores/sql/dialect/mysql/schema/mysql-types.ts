import type { ColumnType } from '../../../schema/column-type.js'

/** The column types, by the name of the type without its length. */
const types: Readonly<Record<string, ColumnType | undefined>> = {
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  year: 'integer',
  bigint: 'bigint',
  float: 'real',
  double: 'number',
  decimal: 'decimal',
  datetime: 'timestamp',
  timestamp: 'instant',
  date: 'date',
  time: 'time',
  json: 'json',
  uuid: 'uuid',
  binary: 'bytes',
  varbinary: 'bytes',
  tinyblob: 'bytes',
  blob: 'bytes',
  mediumblob: 'bytes',
  longblob: 'bytes',
}

/**
 * @param name the type without its length: `tinyint`
 * @param declared the type as the database spells it: `tinyint(1)`
 */
export function columnType(name: string, declared: string): ColumnType {
  if (declared === 'tinyint(1)') return 'boolean'
  return types[name.toLowerCase()] ?? 'other'
}

/** Returns the type for messages, with the collation of a text: `varchar(200) collate utf8mb4_general_ci`. */
export function databaseTypeOf(declared: string, collation: string | null): string {
  return collation === null ? declared : `${declared} collate ${collation}`
}

/** Returns the labels of an enumeration type; null for other types. */
export function labelsOf(declared: string): readonly string[] | null {
  if (!declared.startsWith('enum(')) return null
  return (declared.match(/'(?:[^']|'')*'/g) ?? []).map((label) => label.slice(1, -1).replaceAll("''", "'"))
}

/** The bounds of the integer types with fewer than 64 bits. */
const bits: Readonly<Record<string, bigint | undefined>> = { tinyint: 8n, smallint: 16n, mediumint: 24n, int: 32n }

/** Returns the number of characters and the bound of the integers that a type takes. */
export function keyLimits(databaseType: string): { readonly length: number; readonly bound: bigint } {
  const length = /^(?:var)?char\((\d+)\)/.exec(databaseType)?.[1]
  const size = bits[/^[a-z]+/.exec(databaseType)?.[0] ?? ''] ?? 64n
  return {
    length: length === undefined ? Number.POSITIVE_INFINITY : Number(length),
    bound: 2n ** (databaseType.includes('unsigned') ? size : size - 1n),
  }
}

/** Returns the number of digits of the fraction of a second, or of a decimal. */
export function digitsOf(databaseType: string): number {
  const digits = /\((\d+)/.exec(databaseType)?.[1]
  return digits === undefined ? 0 : Number(digits)
}
