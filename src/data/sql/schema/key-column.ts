import type { CompiledType } from '../../../resource/compiled-type.js'
import type { EngineName } from '../driver/sql-driver.js'
import { defaultNotation } from './instant-notation.js'
import type { SqlColumn } from './sql-table.js'
import { isTableModel } from './table-model.js'

/** How a type uses a column as its id. */
interface KeyUse {
  readonly engine: EngineName
  /** The type of the column as the database spells it. */
  readonly databaseType: string
  /** Whether the model declares the type of the column. */
  readonly isDeclared: boolean
  /** Whether a codec converts the ids. */
  readonly isConverted: boolean
}

/**
 * Returns the remedy for a column whose values cannot be found by the ids that responses show, as the end of a sentence. Null if they can
 * be found.
 */
export function keyColumnRemedy(column: SqlColumn, use: KeyUse): string | null {
  return use.engine === 'postgres' ? postgresRemedy(column, use) : sqliteRemedy(column, use)
}

/** Returns whether the model of a type declares a column. */
export function isDeclaredColumn({ model }: CompiledType, member: string): boolean {
  return model !== null && isTableModel(model) && model.table.columns.has(member)
}

const wholeNumbers = 'change the column to a type of whole numbers: bigint, or numeric with the scale 0'
const wholeNumeric = /^numeric\(\d+,0\)/

function postgresRemedy({ type }: SqlColumn, { databaseType, isConverted }: KeyUse): string | null {
  switch (type) {
    case 'decimal':
      return isConverted || wholeNumeric.test(databaseType) ? null : wholeNumbers
    case 'number':
    case 'real':
      return isConverted ? null : wholeNumbers
    case 'json':
    case 'list':
    case 'bytes':
      return 'change the column to text'
    case 'other':
      // Casts to text show a mask that the driver does not show.
      return databaseType === 'inet' ? 'change the column to text or cidr' : null
    default:
      return null
  }
}

/** A column that the model declares needs no remedy: SQLite stores any value in any column. */
function sqliteRemedy({ type, property, notation }: SqlColumn, { isDeclared, isConverted }: KeyUse): string | null {
  const declared = (name: string): string => `declare { columns: { ${property}: '${name}' } } in table()`
  switch (type) {
    case 'decimal':
    case 'number':
    case 'real':
      return isConverted ? null : `${declared('integer')} if all its values are whole numbers`
    case 'instant':
    case 'timestamp':
      // Other applications may write instants in other notations, such as that of `current_timestamp`.
      return isDeclared || notation !== defaultNotation
        ? null
        : `${declared('text')}, or 'instant' instead of 'text' if all its values are in the notation of the store`
    case 'json':
    case 'list':
    case 'bytes':
      return `${declared('text')} if all its values are texts`
    default:
      return null
  }
}
