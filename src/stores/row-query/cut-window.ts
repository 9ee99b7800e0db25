import type { RowEdges, RowPosition, RowWindow } from '../../declare/resource/querying/row-window.js'
import type { Candidate } from './query-context.js'
import type { Ranks, RowOrdering } from './row-ordering.js'

/** A row with its sort values in the order of the read. */
export interface RankedRow {
  readonly candidate: Candidate
  readonly ranks: Ranks
}

/** The part of a list that is inside a window. */
export interface WindowedRows {
  readonly candidates: readonly Candidate[]
  /** Whether there are more rows in the direction of the window. */
  readonly more: boolean
  readonly edges: RowEdges | null
}

/** Cuts a sorted list to a window; `null` returns the whole list. */
export function cutWindow(sorted: readonly RankedRow[], window: RowWindow | null, ordering: RowOrdering): WindowedRows {
  if (window === null) return { candidates: candidatesOf(sorted), more: false, edges: null }
  if (window.kind === 'cursor') return cursorWindow(sorted, window, ordering)
  const end = window.offset + window.limit
  return { candidates: candidatesOf(sorted.slice(window.offset, end)), more: sorted.length > end, edges: null }
}

function cursorWindow(
  sorted: readonly RankedRow[],
  { after, before, limit }: Extract<RowWindow, { kind: 'cursor' }>,
  ordering: RowOrdering,
): WindowedRows {
  const from = after === null ? 0 : countUpTo(sorted, isUpTo(after, sorted, ordering))
  const to = before === null ? sorted.length : countUpTo(sorted, isBefore(before, sorted, ordering))
  const backward = before !== null && after === null
  const start = backward ? Math.max(0, to - limit) : from
  const end = backward ? to : Math.min(to, from + limit)
  const candidates = candidatesOf(sorted.slice(start, end))
  return { candidates, more: backward ? start > 0 : end < to, edges: edgesOf(candidates, ordering) }
}

type RowTest = (row: RankedRow) => boolean

function isBefore(position: RowPosition, sorted: readonly RankedRow[], ordering: RowOrdering): RowTest {
  const ranks = ranksAt(position, sorted, ordering)
  return (row) => ordering.compare(row.ranks, ranks) < 0
}

function isUpTo(position: RowPosition, sorted: readonly RankedRow[], ordering: RowOrdering): RowTest {
  const ranks = ranksAt(position, sorted, ordering)
  return (row) => ordering.compare(row.ranks, ranks) <= 0
}

function ranksAt(position: RowPosition, sorted: readonly RankedRow[], ordering: RowOrdering): Ranks {
  return ordering.ranksOfPosition(
    position,
    sorted.map((row) => row.ranks),
  )
}

/** Counts the rows at the start of a sorted list that pass a test, by binary search: no row after them passes it. */
function countUpTo(sorted: readonly RankedRow[], passes: RowTest): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = sorted[middle]
    if (row !== undefined && passes(row)) low = middle + 1
    else high = middle
  }
  return low
}

function edgesOf(candidates: readonly Candidate[], ordering: RowOrdering): RowEdges | null {
  const [first, last] = [candidates[0], candidates.at(-1)]
  if (first === undefined || last === undefined) return null
  return { first: ordering.positionOf(first), last: ordering.positionOf(last) }
}

function candidatesOf(rows: readonly RankedRow[]): readonly Candidate[] {
  return rows.map(({ candidate }) => candidate)
}
