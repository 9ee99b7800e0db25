import { defaultNotation } from '../../../schema/instant-notation.js'
import type { SqlColumn } from '../../../schema/sql-table.js'
import type { KeyUse } from '../../dialect.js'

/** A column that the model declares needs no remedy: SQLite stores any value in any column. */
export function keyRemedy({ type, property, notation }: SqlColumn, { isDeclared, isConverted }: KeyUse): string | null {
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
