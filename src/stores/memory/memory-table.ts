import { randomUUID } from 'node:crypto'
import { ulid } from 'ulid'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { isComposite, keyColumns, keyIn } from '../../declare/resource/parts/key-columns.js'
import { keyText } from '../row-query/key-text.js'
import type { LayeredRows, RowEntry, StoredRow } from './layered-rows.js'
import { byColumn, layeredRows, findRows, withoutRow, withRow } from './layered-rows.js'

/** A table: rows with distinct keys, in the order of their creation. */
export interface MemoryTable {
  readonly key: string
  readonly rows: LayeredRows
  /** The largest integer among all keys so far. */
  readonly counter: number
  /** Whether all keys so far are numbers. */
  readonly numbered: boolean
  /** Whether a key of the seeds, or one that the store generated, is a number. Digits that clients sent do not count. */
  readonly hasNumbers: boolean
  /** The columns of a composite key in which all values so far are numbers; empty for another key. */
  readonly numberedColumns: readonly string[]
}

/**
 * The format of the keys that the store generates: numbers, unless the ids have another format. `any` if the client or
 * the application supplies every key.
 */
export type KeyFormat = 'number' | 'uuid' | 'ulid' | 'any'

/** Creates a table. Rows without a key get one: join rows often have none. */
export function memoryTable(key: string, seeds: readonly object[]): MemoryTable {
  const copies = seeds.map(frozenRow)
  if (isComposite(key)) return compositeTable(key, copies)
  const keys = copies.map((row) => row[key]).filter((value) => keyText(value) !== null)
  let counter = keys.reduce<number>((largest, value) => Math.max(largest, wholeNumber(value)), 0)
  const rows = new Map<string, StoredRow>()
  for (const row of copies) {
    const text = keyText(row[key])
    if (text === null) counter += 1
    rows.set(text ?? String(counter), text === null ? Object.freeze({ ...row, [key]: counter }) : row)
  }
  const numbered = keys.every(isNumber)
  const hasNumbers = keys.some(isNumber)
  return { key, rows: layeredRows([...rows.values()]), counter, numbered, hasNumbers, numberedColumns: [] }
}

/** Creates a table with a composite key. If several rows have the same key, the last one counts. */
function compositeTable(key: string, copies: readonly StoredRow[]): MemoryTable {
  const rows = new Map(copies.map((row, index) => [keyText(keyIn(row, key)) ?? index, row]))
  const numberedColumns = keyColumns(key).filter((column) => copies.every((row) => isNumber(row[column])))
  const largest = copies.flatMap((row) => keyColumns(key).map((column) => wholeNumber(row[column])))
  const counter = largest.reduce((one, other) => Math.max(one, other), 0)
  return { key, rows: layeredRows([...rows.values()]), counter, numbered: false, hasNumbers: false, numberedColumns }
}

/** A mutable copy of a table, for one write. It is invisible until it replaces the table; a failed write drops it. */
export interface TableDraft {
  readonly key: string
  rows: LayeredRows
  counter: number
  numbered: boolean
  hasNumbers: boolean
  numberedColumns: readonly string[]
}

export function draftOf(table: MemoryTable): TableDraft {
  return { ...table }
}

/** Inserts a row and returns it. A row without a key gets a generated one. */
export function insertInto(draft: TableDraft, values: StoredRow, format: KeyFormat): StoredRow {
  if (isComposite(draft.key)) return insertComposite(draft, values)
  const sentKey = sentKeyIn(draft, values, format === 'number')
  const key = sentKey ?? nextKey(draft, format)
  const row = frozenRow({ ...values, [draft.key]: key })
  const { position } = findTableRow(draft, draft.key, sentKey) ?? { position: draft.rows.nextPosition }
  draft.rows = withRow(draft.rows, { position: position, row })
  draft.counter = Math.max(draft.counter, wholeNumber(key))
  draft.numbered &&= isNumber(key)
  draft.hasNumbers ||= isNumber(sentKey === null || sentKey === undefined ? key : values[draft.key])
  return row
}

/** Inserts a row that has all columns of its composite key. */
function insertComposite(draft: TableDraft, values: StoredRow): StoredRow {
  const row = frozenRow({ ...values, ...numberedKey(draft, values) })
  const existing = findTableRow(draft, draft.key, keyIn(row, draft.key))
  draft.rows = withRow(draft.rows, { position: existing?.position ?? draft.rows.nextPosition, row })
  for (const column of keyColumns(draft.key)) draft.counter = Math.max(draft.counter, wholeNumber(row[column]))
  draft.numberedColumns = draft.numberedColumns.filter((column) => isNumber(row[column]))
  return row
}

/** Returns the columns of a composite key in which digits become numbers, as in the other rows. */
function numberedKey({ numberedColumns }: TableDraft, values: StoredRow): StoredRow {
  return Object.fromEntries(numberedColumns.map((column) => [column, asNumber(values[column])]))
}

/** Updates a stored row and returns the new one. The key may change too. */
export function replaceIn(draft: TableDraft, { position, row: stored }: RowEntry, values: StoredRow): StoredRow {
  if (isComposite(draft.key)) {
    const changed = frozenRow({ ...stored, ...values })
    draft.rows = withRow(draft.rows, { position, row: changed })
    return changed
  }
  const key = sentKeyIn(draft, { ...stored, ...values }, false)
  const row = frozenRow({ ...stored, ...values, [draft.key]: key })
  draft.rows = withRow(draft.rows, { position: position, row })
  draft.numbered &&= isNumber(key)
  return row
}

export function removeFrom(draft: TableDraft, entry: RowEntry): void {
  draft.rows = withoutRow(draft.rows, entry)
}

/** Returns the first row whose column holds a key. */
export function findTableRow({ rows }: MemoryTable, column: string, key: unknown): RowEntry | undefined {
  const text = keyText(key)
  return text === null ? undefined : findRows(rows, byColumn(column), text)[0]
}

/**
 * Returns the key of a row. In a table whose keys are numbers, a key of digits becomes a number: clients send keys as strings, and keys of
 * one kind sort consistently. The kind of the keys of an empty table is unknown, so the caller passes it.
 */
function sentKeyIn({ key, numbered, rows }: MemoryTable, values: StoredRow, numberedWhenEmpty: boolean): unknown {
  const sent = values[key]
  return (rows.size === 0 ? numberedWhenEmpty : numbered) ? asNumber(sent) : sent
}

function asNumber(key: unknown): unknown {
  return typeof key === 'string' && /^(?:0|-?[1-9]\d{0,14})$/.test(key) ? Number(key) : key
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

/** Returns the integer of a key, or 0. Digits in a string count too: the next generated key must be free. */
function wholeNumber(key: unknown): number {
  const isDigits = typeof key === 'bigint' || (typeof key === 'string' && /^\d{1,15}$/.test(key))
  const number = isDigits ? Number(key) : key
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : 0
}

/** Returns a deep frozen copy, so that callers and user-defined functions cannot change stored rows. */
function frozenRow(row: object): StoredRow {
  return frozenCopy(row) as StoredRow
}

function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy))
  if (value instanceof Date) return new Date(value)
  if (!isPlainObject(value)) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, frozenCopy(member)])))
}
