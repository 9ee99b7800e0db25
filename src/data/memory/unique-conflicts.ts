import { isDeepStrictEqual } from 'node:util'
import type { Conflict } from '../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { UniqueSet } from '../../resource/unique-sets.js'
import { uniqueSets } from '../../resource/unique-sets.js'
import { keyText } from '../row-query/key-text.js'
import type { MemoryTable, StoredRow } from './memory-table.js'

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
    const judged = written.filter((each) => changes(each, columns) && isWhole(each.row, columns))
    return judged.length === 0 ? [] : takenIn(rows.values(), columns, judged).map(conflictOf(type, columns))
  })
}

/** Before a draft takes the place of its table, so that nothing is written. */
export function refuse([first, ...others]: readonly Conflict[]): void {
  if (first !== undefined) throw storeConflict(first, ...others)
}

function conflictOf(type: CompiledType, columns: readonly string[]): (row: StoredRow) => Conflict {
  return (row) => ({ kind: 'unique', type: type.type, columns, key: row[referenceColumn(type)] })
}

/** One pass over the table for all rows that were written. */
function takenIn(
  rows: Iterable<StoredRow>,
  columns: UniqueSet['columns'],
  judged: readonly WrittenRow[],
): readonly StoredRow[] {
  const alike = new Map<string, StoredRow[]>()
  for (const { row } of judged) {
    const text = roughly(row, columns)
    const others = alike.get(text)
    if (others === undefined) alike.set(text, [row])
    else others.push(row)
  }
  const taken = new Set<StoredRow>()
  for (const other of rows) {
    for (const row of alike.get(roughly(other, columns)) ?? []) {
      if (row !== other && columns.every((column) => isDeepStrictEqual(row[column], other[column]))) taken.add(row)
    }
  }
  return judged.map(({ row }) => row).filter((row) => taken.has(row))
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
