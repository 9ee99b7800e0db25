import type { RelationshipPage } from '../../operation/response-value.js'
import type { RelatedCriteria, RelatedGroup, RelatedMember } from '../../../declare/resource/capabilities/provider.js'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { Identifier } from '../../../declare/resource/parts/identifier.js'
import { idReader } from '../../../declare/resource/reading/row-linkage.js'
import { parentColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowObject, rowSet } from '../../../core/rows/row-set.js'
import { showsEstimateOnly } from '../paging/list-extras.js'
import { pageDescription } from '../paging/page-of-rows.js'
import { readTransaction } from '../read-context.js'
import type { ReadContext } from '../read-context.js'
import { loadRelated } from '../rows/load-related.js'
import type { RelatedRows } from '../rows/related-rows.js'
import { relatedMemberReader } from '../rows/related-rows.js'
import type { GraphNode, ReadRelationship } from './graph-node.js'
import { objectOf } from './graph-node.js'
import { shownPivotReader } from './pivot-reader.js'
import type { RelationRead } from '../plan/relation-read.js'

/** The rows at the end of a relation, for several parents. */
export interface ReadRelation {
  readonly related: RelatedRows
  /** Returns the relationship of one parent, without its members. */
  readonly relationship: (parent: GraphNode, position: number) => Omit<ReadRelationship, 'members'>
}

/** Adds what belongs to the request. A spread with new members would create a hidden class for each request. */
function criteriaOf(
  planned: RelationRead['criteria'],
  transaction: Transaction | null,
  context: RequestContext,
): RelatedCriteria {
  const { cacheKey, conditions, conditionsOf, columnsOf, flagsOf, orders, window, wantsCount, maxMembers } = planned
  return {
    cacheKey,
    conditions,
    conditionsOf,
    columnsOf,
    flagsOf,
    orders,
    window,
    wantsCount,
    maxMembers,
    transaction,
    context,
  }
}

/** Reads a relation of several resources of one type together. */
export async function readRelation(
  relation: ServedRelation,
  parents: readonly GraphNode[],
  { query, parameters, criteria }: RelationRead,
  request: ReadContext,
): Promise<ReadRelation> {
  const owner = parents[0]?.rows.served
  const transaction = owner === undefined || request.open === null ? null : readTransaction(owner, request.open)
  const related: RelatedRows =
    owner === undefined
      ? { sets: [], groups: [] }
      : await loadRelated(
          owner,
          relation,
          parentRows(relation, parents),
          criteriaOf(criteria, transaction, request.context),
        )
  const identifierOf = identifierReader(relation, related, request)
  const { toMany } = relation.spec.traits
  const hidesTotal = query.page !== null && showsEstimateOnly(query.page, request)
  const paged = (group: RelatedGroup): RelatedGroup => (hidesTotal ? { ...group, total: null } : group)
  return {
    related,
    relationship(parent, position) {
      const group: RelatedGroup = related.groups[position] ?? { members: [], total: null }
      const identifiers = group.members.map((member) => identifierOf(parent, member))
      return {
        data: toMany ? identifiers : (identifiers[0] ?? null),
        total: null,
        page: query.page === null ? null : relationshipPage(relation, paged(group), identifiers, { query, parameters }),
      }
    },
  }
}

type Parent = Pick<GraphNode, 'rows' | 'row'>

/**
 * Returns the parents as rows for the store: the columns that the relation needs, or all columns if it may need all.
 */
export function parentRows(relation: ServedRelation, parents: readonly Parent[]): RowSet {
  const columns = parentColumns(relation) ?? allColumns(parents)
  const positionsIn = new Map<readonly string[], readonly number[]>()
  const positions = (rowColumns: readonly string[]): readonly number[] => {
    const known = positionsIn.get(rowColumns) ?? columns.map((column) => rowColumns.indexOf(column))
    positionsIn.set(rowColumns, known)
    return known
  }
  return rowSet(
    columns,
    parents.map(({ rows, row }) =>
      rows.columns === columns ? row : positions(rows.columns).map((position) => row[position]),
    ),
  )
}

/** Returns the columns of all parents: resources of one type may have been read with different columns. */
function allColumns(parents: readonly Parent[]): readonly string[] {
  const [first, ...others] = new Set(parents.map(({ rows }) => rows.columns))
  return others.length === 0 ? (first ?? []) : [...new Set([first ?? [], ...others].flat())]
}

type IdentifierReader = (parent: GraphNode, member: RelatedMember) => Identifier

function identifierReader(relation: ServedRelation, related: RelatedRows, request: ReadContext): IdentifierReader {
  const { context } = request
  const { identifierMeta, pivot } = relation.spec
  const hasMeta = identifierMeta !== null || Object.keys(pivot).length > 0
  const identified = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const idOf = idReader(served, columns)
    const { type } = served.type
    return (row) => ({ type, id: idOf(row, context), meta: null })
  })
  if (!hasMeta) return (_parent, member) => identified(member)
  const metaOf = metaReader(relation, related, request)
  return (parent, member) => {
    const identifier = identified(member)
    return { ...identifier, meta: metaOf(parent, member, identifier) }
  }
}

/**
 * Returns a function that reads the meta of an identifier: the fields of the join row, overridden by
 * `identifierMeta()`.
 */
function metaReader(
  relation: ServedRelation,
  related: RelatedRows,
  request: ReadContext,
): (parent: GraphNode, member: RelatedMember, identifier: Identifier) => Identifier['meta'] {
  const { spec } = relation
  const pivotOf = shownPivotReader(relation, request)
  const objectAt = relatedMemberReader(
    related,
    ({ rows: { columns } }) =>
      (row) =>
        rowObject(columns, row),
  )
  return (parent, member, { id }) => {
    const declared = spec.identifierMeta?.(objectOf(parent), objectAt(member), request.context)
    const joined = pivotOf(member.pivot, () => id)
    const meta = declared === undefined ? joined : { ...joined, ...declared }
    return isEmpty(meta) ? null : meta
  }
}

function isEmpty(meta: object | null): boolean {
  return meta === null || Object.keys(meta).length === 0
}

/** Returns the links to the other pages of the linkage, which are at the relationship's own URL. */
function relationshipPage(
  { targets: types }: ServedRelation,
  group: RelatedGroup,
  identifiers: readonly Identifier[],
  { query: { page, orders }, parameters }: Pick<RelationRead, 'query' | 'parameters'>,
): RelationshipPage | null {
  if (page === null || parameters === null) return null
  const [first, last] = [identifiers[0], identifiers.at(-1)]
  const { links } = pageDescription(page, {
    ...group,
    shown: identifiers.length,
    orders,
    types,
    ids: first === undefined || last === undefined ? null : [first.id, last.id],
  })
  return { links, query: parameters }
}
