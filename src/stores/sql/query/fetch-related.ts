import { sql } from 'kysely'
import type {
  Provider,
  RelatedCriteria,
  RelatedGroup,
  RelatedResult,
} from '../../../declare/resource/capabilities/provider.js'
import type { RowEdges, RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import { pauses } from '../../../core/util/time-slices.js'
import { partsOf } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { linkColumns, relatedSource } from './related-source.js'
import type { ReadMember, RelatedStatement } from './related-statement.js'
import { isLocked, linkReader, parentKeys, readParents, relatedStatement } from './related-statement.js'
import { cachedReads } from './scope-variants.js'
import { sqlConditions } from './sql-conditions.js'
import { allOf, freshAliases, statementBuild, where } from './statement-build.js'

/**
 * Reads the members of a relation for several parents: one statement for each type of its members.
 */
export function relatedReader(store: SqlStore): NonNullable<Provider['fetchRelated']> {
  const cached = cachedReads<readonly RelatedStatement[]>()
  return async (relation, parents, criteria) => {
    const tables = store.knownTables() ?? (await store.tables())
    const { cacheKey, columnsOf, flagsOf, conditions, conditionsOf, orders, window } = criteria

    const isForUpdate = isLocked(relation, criteria)
    const readKey = {
      cacheKey,
      criteria: [relation, isForUpdate, columnsOf, flagsOf, conditions, conditionsOf, orders, window],
    }
    const ready =
      cached.find(readKey, tables) ??
      cached.add(
        readKey,
        tables,
        relation.targets.map((_, position) => relatedStatement(store, tables, { relation, position, criteria })),
      )
    const [only, ...others] = ready
    if (only !== undefined && others.length === 0 && window === null) {
      return wholeRelation(await readMembers(store, only, parents, criteria), criteria)
    }
    const [lists, totals] = await Promise.all([
      Promise.all(ready.map((each) => readMembers(store, each, parents, criteria))),
      criteria.wantsCount && window !== null ? countRelated(store, relation, parents, criteria) : null,
    ])
    return groupsOf(lists, { relation, parents, criteria, totals })
  }
}

/** Returns all members of one type as they were read. The total is the number of the rows. */
function wholeRelation({ type, rows, members, isVerified }: ReadList, { wantsCount }: RelatedCriteria): RelatedResult {
  return {
    isVerified,
    sets: rows.rows.length === 0 ? [] : [{ type, rows }],
    groups: members.map((list) => ({
      members: list,
      total: wantsCount ? list.length : null,
      more: false,
      edges: null,
    })),
  }
}

interface GroupsOptions {
  readonly relation: RelationLink
  readonly parents: RowSet
  readonly criteria: RelatedCriteria
  readonly totals: readonly number[] | null
}

function groupsOf(lists: readonly ReadList[], { relation, parents, criteria, totals }: GroupsOptions): RelatedResult {
  const { window, wantsCount } = criteria
  const sets = lists.filter(({ rows }) => rows.rows.length > 0)
  const setOf = new Map(sets.map((list, set) => [list, set]))
  const groups = parents.rows.map((_, parent): RelatedGroup => {
    const ordered = isBackward(window) ? lists.toReversed() : lists
    const members = ordered.flatMap((list) =>
      (list.members[parent] ?? []).map((member) => ({ ...member, set: setOf.get(list) ?? 0 })),
    )
    // If all members are read, their number is the total.
    const total = totals?.[parent] ?? (wantsCount && window === null ? members.length : null)
    return { ...cutMembers(members, window, relation.targets.length > 1), total }
  })
  const isVerified = lists.every((list) => list.isVerified)
  return { isVerified, sets: sets.map(({ type, rows }) => ({ type, rows })), groups }
}

/** The members of one type. */
interface ReadList {
  readonly type: string
  readonly rows: RowSet
  /** By the index of the parent, in the order of the statement; at most one more than the limit of the window. */
  readonly members: readonly (readonly ReadMember[])[]
  readonly isVerified: boolean
}

/** The number of rows above which a read may delay other requests. */
const MANY_ROWS = 500

const noMembers: readonly ReadMember[] = Object.freeze([])

async function readMembers(
  store: SqlStore,
  ready: RelatedStatement,
  parents: RowSet,
  { transaction, context, maxMembers }: RelatedCriteria,
): Promise<ReadList> {
  const { type, columns, isVerified, source } = ready
  const keys = parentKeys(parents, source, store.dialect)
  const read = keys.distinct.length === 0 ? null : ready.readFor(keys, context, maxMembers ?? null)
  if (read === null) {
    return { type, isVerified, rows: rowSet(columns, []), members: parents.rows.map(() => noMembers) }
  }
  const pause = pauses()
  const { rows } = await store.read(read.text.withValues(read.values), { transaction, context })
  if (rows.length > MANY_ROWS) await pause()
  const { unique, byLink } = read.read(rows)
  return {
    type,
    isVerified,
    rows: rowSet(columns, unique),
    members: keys.ofParent.map((link) => (link === null ? noMembers : (byLink.get(link) ?? noMembers))),
  }
}

function isBackward(window: RowWindow | null): boolean {
  return window?.kind === 'cursor' && window.before !== null && window.after === null
}

/**
 * Cuts the members of one parent to the window. If there are several types, each was read from its start: the offset spans all types.
 */
function cutMembers(
  members: readonly ReadMember[],
  window: RowWindow | null,
  hasSeveralTypes: boolean,
): Omit<RelatedGroup, 'total'> {
  if (window === null) return { members, more: false, edges: null }
  const from = hasSeveralTypes && window.kind === 'offset' ? window.offset : 0
  const inWindow = members.slice(from, from + window.limit)
  const more = members.length > from + window.limit
  const shown = isBackward(window) ? inWindow.toReversed() : inWindow
  return { members: shown, more, edges: window.kind === 'cursor' ? edgesOf(shown) : null }
}

function edgesOf(shown: readonly ReadMember[]): RowEdges | null {
  const [first, last] = [shown[0]?.position, shown.at(-1)?.position]
  return first === undefined || last === undefined || first === null || last === null ? null : { first, last }
}

/** Counts the members of each parent, with one grouped statement for each type. */
export async function countRelated(
  store: SqlStore,
  relation: RelationLink,
  parents: RowSet,
  criteria: Pick<RelatedCriteria, 'conditions' | 'conditionsOf' | 'transaction' | 'context'>,
): Promise<readonly number[]> {
  const tables = await store.tables()
  const { conditions, conditionsOf, transaction, context } = criteria
  const countsOfType = async (position: number): Promise<readonly number[]> => {
    const build = statementBuild(store, tables, context)
    const source = relatedSource(relation, position, build)
    const keys = parentKeys(parents, source, store.dialect)
    if (keys.distinct.length === 0) return []
    build.shape.describe('count', source.table, `${relation.owner.type}.${relation.name}`)
    build.shape.addKeyPart('counted')
    const condition = allOf([
      readParents(keys, source, build),
      ...source.conditions,
      sqlConditions([...conditions, ...(conditionsOf.get(source.type.type) ?? [])], source, build),
    ])
    const statement = store.statements.statement(build.shape, () => {
      const fresh = freshAliases()
      const at = { row: fresh(), pivot: source.pivot === null ? null : fresh(), fresh }
      const link = linkColumns(source, at)
      return sql`select ${link}, count(*) from ${source.from(at)}${where(condition)(at)} group by ${link}`
    })
    const { rows } = await store.read(statement, { transaction, context })
    const links = partsOf(source.link)
    const linkOf = linkReader(source, [...links.keys()])
    const counts = new Map(rows.map((row) => [linkOf(row), Number(row[links.length])]))
    return keys.ofParent.map((link) => (link === null ? 0 : (counts.get(link) ?? 0)))
  }
  const counts = await Promise.all(relation.targets.map((_, position) => countsOfType(position)))
  return parents.rows.map((_, parent) => counts.reduce((sum, ofType) => sum + (ofType[parent] ?? 0), 0))
}
