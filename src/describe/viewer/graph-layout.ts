/** A box of the picture, before it has a position. */
export interface GraphBox {
  readonly name: string
  readonly height: number
  /** The boxes to which it is connected by lines. */
  readonly neighbours: readonly string[]
}

/** The position of a box. */
export interface GraphPosition {
  readonly column: number
  /** The upper edge. */
  readonly y: number
}

const GAP = 22
const PREFERRED_COLUMNS = 5
const SWEEPS = 12

type Boxes = ReadonlyMap<string, GraphBox>
type Columns = readonly (readonly string[])[]

/**
 * Places boxes in columns. The column of a box is its distance from a first box, so that lines go to the next column, or stay in their own,
 * and never pass behind a box. The layout is deterministic.
 */
export function graphLayout(boxes: readonly GraphBox[]): ReadonlyMap<string, GraphPosition> {
  const named: Boxes = new Map(boxes.map((box) => [box.name, box]))
  const positions = new Map<string, GraphPosition>()
  const groups = connectedGroups(boxes, named)
  let top = 0
  let width = 1
  for (const group of groups.filter(({ length }) => length > 1)) {
    const columns = bestColumns(group, named)
    width = Math.max(width, columns.length)
    top = placeColumns(columns, named, top, positions) + GAP * 2
  }
  const single = groups.filter(({ length }) => length === 1).flat()
  placeRows(single, { named, top, perRow: Math.max(width, Math.min(single.length, PREFERRED_COLUMNS - 1)) }, positions)
  return positions
}

/** Returns the groups of boxes that are connected by lines, the largest group first. */
function connectedGroups(boxes: readonly GraphBox[], named: Boxes): readonly (readonly string[])[] {
  const grouped = new Set<string>()
  const groups: (readonly string[])[] = []
  for (const { name } of boxes) {
    if (grouped.has(name)) continue
    const group = columnsFrom(name, named).flat()
    for (const member of group) grouped.add(member)
    groups.push(group)
  }
  return groups.toSorted((one, other) => other.length - one.length)
}

/** Returns the boxes by their distance from a first box. */
function columnsFrom(first: string, named: Boxes): Columns {
  const reached = new Set([first])
  const columns: string[][] = []
  let column = [first]
  while (column.length > 0) {
    columns.push(column)
    const next: string[] = []
    for (const neighbour of column.flatMap((name) => named.get(name)?.neighbours ?? [])) {
      if (reached.has(neighbour)) continue
      reached.add(neighbour)
      next.push(neighbour)
    }
    column = next
  }
  return columns
}

/** Tries every box as the first one, and returns the columns of the smallest picture. */
function bestColumns(group: readonly string[], named: Boxes): Columns {
  const tried = group.map((first) => columnsFrom(first, named))
  return tried.reduce((best, columns) => (sizeOf(columns, named) < sizeOf(best, named) ? columns : best))
}

function sizeOf(columns: Columns, named: Boxes): number {
  const tallest = Math.max(...columns.map((column) => heightOf(column, named)))
  const inColumn = columns.map((column) => {
    const neighbours = column.flatMap((name) => named.get(name)?.neighbours ?? [])
    return neighbours.filter((name) => column.includes(name)).length
  })
  const beside = inColumn.reduce((sum, count) => sum + count, 0)
  return tallest + beside * GAP + Math.max(0, columns.length - PREFERRED_COLUMNS) * tallest
}

function heightOf(column: readonly string[], named: Boxes): number {
  return column.reduce((sum, name) => sum + (named.get(name)?.height ?? 0) + GAP, -GAP)
}

/** Places the boxes of columns, ordered so that lines are short. Returns the lower edge of the lowest box. */
function placeColumns(given: Columns, named: Boxes, top: number, positions: Map<string, GraphPosition>): number {
  let columns = given
  let best = stacked(columns, named)
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    columns = reordered(columns, named, stacked(columns, named), sweep % 2 === 0)
    const tops = levelled(columns, named)
    if (lengthOf(columns, named, tops) < lengthOf(columns, named, best)) best = tops
  }
  const upper = Math.min(...best.values())
  let bottom = top
  for (const [column, names] of columns.entries()) {
    for (const name of names) {
      const y = (best.get(name) ?? 0) - upper + top
      positions.set(name, { column, y })
      bottom = Math.max(bottom, y + (named.get(name)?.height ?? 0))
    }
  }
  return bottom
}

