import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { checkFieldsets } from './compound/check-fieldsets.js'
import { findRelation } from './compound/find-relation.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { readingOf } from './reading.js'
import { fetchParent } from './relation/fetch-parent.js'
import { linkageResponse, refuseQueriesOfMembers } from './relation/linkage-response.js'
import { linkageQuery } from './relation/relation-endpoint-query.js'

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
