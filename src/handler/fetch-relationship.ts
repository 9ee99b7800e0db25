import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { identifierResponse } from '../operation/response-value.js'
import type { WantedColumns } from '../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import { idReader, linkageIsInRow, rowLinkage } from '../resource/reading/identifier.js'
import { checkFieldsets } from './compound/check-fieldsets.js'
import { findRelation } from './compound/find-relation.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { appliedProfiles } from './paging/list-extras.js'
import type { ListQuery } from './paging/list-query.js'
import { isCursorPage } from './paging/page-of-rows.js'
import { refuseCount, refuseFamily } from './query/refuse-query.js'
import type { Reading } from './reading.js'
import { readingOf } from './reading.js'
import { fetchParent } from './relation/fetch-parent.js'
import type { GraphNode } from './relation/graph-node.js'
import { readRelation } from './relation/read-relation.js'
import { linkageQuery } from './relation/relation-endpoint-query.js'
import { linkageColumns } from './relation/shown-relation.js'

type FetchRelationship = Extract<Operation, { kind: 'FetchRelationship' }>

/** GET `/{type}/{id}/relationships/{rel}` */
export async function fetchRelationship(
  operation: FetchRelationship,
  services: HandlerServices,
): Promise<ResponseValue> {
  const owner = servedType(services, operation.context)
  const reading = readingOf(operation, services)
  const relation = findRelation(owner, operation.relationship, 'relationship', reading)
  checkFieldsets(reading)
  refuseQueriesOfMembers(reading)
  const query = await linkageQuery(relation, reading)
  const parent = await fetchParent(owner, operation.id, relation, reading)
  return linkageResponse(relation, parent, query, reading)
}

/** Identifiers have no relationships that could be counted or queried. */
function refuseQueriesOfMembers({ query }: Reading): void {
  const counted = query.withCount.filter((name) => name !== '_self_')
  if (counted.length > 0) refuseCount(counted)
  for (const { parameter } of query.relatedQuery.values()) refuseFamily(parameter)
}

/** A document of the linkage of one resource. */
async function linkageResponse(
  relation: ServedRelation,
  parent: GraphNode,
  query: ListQuery,
  reading: Reading,
): Promise<ResponseValue> {
  const related = relatedAddress(relation, parent, reading)
  if (linkageIsInRow(relation) && query.conditions.length === 0) {
    return identifierResponse(rowLinkage(relation, parent.rows.columns)(parent.row), { related })
  }
  const columnsOf = (served: ServedType): WantedColumns => linkageColumns(relation, served)
  const read = await readRelation(relation, [parent], { query, columnsOf, parameters: [] }, reading)
  const { data = null, page } = read.relationship(parent, 0)
  const total = read.related.groups[0]?.total ?? null
  return identifierResponse(data, {
    related,
    meta: total === null ? null : { total },
    page: page?.links ?? null,
    profiles: appliedProfiles(isCursorPage(query.page), reading),
  })
}

function relatedAddress(
  { hasRelatedEndpoint, uriName }: ServedRelation,
  { rows, row }: GraphNode,
  { context }: Reading,
): readonly string[] | null {
  const { served, columns } = rows
  return hasRelatedEndpoint ? [served.type.uriType, idReader(served, columns)(row, context), uriName] : null
}
