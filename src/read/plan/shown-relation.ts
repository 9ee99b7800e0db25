import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { firstPage, isCursorPage } from '../paging/page-of-rows.js'
import type { Reading } from '../reading.js'
import { isToldByStore } from '../rows/members-by-object.js'
import type { QueriedRelation } from './primary-queries.js'
import { queriedRelation } from './primary-queries.js'
import { linkagePaginator, usualOrders, wholeRelation } from './relation-query.js'

/** All members of a relation, unless it is paged by cursor: of such a one the first page is shown. */
export async function shownRelation(relation: ServedRelation, reading: Reading): Promise<QueriedRelation> {
  const page = firstPage(linkagePaginator(relation))
  if (!isCursorPage(page)) return { query: wholeRelation(relation, reading), parameters: [] }
  // The pages that follow have an address of their own, where the defaults of filters hold.
  if (relation.targets.length === 1) return queriedRelation(relation, null, reading)
  const orders = usualOrders(relation, page, reading)
  return { query: { conditions: [], orders, page, wantsCount: false }, parameters: [] }
}

/** The columns that naming the members takes: the id, or all where somebody looks at them. */
export function linkageColumns(relation: ServedRelation, { type, serializer }: ServedType): WantedColumns {
  return serializer !== null || looksAtMembers(relation) ? null : [type.id.column]
}

/** Whether the relation itself has to look at its members, whatever is shown of them. */
export function looksAtMembers(relation: ServedRelation): boolean {
  return relation.spec.identifierMeta !== null || !isToldByStore(relation)
}
