import { randomUUID } from 'node:crypto'
import { ulid } from 'ulid'
import { isPlainObject } from '../../util/frozen.js'
import { keyText } from '../../row-query/key-text.js'
import type { LayeredRows, PlacedRow, StoredRow } from './layered-rows.js'
import { byColumn, layeredRows, rowsFound, withoutRow, withRow } from './layered-rows.js'

/** Rows of which no two have one key, in the order of their creation. */
export interface MemoryTable {
  readonly key: string
  readonly rows: LayeredRows
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
  return { key, rows: layeredRows([...rows.values()]), counter, numbered: given.every(isNumber) }
}

/** What a table becomes by a write. Until it takes the place of the table, nobody else sees it: who refuses, forgets it. */
export interface TableDraft {
  readonly key: string
  rows: LayeredRows
  counter: number
  numbered: boolean
}

export function draftOf(table: MemoryTable): TableDraft {
  return { ...table }
}

/** A new row, with a free key where it brings none. */
export function insertInto(draft: TableDraft, values: StoredRow, format: KeyFormat): StoredRow {
  const given = keyIn(draft, values, format === 'number')
  const key = given ?? nextKey(draft, format)
  const row = ownRow({ ...values, [draft.key]: key })
  const { place } = rowWith(draft, draft.key, given) ?? { place: draft.rows.end }
  draft.rows = withRow(draft.rows, { place, row })
  draft.counter = Math.max(draft.counter, wholeNumber(key))
  draft.numbered &&= isNumber(key)
  return row
}

/** The row in place of the one that it was, whose key it may have changed. */
export function replaceIn(draft: TableDraft, { place, row: stored }: PlacedRow, values: StoredRow): StoredRow {
  const key = keyIn(draft, { ...stored, ...values }, false)
  const row = ownRow({ ...stored, ...values, [draft.key]: key })
  draft.rows = withRow(draft.rows, { place, row })
  draft.numbered &&= isNumber(key)
  return row
}

export function removeFrom(draft: TableDraft, placed: PlacedRow): void {
  draft.rows = withoutRow(draft.rows, placed)
}

/** The row whose column holds a key. */
export function rowWith({ rows }: MemoryTable, column: string, key: unknown): PlacedRow | undefined {
  const text = keyText(key)
  return text === null ? undefined : rowsFound(rows, byColumn(column), text)[0]
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
