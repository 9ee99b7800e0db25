import { fail } from '../../../core/errors/json-api-error.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { offered } from '../../../core/errors/offered.js'
import type { OrderStep, RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { SortSpecs } from '../../../declare/resource/sorts/sort-spec.js'
import { isUsable } from '../../../declare/resource/request/use-guard.js'
import { allConditions, visibleMember } from './condition-of-filter.js'
import type { ColumnTarget } from './column-target.js'
import { isVisibleTarget, targetByPath, targetByName } from './column-target.js'
import type { QueryVocabulary } from './query-vocabulary.js'
import { pivotPrefix } from './query-vocabulary.js'
import type { FilterCondition } from './read-conditions.js'
import { scopeConditions } from './scope-conditions.js'
import { searchDigest } from './search-digest.js'
import { isVisibleFilter } from './visible-filter.js'

/** The options for reading `sort`. */
export interface SortReadOptions {
  readonly context: RequestContext
  /** Whether the list has cursor pages: a cursor can only contain values of columns. */
  readonly cursor: boolean
  /** The parameter name that the client used for the sort keys. */
  readonly parameter: string
  /** The conditions of the filters of the request, which an order by relevance needs. */
  readonly filters?: readonly FilterCondition[]
}

/**
 * Returns the order that the client requested, or else the declared one. The last level is the key, so that no two rows
 * are equal. A to-one relation is always ordered by key: if several rows refer to the owner, the one with the lowest
 * key is the member, whatever the type is sorted by.
 */
export function readOrders(
  sort: readonly string[],
  vocabulary: QueryVocabulary,
  options: SortReadOptions,
): readonly RowOrder[] {
  if (vocabulary.relation?.spec.traits.toMany === false) return [{ kind: 'key', descending: false }]
  const levels = sort.length === 0 ? defaultLevels(vocabulary, options) : requestedLevels(sort, vocabulary, options)
  const orders = distinct(levels)
  const missing = keyColumns(vocabulary.listed.type.id.column).filter((name) => {
    return !orders.some((order) => isByOwnColumn(order, name))
  })
  // With the direction of the last level, the database can read both levels from one index.
  const descending = orders.at(-1)?.descending === true
  return [...orders, ...missing.map((name): RowOrder => keyOrder(name, descending))]
}

function keyOrder(name: string, descending: boolean): RowOrder {
  return { kind: 'column', path: [], column: { of: 'row', name, kind: null, isKey: true }, descending }
}

/** Returns a name for each level of an order. All levels that a cursor can contain have different names. */
export function orderNames(orders: readonly RowOrder[]): readonly string[] {
  return orders.map((order) => `${order.descending ? '-' : ''}${nameOf(order)}`)
}

function nameOf(order: RowOrder): string {
  // The ranks of another search are other numbers.
  if (order.kind === 'relevance') return `:relevance ${searchDigest(order.search)}`
  if (order.kind !== 'column' && order.kind !== 'visibleColumn') return `:${order.kind}`
  const { path, column } = order
  const pivot = column.of === 'pivot' ? pivotPrefix : ''
  const name = `${path.map(({ relation }) => `${relation.name}.`).join('')}${pivot}${column.name}`
  return order.kind === 'column' ? name : `:visible ${name}`
}

interface Level {
  /** The column or the custom sort of the level. Of two levels with the same identity, the second has no effect. */
  readonly identity: string
  readonly order: RowOrder
}

function distinct(levels: readonly Level[]): readonly RowOrder[] {
  const seen = new Set<string>()
  return levels
    .filter(({ identity }) => {
      const isFirst = !seen.has(identity)
      seen.add(identity)
      return isFirst
    })
    .map(({ order }) => order)
}

function isByOwnColumn(order: RowOrder, name: string): boolean {
  return order.kind === 'column' && order.path.length === 0 && order.column.of === 'row' && order.column.name === name
}

function requestedLevels(
  sort: readonly string[],
  vocabulary: QueryVocabulary,
  options: SortReadOptions,
): readonly Level[] {
  const sorts = usableSorts(vocabulary, options)
  const source = { source: { parameter: options.parameter } }
  if (Object.keys(sorts).length === 0) fail('SORTING_UNSUPPORTED', {}, source)
  return sort.flatMap((token) => {
    const { key, descending } = sortKey(token)
    const found = levelsOf(key, descending, { sorts, vocabulary, options })
    if (found !== null) return found
    const missing = missingSearch(key, { sorts, vocabulary, options })
    if (missing !== null) fail('SORTING_WITHOUT_SEARCH', { param: key, filter: missing }, source)
    const known = Object.keys(sorts).filter((each) => isKnownSort(each, { ...vocabulary, sorts }, options))
    return fail('SORTING_UNRECOGNIZED', { param: key, offered: offered(known) }, source)
  })
}

/** Whether a sort key exists, and its target is visible to the client. Its condition may still forbid its use. */
export function isKnownSort(key: string, vocabulary: QueryVocabulary, options: SortReadOptions): boolean {
  const sorting = { sorts: vocabulary.sorts, vocabulary, options }
  return levelsOf(key, false, sorting) !== null || missingSearch(key, sorting) !== null
}

/** Returns the filter that a sort by relevance needs and the request could have; `null` for other sorts. */
function missingSearch(key: string, { sorts, vocabulary, options }: Sorting): string | null {
  const sort = Object.hasOwn(sorts, key) ? sorts[key] : undefined
  if (sort?.kind !== 'relevance') return null
  const spec = Object.hasOwn(vocabulary.filters, sort.filter) ? vocabulary.filters[sort.filter] : undefined
  if (spec === undefined) return null
  return isVisibleFilter({ key: sort.filter, spec }, vocabulary, options.context) ? sort.filter : null
}

/** Returns the sorts that the request may name. */
function usableSorts({ sorts }: QueryVocabulary, { context }: SortReadOptions): SortSpecs {
  const entries = Object.entries(sorts)
  const usable = entries.filter(([, spec]) => isUsable(spec, context))
  return usable.length === entries.length ? sorts : Object.fromEntries(usable)
}

/** Returns the declared order, without levels that the client may not see or that a cursor cannot contain. */
function defaultLevels(vocabulary: QueryVocabulary, options: SortReadOptions): readonly Level[] {
  const { keys, sorts } = vocabulary.defaultSort
  return keys.flatMap((token) => {
    const { key, descending } = sortKey(token)
    return levelsOf(key, descending, { sorts, vocabulary, options }) ?? []
  })
}

function sortKey(token: string): { readonly key: string; readonly descending: boolean } {
  const descending = token.startsWith('-')
  return { key: descending ? token.slice(1) : token, descending }
}

interface Sorting {
  readonly sorts: SortSpecs
  readonly vocabulary: QueryVocabulary
  readonly options: SortReadOptions
}

/** Returns the levels of a sort key in this request: several for a composite id; `null` if there is none. */
function levelsOf(key: string, descending: boolean, { sorts, vocabulary, options }: Sorting): readonly Level[] | null {
  const { listed: served, relation } = vocabulary
  const spec = Object.hasOwn(sorts, key) ? sorts[key] : undefined
  switch (spec?.kind) {
    case 'field':
      return columnLevels(targetByName(spec.column ?? key, { served, relation }), descending, options)
    case 'through':
      return columnLevels(targetByPath(spec.path ?? key, served), descending, options)
    case 'relevance': {
      const search = options.filters?.find((filter) => filter.key === spec.filter)?.condition
      if (search?.kind !== 'search') return null
      return [{ identity: `:relevance ${spec.filter}`, order: { kind: 'relevance', search, descending } }]
    }
    case 'custom':
      if (options.cursor) return null
      return [{ identity: `:custom ${key}`, order: { kind: 'custom', custom: spec.custom, descending } }]
    case undefined:
      return null
  }
}

function columnLevels(
  target: ColumnTarget | null,
  descending: boolean,
  { context }: SortReadOptions,
): readonly Level[] | null {
  if (target === null || !isVisibleTarget(target, context)) return null
  const path = target.path.map((relation): OrderStep => {
    const scopes = [...relation.related.values()].flatMap((served) => scopeConditions(served))
    return { relation, condition: allConditions(scopes) }
  })
  const { reference } = target
  return keyColumns(target.column.name).map((name) => {
    const common = { path, column: { ...target.column, name }, descending }
    // The key of a hidden row is null, as in the linkage.
    const order: RowOrder =
      reference === null
        ? { kind: 'column', ...common }
        : { kind: 'visibleColumn', ...common, condition: visibleMember(reference, scopeConditions) }
    return { identity: nameOf(order), order }
  })
}
