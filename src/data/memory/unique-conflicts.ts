import { isDeepStrictEqual } from 'node:util'
import type { Conflict } from '../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import { uniqueSets } from '../../resource/unique-sets.js'
import { keyText } from '../../row-query/key-text.js'
import type { LayeredRows, RowIndex, StoredRow } from './layered-rows.js'
import { rowsFound } from './layered-rows.js'
import type { MemoryTable } from './memory-table.js'

/** A row as it is now, and as it was; `null` for a new one. */
export interface WrittenRow {
  readonly row: StoredRow
  readonly stored: StoredRow | null
}

/**
 * What unique indexes of a database would refuse: of the rows that were written to a table, those that agree with another
 * row in a set of columns. As there, null equals nothing, and a set of which no column changes is not looked at.
 */
export function uniqueConflicts(
  type: CompiledType,
  { rows }: MemoryTable,
  written: readonly WrittenRow[],
): readonly Conflict[] {
  return uniqueSets(type).flatMap(({ columns }) => {
    const changed = written.filter((each) => changes(each, columns)).map(({ row }) => row)
    return changed.filter((row) => isTaken(rows, columns, row)).map(conflictOf(type, columns))
  })
}

/** Before a draft takes the place of its table, so that nothing is written. */
export function refuse([first, ...others]: readonly Conflict[]): void {
  if (first !== undefined) throw storeConflict(first, ...others)
}

function conflictOf(type: CompiledType, columns: readonly string[]): (row: StoredRow) => Conflict {
  return (row) => ({ kind: 'unique', type: type.type, columns, key: row[referenceColumn(type)] })
}

function isTaken(rows: LayeredRows, columns: readonly string[], row: StoredRow): boolean {
  const index = byColumns(columns)
  const text = index.textOf(row)
  if (text === null) return false
  return rowsFound(rows, index, text).some(
    ({ row: other }) => row !== other && columns.every((column) => isDeepStrictEqual(row[column], other[column])),
  )
}

function byColumns(columns: readonly string[]): RowIndex {
  return {
    name: `\n${columns.join('\n')}`,
    textOf: (row) => (isWhole(row, columns) ? roughly(row, columns) : null),
  }
}

function changes({ row, stored }: WrittenRow, columns: readonly string[]): boolean {
  return stored === null || columns.some((column) => !isDeepStrictEqual(row[column], stored[column]))
}

function isWhole(row: StoredRow, columns: readonly string[]): boolean {
  return columns.every((column) => row[column] !== null && row[column] !== undefined)
}

/** Equal values have equal texts; few others do. */
function roughly(row: StoredRow, columns: readonly string[]): string {
  return columns
    .map((column) => {
      const value = row[column]
      const isComposite = typeof value === 'object' && !(value instanceof Date)
      return isComposite ? 'object' : `${typeof value} ${keyText(value)}`
    })
    .join('\n')
}
