import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowFlag, WantedColumns } from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { Model } from '../../../declare/resource/parts/model.js'
import type { RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import type { Row } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import { lruCache } from '../../../core/util/lru-cache.js'
import { memoize } from '../../../core/util/memoize.js'
import { rowValue } from '../statement/row-value.js'
import type { ColumnCodec } from './column-codec.js'
import type { ColumnType } from './column-type.js'
import type { InstantNotation } from './instant-notation.js'
import { defaultNotation } from './instant-notation.js'
import type { LiveTable } from './live-schema.js'
import type { ValueMapping } from './table-model.js'
import { isTableModel } from './table-model.js'

/** A column for use in statements: the declaration in the model, combined with the column of the database. */
export interface SqlColumn {
  /** The member of the row. */
  readonly property: string
  /** The name in the database. A computed column has no name there; its name here differs from those of all columns. */
  readonly name: string
  /**
   * Returns the expression of a computed column, given the alias of its table in the statement. Null for a stored
   * column.
   */
  readonly expression: ((alias: string) => RawBuilder<unknown>) | null
  /** The columns of a composite key, which is compared and joined like a column, and never selected. */
  readonly parts?: readonly SqlColumn[]
  readonly type: ColumnType
  /** The type of the column in the database, without what attributes and the model say. */
  readonly storedType: ColumnType
  /** The type that the model declares; null if it declares none. */
  readonly declaredType: ColumnType | null
  readonly nullable: boolean
  /**
   * Whether stored values can be compared directly. On SQLite instants are texts, and `current_timestamp` writes them
   * in another form than the store: they have one form only if the model declares the type. Decimals may be texts there
   * too. On MySQL and MariaDB, a collation may take different texts for the same.
   */
  readonly isUniform: boolean
  /** How the value is read as text. The driver would convert it to another value first. Null for other columns. */
  readonly readAsText: TextReading | null
  /** The type of the items of a PostgreSQL array; null for other columns. */
  readonly items: ColumnType | null
  /**
   * Whether the database may hold more digits than an attribute shows: microseconds, or more digits than a double has.
   * PostgreSQL only.
   */
  readonly isFiner: boolean
  /** How SQLite holds instants as text. */
  readonly notation: InstantNotation
  readonly codec: ColumnCodec
  /** The value mapping of the model; null if there is none. */
  readonly mapping: ValueMapping | null
}

/**
 * How a column is read as text: as the text that the database displays, because attributes show it as text; or an instant in
 * the ISO form with all its digits, because the model declares it as text.
 */
export interface TextReading {
  readonly form: 'displayed' | 'iso'
  readonly read: (reference: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** A table for use in statements. */
export interface SqlTable {
  /**
   * The cache key of the table: its model's name and a hash of its columns. Tables with equal keys have equal statement
   * texts.
   */
  readonly cacheKey: string
  readonly schema: string | null
  readonly name: string
  /** The member of the row that is the key; null for a join table without one. */
  readonly key: string | null
  /** All columns: the stored ones in the order of the table, then the computed ones. */
  readonly columns: readonly SqlColumn[]
  /** The stored columns, which can be written. */
  readonly stored: readonly SqlColumn[]
  readonly computed: readonly SqlColumn[]
  /** All columns, and the composite keys, by member of the row. */
  readonly columnOf: ReadonlyMap<string, SqlColumn>
  /** The stored columns, by name in the database. */
  readonly columnNamed: ReadonlyMap<string, SqlColumn>
  /** Whether a written row has to be read by a second statement, also if writes return rows: for its computed columns, or because of triggers. */
  readonly needsSecondRead: boolean
  readonly live: LiveTable
}

/**
 * The tables of a store. Tables of types are found by model: several models may share a table, each with its own
 * members. Tables that are only referred to by name are found by that name.
 */
export type SqlTables = ReadonlyMap<Model<unknown> | string, SqlTable>

/**
 * Returns whether the rows of a type have to be compared with its rules as they are stored, because the database may store other values
 * than are written: triggers and generated columns.
 */
export function isCheckedAsStored({ live }: SqlTable, { scope, policy }: CompiledType): boolean {
  if (scope === null && policy === null) return false
  const isGenerated = live.columns.some(({ generated }) => generated === 'expression')
  return live.changesBeforeStoring || live.changesAfterReturning || isGenerated
}

/** Returns the column of a member. Throws if there is none, which is a bug. */
export function columnOf(table: SqlTable, property: string): SqlColumn {
  const column = table.columnOf.get(property)
  if (column === undefined) throw new Error(`The table '${table.name}' has no column for '${property}'.`)
  return column
}

/** Returns the column of a member that is to be written. Throws if the column is computed. */
export function storedColumn(table: SqlTable, property: string): SqlColumn {
  const column = table.columnOf.get(property) ?? columnOf(table, property)
  if (column.expression === null) return column
  throw new Error(`'${property}' of the table '${table.name}' is computed by the database: it cannot be set.`)
}

/** Encodes a value for a column. */
export function encodedValue({ codec }: SqlColumn, value: unknown): unknown {
  return value === null || value === undefined ? null : codec.encode(value)
}

/** Returns whether the database guarantees that a column, or a composite key, is unique and not null. */
export function isKeyOfRows(table: SqlTable, property: string): boolean {
  const uniqueness = uniquenessOf(table, property)
  return uniqueness === 'key' || (uniqueness === 'unique' && table.columnOf.get(property)?.nullable === false)
}

/** Returns whether the database guarantees that no two rows have the same value, apart from null. */
export function hasDistinctValues(table: SqlTable, property: string): boolean {
  return uniquenessOf(table, property) !== null
}

function uniquenessOf(
  { columnOf: columns, live: { primaryKey, indexes } }: SqlTable,
  property: string,
): 'key' | 'unique' | null {
  const column = columns.get(property)
  if (column === undefined || column.expression !== null) return null
  const own = column.parts?.map(({ name }) => name) ?? [column.name]
  const isOnly = (names: readonly (string | null)[]): boolean =>
    names.length === own.length && names.every((name) => name !== null && own.includes(name))
  if (isOnly(primaryKey)) return 'key'
  return indexes.some((index) => index.unique && !index.partial && isOnly(index.columns)) ? 'unique' : null
}

export function tableOf(tables: SqlTables, model: Model<unknown> | string): SqlTable {
  const table = tables.get(model)
  if (table !== undefined) return table
  throw new Error(`The database has no table for the model '${typeof model === 'string' ? model : model.name}'.`)
}

type JoinStorage = Extract<RelationStorage, { kind: 'join' }>

/** Returns the key under which `SqlTables` has the join table of a relation. */
export function joinModel({ model, rows }: JoinStorage): Model<unknown> | string {
  return rows !== undefined && isTableModel(rows) ? rows : model
}

/** Returns the table of a type. */
export function tableFor(tables: SqlTables, { type, model }: CompiledType): SqlTable {
  invariant(model !== null, `the SQL store cannot read '${type}', which has no model`)
  return tableOf(tables, model)
}

/**
 * Returns the SQL for a column in a statement that refers to its table by an alias. A composite key is a row value.
 */
export function columnReference({ name, expression, parts }: SqlColumn, alias: string): RawBuilder<unknown> {
  if (parts !== undefined) return rowValue(parts.map((part) => comparedPart(part, alias)))
  return expression === null ? sql.id(alias, name) : expression(alias)
}

/** A type that only the database knows is compared as text, as in a key of one column. */
function comparedPart(part: SqlColumn, alias: string): RawBuilder<unknown> {
  return part.type === 'other' ? sql`cast(${sql.id(alias, part.name)} as text)` : sql.id(alias, part.name)
}

/** Returns the SQL that reads a column into rows. */
export function selectedReference(column: SqlColumn, alias: string | null): RawBuilder<unknown> {
  const reference = alias === null ? sql.id(column.name) : columnReference(column, alias)
  return column.readAsText === null ? reference : column.readAsText.read(reference)
}

/**
 * Returns the composite keys of a table as columns, for conditions and joins: a row value in statements, and one list
 * of values in rows. They are not selected. A key without all its columns is left out: these are reported as missing.
 */
export function compositeColumns(
  names: ReadonlySet<string>,
  columns: ReadonlyMap<string, SqlColumn>,
): readonly SqlColumn[] {
  return [...names].flatMap((name) => {
    const parts = keyColumns(name).flatMap((column) => columns.get(column) ?? [])
    if (parts.length < keyColumns(name).length) return []
    return [
      Object.freeze<SqlColumn>({
        property: name,
        name: parts.map((part) => part.name).join(', '),
        parts: Object.freeze(parts),
        expression: null,
        type: 'other',
        storedType: 'other',
        declaredType: null,
        nullable: parts.some(({ nullable }) => nullable),
        isUniform: true,
        readAsText: null,
        items: null,
        isFiner: false,
        notation: defaultNotation,
        codec: { decode: null, encode: (value) => value },
        mapping: null,
      }),
    ]
  })
}

/** Returns the stored columns of a column: the column itself, or the columns of a composite key. */
export function partsOf(column: SqlColumn): readonly SqlColumn[] {
  return column.parts ?? [column]
}

/** The columns to read of a table, with their names and their decoder. */
export interface ReadColumns {
  /** In the requested order. */
  readonly columns: readonly SqlColumn[]
  /** Their names in rows, followed by those of the flags. The same columns always have the same list, since other caches use it as a key. */
  readonly properties: readonly string[]
  /** Their names as a part of the cache key of a statement. */
  readonly names: string
  readonly decode: (row: Row) => Row
}

/** The maximum number of cached selections of a table. Clients choose columns by their fieldsets. */
const MAX_SELECTIONS = 100

const selectionsOf = memoize((_table: SqlTable) => lruCache<string, ReadColumns>(MAX_SELECTIONS))

/** Returns the requested columns of a table, with flags after them. */
export function wantedColumns(
  table: SqlTable,
  wanted: WantedColumns,
  flags: readonly RowFlag[] = noFlags,
): ReadColumns {
  const names = flags.map(({ name }) => name)
  return selectionsOf(table).getOrCreate(JSON.stringify([wanted, names]), () => readColumns(table, wanted, names))
}

const noFlags: readonly RowFlag[] = Object.freeze([])

function readColumns(table: SqlTable, wanted: WantedColumns, flags: readonly string[]): ReadColumns {
  const columns = wanted === null ? table.columns : wanted.map((property) => columnOf(table, property))
  return {
    columns,
    properties: [...propertiesOf(columns), ...flags],
    names: namesOf(columns),
    decode: rowDecoder(columns, undefined, flags.length),
  }
}

/** The names and the decoder of rows that a write returns. */
export type ReturnedRow = Pick<ReadColumns, 'properties' | 'decode'>

/** Returns how the rows of a write are read: all stored columns, with flags after them. */
export function returnedRow(table: SqlTable, flags: readonly RowFlag[]): ReturnedRow {
  return flags.length === 0 ? storedColumns(table) : wantedColumns(table, propertiesOf(table.stored), flags)
}

const storedColumns = memoize((table: SqlTable) => wantedColumns(table, propertiesOf(table.stored)))

export function propertiesOf(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ property }) => property)
}

