import { randomUUID } from 'node:crypto'
import { ulid } from 'ulid'
import { isPlainObject } from '../../util/frozen.js'
import { keyText } from '../row-query/key-text.js'

/** A stored row; never changed in place, so that a copy of the table is a snapshot. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Rows by the text of their key, in the order of their creation. */
export interface MemoryTable {
  readonly key: string
  readonly rows: ReadonlyMap<string, StoredRow>
  /** The largest whole number among the keys, so far. */
  readonly counter: number
  /** Whether all keys are numbers, so far. */
  readonly numbered: boolean
}

/** The keys that a store gives: numbers, unless the format of the ids asks for others; `any` where others give them all. */
export type KeyFormat = 'number' | 'uuid' | 'ulid' | 'any'

/** Rows that bring no key get one: join rows often have none. */
export function memoryTable(key: string, seeds: readonly object[]): MemoryTable {
  const own = seeds.map(ownRow)
  const given = own.map((row) => row[key]).filter((value) => keyText(value) !== null)
  let counter = given.reduce<number>((largest, value) => Math.max(largest, wholeNumber(value)), 0)
  const rows = new Map<string, StoredRow>()
  for (const row of own) {
    const known = keyText(row[key])
    if (known === null) counter += 1
    rows.set(known ?? String(counter), known === null ? Object.freeze({ ...row, [key]: counter }) : row)
  }
  return { key, rows, counter, numbered: given.every(isNumber) }
}

/** A copy of a table that is changed until it takes the place of the table: many changes, one copy. */
export interface TableDraft {
  readonly key: string
  rows: Map<string, StoredRow>
  counter: number
  numbered: boolean
}

export function draftOf(table: MemoryTable): TableDraft {
  return { ...table, rows: new Map(table.rows) }
}

/** A new row, with a free key where it brings none. */
export function insertInto(draft: TableDraft, values: StoredRow, format: KeyFormat): StoredRow {
  const key = keyIn(draft, values, format === 'number') ?? nextKey(draft, format)
  const row = ownRow({ ...values, [draft.key]: key })
  draft.rows.set(rowKey(draft, row), row)
  draft.counter = Math.max(draft.counter, wholeNumber(key))
  draft.numbered &&= isNumber(key)
  return row
}

/** The row in place of the one that it was, whose key it may have changed. */
export function replaceIn(draft: TableDraft, stored: StoredRow, values: StoredRow): StoredRow {
  const key = keyIn(draft, { ...stored, ...values }, false)
  const row = ownRow({ ...stored, ...values, [draft.key]: key })
  const [before, after] = [rowKey(draft, stored), rowKey(draft, row)]
  if (before === after) draft.rows.set(after, row)
  else draft.rows = new Map([...draft.rows].map(([other, kept]) => (other === before ? [after, row] : [other, kept])))
  draft.numbered &&= isNumber(key)
  return row
}

export function removeFrom(draft: TableDraft, row: StoredRow): void {
  draft.rows.delete(rowKey(draft, row))
}

/** The row whose column holds a key. Only the table's own key is looked up; any other column is searched. */
export function rowWith(table: MemoryTable, column: string, key: unknown): StoredRow | undefined {
  const text = keyText(key)
  if (text === null) return undefined
  if (column === table.key) return table.rows.get(text)
  for (const row of table.rows.values()) if (keyText(row[column]) === text) return row
  return undefined
}

function rowKey({ key }: MemoryTable, row: StoredRow): string {
  return keyText(row[key]) ?? ''
}

/**
 * As a column would hold it whose keys are numbers: a client's are text, and all of them are to have one order. A table
 * that has no rows yet says nothing about its keys.
 */
function keyIn({ key, numbered, rows }: MemoryTable, values: StoredRow, numberedWhenEmpty: boolean): unknown {
  const given = values[key]
  const asNumber = rows.size === 0 ? numberedWhenEmpty : numbered
  return asNumber && typeof given === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(given) ? Number(given) : given
}

function isNumber(key: unknown): boolean {
  return typeof key === 'number' || typeof key === 'bigint'
}

function nextKey({ counter }: MemoryTable, format: KeyFormat): unknown {
  switch (format) {
    case 'uuid':
      return randomUUID()
    case 'ulid':
      return ulid()
    case 'number':
    case 'any':
      return counter + 1
  }
}

/** A client's key is text, and counts like the number it spells: the next key must be free. */
function wholeNumber(key: unknown): number {
  const spelled = typeof key === 'bigint' || (typeof key === 'string' && /^\d{1,15}$/.test(key))
  const number = spelled ? Number(key) : key
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
