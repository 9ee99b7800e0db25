import type { SqlColumn } from '../../../schema/sql-table.js'
import type { KeyUse } from '../../dialect.js'

const wholeNumbers = 'change the column to a type of whole numbers: bigint, or numeric with the scale 0'
const wholeNumeric = /^numeric\(\d+,0\)/

/** Returns the remedy for a column whose values cannot be found by the ids that responses show, as the end of a sentence. */
export function keyRemedy({ type }: SqlColumn, { databaseType, isConverted }: KeyUse): string | null {
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
