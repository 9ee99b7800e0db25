import type { Expression, RawBuilder } from 'kysely'
import type { Model } from '../../../resource/model.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from './column-type.js'
import type { TableName } from './live-schema.js'

/** A column of a table model, by the member of the row that it fills. */
export interface TableColumn {
  /** In the database; `null`: as the naming has it. */
  readonly name: string | null
  /** `null`: what the database and the attributes say. */
  readonly type: ColumnType | null
  /** What rows have in place of the values of the type. */
  readonly mapping?: ValueMapping
  /** What the database makes its values of, where the table has no such column. The type is said then, and no name. */
  readonly computed?: Compute
}

/** Writes the expression that a column is computed by, from other columns of the row. */
export type Compute = (row: {
  readonly column: (member: string) => RawBuilder<unknown>
  readonly engine: EngineName
}) => Expression<unknown>

/** Lies between rows and the values that a column's type has in rows. Null is never asked; what cannot be mapped is passed on. */
export interface ValueMapping {
  readonly toRow: (value: unknown) => unknown
  /** Left out where the type takes what rows have. */
  readonly fromRow?: (value: unknown) => unknown
}

/** How members of a row and columns of the database are called: alike, or `releasedAt` and `released_at`. */
export type ColumnNaming = 'same' | 'snake_case'

/** A model that is a table, or a view, of a database. */
export interface TableModel<Row> extends Model<Row> {
  readonly table: TableName & {
    /** The members that identify a row: several where it takes several columns. */
    readonly key: readonly string[]
    /** `null`: as the store has it. */
    readonly naming: ColumnNaming | null
    /** Those of which more is known than the name, by the member of the row. */
    readonly columns: ReadonlyMap<string, TableColumn>
  }
}

export function isTableModel(model: Model<unknown> | null): model is TableModel<unknown> {
  return model !== null && 'table' in model && typeof model.table === 'object' && model.table !== null
}

/** `music.albums` is the table `albums` of the schema `music`. */
export function tableName(text: string): TableName {
  const dot = text.indexOf('.')
  return dot < 1 ? { schema: null, name: text } : { schema: text.slice(0, dot), name: text.slice(dot + 1) }
}

/** As messages spell it. */
export function tableText({ schema, name }: TableName): string {
  return schema === null ? name : `${schema}.${name}`
}
