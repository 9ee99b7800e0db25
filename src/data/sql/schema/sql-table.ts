import type { RawBuilder } from 'kysely'
import type { Model } from '../../../resource/model.js'
import type { RelationStorage } from '../../../resource/relations/relation-link.js'
import type { ColumnCodec } from './column-codec.js'
import type { ColumnType } from './column-type.js'
import type { LiveTable } from './live-schema.js'
import type { ValueMapping } from './table-model.js'
import { isTableModel } from './table-model.js'

/** A column as statements use it: what the model says of it, held against what the database has. */
export interface SqlColumn {
  /** The member of the row. */
  readonly property: string
  /** In the database. One that is computed has no name there, and here one that no other column has. */
  readonly name: string
  /** What the database computes it by, by what its table is called in the statement; `null` for a column that it holds. */
  readonly expression: ((alias: string) => RawBuilder<unknown>) | null
  readonly type: ColumnType
  readonly nullable: boolean
  /**
   * Whether its values compare as they are held. On SQLite instants are texts, of which `current_timestamp` writes others
   * than the store: only a model that declares the type says that they are all alike. Decimals may be texts there, too.
   */
  readonly isUniform: boolean
  readonly codec: ColumnCodec
  /** What the model makes of its values in rows; `null` where rows have them as they are. */
  readonly mapping: ValueMapping | null
}

/** A table as statements use it. */
export interface SqlTable {
  /** Tells it from whatever else may be called like its model: statements over tables that agree in it may be the same. */
  readonly model: string
  readonly schema: string | null
  readonly name: string
  /** The member of the row that is its key; `null` for join rows without one. */
  readonly key: string | null
  /** All of them: those that it holds in the order of the table, then those that are computed. */
  readonly columns: readonly SqlColumn[]
  /** Those that it holds, which can be written. */
  readonly stored: readonly SqlColumn[]
  readonly computed: readonly SqlColumn[]
  readonly columnOf: ReadonlyMap<string, SqlColumn>
  /** Those that it holds. */
  readonly columnNamed: ReadonlyMap<string, SqlColumn>
  readonly live: LiveTable
}

/**
 * The tables of a store: those of types by their models, of which several may be one table, each with members of its own;
 * those that are only named by their names.
 */
export type SqlTables = ReadonlyMap<Model<unknown> | string, SqlTable>

/** The column of a member, or a sentence that says what is missing: nothing that a client sends leads here. */
export function columnOf(table: SqlTable, property: string): SqlColumn {
  const column = table.columnOf.get(property)
  if (column === undefined) throw new Error(`The table '${table.name}' has no column for '${property}'.`)
  return column
}

/** The same, of a member that is to be set. */
export function storedColumn(table: SqlTable, property: string): SqlColumn {
  const column = columnOf(table, property)
  if (column.expression === null) return column
  throw new Error(`'${property}' of the table '${table.name}' is computed by the database: it cannot be set.`)
}

/** Whether no two rows agree in a column, and none lacks it: the database sees to it. */
export function isKeyOfRows({ columnOf: columns, live: { primaryKey, indexes } }: SqlTable, property: string): boolean {
  const column = columns.get(property)
  if (column === undefined || column.expression !== null) return false
  const isOnly = (names: readonly (string | null)[]): boolean => names.length === 1 && names[0] === column.name
  if (isOnly(primaryKey)) return true
  return !column.nullable && indexes.some((index) => index.unique && !index.partial && isOnly(index.columns))
}

export function tableOf(tables: SqlTables, model: Model<unknown> | string): SqlTable {
  const table = tables.get(model)
  if (table !== undefined) return table
  throw new Error(`The database has no table for the model '${typeof model === 'string' ? model : model.name}'.`)
}

type JoinStorage = Extract<RelationStorage, { kind: 'join' }>

/** What the table of join rows is found by. */
export function joinModel({ model, rows }: JoinStorage): Model<unknown> | string {
  return rows !== undefined && isTableModel(rows) ? rows : model
}
