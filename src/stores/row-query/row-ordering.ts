import { requireSynchronous } from '../../core/errors/ignore-rejection.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { ValueKind } from '../../declare/resource/fields/value-kind.js'
import { isComposite } from '../../declare/resource/parts/key-columns.js'
import type { OrderStep, RowOrder } from '../../declare/resource/querying/row-order.js'
import type { RowPosition } from '../../declare/resource/querying/row-window.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import type { CustomSort } from '../../declare/resource/sorts/sort-spec.js'
import { invariant } from '../../core/util/invariant.js'
import { RawStored } from '../../core/util/raw-stored.js'
import { compareKeys } from './compare-keys.js'
import type { Candidate, QueryContext } from './query-context.js'
import { columnReader } from './query-context.js'
import { candidateKeyReader, toOneSelector } from './to-one-selector.js'
import { rowMatcher } from './row-matcher.js'
import { searchedTexts, searchMatcher, weightsOf } from './search-match.js'
import type { Comparable } from './stored-value.js'
import { canHold, comparableOf, compareInOrder, keyAsStored, cursorValue } from './stored-value.js'

/** The comparable value of a row, or of a cursor position, at each level of an order. */
export type Ranks = readonly unknown[]

/**
 * An order of rows. Rows and cursor positions are compared by the same ranks, so a position is equal to its row. An
 * order with a custom sort has no cursor positions, because it compares whole rows.
 */
export interface RowOrdering {
  compare(a: Ranks, b: Ranks): number
  ranksOf(candidate: Candidate): Ranks
  positionOf(candidate: Candidate): RowPosition
  /** @param rowRanks the ranks of the rows that the position is compared with */
  ranksOfPosition(position: RowPosition, rowRanks: readonly Ranks[]): Ranks
}

interface Level {
  valueOf(candidate: Candidate): unknown
  /** Returns the value of a row at this level, for its cursor position. */
  positionOf(candidate: Candidate): unknown
  /** Converts the value for the comparison. */
  rankOf(value: unknown): unknown
  /** Converts the value of a cursor position for the comparison with rows of these ranks. */
  rankAt(value: unknown, rowRanks: () => readonly unknown[]): unknown
  compare(a: unknown, b: unknown): number
  readonly hasPositions: boolean
}

/**
 * Compiles orders, once. The ranks of a row are then computed once per row.
 *
 * @param types the possible types of the rows; a candidate has the index of its type
 */
export function rowOrdering(
  orders: readonly RowOrder[],
  types: readonly CompiledType[],
  queryContext: QueryContext,
): RowOrdering {
  const levels = orders.map((order) => directed(levelOf(order, types, queryContext), order.descending))
  const levelsWithPositions = (): readonly Level[] => {
    invariant(
      levels.every(({ hasPositions }) => hasPositions),
      'a cursor position was requested in an order with a custom sort',
    )
    return levels
  }
  return {
    compare(a, b) {
      for (let index = 0; index < levels.length; index++) {
        const order = levels[index]?.compare(a[index], b[index]) ?? 0
        if (order !== 0) return order
      }
      return 0
    },
    ranksOf: (candidate) => levels.map((level) => level.rankOf(level.valueOf(candidate))),
    positionOf: (candidate) => levelsWithPositions().map((level) => level.positionOf(candidate)),
    ranksOfPosition: (position, rowRanks) =>
      levelsWithPositions().map((level, index) =>
        level.rankAt(position[index], () => rowRanks.map((ranks) => ranks[index])),
      ),
  }
}

function directed(level: Level, descending: boolean): Level {
  return descending ? { ...level, compare: (a, b) => level.compare(b, a) } : level
}

