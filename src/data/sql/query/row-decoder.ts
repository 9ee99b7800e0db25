import type { Row } from '../../../rows/row-set.js'
import type { SqlColumn } from '../schema/sql-table.js'

/** Turns what the driver gives for some columns, from a position on, into the values of rows. */
export function rowDecoder(columns: readonly SqlColumn[], from = 0): (row: Row) => Row {
  const decoders = columns.flatMap(({ codec: { decode } }, index) => (decode === null ? [] : [{ decode, index }]))
  const to = from + columns.length
  return (row) => {
    const own = from === 0 && row.length === to && decoders.length === 0 ? row : row.slice(from, to)
    for (const { decode, index } of decoders) {
      const held = own[index]
      // The slice is ours to change: nobody has seen it yet.
      if (held !== null && held !== undefined) (own as unknown[])[index] = decode(held)
    }
    return own
  }
}
