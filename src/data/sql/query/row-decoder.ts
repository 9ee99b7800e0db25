import type { Row } from '../../../rows/row-set.js'
import type { SqlColumn } from '../schema/sql-table.js'

/**
 * Turns what the driver gives for some columns into the values of rows.
 *
 * @param positions where the columns are in what the driver gives; without them, they are all that it gives
 */
export function rowDecoder(columns: readonly SqlColumn[], positions?: readonly number[]): (row: Row) => Row {
  const decoders = columns.flatMap(({ codec: { decode } }, index) => (decode === null ? [] : [{ decode, index }]))
  const isInOrder = positions === undefined || positions.every((position, index) => position === index)
  const own = isInOrder
    ? (row: Row): unknown[] => row.slice(0, columns.length)
    : (row: Row): unknown[] => positions.map((position) => row[position])
  return (row) => {
    if (isInOrder && decoders.length === 0 && row.length === columns.length) return row
    const values = own(row)
    for (const { decode, index } of decoders) {
      const held = values[index]
      if (held !== null && held !== undefined) values[index] = decode(held)
    }
    return values
  }
}
