import type { RequestContext } from 'ashlar'
import {
  type CollectionCriteria,
  type CompiledType,
  keyIn,
  type Provider,
  type ReadFunctions,
  referenceColumn,
  type RelatedCriteria,
  type RelatedResult,
  type RelationLink,
  type RowCondition,
  type RowOrder,
  rowSet,
  type RowSet,
  type Transaction,
} from 'ashlar/store'
import type { RowPosition } from '../../../src/declare/resource/querying/row-window.js'
import type { Fault } from './faults.js'
import { grouped } from './grouping.js'
import { isFound, relevanceOf } from './searching.js'
import {
  comparePositions,
  type Found,
  holds,
  inRange,
  inSet,
  sameKey,
  type StoredRow,
  valueOf,
  type Wrong,
} from './values.js'

/** The rows of a model, as a read in a transaction sees them. */
export type RowsOf = (model: string, transaction: Transaction | null) => readonly StoredRow[]

interface World {
  readonly wrong: Wrong
  readonly rows: (model: string) => readonly StoredRow[]
  /** The request, which decides about scopes. */
  readonly context: RequestContext
}

/** Whether a row meets conditions. */
export function meetsAll(row: StoredRow, conditions: readonly RowCondition[], world: World): boolean {
  return meets({ row, join: null, type: 0 }, conditions, world)
}

const modelOf = ({ model }: CompiledType): string => model?.name ?? ''
const keyOf = referenceColumn

export function smallProvider(rowsOf: RowsOf, wrong: Wrong): Provider {
  const worldOf = ({ transaction, context }: Reading, beside: Fault | null = null): World => {
    const inside = beside !== null && wrong(beside) ? null : transaction
    return { wrong, context, rows: (model) => rowsOf(model, inside) }
  }
  const functions: ReadFunctions = {
    fetchOne(type, id, { columns, conditions, ...reading }) {
      const world = worldOf(reading)
      const all = world.rows(modelOf(type))
      const found = all.find((each) => sameKey(keyIn(each, type.id.column), type.id.decode(id), wrong))
      const row = wrong('finds a row for every id') ? (found ?? all[0]) : found
      if (row === undefined) return null
      const tested = wrong('leaves out conditions if it reads one row') ? [] : conditions
      return meets({ row, join: null, type: 0 }, tested, world) ? { rows: setOf([row], columns) } : null
    },
    fetchCollection(type, { columns, ...criteria }) {
      const world = worldOf(criteria, 'reads lists outside its transactions')
      const all = world.rows(modelOf(type)).map((row): Found => ({ row, join: null, type: 0 }))
      const { found, ...facts } = listed(all, { ...criteria, types: [type] }, world)
      const rows = found.map(({ row }) => row)
      return { ...facts, rows: setOf(rows, columns) }
    },
    fetchRelated(relation, parents, criteria) {
      const world = worldOf(criteria, 'reads related rows outside its transactions')
      return relatedResult(relation, relatedLists(relation, parents, criteria, world), criteria, wrong)
    },
    fetchGroups(type, criteria) {
      const world = worldOf(criteria)
      const tested = wrong('groups rows that do not meet the conditions') ? [] : criteria.conditions
      const rows = world.rows(modelOf(type)).filter((row) => meets({ row, join: null, type: 0 }, tested, world))
      return grouped(rows, criteria, (row, each) => meets({ row, join: null, type: 0 }, [each], world), wrong)
    },
    countRelated(relation, parents, criteria) {
      const isBlind = wrong('counts related rows that are not there')
      const conditionsOf = isBlind ? new Map<string, never[]>() : criteria.conditionsOf
      const world = worldOf(criteria, 'counts related rows outside its transactions')
      const counts = objectsOf(parents).map((parent) => {
        const there = members(relation, parent, { conditionsOf }, world)
        return there.filter((each) => meets(each, criteria.conditions, world)).length
      })
      const isOne = wrong('counts the members of all parents for each')
      return isOne ? counts.map(() => counts.reduce((sum, count) => sum + count, 0)) : counts
    },
  }
  const { fetchOne, fetchCollection } = functions
  const known = wrong('has nothing to read related rows with') ? { fetchOne, fetchCollection } : functions
  return { ...known, acceptsScopes: known, acceptsSearch: true }
}

type Reading = Pick<CollectionCriteria, 'transaction' | 'context'>

function relatedLists(
  relation: RelationLink,
  parents: RowSet,
  criteria: RelatedCriteria,
  world: World,
): readonly Listed[] {
  const { wrong } = world
  let left = wrong('cuts one window for all parents') ? (criteria.window?.limit ?? Infinity) : Infinity
  return objectsOf(parents).map((parent, index) => {
    const isPassedOver = index > 0 && wrong('reads related rows of the first parent only')
    const all = isPassedOver ? [] : members(relation, parent, criteria, world)
    const list = listed(all, { ...criteria, types: relation.targets }, world)
    const found = list.found.slice(0, left)
    left -= found.length
    return { ...list, found, more: list.more && !wrong('reports that nothing follows a window of related rows') }
  })
}

