import type {
  RelatedCriteria,
  RelatedGroup,
  RelatedMember,
  RelatedResult,
} from '../../../resource/capabilities/provider.js'
import type { RowEdges, RowPlace, RowWindow } from '../../../resource/querying/row-window.js'
import type { RelationLink } from '../../../resource/relations/relation-link.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { Row, RowSet } from '../../../rows/row-set.js'
import { rowObject, rowSet } from '../../../rows/row-set.js'
import { keyText } from '../../row-query/key-text.js'
import type { SqlColumn, SqlTables } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { countRelated } from './count-related.js'
import { readList, selectedColumn } from './list-statement.js'
import { linkText, parentKeys, readParents } from './parent-keys.js'
import { readReach } from './reach.js'
import { readConditions } from './read-condition.js'
import { allOf } from './written-parts.js'
import { readOrders } from './read-orders.js'
import { rowDecoder } from './row-decoder.js'
import { readingOf } from './sql-reading.js'
import { namesOf, propertiesOf, wantedColumns } from './wanted-columns.js'

/** The rows that a relation leads to from each of several parents: one statement for each type that it leads to. */
export async function fetchRelated(
  store: SqlStore,
  relation: RelationLink,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> {
  const tables = await store.tables()
  const [lists, totals] = await Promise.all([
    Promise.all(
      relation.targets.map((_, position) => fetchOfType(store, tables, { relation, position, parents, criteria })),
    ),
    criteria.wantsCount && criteria.window !== null ? countRelated(store, relation, parents, criteria) : null,
  ])
  const { window, wantsCount } = criteria
  const sets = lists.filter(({ rows }) => rows.rows.length > 0)
  const setOf = new Map(sets.map((list, set) => [list, set]))
  const groups = parents.rows.map((_, parent): RelatedGroup => {
    const ordered = isBackward(window) ? lists.toReversed() : lists
    const members = ordered.flatMap((list) =>
      (list.members[parent] ?? []).map((member) => ({ ...member, set: setOf.get(list) ?? 0 })),
    )
    // Where all of them are read, they are counted.
    const total = totals?.[parent] ?? (wantsCount && window === null ? members.length : null)
    return { ...cutMembers(members, window, relation.targets.length > 1), total }
  })
  return { sets: sets.map(({ type, rows }) => ({ type, rows })), groups }
}

/** A member as it was read, with its place where the window asks for it. */
interface ReadMember extends RelatedMember {
  readonly place: RowPlace | null
}

/** The members of one type. */
interface ReadList {
  readonly type: string
  readonly rows: RowSet
  /** By the position of the parent; at most one more than wanted, in the order of the statement. */
  readonly members: readonly (readonly ReadMember[])[]
}

function isBackward(window: RowWindow | null): boolean {
  return window?.kind === 'cursor' && window.before !== null && window.after === null
}

/** Of several types each was read from its start, and only together they say where the window lies. */
function cutMembers(
  members: readonly ReadMember[],
  window: RowWindow | null,
  isOfSeveral: boolean,
): Omit<RelatedGroup, 'total'> {
  if (window === null) return { members, more: false, edges: null }
  const from = isOfSeveral && window.kind === 'offset' ? window.offset : 0
  const kept = members.slice(from, from + window.limit)
  const more = members.length > from + window.limit
  const shown = isBackward(window) ? kept.toReversed() : kept
  return { members: shown, more, edges: window.kind === 'cursor' ? edgesOf(shown) : null }
}

function edgesOf(shown: readonly ReadMember[]): RowEdges | null {
  const [first, last] = [shown[0]?.place, shown.at(-1)?.place]
  return first === undefined || last === undefined || first === null || last === null ? null : { first, last }
}

interface AskedType {
  readonly relation: RelationLink
  /** Of the type among the targets. */
  readonly position: number
  readonly parents: RowSet
  readonly criteria: RelatedCriteria
}

async function fetchOfType(store: SqlStore, tables: SqlTables, asked: AskedType): Promise<ReadList> {
  const { relation, position, parents, criteria } = asked
  const { transaction, context } = criteria
  const reading = readingOf(store, tables, context)
  const reach = readReach(relation, position, reading)
  const { type, table, pivot } = reach
  const keys = parentKeys(parents, reach, store.engine)
  const wanted = wantedColumns(table, criteria.columnsOf.get(type.type) ?? null)
  const window = windowOfType(criteria.window, asked)
  const nobody: ReadList = { type: type.type, rows: rowSet(propertiesOf(wanted), []), members: [] }
  if (keys.distinct.length === 0 || window === 'nothing') return nobody
  const pivots = pivot === null || Object.keys(relation.spec.pivot).length === 0 ? [] : pivot.columns
  reading.shape.note(`related ${namesOf(wanted)} ${namesOf(pivots)}`)
  const belongs = readParents(keys, reach, reading)
  const conditions = readConditions(
    [...criteria.conditions, ...(criteria.conditionsOf.get(type.type) ?? [])],
    reach,
    reading,
  )
  const levels = readOrders(criteria.orders, reach, reading)
  const reference = columnOf(table, referenceColumn(type))
  const list = readList(
    {
      from: reach.from,
      condition: allOf([belongs, ...reach.conditions, conditions]),
      levels,
      selected: [
        ...wanted.map((column) => selectedColumn(column)),
        selectedColumn(reach.link, pivot === null ? 'row' : 'pivot'),
        selectedColumn(reference),
        ...pivots.map((column) => selectedColumn(column, 'pivot')),
      ],
      isJoined: pivot !== null,
      lock: isLocked(asked) ? 'update' : null,
      partition: keys.distinct.length === 1 ? null : reach.linkIn,
    },
    window,
    reading,
  )
  const { rows } = await store.read(store.statements.statement(reading.shape, list.write), { transaction, context })
  const typePlace = criteria.orders[0]?.kind === 'type' ? [position] : []
  const { placeOf, positions } = list
  const placed = (row: Row): RowPlace | null => (placeOf === null ? null : [...typePlace, ...placeOf(row)])
  const { unique, byLink } = membersIn(rows, { wanted, pivots, positions, linkOf: linkText(reach), placeOf: placed })
  return {
    type: type.type,
    rows: rowSet(propertiesOf(wanted), unique),
    members: keys.ofParent.map((link) => (link === null ? [] : (byLink.get(link) ?? []))),
  }
}

interface SelectedColumns {
  /** Then come what links a row to its owner, and its key. */
  readonly wanted: readonly SqlColumn[]
  /** Of the join row, after these. */
  readonly pivots: readonly SqlColumn[]
  /** Where each of all these is in a row. */
  readonly positions: readonly number[]
  /** The text of the parent's key, by what links a row to it. */
  readonly linkOf: (held: unknown) => string | null
  readonly placeOf: (row: Row) => RowPlace | null
}

/** Each row once, however many owners share it, and the members by what links them to their owner. */
function membersIn(
  rows: readonly Row[],
  { wanted, pivots, positions, linkOf, placeOf }: SelectedColumns,
): { readonly unique: readonly Row[]; readonly byLink: ReadonlyMap<string, readonly ReadMember[]> } {
  const afterRow = wanted.length
  const [linkAt = -1, keyAt = -1, ...pivotsAt] = positions.slice(afterRow)
  const [decoded, decodedPivot] = [rowDecoder(wanted, positions.slice(0, afterRow)), rowDecoder(pivots, pivotsAt)]
  const pivotNames = propertiesOf(pivots)
  const [known, unique] = [new Map<string, number>(), [] as Row[]]
  const byLink = new Map<string, ReadMember[]>()
  for (const row of rows) {
    const [link, key] = [linkOf(row[linkAt]) ?? '', keyText(row[keyAt]) ?? '']
    const position = known.get(key) ?? unique.push(decoded(row)) - 1
    known.set(key, position)
    const pivot = pivots.length === 0 ? null : rowObject(pivotNames, decodedPivot(row))
    const member: ReadMember = { set: 0, row: position, pivot, place: placeOf(row) }
    const same = byLink.get(link)
    if (same === undefined) byLink.set(link, [member])
    else same.push(member)
  }
  return { unique, byLink }
}

/** Join rows are of their owner, which is locked: only where members hold the key, two owners compete for them. */
function isLocked({ relation, criteria: { forChange = false, transaction } }: AskedType): boolean {
  return forChange && transaction !== null && relation.storage.kind === 'relatedKey'
}

/**
 * The window as it lies on the rows of one of several types, which come one type after the other. `nothing` where it
 * does not reach them.
 */
function windowOfType(window: RowWindow | null, { relation, position }: AskedType): RowWindow | null | 'nothing' {
  if (window === null || relation.targets.length === 1) return window
  if (window.kind === 'offset') return { kind: 'offset', offset: 0, limit: window.offset + window.limit }
  const { after, before } = window
  const [first, last] = [after === null ? -1 : Number(after[0]), before === null ? Infinity : Number(before[0])]
  if (position < first || position > last) return 'nothing'
  return {
    ...window,
    after: after !== null && position === first ? after.slice(1) : null,
    before: before !== null && position === last ? before.slice(1) : null,
  }
}
