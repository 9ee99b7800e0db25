import { isComposite, keyIn } from '../../declare/resource/parts/key-columns.js'
import { keyText } from '../row-query/key-text.js'

/** A stored row; never changed in place. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A row and its position in the order of creation. The position stays the same when columns or the key change. */
export interface RowEntry {
  readonly position: number
  readonly row: StoredRow
}

/**
 * An immutable list of rows, in the order of their creation. A change returns a new list that shares all unchanged
 * layers with the old one. So a reference to the old list is a snapshot, and the cost of a write depends on the number
 * of changed rows, in a transaction or not.
 */
export interface LayeredRows {
  /**
   * The oldest layer first; each is more than twice as large as the next. The newest layer with an entry for a position
   * determines the row at that position.
   */
  readonly layers: readonly Layer[]
  readonly size: number
  /** The position of the next new row. */
  readonly nextPosition: number
}

/** Looks up rows by one column, or by several. */
export interface RowIndex {
  /**
   * The key of the index in the cache of a layer: the name of the column. The name of an index over several columns
   * begins with a line break, because no column name does.
   */
  readonly name: string
  /** Returns the text that a row is found by, or `null` if the row is not in the index. */
  readonly indexTextOf: (row: StoredRow) => string | null
}

/** Rows by position. `null` marks a position whose row, in an older layer, was deleted. */
type EntriesByPosition = ReadonlyMap<number, RowEntry | null>

interface Layer {
  readonly entries: EntriesByPosition
  /** Created on first use. Versions of a table that share a layer share its indexes. */
  readonly indexes: Map<string, ReadonlyMap<string, readonly RowEntry[]>>
}

export function layeredRows(rows: readonly StoredRow[]): LayeredRows {
  const entries = new Map(rows.map((row, position) => [position, { position, row }]))
  return { layers: [layerOf(entries)], size: rows.length, nextPosition: rows.length }
}

/** Returns the index of a column, or of a composite key. */
export function byColumn(column: string): RowIndex {
  if (isComposite(column)) return { name: column, indexTextOf: (row) => keyText(keyIn(row, column)) }
  return { name: column, indexTextOf: (row) => keyText(row[column]) }
}

export function allRows({ layers: [oldest, ...newer] }: LayeredRows): readonly StoredRow[] {
  if (oldest === undefined) return []
  const changed = newer.reduce<EntriesByPosition>((older, { entries }) => merged(older, entries), new Map())
  const rows: StoredRow[] = []
  for (const [position, entry] of oldest.entries) {
    const current = changed.get(position) ?? (changed.has(position) ? null : entry)
    if (current !== null) rows.push(current.row)
  }
  for (const [position, entry] of changed) {
    if (entry !== null && !oldest.entries.has(position)) rows.push(entry.row)
  }
  return rows
}

/** Returns the rows that an index has under a text, in the order of their creation. */
export function findRows({ layers }: LayeredRows, index: RowIndex, text: string): readonly RowEntry[] {
  const [oldest] = layers
  if (oldest !== undefined && layers.length === 1) return foundIn(oldest, index, text)
  const found = layers.flatMap((layer, depth) =>
    foundIn(layer, index, text).filter(({ position }) => !isReplaced(layers, depth, position)),
  )
  return found.length > 1 ? found.toSorted((a, b) => a.position - b.position) : found
}

/** Returns the rows with one replaced, or with one added if its position is the next free one. */
export function withRow(rows: LayeredRows, entry: RowEntry): LayeredRows {
  const isNew = entry.position === rows.nextPosition
  return {
    layers: layersWith(rows, entry.position, entry),
    size: rows.size + (isNew ? 1 : 0),
    nextPosition: rows.nextPosition + (isNew ? 1 : 0),
  }
}

/** Returns the rows without one that must be among them. */
export function withoutRow(rows: LayeredRows, { position }: RowEntry): LayeredRows {
  return { layers: layersWith(rows, position, null), size: rows.size - 1, nextPosition: rows.nextPosition }
}

/**
 * Adds a layer with one entry, and merges it with each older layer that is at most twice as large. So a row is copied
 * only when its layer grows, not with each write.
 */
function layersWith({ layers }: LayeredRows, position: number, entry: RowEntry | null): readonly Layer[] {
  const remaining = [...layers]
  let newest: EntriesByPosition = new Map([[position, entry]])
  for (let older = remaining.at(-1); older !== undefined; older = remaining.at(-1)) {
    if (older.entries.size > 2 * newest.size) break
    remaining.pop()
    newest = merged(older.entries, newest)
  }
  return [...remaining, layerOf(remaining.length === 0 ? withoutDeleted(newest) : newest)]
}

/**
 * Returns the entries of both maps; the newer map wins. A position that both have stays where the older map has it. A
 * position first occurs in the layer that its row was added to. So the positions of the oldest layer are always in
 * ascending order, and so are the positions that a newer layer adds.
 */
function merged(older: EntriesByPosition, newer: EntriesByPosition): EntriesByPosition {
  const entries = new Map(older)
  for (const [position, entry] of newer) entries.set(position, entry)
  return entries
}

/** The oldest layer needs no marks of deleted rows: there is no layer below it that has these rows. */
function withoutDeleted(entries: EntriesByPosition): EntriesByPosition {
  return new Map([...entries].filter(([, entry]) => entry !== null))
}

/** Returns whether a newer layer has an entry for a position. */
function isReplaced(layers: readonly Layer[], depth: number, position: number): boolean {
  for (let newer = depth + 1; newer < layers.length; newer++) if (layers[newer]?.entries.has(position)) return true
  return false
}

function foundIn(layer: Layer, index: RowIndex, text: string): readonly RowEntry[] {
  const cached = layer.indexes.get(index.name)
  if (cached !== undefined) return cached.get(text) ?? []
  const created = indexed(layer.entries, index)
  layer.indexes.set(index.name, created)
  return created.get(text) ?? []
}

function indexed(
  entries: EntriesByPosition,
  { indexTextOf: textOf }: RowIndex,
): ReadonlyMap<string, readonly RowEntry[]> {
  const index = new Map<string, RowEntry[]>()
  for (const entry of entries.values()) {
    const text = entry === null ? null : textOf(entry.row)
    if (entry === null || text === null) continue
    const sameText = index.get(text)
    if (sameText === undefined) index.set(text, [entry])
    else sameText.push(entry)
  }
  return index
}

function layerOf(entries: EntriesByPosition): Layer {
  return { entries, indexes: new Map() }
}
