import { fail } from '../../errors/json-api-error.js'
import type { OrderStep, RowOrder } from '../../resource/querying/row-order.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { SortSpecs } from '../../resource/sorts/sort-spec.js'
import { allConditions } from './condition-of-filter.js'
import type { ColumnTarget } from './column-target.js'
import { isVisibleTarget, targetByPath, targetByName } from './column-target.js'
import type { QueryVocabulary } from './query-vocabulary.js'
import { pivotPrefix } from './query-vocabulary.js'
import { scopeConditions } from './scope-conditions.js'

/** What `sort` is read with. */
export interface SortReadOptions {
  readonly context: RequestContext
  /** Whether the rows are walked by cursor: only columns have values that a cursor can name. */
  readonly cursor: boolean
  /** The name under which the client sent the keys. */
  readonly parameter: string
}

/**
 * The order that a client asks for, else the declared one; in the end by the key, so that no two rows are equal. A to-one
 * has none to speak of: where several rows claim to be it, the one with the lowest key is, whatever the type is sorted by.
 */
export function readOrders(
  sort: readonly string[],
  vocabulary: QueryVocabulary,
  reading: SortReadOptions,
): readonly RowOrder[] {
  if (vocabulary.relation?.spec.traits.toMany === false) return [{ kind: 'key', descending: false }]
  const levels = sort.length === 0 ? usualLevels(vocabulary, reading) : requestedLevels(sort, vocabulary, reading)
  const orders = distinct(levels)
  const { column: name } = vocabulary.served.type.id
  if (orders.some((order) => isByOwnColumn(order, name))) return orders
  // In one direction with the last level, an index on both can be walked.
  const descending = reading.cursor && orders.at(-1)?.descending === true
  return [...orders, { kind: 'column', path: [], column: { of: 'row', name, kind: null, isKey: true }, descending }]
}

/** One name for each level, which tells it from every other that a cursor can walk. */
export function orderNames(orders: readonly RowOrder[]): readonly string[] {
  return orders.map((order) => `${order.descending ? '-' : ''}${nameOf(order)}`)
}

function nameOf(order: RowOrder): string {
  if (order.kind !== 'column') return `:${order.kind}`
  const { path, column } = order
  const pivot = column.of === 'pivot' ? pivotPrefix : ''
  return `${path.map(({ relation }) => `${relation.name}.`).join('')}${pivot}${column.name}`
}

interface Level {
  /** The key, or what it stands for: of two keys that mean the same, the second says nothing. */
  readonly identity: string
  readonly order: RowOrder
}

function distinct(levels: readonly Level[]): readonly RowOrder[] {
  const seen = new Set<string>()
  return levels
    .filter(({ identity }) => {
      const fresh = !seen.has(identity)
      seen.add(identity)
      return fresh
    })
    .map(({ order }) => order)
}

function isByOwnColumn(order: RowOrder, name: string): boolean {
  return order.kind === 'column' && order.path.length === 0 && order.column.of === 'row' && order.column.name === name
}

function requestedLevels(
  sort: readonly string[],
  vocabulary: QueryVocabulary,
  reading: SortReadOptions,
): readonly Level[] {
  const { sorts } = vocabulary
  const source = { source: { parameter: reading.parameter } }
  if (Object.keys(sorts).length === 0) fail('SORTING_UNSUPPORTED', {}, source)
  return sort.map((token) => {
    const { key, descending } = sortKey(token)
    const level = levelOf(key, descending, { sorts, vocabulary, reading })
    return level ?? fail('SORTING_UNRECOGNIZED', { param: key }, source)
  })
}

/** The declared order, without what the caller does not see, or a cursor cannot walk. */
function usualLevels(vocabulary: QueryVocabulary, reading: SortReadOptions): readonly Level[] {
  const { keys, sorts } = vocabulary.defaultSort
  return keys.flatMap((token) => {
    const { key, descending } = sortKey(token)
    return levelOf(key, descending, { sorts, vocabulary, reading }) ?? []
  })
}

function sortKey(token: string): { readonly key: string; readonly descending: boolean } {
  const descending = token.startsWith('-')
  return { key: descending ? token.slice(1) : token, descending }
}

interface Sorting {
  readonly sorts: SortSpecs
  readonly vocabulary: QueryVocabulary
  readonly reading: SortReadOptions
}

/** The level that a key stands for in this request; `null` for none. */
function levelOf(key: string, descending: boolean, { sorts, vocabulary, reading }: Sorting): Level | null {
  const spec = Object.hasOwn(sorts, key) ? sorts[key] : undefined
  switch (spec?.kind) {
    case 'field':
      return columnLevel(targetByName(spec.column ?? key, vocabulary), descending, reading)
    case 'through':
      return columnLevel(targetByPath(spec.path ?? key, vocabulary.served), descending, reading)
    case 'custom':
      if (reading.cursor) return null
      return { identity: `:custom ${key}`, order: { kind: 'custom', custom: spec.custom, descending } }
    case undefined:
      return null
  }
}

function columnLevel(target: ColumnTarget | null, descending: boolean, { context }: SortReadOptions): Level | null {
  if (target === null || !isVisibleTarget(target, context)) return null
  const path = target.path.map((relation): OrderStep => {
    const scopes = [...relation.related.values()].flatMap((served) => scopeConditions(served))
    return { relation, condition: allConditions(scopes) }
  })
  const order: RowOrder = { kind: 'column', path, column: target.column, descending }
  return { identity: nameOf(order), order }
}