function levelOf(order: RowOrder, types: readonly CompiledType[], queryContext: QueryContext): Level {
  switch (order.kind) {
    case 'column':
    case 'visibleColumn':
      return columnLevel(order, queryContext)
    case 'type':
      return valueLevel(({ type }) => type, comparableOf(null))
    case 'key': {
      const keyOf = candidateKeyReader(types)
      if (types.some((type) => isComposite(referenceColumn(type)))) return compositeLevel(keyOf)
      return keyLevel((candidate) => cursorValue(keyOf(candidate)))
    }
    case 'relevance': {
      const { relevance } = searchMatcher(order.search.query, weightsOf(order.search))
      const textsIn = searchedTexts(order.search)
      return valueLevel((candidate) => relevance(textsIn(candidate)), comparableOf(null))
    }
    case 'custom':
      return customLevel(order.custom, queryContext)
  }
}

type ColumnOrder = Extract<RowOrder, { kind: 'column' | 'visibleColumn' }>

function columnLevel(order: ColumnOrder, queryContext: QueryContext): Level {
  const { path, column } = order
  const hops = path.map((step) => followStep(step, queryContext))
  const isVisible = rowMatcher(order.kind === 'column' ? [] : [order.condition], queryContext)
  const read = columnReader(column)
  const valueOf = (candidate: Candidate): unknown => {
    let reached: Candidate | undefined = candidate
    for (const follow of hops) reached = reached === undefined ? undefined : follow(reached)
    return reached === undefined || !isVisible(reached) ? null : cursorValue(read(reached))
  }
  return column.isKey ? keyLevel(valueOf) : kindLevel(valueOf, column.kind)
}

/** A cursor has a value that its kind cannot hold, such as text in a column of numbers, as it is stored. */
function kindLevel(valueOf: Level['valueOf'], kind: ValueKind | null): Level {
  const rankOf = comparableOf(kind)
  return {
    ...valueLevel(valueOf, rankOf),
    positionOf(candidate) {
      const value = valueOf(candidate)
      if (value === null || canHold(kind, value) || value instanceof Date) return value
      return new RawStored(typeof value === 'boolean' ? Number(value) : (value as RawStored['value']))
    },
    rankAt: (value) => rankOf(value instanceof RawStored ? value.value : value),
  }
}

function valueLevel(valueOf: Level['valueOf'], rankOf: (value: unknown) => Comparable): Level {
  return {
    valueOf,
    positionOf: valueOf,
    rankOf,
    rankAt: rankOf,
    compare: (a, b) => compareInOrder(a as Comparable, b as Comparable),
    hasPositions: true,
  }
}

/** A cursor position has a key as `id.decode` returns it, which may differ from the key in a row: '1' and 1. */
function keyLevel(valueOf: Level['valueOf']): Level {
  return {
    ...valueLevel(valueOf, comparableOf(null)),
    rankAt: (key, rowRanks) => keyAsStored(key, rowRanks() as readonly Comparable[]),
  }
}

/**
 * Orders by a composite key. It has no positions: lists with cursors are ordered by the columns of the key, one by one.
 */
function compositeLevel(valueOf: Level['valueOf']): Level {
  return {
    valueOf,
    positionOf: valueOf,
    rankOf: (key) => key,
    rankAt: (key) => key,
    compare: compareKeys,
    hasPositions: false,
  }
}

/** Returns a function from a row to the member of a to-one relation. */
function followStep(
  { relation, condition }: OrderStep,
  queryContext: QueryContext,
): (candidate: Candidate) => Candidate | undefined {
  const relatedRows = queryContext.related(relation)
  const isVisible = rowMatcher(condition === null ? [] : [condition], queryContext)
  const one = toOneSelector(relation)
  return ({ row }) => one(relatedRows(row).filter(isVisible))
}

function customLevel({ compare }: CustomSort, { context }: QueryContext): Level {
  if (compare === undefined) {
    throw new Error('A custom sort has no compare(): rows in memory cannot be sorted by it.')
  }
  return {
    valueOf: ({ row }) => row,
    positionOf: ({ row }) => row,
    rankOf: (row) => row,
    rankAt: (row) => row,
    // A result that is not a number counts as equal.
    compare: (a, b) =>
      requireSynchronous(
        'compare() of a custom sort',
        compare(a as Candidate['row'], b as Candidate['row'], context),
      ) || 0,
    hasPositions: false,
  }
}
