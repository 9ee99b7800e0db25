import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { idReader, linkageIsInRow, rowLinkage } from '../../resource/reading/identifier.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import { readTransaction } from '../open-transactions.js'
import type { Reading } from '../reading.js'
import type { GraphNode } from '../relation/graph-node.js'
import { parentRows } from '../relation/read-relation.js'
import { relatedCriteria, wholeRelation } from '../relation/relation-query.js'
import { linkageColumns } from '../relation/shown-relation.js'
import { loadClaiming } from '../rows/load-related.js'
import { memberReader } from '../rows/related-rows.js'
import type { Member } from './member.js'

/** A member that a relation has. */
export interface CurrentMember extends Member {
  /** The row that joins it to its owner, where there is one. */
  readonly join: RowObject | null
}

/**
 * The members of a relation that this caller can see, in their usual order. What is out of the caller's scope is no
 * member here: a write neither tells of it nor takes it away. Of a to-one every row that claims to be the one.
 */
export async function currentMembers(
  relation: ServedRelation,
  parent: GraphNode,
  reading: Reading,
): Promise<readonly CurrentMember[]> {
  if (linkageIsInRow(relation)) {
    const linkage = rowLinkage(relation, parent.rows.columns)(parent.row)
    // Its key is not asked for: the owner's row is all that a change of it touches.
    return linkage === null ? [] : [{ ...linkage, key: null, idKey: null, join: null }]
  }
  const criteria = relatedCriteria(
    relation,
    wholeRelation(relation, reading),
    (served) => memberColumns(relation, served),
    { context: reading.context, transaction: readTransaction(parent.rows.served, reading.open) },
  )
  const related = await loadClaiming(parent.rows.served, relation, parentRows(relation, [parent]), criteria)
  const memberOf = memberReader(related, ({ served, rows: { columns } }) => {
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
