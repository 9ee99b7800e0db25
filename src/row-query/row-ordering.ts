import { answeredAtOnce } from '../errors/ignore-rejection.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { OrderStep, RowOrder } from '../resource/querying/row-order.js'
import type { RowPlace } from '../resource/querying/row-window.js'
import type { CustomSort } from '../resource/sorts/sort-spec.js'
import { invariant } from '../util/invariant.js'
import type { Candidate, QueryWorld } from './query-world.js'
import { columnValue } from './query-world.js'
import { keyReader, relatedOne } from './related-one.js'
import { rowMatcher } from './row-matcher.js'
import type { Comparable } from './stored-value.js'
import { comparableOf, compareInOrder, heldKey, placeValue } from './stored-value.js'

/** What a row, or a place, has at each level of an order, ready to be compared. */
export type Ranks = readonly unknown[]

/**
 * An order of rows. Rows and places are compared by the same ranks, so a place lies where its row lies. An order with a
 * custom sort has no places: it compares rows.
 */
export interface RowOrdering {
  compare(a: Ranks, b: Ranks): number
  ranksOf(candidate: Candidate): Ranks
  placeOf(candidate: Candidate): RowPlace
  /** @param among the ranks of the rows that the place is sought among */
  ranksAt(place: RowPlace, among: readonly Ranks[]): Ranks
}

interface Level {
  /** What the place of a row has at this level. */
  valueOf(candidate: Candidate): unknown
  /** What is compared instead. */
  rankOf(value: unknown): unknown
  /** What is compared of a place, which lies among rows of these ranks. */
  rankAt(value: unknown, among: () => readonly unknown[]): unknown
  compare(a: unknown, b: unknown): number
  readonly hasPlaces: boolean
}

/**
 * Orders are read once, here; the ranks of a row are then read once a row.
 *
 * @param types what the rows may be of; candidates name theirs by its position
 */
export function rowOrdering(
  orders: readonly RowOrder[],
  types: readonly CompiledType[],
  world: QueryWorld,
): RowOrdering {
  const levels = orders.map((order) => directed(levelOf(order, types, world), order.descending))
  const placed = (): readonly Level[] => {
    invariant(
      levels.every(({ hasPlaces }) => hasPlaces),
      'a place was sought in an order with a custom sort',
    )
    return levels
  }
  return {
    compare(a, b) {
      for (let position = 0; position < levels.length; position++) {
        const order = levels[position]?.compare(a[position], b[position]) ?? 0
        if (order !== 0) return order
      }
      return 0
    },
    ranksOf: (candidate) => levels.map((level) => level.rankOf(level.valueOf(candidate))),
    placeOf: (candidate) => placed().map((level) => level.valueOf(candidate)),
    ranksAt: (place, among) =>
      placed().map((level, position) => level.rankAt(place[position], () => among.map((ranks) => ranks[position]))),
  }
}

function directed(level: Level, descending: boolean): Level {
  return descending ? { ...level, compare: (a, b) => level.compare(b, a) } : level
}

function levelOf(order: RowOrder, types: readonly CompiledType[], world: QueryWorld): Level {
  switch (order.kind) {
    case 'column':
      return columnLevel(order, world)
    case 'type':
      return valueLevel(({ type }) => type, comparableOf(null))
    case 'key': {
      const keyOf = keyReader(types)
      return keyLevel((candidate) => placeValue(keyOf(candidate)))
    }
    case 'custom':
      return customLevel(order.custom, world)
  }
}

function columnLevel({ path, column }: Extract<RowOrder, { kind: 'column' }>, world: QueryWorld): Level {
  const hops = path.map((step) => hop(step, world))
  const valueOf = (candidate: Candidate): unknown => {
    let reached: Candidate | undefined = candidate
    for (const follow of hops) reached = reached === undefined ? undefined : follow(reached)
    return reached === undefined ? null : placeValue(columnValue(reached, column))
  }
  return column.isKey ? keyLevel(valueOf) : valueLevel(valueOf, comparableOf(column.kind))
}

function valueLevel(valueOf: Level['valueOf'], rankOf: (value: unknown) => Comparable): Level {
  return {
    valueOf,
    rankOf,
    rankAt: rankOf,
    compare: (a, b) => compareInOrder(a as Comparable, b as Comparable),
    hasPlaces: true,
  }
}

/** Places hold keys as `id.decode` answers them, which is not always as rows hold them. */
function keyLevel(valueOf: Level['valueOf']): Level {
  return {
    ...valueLevel(valueOf, comparableOf(null)),
    rankAt: (key, among) => heldKey(key, among() as readonly Comparable[]),
  }
}

function hop({ relation, condition }: OrderStep, world: QueryWorld): (candidate: Candidate) => Candidate | undefined {
  const relatedRows = world.related(relation)
  const isThere = rowMatcher(condition === null ? [] : [condition], world)
  const one = relatedOne(relation)
  return ({ row }) => one(relatedRows(row).filter(isThere))
}

function customLevel({ compare }: CustomSort, { context }: QueryWorld): Level {
  if (compare === undefined) {
    throw new Error('A custom sort has no compare(): rows in memory cannot be sorted by it.')
  }
  return {
    valueOf: ({ row }) => row,
    rankOf: (row) => row,
    rankAt: (row) => row,
    // What is no number says nothing about the order.
    compare: (a, b) =>
      answeredAtOnce('compare() of a custom sort', compare(a as Candidate['row'], b as Candidate['row'], context)) || 0,
    hasPlaces: false,
  }
}
