import type { Expression, RawBuilder } from 'kysely'
import type { Model } from '../../../declare/resource/parts/model.js'
import type { EngineName } from '../../../core/util/engine-name.js'
import type { ColumnType } from './column-type.js'
import type { InstantNotation } from './instant-notation.js'
import type { TableName } from './live-schema.js'

/** A column of a table model, by the member of the row that it fills. */
export interface TableColumn {
  /** The name in the database; null to derive it from the naming. */
  readonly name: string | null
  /** Null to derive it from the database and the attributes. */
  readonly type: ColumnType | null
  /** Converts between the values of the type and those in rows. */
  readonly mapping?: ValueMapping
  /** Returns the expression of a column that the database computes. Such a column declares a type and no name. */
  readonly computed?: Compute
}

/** Returns the SQL expression of a computed column, made from other columns of the row. */
export type Compute = (row: {
  readonly column: (member: string) => RawBuilder<unknown>
  readonly engine: EngineName
}) => Expression<unknown>

/**
 * Converts between the values of a column type and those in rows. Never called with null. Returns a value that it
 * cannot map unchanged.
 */
export interface ValueMapping {
  readonly toRow: (value: unknown) => unknown
  /** Omitted if the column type accepts the values of rows. */
  readonly fromRow?: (value: unknown) => unknown
}

/** How column names relate to members of a row: the same name, or `released_at` for `releasedAt`. */
export type ColumnNaming = 'same' | 'snake_case'

/** A model of a table or a view in a database. */
export interface TableModel<Row, Keys = unknown> extends Model<Row, Keys> {
  readonly table: TableName & {
    /** The members that identify a row: several for a composite key. */
    readonly key: readonly string[]
    /** Null for the naming of the store. */
    readonly naming: ColumnNaming | null
    /** Null for the notation of the store. */
    readonly instants: InstantNotation | null
    /** The columns that the model declares, by member of the row. */
    readonly columns: ReadonlyMap<string, TableColumn>
  }
}

export function isTableModel(model: Model<unknown> | null): model is TableModel<unknown> {
  return model !== null && 'table' in model && typeof model.table === 'object' && model.table !== null
}

/** Parses a table name: `music.albums` is the table `albums` of the schema `music`. */
export function tableName(text: string): TableName {
  const dot = text.indexOf('.')
  return dot < 1 ? { schema: null, name: text } : { schema: text.slice(0, dot), name: text.slice(dot + 1) }
}

/** Formats a table name for messages. */
export function tableText({ schema, name }: TableName): string {
  return schema === null ? name : `${schema}.${name}`
}
