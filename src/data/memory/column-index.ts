import { keyText } from '../row-query/key-text.js'
import type { StoredRow } from './memory-table.js'

/** The rows by the text that a column holds, in the order of the rows; those without a value are left out. */
export type ColumnIndex = (
  rows: ReadonlyMap<string, StoredRow>,
  column: string,
) => ReadonlyMap<string, readonly StoredRow[]>

/** Tables are replaced and never changed, so that an index is made once for each version of a table. */
export function columnIndexes(): ColumnIndex {
  const known = new WeakMap<object, Map<string, ReadonlyMap<string, readonly StoredRow[]>>>()
  return (rows, column) => {
    const ofRows = known.get(rows) ?? new Map<string, ReadonlyMap<string, readonly StoredRow[]>>()
    known.set(rows, ofRows)
    const index = ofRows.get(column) ?? indexed(rows, column)
    ofRows.set(column, index)
    return index
  }
}

function indexed(rows: ReadonlyMap<string, StoredRow>, column: string): ReadonlyMap<string, readonly StoredRow[]> {
  const index = new Map<string, StoredRow[]>()
  for (const row of rows.values()) {
    const text = keyText(row[column])
    if (text === null) continue
    const sharing = index.get(text)
    if (sharing === undefined) index.set(text, [row])
    else sharing.push(row)
  }
  return index
}
