import { isDeepStrictEqual } from 'node:util'
import type { Conflict } from '../../declare/resource/capabilities/store-conflict.js'
import { storeConflict } from '../../declare/resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { keyIn } from '../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import { uniqueSets } from '../../declare/resource/compiled/unique-sets.js'
import { keyText } from '../row-query/key-text.js'
import type { LayeredRows, RowIndex, StoredRow } from './layered-rows.js'
import { findRows } from './layered-rows.js'
import type { MemoryTable } from './memory-table.js'

/** A written row and the row as it was stored before; `null` if it is new. */
export interface WrittenRow {
  readonly row: StoredRow
  readonly stored: StoredRow | null
}

/**
 * Returns the conflicts that unique indexes of a database would report: written rows with the same values as another
 * row in the columns of a unique set. As in a database, null equals nothing. A set whose columns a write did not change
 * is not checked.
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

/** Throws if there are conflicts. Call it before a draft replaces its table, so that nothing is written. */
export function throwConflicts([first, ...others]: readonly Conflict[]): void {
  if (first !== undefined) throw storeConflict(first, ...others)
}

function conflictOf(type: CompiledType, columns: readonly string[]): (row: StoredRow) => Conflict {
  return (row) => ({ kind: 'unique', type: type.type, columns, key: keyIn(row, referenceColumn(type)) })
}

function isTaken(rows: LayeredRows, columns: readonly string[], row: StoredRow): boolean {
  const index = byColumns(columns)
  const text = index.indexTextOf(row)
  if (text === null) return false
  return findRows(rows, index, text).some(
    ({ row: other }) => row !== other && columns.every((column) => isDeepStrictEqual(row[column], other[column])),
  )
}

function byColumns(columns: readonly string[]): RowIndex {
  return {
    name: `\n${columns.join('\n')}`,
    indexTextOf: (row) => (hasAllValues(row, columns) ? hashText(row, columns) : null),
  }
}

function changes({ row, stored }: WrittenRow, columns: readonly string[]): boolean {
  return stored === null || columns.some((column) => !isDeepStrictEqual(row[column], stored[column]))
}

function hasAllValues(row: StoredRow, columns: readonly string[]): boolean {
  return columns.every((column) => row[column] !== null && row[column] !== undefined)
}

/** Returns a hash text: equal values have equal texts, and different values rarely do. */
function hashText(row: StoredRow, columns: readonly string[]): string {
  return columns
    .map((column) => {
      const value = row[column]
      const isComposite = typeof value === 'object' && !(value instanceof Date)
      return isComposite ? 'object' : `${typeof value} ${keyText(value)}`
    })
    .join('\n')
}
