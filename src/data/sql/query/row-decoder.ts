import type { Row } from '../../../rows/row-set.js'
import type { SqlColumn } from '../schema/sql-table.js'

/**
 * Returns a function that converts a row of the driver to row values.
 *
 * @param positions the indexes of the columns in rows of the driver; by default, the rows contain exactly these columns
 */
export function rowDecoder(columns: readonly SqlColumn[], positions?: readonly number[]): (row: Row) => Row {
  const decoders = columns.flatMap(({ codec: { decode } }, index) => (decode === null ? [] : [{ decode, index }]))
  const isInOrder = positions === undefined || positions.every((position, index) => position === index)
  const pick = isInOrder
    ? (row: Row): unknown[] => row.slice(0, columns.length)
    : (row: Row): unknown[] => positions.map((position) => row[position])
  return (row) => {
    if (isInOrder && decoders.length === 0 && row.length === columns.length) return row
    const values = pick(row)
    for (const { decode, index } of decoders) {
      const stored = values[index]
      if (stored !== null && stored !== undefined) values[index] = decode(stored)
    }
    return values
  }
}