/** Each row once, however many parents share it. */
function relatedResult(
  { targets }: RelationLink,
  lists: readonly Listed[],
  { columnsOf }: RelatedCriteria,
  wrong: Wrong,
): RelatedResult {
  const all = lists.flatMap(({ found }) => found)
  const rowsOf = targets.map((_, type) => [...new Set(all.filter((each) => each.type === type).map(({ row }) => row))])
  const shared = all.find(({ join }) => join !== null)?.join ?? null
  return {
    sets: targets.map(({ type }, index) => ({ type, rows: setOf(rowsOf[index] ?? [], columnsOf.get(type) ?? null) })),
    groups: lists.map(({ found, ...facts }) => ({
      ...facts,
      members: found.map(({ row, type, join }) => ({
        set: type,
        row: rowsOf[type]?.indexOf(row) ?? -1,
        pivot: wrong('gives the fields of one join row to all') ? shared : join,
      })),
    })),
  }
}

function setOf(rows: readonly StoredRow[], columns: readonly string[] | null): RowSet {
  const names = columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return rowSet(
    names,
    rows.map((row) => names.map((name) => row[name] ?? null)),
  )
}

function objectsOf({ columns, rows }: RowSet): readonly StoredRow[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
}

function meets(found: Found, conditions: readonly RowCondition[], world: World): boolean {
  if (world.wrong('leaves out all conditions')) return true
  if (world.wrong('finds no row that meets a condition')) return conditions.length === 0
  const searches = world.wrong('takes a search for all conditions')
    ? conditions.filter(({ kind }) => kind === 'search')
    : []
  return (searches.length > 0 ? searches : conditions).every((condition) => meetsOne(found, condition, world))
}

function meetsOne(found: Found, condition: RowCondition, world: World): boolean {
  const { wrong } = world
  switch (condition.kind) {
    case 'compare':
      return holds(valueOf(found, condition.column), condition, wrong)
    case 'range':
      return inRange(valueOf(found, condition.column), condition, wrong)
    case 'in':
      return inSet(valueOf(found, condition.column), condition, wrong)
    case 'null':
      return (valueOf(found, condition.column) === null) !== condition.negated
    case 'related': {
      const { relation, condition: inner, negated } = condition
      const there = members(relation, found.row, condition, world)
      const isOne = !relation.spec.traits.toMany && !wrong('tests every row that matches a to-one relation')
      const matching = isOne ? there.toSorted(byKeyOf(relation, world)).slice(0, 1) : there
      return matching.some((each) => inner === null || meetsOne(each, inner, world)) !== negated
    }
    case 'all':
      return meets(found, condition.conditions, world)
    case 'any':
      if (wrong('takes any() without conditions for one that all rows meet') && condition.conditions.length === 0)
        return true
      return wrong('takes any() for all()')
        ? meets(found, condition.conditions, world)
        : condition.conditions.some((each) => meetsOne(found, each, world))
    case 'not':
      return wrong('takes no notice of not()')
        ? meetsOne(found, condition.condition, world)
        : !meetsOne(found, condition.condition, world)
    case 'search':
      return isFound(found, condition, wrong)
    case 'custom':
      throw new Error('This store knows no conditions of authors.')
    case 'scope': {
      const inRequest = wrong('takes no notice of scopes') ? null : condition.conditionIn(world.context)
      return inRequest === null || meetsOne(found, inRequest, world)
    }
  }
}

/** The rows that are members of a relation, and there. */
function members(
  relation: RelationLink,
  parent: StoredRow,
  { conditionsOf }: Pick<RelatedCriteria, 'conditionsOf'>,
  world: World,
): readonly Found[] {
  const conditions = world.wrong('leaves out the conditions of related types')
    ? new Map<string, never[]>()
    : conditionsOf
  return related(relation, parent, world).filter((found) =>
    meets(found, conditions.get(relation.targets[found.type]?.type ?? '') ?? [], world),
  )
}

