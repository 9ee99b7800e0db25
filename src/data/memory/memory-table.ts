import { randomUUID } from 'node:crypto'
import { ulid } from 'ulid'
import { isPlainObject } from '../../util/frozen.js'

/** A stored row; never changed in place, so that a copy of the table is a snapshot. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Rows by the text of their key, in the order of their creation. */
export interface MemoryTable {
  readonly key: string
  readonly rows: ReadonlyMap<string, StoredRow>
  /** The largest whole number among the keys, so far. */
  readonly counter: number
}

/** The keys that a store gives: numbers, unless the format of the ids asks for others. */
export type KeyFormat = 'number' | 'uuid' | 'ulid'

export function memoryTable(key: string, rows: readonly object[]): MemoryTable {
  let table: MemoryTable = { key, rows: new Map(), counter: 0 }
  const stored = new Map<string, StoredRow>()
  for (const row of rows) {
    const own = ownRow(row)
    stored.set(String(own[key]), own)
    table = { ...table, counter: Math.max(table.counter, wholeNumber(own[key])) }
  }
  return { ...table, rows: stored }
}

/** A new row, with a free key where it brings none. */
export function inserted(
  table: MemoryTable,
  values: StoredRow,
  format: KeyFormat,
): { readonly table: MemoryTable; readonly row: StoredRow } {
  const key = values[table.key] ?? nextKey(table, format)
  const row = ownRow({ ...values, [table.key]: key })
  return {
    row,
    table: { ...table, rows: withRow(table, row), counter: Math.max(table.counter, wholeNumber(key)) },
  }
}

/** The row in place of the one that it was, whose key it may have changed. */
export function replaced(
  table: MemoryTable,
  stored: StoredRow,
  values: StoredRow,
): { readonly table: MemoryTable; readonly row: StoredRow } {
  const row = ownRow({ ...stored, ...values })
  const [before, after] = [String(stored[table.key]), String(row[table.key])]
  const rows = new Map([...table.rows].map(([key, other]) => (key === before ? [after, row] : [key, other])))
  return { row, table: { ...table, rows } }
}

export function removed(table: MemoryTable, row: StoredRow): MemoryTable {
  const rows = new Map(table.rows)
  rows.delete(String(row[table.key]))
  return { ...table, rows }
}

/** The row whose column holds a key. Only the table's own key is looked up; any other column is searched. */
export function rowWith(table: MemoryTable, column: string, key: unknown): StoredRow | undefined {
  const text = String(key)
  if (column === table.key) return table.rows.get(text)
  for (const row of table.rows.values()) if (String(row[column]) === text) return row
  return undefined
}

function withRow(table: MemoryTable, row: StoredRow): ReadonlyMap<string, StoredRow> {
  return new Map(table.rows).set(String(row[table.key]), row)
}

function nextKey({ counter }: MemoryTable, format: KeyFormat): unknown {
  switch (format) {
    case 'uuid':
      return randomUUID()
    case 'ulid':
      return ulid()
    case 'number':
      return counter + 1
  }
}

/** A client's key is text, and counts like the number it spells: the next key must be free. */
function wholeNumber(key: unknown): number {
  const number = typeof key === 'string' && /^\d{1,15}$/.test(key) ? Number(key) : key
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0
}

/** The store's own copy, frozen: what a caller holds, or a callback is shown, cannot change what is stored. */
function ownRow(row: object): StoredRow {
  return ownCopy(row) as StoredRow
}

function ownCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(ownCopy))
  if (value instanceof Date) return new Date(value)
  if (!isPlainObject(value)) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ownCopy(member)])))
}
