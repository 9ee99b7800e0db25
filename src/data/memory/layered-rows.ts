import { keyText } from '../../row-query/key-text.js'

/** A stored row; never changed in place. */
export type StoredRow = Readonly<Record<string, unknown>>

/** A row and its place in the order of creation, which it keeps whatever becomes of its columns and its key. */
export interface PlacedRow {
  readonly place: number
  readonly row: StoredRow
}

/**
 * Rows in the order of their creation. They are never changed: a change answers other rows, which share all layers that it
 * leaves alone. So a table is kept by holding it, and a write costs what it changes, in a transaction or not.
 */
export interface LayeredRows {
  /** The oldest first, each more than twice as large as the next. The newest that knows a place says what is there. */
  readonly layers: readonly Layer[]
  readonly size: number
  /** The place of the next row. */
  readonly end: number
}

/** What rows are looked up by. */
export interface RowIndex {
  /** That of a column is the column's; those of several begin with a line break, as no column does. */
  readonly name: string
  /** `null` of a row that is not to be found. */
  readonly textOf: (row: StoredRow) => string | null
}

/** What is at places; `null` where a row of an older layer was. */
type Places = ReadonlyMap<number, PlacedRow | null>

interface Layer {
  readonly places: Places
  /** Made when first asked for; a layer that stays keeps them from one version of a table to the next. */
  readonly indexes: Map<string, ReadonlyMap<string, readonly PlacedRow[]>>
}

export function layeredRows(rows: readonly StoredRow[]): LayeredRows {
  const places = new Map(rows.map((row, place) => [place, { place, row }]))
  return { layers: [layerOf(places)], size: rows.length, end: rows.length }
}

export function byColumn(column: string): RowIndex {
  return { name: column, textOf: (row) => keyText(row[column]) }
}

export function allRows({ layers: [oldest, ...newer] }: LayeredRows): readonly StoredRow[] {
  if (oldest === undefined) return []
  const changed = newer.reduce<Places>((below, { places }) => laidOver(below, places), new Map())
  const rows: StoredRow[] = []
  for (const [place, placed] of oldest.places) {
    const now = changed.get(place) ?? (changed.has(place) ? null : placed)
    if (now !== null) rows.push(now.row)
  }
  for (const [place, placed] of changed) if (placed !== null && !oldest.places.has(place)) rows.push(placed.row)
  return rows
}

/** The rows that have a text, in the order of their creation. */
export function rowsFound({ layers }: LayeredRows, index: RowIndex, text: string): readonly PlacedRow[] {
  const [oldest] = layers
  if (oldest !== undefined && layers.length === 1) return foundIn(oldest, index, text)
  const found = layers.flatMap((layer, depth) =>
    foundIn(layer, index, text).filter(({ place }) => !isCovered(layers, depth, place)),
  )
  return found.length > 1 ? found.toSorted((a, b) => a.place - b.place) : found
}

/** With a row at a place: that of another, or the end. */
export function withRow(rows: LayeredRows, placed: PlacedRow): LayeredRows {
  const isNew = placed.place === rows.end
  return {
    layers: layersWith(rows, placed.place, placed),
    size: rows.size + (isNew ? 1 : 0),
    end: rows.end + (isNew ? 1 : 0),
  }
}

/** Without a row that is among them. */
export function withoutRow(rows: LayeredRows, { place }: PlacedRow): LayeredRows {
  return { layers: layersWith(rows, place, null), size: rows.size - 1, end: rows.end }
}

/** A layer takes in the next older one once that is not much larger: a row is copied again only when its layer has grown. */
function layersWith({ layers }: LayeredRows, place: number, placed: PlacedRow | null): readonly Layer[] {
  const below = [...layers]
  let newest: Places = new Map([[place, placed]])
  for (let older = below.at(-1); older !== undefined; older = below.at(-1)) {
    if (older.places.size > 2 * newest.size) break
    below.pop()
    newest = laidOver(older.places, newest)
  }
  return [...below, layerOf(below.length === 0 ? withoutGaps(newest) : newest)]
}

/**
 * What is at places that both know stands where the older has it. A place is first known to the layer that its row was
 * added to, so that those of the oldest layer, and the new ones of the others, are always in their order.
 */
function laidOver(older: Places, newer: Places): Places {
  const places = new Map(older)
  for (const [place, placed] of newer) places.set(place, placed)
  return places
}

/** Below the oldest layer there is nothing that could be gone. */
function withoutGaps(places: Places): Places {
  return new Map([...places].filter(([, placed]) => placed !== null))
}

function isCovered(layers: readonly Layer[], depth: number, place: number): boolean {
  for (let above = depth + 1; above < layers.length; above++) if (layers[above]?.places.has(place)) return true
  return false
}

function foundIn(layer: Layer, index: RowIndex, text: string): readonly PlacedRow[] {
  const known = layer.indexes.get(index.name)
  if (known !== undefined) return known.get(text) ?? []
  const made = indexed(layer.places, index)
  layer.indexes.set(index.name, made)
  return made.get(text) ?? []
}

function indexed(places: Places, { textOf }: RowIndex): ReadonlyMap<string, readonly PlacedRow[]> {
  const index = new Map<string, PlacedRow[]>()
  for (const placed of places.values()) {
    const text = placed === null ? null : textOf(placed.row)
    if (placed === null || text === null) continue
    const sharing = index.get(text)
    if (sharing === undefined) index.set(text, [placed])
    else sharing.push(placed)
  }
  return index
}

function layerOf(places: Places): Layer {
  return { places, indexes: new Map() }
}
