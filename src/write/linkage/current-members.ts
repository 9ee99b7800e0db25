import type { RelatedCriteria, WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { idReader, linkageIsInRow, rowLinkage } from '../../resource/reading/id-reader.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import { readTransaction } from '../../read/open-transactions.js'
import { softDeleteConditions } from '../../read/query/soft-deleted.js'
import type { ReadContext } from '../../read/read-context.js'
import type { GraphNode } from '../../read/graph/graph-node.js'
import { parentRows } from '../../read/graph/read-relation.js'
import { linkageColumns, wholeRelationRead } from '../../read/plan/relation-read.js'
import { loadCandidates } from '../../read/rows/load-related.js'
import { relatedMemberReader } from '../../read/rows/related-rows.js'
import type { Member } from '../document/member.js'
import { identityOf } from '../document/member.js'

/** A member that a relation has. */
export interface CurrentMember extends Member {
  /** The row that joins it to its owner, where there is one. */
  readonly join: RowObject | null
}

/** Whose members are asked for. */
interface Membership {
  readonly relation: ServedRelation
  readonly parent: GraphNode
  readonly reading: ReadContext
}

/**
 * The members of a relation that this caller can see, in their usual order. What is out of the caller's scope is no
 * member here: a write neither tells of it nor takes it away. Of a to-one every row that claims to be the one.
 *
 * @param forChange whether those that stay must stay until all is written
 */
export async function currentMembers(membership: Membership, forChange: boolean): Promise<readonly CurrentMember[]> {
  const { relation, parent } = membership
  if (linkageIsInRow(relation)) {
    const linkage = rowLinkage(relation, parent.rows.columns)(parent.row)
    // Its key is not asked for: the owner's row is all that a change of it touches.
    return linkage === null ? [] : [{ ...linkage, key: null, idKey: null, join: null }]
  }
  return membersUnder({ forChange }, membership)
}

/**
 * The members that this caller does not see, where they matter: for rules about the whole set, and for a function that
 * writes the whole set down. Rows that are deleted softly count for no rule, but may come back.
 */
export async function unseenMembers(
  membership: Membership,
  seen: readonly CurrentMember[],
): Promise<readonly CurrentMember[]> {
  const { relation } = membership
  const { spec } = relation
  const related = [...relation.related.values()]
  const matter = spec.traits.toMany && (spec.constraints.length > 0 || spec.fill !== null)
  const isPartial = related.some(({ type }) => type.scope !== null || type.softDeletes !== null)
  if (!matter || !isPartial) return []
  const conditionsOf = new Map(
    related.map(({ type }) => [type.type, spec.fill === null ? softDeleteConditions(type, 'hidden') : []]),
  )
  const known = new Set(seen.map(identityOf))
  const all = await membersUnder({ conditionsOf }, membership)
  return all.filter((member) => !known.has(identityOf(member)))
}

async function membersUnder(
  besides: Partial<Pick<RelatedCriteria, 'conditionsOf' | 'forChange'>>,
  { relation, parent, reading }: Membership,
): Promise<readonly CurrentMember[]> {
  const criteria = {
    ...wholeRelationRead(relation, (served) => memberColumns(relation, served), reading).criteria,
    context: reading.context,
    transaction: readTransaction(parent.rows.served, reading.open),
  }
  const asked = { ...criteria, ...besides }
  const related = await loadCandidates(parent.rows.served, relation, parentRows(relation, [parent]), asked)
  const memberOf = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const { type } = served.type
    const idOf = idReader(served, columns)
    const [keyPosition, idPosition] = [referenceColumn(served.type), served.type.id.column].map((column) =>
      columns.indexOf(column),
    )
    return (row, { pivot }): CurrentMember => ({
      type,
      id: idOf(row, reading.context),
      key: row[keyPosition ?? -1],
      idKey: row[idPosition ?? -1],
      join: pivot,
    })
  })
  return (related.groups[0]?.members ?? []).map(memberOf)
}

function memberColumns(relation: ServedRelation, served: ServedType): WantedColumns {
  const columns = linkageColumns(relation, served)
  return columns === null ? null : [...new Set([...columns, referenceColumn(served.type)])]
}