type Tops = ReadonlyMap<string, number>

/** Returns the upper edges of boxes in one column, centered in the picture. */
function stacked(columns: Columns, named: Boxes): Tops {
  const tops = new Map<string, number>()
  for (const column of columns) {
    let y = -heightOf(column, named) / 2
    for (const name of column) {
      tops.set(name, y)
      y += (named.get(name)?.height ?? 0) + GAP
    }
  }
  return tops
}

/** Orders each column by the middle of the neighbours in the columns that were ordered before. */
function reordered(columns: Columns, named: Boxes, tops: Tops, fromLeft: boolean): Columns {
  const current = new Map(tops)
  const result = columns.map((column) => [...column])
  const order = fromLeft ? [...columns.keys()] : [...columns.keys()].toReversed()
  for (const index of order) {
    const beside = new Set(columns[fromLeft ? index - 1 : index + 1] ?? [])
    const wanted = new Map(
      (columns[index] ?? []).map((name) => [name, middleOfNeighbours(name, named, current, beside)]),
    )
    const sorted = (columns[index] ?? []).toSorted((one, other) => (wanted.get(one) ?? 0) - (wanted.get(other) ?? 0))
    result[index] = sorted
    for (const [name, y] of stacked([sorted], named)) current.set(name, y)
  }
  return result
}

/** Moves boxes towards their neighbours, as far as their order and the gaps between them allow. */
function levelled(columns: Columns, named: Boxes): Tops {
  const tops = new Map(stacked(columns, named))
  const everywhere = new Set(columns.flat())
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const column of sweep % 2 === 0 ? columns : columns.toReversed()) {
      const wanted = column.map(
        (name) => middleOfNeighbours(name, named, tops, everywhere) - (named.get(name)?.height ?? 0) / 2,
      )
      let lowest = Number.NEGATIVE_INFINITY
      const moved = column.map((name, index) => {
        const y = Math.max(wanted[index] ?? 0, lowest)
        lowest = y + (named.get(name)?.height ?? 0) + GAP
        return y
      })
      const shift = moved.reduce((sum, y, index) => sum + (wanted[index] ?? 0) - y, 0) / column.length
      for (const [index, name] of column.entries()) tops.set(name, Math.round((moved[index] ?? 0) + shift))
    }
  }
  return tops
}

/** Returns the mean of the middles of the neighbours among some boxes; the middle of the box itself if there are none. */
function middleOfNeighbours(name: string, named: Boxes, tops: Tops, among: ReadonlySet<string>): number {
  const middle = (each: string): number => (tops.get(each) ?? 0) + (named.get(each)?.height ?? 0) / 2
  const neighbours = (named.get(name)?.neighbours ?? []).filter((each) => among.has(each))
  if (neighbours.length === 0) return middle(name)
  return neighbours.reduce((sum, each) => sum + middle(each), 0) / neighbours.length
}

/** Returns the total vertical length of lines. */
function lengthOf(columns: Columns, named: Boxes, tops: Tops): number {
  const names = columns.flat()
  return names.reduce((sum, name) => {
    const neighbours = named.get(name)?.neighbours ?? []
    return sum + neighbours.reduce((each, other) => each + Math.abs((tops.get(name) ?? 0) - (tops.get(other) ?? 0)), 0)
  }, 0)
}

interface RowOptions {
  readonly named: Boxes
  readonly top: number
  readonly perRow: number
}

/** Places boxes without lines in rows. */
function placeRows(
  names: readonly string[],
  { named, top, perRow }: RowOptions,
  positions: Map<string, GraphPosition>,
): void {
  let y = top
  for (let start = 0; start < names.length; start += perRow) {
    const row = names.slice(start, start + perRow)
    for (const [column, name] of row.entries()) positions.set(name, { column, y })
    y += Math.max(...row.map((name) => named.get(name)?.height ?? 0)) + GAP
  }
}
