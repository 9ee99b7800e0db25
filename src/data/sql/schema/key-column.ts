import type { CompiledType } from '../../../resource/compiled-type.js'
import { isTableModel } from './table-model.js'

/** How a type uses a column as its id. */
export interface KeyUse {
  /** The type of the column as the database spells it. */
  readonly databaseType: string
  /** Whether the model declares the type of the column. */
  readonly isDeclared: boolean
  /** Whether a codec converts the ids. */
  readonly isConverted: boolean
}

/** Returns whether the model of a type declares a column. */
export function isDeclaredColumn({ model }: CompiledType, member: string): boolean {
  return model !== null && isTableModel(model) && model.table.columns.has(member)
}
