import type { Model } from '../../../resource/model.js'
import type { ColumnType } from './column-type.js'

/** A column of a table model, by the member of the row that it fills. */
export interface TableColumn {
  /** In the database. */
  readonly name: string
  /** `null`: what the database and the attributes say. */
  readonly type: ColumnType | null
}

/** How members of a row and columns of the database are called: alike, or `releasedAt` and `released_at`. */
export type ColumnNaming = 'same' | 'snake_case'

/** A model that is a table, or a view, of a database. */
export interface TableModel<Row> extends Model<Row> {
  readonly table: {
    readonly schema: string | null
    readonly name: string
    /** `null`: as the store has it. */
    readonly naming: ColumnNaming | null
    /** Those of which more is known than the name, by the member of the row. */
    readonly columns: ReadonlyMap<string, TableColumn>
  }
}

export function isTableModel(model: Model<unknown> | null): model is TableModel<unknown> {
  return model !== null && 'table' in model && typeof model.table === 'object' && model.table !== null
}
