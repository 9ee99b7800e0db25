import { dateFormat, timeFormat } from '../../../../resource/fields/moment-format.js'
import { RawStored } from '../../../../util/raw-stored.js'
import type { ColumnType } from '../../schema/column-type.js'
import type { InstantNotation } from '../../schema/instant-notation.js'
import { inNotation } from '../../schema/instant-notation.js'
import type { ComparedColumn } from '../../query/compared-column.js'

interface StoredColumn {
  readonly as: ComparedColumn['as']
  readonly type: ColumnType
  readonly notation: InstantNotation
}

/**
 * Returns a stored value of SQLite for a cursor, if it is not of the class or in the form that the column declares:
 * SQLite stores any value in any column, and sorts numbers before texts and texts before bytes. Returns `null` for
 * regular values.
 */
export function irregularValue(stored: unknown, column: StoredColumn): RawStored | null {
  const isValue =
    typeof stored === 'number' ||
    typeof stored === 'bigint' ||
    typeof stored === 'string' ||
    stored instanceof Uint8Array
  return !isValue || isRegular(stored, column) ? null : new RawStored(stored)
}

function isRegular(stored: number | bigint | string | Uint8Array, { as, type, notation }: StoredColumn): boolean {
  switch (as) {
    case 'text':
      return typeof stored === 'string'
    case 'number':
    case 'boolean':
      return typeof stored === 'number' || typeof stored === 'bigint'
    case 'moment':
      return isRegularMoment(stored, type, notation)
    default:
      return true
  }
}

function isRegularMoment(stored: unknown, type: ColumnType, notation: InstantNotation): boolean {
  if (type === 'epochSeconds' || type === 'epochMilliseconds') return typeof stored === 'number'
  if (typeof stored !== 'string') return false
  switch (type) {
    case 'date':
      return dateFormat.isCanonical?.(stored) === true
    case 'time': {
      const time = timeFormat.read(stored)
      return time !== null && timeFormat.write(time) === stored
    }
    default: {
      const instant = new Date(notation.includes('T') ? stored : `${stored.replace(' ', 'T')}Z`)
      return !Number.isNaN(instant.getTime()) && inNotation(instant.toISOString(), notation) === stored
    }
  }
}
