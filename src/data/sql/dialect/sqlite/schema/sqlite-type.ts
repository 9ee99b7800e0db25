import type { ColumnType } from '../../../schema/column-type.js'

/**
 * Maps the declared type of an SQLite column to a column type. SQLite accepts any words as a type. Type names of other
 * databases have their usual meaning here; the rest follows
 * https://www.sqlite.org/datatype3.html#determination_of_column_affinity.
 */
export function sqliteType(declared: string): ColumnType {
  const words = declared
    .toUpperCase()
    .replaceAll(/\([^)]*\)/g, ' ')
    .trim()
    .split(/\s+/)
  const named = known[words[0] ?? '']
  if (named !== undefined) return named
  const text = words.join(' ')
  if (text.includes('BIG INT')) return 'bigint'
  return affinities.find(([part]) => text.includes(part))?.[1] ?? 'other'
}

const known: Readonly<Record<string, ColumnType | undefined>> = {
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  DATETIME: 'instant',
  TIMESTAMP: 'instant',
  TIMESTAMPTZ: 'instant',
  DATE: 'date',
  TIME: 'time',
  JSON: 'json',
  JSONB: 'json',
  DECIMAL: 'decimal',
  NUMERIC: 'decimal',
  UUID: 'uuid',
  GUID: 'uuid',
  UNIQUEIDENTIFIER: 'uuid',
  BIGINT: 'bigint',
  INT8: 'bigint',
  BYTEA: 'bytes',
  BINARY: 'bytes',
  VARBINARY: 'bytes',
}

const affinities: readonly (readonly [part: string, type: ColumnType])[] = [
  ['INT', 'integer'],
  ['CHAR', 'text'],
  ['CLOB', 'text'],
  ['TEXT', 'text'],
  ['BLOB', 'bytes'],
  ['REAL', 'number'],
  ['FLOA', 'number'],
  ['DOUB', 'number'],
]
