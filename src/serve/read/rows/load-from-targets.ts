import { keyText } from '../../../stores/row-query/key-text.js'
import { rowLister } from '../../../stores/row-query/list-rows.js'
import type { Candidate } from '../../../stores/row-query/query-context.js'
import type {
  CollectionCriteria,
  RelatedCriteria,
  RelatedResult,
} from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { rowObject, rowSet } from '../../../core/rows/row-set.js'
import { findRow } from './fetch-row.js'
import type { RowList } from './read-collection.js'
import { readCollection } from './read-collection.js'
import type { RelationKeys, WantedKey } from './relation-keys.js'
import { relationKeys } from './relation-keys.js'
import { rowsQueryContext } from './rows-query-context.js'

/**
 * Loads members from the providers of the related types, for a relation between types of different stores. There is one
 * read for each related type, for all parents. The providers filter and sort; the page and the total of each parent are
 * computed here.
 */
export function loadFromTargets(
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> {
  const keys = relationKeys(relation)
  const wanted = parents.rows.map((row) => keys.wantedBy(rowObject(parents.columns, row)))
  const read = { targets: [...relation.related.values()], keys, wanted, criteria }
  return readsEach(read) ? readEach(read) : readTogether(read)
}

/** Whether the provider cuts the page of each parent: it must if there is only one, since others read no row in vain. */
function readsEach({ targets, wanted, criteria }: TargetsRead): boolean {
  if (hasForeignPositions(criteria)) return true
  return criteria.window !== null && wanted.length === 1 && targets.length === 1
}

interface TargetsRead {
  readonly targets: readonly ServedType[]
  readonly keys: RelationKeys
  readonly wanted: readonly WantedKey[]
  readonly criteria: RelatedCriteria
}

/** Whether the positions of cursor pages contain values that depend on other rows: at the end of a path, or hidden with them. */
function hasForeignPositions({ orders, window }: RelatedCriteria): boolean {
  if (window?.kind !== 'cursor') return false
  return orders.some((order) => order.kind === 'visibleColumn' || (order.kind === 'column' && order.path.length > 0))
}

/** Reads the page of each parent by itself, if only the provider knows the positions of the rows. */
async function readEach({ targets, keys, wanted, criteria }: TargetsRead): Promise<RelatedResult> {
  // Only relations with one related type can be sorted by columns.
  const [served] = targets
  if (served === undefined) return { sets: [], groups: wanted.map(() => ({ members: [], total: null })) }
  const lists = await Promise.all(wanted.map((each) => readRows(served, [each], { keys, criteria, listing: criteria })))
  return {
    sets: lists.map(({ rows }) => ({ type: served.type.type, rows })),
    groups: lists.map(({ rows, ...facts }, set) => ({
      ...facts,
      members: rows.rows.map((_, row) => ({ set, row, pivot: null })),
    })),
  }
}

const byKey: readonly RowOrder[] = Object.freeze([{ kind: 'key', descending: false }])

async function readTogether({ targets, keys, wanted, criteria }: TargetsRead): Promise<RelatedResult> {
  const { window, wantsCount, maxMembers } = criteria
  const isOne = targets.length === 1
  // The pages of several parents are cut here, so their members are needed.
  const whole = window !== null || maxMembers === undefined ? null : limitOf(maxMembers)
  const listing = { orders: isOne ? criteria.orders : byKey, window: whole, wantsCount: false }
  const sets = await Promise.all(
    targets.map(async (served, set) => {
      const { rows } = await readRows(served, wanted, { keys, criteria, listing })
      return { served, rows, found: finder(rows, keys.column(served.type), set) }
    }),
  )
  // Rows of one type are already in order. Cursor positions are made from the order.
  const orders = isOne && window?.kind !== 'cursor' ? [] : criteria.orders
  const types = targets.map(({ type }) => type)
  const queryContext = await rowsQueryContext([], criteria)
  const list = rowLister({ types, conditions: [], orders, window, wantsCount }, queryContext)
  return {
    sets: sets.map(({ served, rows }) => ({ type: served.type.type, rows })),
    groups: wanted.map((wantedKey) => {
      const positions = new Map(
        sets.flatMap(({ served, found }) => keys.leadingTo(served.type, [wantedKey]).flatMap(({ key }) => found(key))),
      )
      const { candidates, ...facts } = list([...positions.keys()])
      const members = candidates.map((each) => ({ set: each.type, row: positions.get(each) ?? -1, pivot: null }))
      return { ...facts, members }
    }),
  }
}

/** Returns the window of one member more than the limit. */
function limitOf(maxMembers: number): RowWindow {
  return { kind: 'offset', offset: 0, limit: maxMembers + 1 }
}

type Found = readonly [candidate: Candidate, position: number]

/** Returns a function that finds the rows with a key, in their order. */
function finder({ columns, rows }: RowSet, column: string, type: number): (key: string | null) => readonly Found[] {
  const index = new Map<string | null, Found[]>()
  rows.forEach((values, position) => {
    const row = rowObject(columns, values)
    const key = keyText(keyIn(row, column))
    const same = index.get(key) ?? []
    index.set(key, same)
    same.push([{ row, pivot: null, type }, position])
  })
  return (key) => (key === null ? [] : (index.get(key) ?? []))
}

interface RowsReadOptions extends Pick<TargetsRead, 'keys' | 'criteria'> {
  readonly listing: Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>
}

/**
 * Reads rows with all columns, since their key column is needed here. Reads the collection once; a provider without
 * collections is called for each key. The transaction belongs to the store of the owner, so it cannot be used.
 */
async function readRows(
  served: ServedType,
  wanted: readonly WantedKey[],
  { keys, criteria, listing }: RowsReadOptions,
): Promise<RowList> {
  const { type, provider } = served
  const leading = keys.leadingTo(type, wanted)
  if (leading.length === 0) return { rows: rowSet([], []), total: 0 }
  const conditions = [...criteria.conditions, ...(criteria.conditionsOf.get(type.type) ?? [])]
  const whole = { columns: null, transaction: null, context: criteria.context }
  if (provider?.fetchCollection !== undefined) {
    return readCollection(served, {
      ...whole,
      ...listing,
      conditions: [...keys.conditions(type, leading), ...conditions],
    })
  }
  const found = await Promise.all(
    leading.map(({ stored }) => findRow(served, type.id.encode(stored), { ...whole, conditions })),
  )
  const rows = joined(found.flatMap((each) => each ?? []))
  return { rows, total: rows.rows.length }
}

/** Joins rows that were read one by one into one row set. They may have different columns. */
function joined(sets: readonly RowSet[]): RowSet {
  const columns = [...new Set(sets.flatMap((set) => set.columns))]
  const rows = sets.flatMap((set) => {
    const positions = columns.map((column) => set.columns.indexOf(column))
    return set.rows.map((row): Row => positions.map((position) => row[position]))
  })
  return rowSet(columns, rows)
}
