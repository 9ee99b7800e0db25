import type { RelationshipPage } from '../../operation/response-value.js'
import type { RelatedGroup, RelatedMember } from '../../resource/capabilities/provider.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { Identifier } from '../../resource/identifier.js'
import { idReader } from '../../resource/reading/id-reader.js'
import { parentColumns } from '../../resource/relations/relation-link.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject, rowSet } from '../../rows/row-set.js'
import { pageDescription } from '../paging/page-of-rows.js'
import { readTransaction } from '../open-transactions.js'
import type { ReadContext } from '../read-context.js'
import { loadRelated } from '../rows/load-related.js'
import type { RelatedRows } from '../rows/related-rows.js'
import { relatedMemberReader } from '../rows/related-rows.js'
import type { GraphNode, ReadRelationship } from './graph-node.js'
import { objectOf } from './graph-node.js'
import { pivotReader } from './pivot-reader.js'
import type { RelationRead } from '../plan/relation-read.js'

/** The rows at the end of a relation, for several parents. */
export interface ReadRelation {
  readonly related: RelatedRows
  /** What a parent's part of it says, but for its members. */
  readonly relationship: (parent: GraphNode, position: number) => Omit<ReadRelationship, 'members'>
}

/** Reads a relation of several resources of one type at once. */
export async function readRelation(
  relation: ServedRelation,
  parents: readonly GraphNode[],
  { query, parameters, criteria }: RelationRead,
  reading: ReadContext,
): Promise<ReadRelation> {
  const owner = parents[0]?.rows.served
  const transaction = owner === undefined ? null : readTransaction(owner, reading.open)
  const related: RelatedRows =
    owner === undefined
      ? { sets: [], groups: [] }
      : await loadRelated(owner, relation, parentRows(relation, parents), {
          ...criteria,
          transaction,
          context: reading.context,
        })
  const identify = identifierReader(relation, related, reading)
  const { toMany } = relation.spec.traits
  return {
    related,
    relationship(parent, position) {
      const group: RelatedGroup = related.groups[position] ?? { members: [], total: null }
      const identifiers = group.members.map((member) => identify(parent, member))
      return {
        data: toMany ? identifiers : (identifiers[0] ?? null),
        total: null,
        page: query.page === null ? null : relationshipPage(relation, group, identifiers, { query, parameters }),
      }
    },
  }
}

type Parent = Pick<GraphNode, 'rows' | 'row'>

/** The parents as a store sees them: the columns that the relation stands on, or whole rows where it looks at them. */
export function parentRows(relation: ServedRelation, parents: readonly Parent[]): RowSet {
  const columns = parentColumns(relation) ?? allColumns(parents)
  const positionsIn = new Map<readonly string[], readonly number[]>()
  const positions = (given: readonly string[]): readonly number[] => {
    const known = positionsIn.get(given) ?? columns.map((column) => given.indexOf(column))
    positionsIn.set(given, known)
    return known
  }
  return rowSet(
    columns,
    parents.map(({ rows, row }) =>
      rows.columns === columns ? row : positions(rows.columns).map((position) => row[position]),
    ),
  )
}

/** Resources of one type may have been read with different columns. */
function allColumns(parents: readonly Parent[]): readonly string[] {
  const [first, ...others] = new Set(parents.map(({ rows }) => rows.columns))
  return others.length === 0 ? (first ?? []) : [...new Set([first ?? [], ...others].flat())]
}

type IdentifierReader = (parent: GraphNode, member: RelatedMember) => Identifier

function identifierReader({ spec }: ServedRelation, related: RelatedRows, { context }: ReadContext): IdentifierReader {
  const { identifierMeta, pivot } = spec
  const hasMeta = identifierMeta !== null || Object.keys(pivot).length > 0
  const metaOf = hasMeta ? metaReader(spec, related, context) : null
  const identified = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const idOf = idReader(served, columns)
    const { type } = served.type
    return (row) => ({ type, id: idOf(row, context), meta: null })
  })
  if (metaOf === null) return (_parent, member) => identified(member)
  return (parent, member) => ({ ...identified(member), meta: metaOf(parent, member) })
}

/** Meta of an identifier: the fields of the join row, and what the author adds; the author wins. */
function metaReader(
  spec: RelationSpec,
  related: RelatedRows,
  context: RequestContext,
): (parent: GraphNode, member: RelatedMember) => Identifier['meta'] {
  const pivotOf = pivotReader(spec, context)
  const objectAt = relatedMemberReader(
    related,
    ({ rows: { columns } }) =>
      (row) =>
        rowObject(columns, row),
  )
  return (parent, member) => {
    const own = spec.identifierMeta?.(objectOf(parent), objectAt(member), context)
    const joined = pivotOf(member.pivot)
    const meta = own === undefined ? joined : { ...joined, ...own }
    return isEmpty(meta) ? null : meta
  }
}

function isEmpty(meta: object | null): boolean {
  return meta === null || Object.keys(meta).length === 0
}

/** Where linkage is one page of several, the others have the relationship's own address. */
function relationshipPage(
  { targets: types }: ServedRelation,
  group: RelatedGroup,
  identifiers: readonly Identifier[],
  { query: { page, orders }, parameters }: Pick<RelationRead, 'query' | 'parameters'>,
): RelationshipPage | null {
  if (page === null) return null
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
