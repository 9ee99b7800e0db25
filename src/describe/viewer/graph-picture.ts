import { graphLayout } from './graph-layout.js'
import type { Html } from './html.js'
import { html } from './html.js'
import { anchorOf } from './prose.js'
import type { GraphRelation, GraphType } from './relation-graph.js'

const HEADER = 30
const ROW = 20
const PADDING = 8
const GUTTER = 96
const MARGIN = 16
/** The width of an average character of the relations, which are 12 pixels high. */
const CHARACTER = 6.9
const MIN_WIDTH = 120
const MAX_CHARACTERS = 34

interface Box {
  readonly type: GraphType
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly column: number
}

/**
 * Draws types as boxes with their relations in them, and a line from each relation to each related type. The end of the line shows
 * whether the relation is to-one or to-many. Colours are those of the page.
 */
export function graphPicture(types: readonly GraphType[]): Html {
  const boxes = placedBoxes(types)
  const all = [...boxes.values()]
  const width = Math.max(...all.map((box) => box.x + box.width)) + MARGIN + GUTTER / 2
  const height = Math.max(...all.map((box) => box.y + box.height)) + MARGIN
  const lines = all.flatMap((box) =>
    box.type.relations.flatMap((relation, index) =>
      relation.targets.map((target) => lineOf(box, { relation, index }, boxes.get(target) ?? box)),
    ),
  )
  return html`<svg class="picture" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="group" aria-labelledby="picture-title" aria-describedby="picture-text">
<title id="picture-title">Types and their relations</title>
<g class="lines">
${lines}
</g>
${all.map(boxOf)}
</svg>`
}

function heightOf({ relations }: GraphType): number {
  return HEADER + (relations.length === 0 ? 0 : relations.length * ROW + PADDING)
}

function placedBoxes(types: readonly GraphType[]): ReadonlyMap<string, Box> {
  const neighbours = neighboursOf(types)
  const positions = graphLayout(
    types.map((type) => ({
      name: type.name,
      height: heightOf(type),
      neighbours: [...(neighbours.get(type.name) ?? [])],
    })),
  )
  const columnOf = (type: GraphType): number => positions.get(type.name)?.column ?? 0
  const count = Math.max(...types.map(columnOf)) + 1
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(MIN_WIDTH, ...types.filter((type) => columnOf(type) === column).map(widthOf)),
  )
  const left = (column: number): number => widths.slice(0, column).reduce((sum, width) => sum + width + GUTTER, MARGIN)
  return new Map(
    types.map((type) => {
      const column = columnOf(type)
      const y = (positions.get(type.name)?.y ?? 0) + MARGIN
      return [type.name, { type, x: left(column), y, width: widths[column] ?? 0, height: heightOf(type), column }]
    }),
  )
}

/** Returns the connected types of each type, in both directions. */
function neighboursOf(types: readonly GraphType[]): ReadonlyMap<string, ReadonlySet<string>> {
  const neighbours = new Map(types.map(({ name }) => [name, new Set<string>()]))
  for (const { name, relations } of types) {
    for (const target of relations.flatMap(({ targets }) => targets)) {
      if (target === name) continue
      neighbours.get(name)?.add(target)
      neighbours.get(target)?.add(name)
    }
  }
  return neighbours
}

function widthOf({ name, relations }: GraphType): number {
  const characters = relations.map((relation) =>
    Math.min(MAX_CHARACTERS, relation.name.length + relation.words.length + 2),
  )
  return Math.ceil(Math.max(name.length * 8.2, ...characters.map((count) => count * CHARACTER)) + 2 * 12)
}

function boxOf({ type, x, y, width, height }: Box): Html {
  const rows = type.relations.map((relation, index) => {
    const [name, words] = shortened(relation)
    return html`<text class="relation" x="${x + 12}" y="${y + rowMiddle(index) + 4}">${name}<tspan class="target">: ${words}</tspan></text>`
  })
  return html`<a class="type" href="#${anchorOf(type.name)}" data-type="${type.name}" aria-label="${type.name}, ${type.relations.length} relations">
<rect class="box" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>
<text class="type-name" x="${x + 12}" y="${y + 20}">${type.name}</text>
${type.relations.length === 0 ? [] : [html`<path class="rule" d="M${x},${y + HEADER}h${width}"/>`]}
${rows}
</a>
`
}

function rowMiddle(index: number): number {
  return HEADER + PADDING / 2 + index * ROW + ROW / 2
}

/** Names that do not fit end with an ellipsis. */
function shortened({ name, words }: GraphRelation): readonly [name: string, words: string] {
  const short = cut(name, MAX_CHARACTERS - 8)
  return [short, cut(words, Math.max(6, MAX_CHARACTERS - 2 - short.length))]
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text
}

/** The end of a line: an arrow for one resource, three prongs for many. */
function endOf(x: number, y: number, direction: 1 | -1, toMany: boolean): string {
  const back = x - direction * 9
  if (toMany) return `M${back},${y}L${x},${y - 6}M${back},${y}L${x},${y + 6}`
  return `M${back},${y - 4}L${x},${y}L${back},${y + 4}`
}

function lineOf(
  from: Box,
  { relation, index }: { readonly relation: GraphRelation; readonly index: number },
  to: Box,
): Html {
  const y = from.y + rowMiddle(index)
  const isLeft = to.column < from.column
  const [x, side] = isLeft ? ([from.x, -1] as const) : ([from.x + from.width, 1] as const)
  const end = endPoint(from, to)
  const path =
    to.column === from.column
      ? besides(x, y, end, Math.abs(end.y - y))
      : `M${x},${y}C${x + (side * GUTTER) / 2},${y} ${end.x - (side * GUTTER) / 2},${end.y} ${end.x},${end.y}`
  const arrow = endOf(end.x, end.y, to.column === from.column ? -1 : side, relation.toMany)
  const words = `${from.type.name}.${relation.name}: ${relation.words}`
  return html`<g class="line" data-from="${from.type.name}" data-to="${to.type.name}"><title>${words}</title><path d="${path}${arrow}"/><circle cx="${x}" cy="${y}" r="2.5"/></g>
`
}

/** Lines end at the name of the type. Lines from different directions end at different heights, so that they can be distinguished. */
function endPoint(from: Box, to: Box): { readonly x: number; readonly y: number } {
  const x = to.column > from.column ? to.x : to.x + to.width
  const offset = from.column === to.column ? 8 : from.column < to.column ? 0 : -4
  return { x, y: to.y + HEADER / 2 + offset }
}

/** A line within a column runs on the right of its boxes. */
function besides(x: number, y: number, end: { readonly x: number; readonly y: number }, distance: number): string {
  const reach = Math.max(x, end.x) + Math.min(GUTTER / 2, 18 + distance / 12)
  return `M${x},${y}C${reach},${y} ${reach},${end.y} ${end.x},${end.y}`
}
