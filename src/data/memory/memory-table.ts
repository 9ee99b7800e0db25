import { randomUUID } from 'node:crypto'

/** A stored row; never changed in place, so that a copy of the table is a snapshot. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Rows by the text of their key, in the order of their creation. */
export interface MemoryTable {
  readonly key: string
  readonly rows: ReadonlyMap<string, StoredRow>
  /** The last number given as a key. */
  readonly counter: number
}

/** Keys are told apart by their text: a path has nothing else. */
export function keyText(key: unknown): string {
  return String(key)
}

export function memoryTable(key: string, rows: readonly object[]): MemoryTable {
  let table: MemoryTable = { key, rows: new Map(), counter: 0 }
  const entries = new Map<string, StoredRow>()
  for (const row of rows) {
    const stored: StoredRow = Object.freeze({ ...row })
    entries.set(keyText(stored[key]), stored)
    table = { ...table, counter: Math.max(table.counter, wholeNumber(stored[key])) }
  }
  return { ...table, rows: entries }
}

/** A new row; a row without a key gets the next number, or a UUID where keys are texts. */
export function inserted(
  table: MemoryTable,
  values: StoredRow,
): { readonly table: MemoryTable; readonly row: StoredRow } {
  const key = values[table.key] ?? nextKey(table)
  const row = Object.freeze({ ...values, [table.key]: key })
  return {
    row,
    table: { ...table, rows: withRow(table, row), counter: Math.max(table.counter, wholeNumber(key)) },
  }
}

export function replaced(table: MemoryTable, row: StoredRow): MemoryTable {
  return { ...table, rows: withRow(table, row) }
}

export function removed(table: MemoryTable, key: string): MemoryTable {
  const rows = new Map(table.rows)
  rows.delete(key)
  return { ...table, rows }
}

function withRow(table: MemoryTable, row: StoredRow): ReadonlyMap<string, StoredRow> {
  return new Map(table.rows).set(keyText(row[table.key]), row)
}

function nextKey(table: MemoryTable): unknown {
  const [first] = table.rows.values()
  return first !== undefined && typeof first[table.key] === 'string' ? randomUUID() : table.counter + 1
}

function wholeNumber(key: unknown): number {
  return typeof key === 'number' && Number.isSafeInteger(key) ? key : 0
}