/** Returns the names as a part of the cache key of a statement. Different lists always have different texts. */
export function namesOf(columns: readonly SqlColumn[]): string {
  let names = ''
  for (const column of columns) names += `${quotedName(column)},`
  return `[${names}]`
}

const quotedName = memoize(({ name }: SqlColumn) => JSON.stringify(name))

/**
 * Returns a function that converts a row of the driver to row values.
 *
 * @param positions the indexes of the columns in rows of the driver; by default, the rows contain exactly these columns
 * @param flags the number of flags after the columns
 */
export function rowDecoder(columns: readonly SqlColumn[], positions?: readonly number[], flags = 0): (row: Row) => Row {
  const length = columns.length + flags
  const decoders = columns.flatMap(({ codec: { decode } }, index) => (decode === null ? [] : [{ decode, index }]))
  const isInOrder = positions === undefined || positions.every((position, index) => position === index)
  const pick = isInOrder
    ? (row: Row): unknown[] => row.slice(0, length)
    : (row: Row): unknown[] => positions.map((position) => row[position])
  return (row) => {
    if (isInOrder && decoders.length === 0 && row.length === length) return row
    const values = pick(row)
    for (const { decode, index } of decoders) {
      const stored = values[index]
      if (stored !== null && stored !== undefined) values[index] = decode(stored)
    }
    return values
  }
}
