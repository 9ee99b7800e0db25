import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { isLater } from '../util/when-known.js'
import { findRelation } from '../read/plan/find-relation.js'
import { planRead } from '../read/plan/read-plan.js'
import type { HandlerServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import { readingOf } from '../read/reading.js'
import { fetchParent } from '../read/graph/fetch-parent.js'
import { linkageResponse } from '../read/graph/linkage-response.js'

type FetchRelationship = Extract<Operation, { kind: 'FetchRelationship' }>

/** GET `/{type}/{id}/relationships/{rel}` */
export async function fetchRelationship(
  operation: FetchRelationship,
  services: HandlerServices,
): Promise<ResponseValue> {
  const owner = servedType(services, operation.context)
  const reading = readingOf(operation, services)
  const relation = findRelation(owner, operation.relationship, 'relationship', reading)
  const planning = planRead({ kind: 'linkage', subject: relation, owner }, reading)
  const plan = isLater(planning) ? await planning : planning
  const parent = await fetchParent({ owner, relation, id: operation.id }, plan, reading)
  return linkageResponse(relation, parent, plan.members(), reading)
}