function related(
  { storage, owner, targets }: RelationLink,
  parent: StoredRow,
  { rows, wrong }: World,
): readonly Found[] {
  const isOf = (holder: StoredRow, column: string | null, type: CompiledType): boolean =>
    column === null || wrong('takes no notice of the types of keys') || holder[column] === type.type
  const heldBy = (
    holder: StoredRow,
    key: { id: string; type: string | null },
    join: StoredRow | null,
  ): readonly Found[] =>
    targets.flatMap((target, type) => {
      if (!isOf(holder, key.type, target)) return []
      const row = rows(modelOf(target)).find((each) =>
        sameKey(keyIn(each, keyOf(target)), keyIn(holder, key.id), wrong),
      )
      return row === undefined ? [] : [{ row, join, type }]
    })
  const pointsHere = (holder: StoredRow, key: { id: string; type: string | null }): boolean =>
    sameKey(keyIn(holder, key.id), keyIn(parent, keyOf(owner)), wrong) && isOf(holder, key.type, owner)
  switch (storage.kind) {
    case 'ownKey':
      return heldBy(parent, storage.key, null)
    case 'relatedKey':
      return targets.flatMap((target, type) =>
        rows(modelOf(target))
          .filter((row) => pointsHere(row, storage.key))
          .map((row) => ({ row, join: null, type })),
      )
    case 'join':
      return rows(storage.model)
        .filter((join) => pointsHere(join, storage.owner))
        .flatMap((join) => heldBy(join, storage.member, join))
    default:
      throw new Error('This store does not hold the relation.')
  }
}

type Listing = Pick<CollectionCriteria, 'conditions' | 'orders' | 'window' | 'wantsCount'>

interface Listed {
  readonly found: readonly Found[]
  readonly total: number | null
  readonly more: boolean
  readonly edges: { readonly first: RowPosition; readonly last: RowPosition } | null
}

function listed(
  all: readonly Found[],
  { conditions, orders, window, wantsCount, types }: Listing & { readonly types: readonly CompiledType[] },
  world: World,
): Listed {
  const { wrong } = world
  const order = (a: Ranked, b: Ranked): number => comparePositions(a.position, b.position, orders, wrong)
  const sorted = all
    .filter((found) => meets(found, conditions, world))
    .map((found): Ranked => ({ found, position: orders.map((each) => positionAt(found, each, types, world)) }))
    .toSorted(wrong('leaves out all orders') ? () => 0 : order)
  const cut = cutTo(sorted, window, (position, other) => comparePositions(position, other, orders, wrong), wrong)
  const [first, last] = [cut.shown[0], cut.shown.at(-1)]
  return {
    found: cut.shown.map(({ found }) => found),
    total: wantsCount ? (wrong('counts the page, and not the rows') ? cut.shown : sorted).length : null,
    more: cut.more || wrong('reports that more follows every window'),
    edges: first === undefined || last === undefined ? null : { first: first.position, last: last.position },
  }
}

interface Ranked {
  readonly found: Found
  readonly position: RowPosition
}

function cutTo(
  sorted: readonly Ranked[],
  window: CollectionCriteria['window'],
  order: (a: RowPosition, b: RowPosition) => number,
  wrong: Wrong,
): { readonly shown: readonly Ranked[]; readonly more: boolean } {
  if (window === null) return { shown: sorted, more: false }
  const { limit } = window
  if (window.kind === 'offset') {
    const isLost = wrong('takes an offset beyond the rows for the first page') && window.offset >= sorted.length
    const shown = isLost ? sorted.slice(0, limit) : sorted.slice(window.offset, window.offset + limit)
    return { shown, more: sorted.length > window.offset + limit }
  }
  const { after, before } = window
  const least = wrong('begins a page at the place of its cursor') ? 0 : 1
  const between = sorted.filter(
    ({ position }) =>
      (after === null || Math.sign(order(position, after)) >= least) &&
      (before === null || order(position, before) < 0),
  )
  const isBack = before !== null && after === null && !wrong('takes the first rows of all before a cursor')
  return { shown: isBack ? between.slice(-limit) : between.slice(0, limit), more: between.length > limit }
}

function positionAt(found: Found, order: RowOrder, types: readonly CompiledType[], world: World): unknown {
  const type = types[found.type]
  switch (order.kind) {
    case 'key':
      return type === undefined ? null : keyIn(found.row, keyOf(type))
    case 'type':
      return found.type
    case 'column':
    case 'visibleColumn': {
      let at: Found | undefined = found
      for (const { relation, condition } of order.path) {
        const conditions = condition === null ? [] : [condition]
        const ends: readonly Found[] = at === undefined ? [] : related(relation, at.row, world)
        at = ends.filter((end) => meets(end, conditions, world)).toSorted(byKeyOf(relation, world))[0]
      }
      const isShown = order.kind === 'column' || world.wrong('orders by the keys of hidden rows')
      if (at === undefined || !(isShown || meets(at, [order.condition], world))) return null
      return valueOf(at, order.column)
    }
    case 'relevance':
      return relevanceOf(found, order.search, world.wrong)
    case 'custom':
      throw new Error('This store knows no orders of authors.')
  }
}

const byTypeAndKey: readonly RowOrder[] = [
  { kind: 'type', descending: false },
  { kind: 'key', descending: false },
]

function byKeyOf({ targets }: RelationLink, world: World): (a: Found, b: Found) => number {
  const position = (found: Found): RowPosition => byTypeAndKey.map((order) => positionAt(found, order, targets, world))
  return (a, b) => comparePositions(position(a), position(b), byTypeAndKey, world.wrong)
}
