import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { inheritsRead } from '../../declare/resource/relations/relation-security.js'
import { findRelation } from '../read/plan/find-relation.js'
import { planPaidRead } from '../read/plan/read-plan.js'
import type { RequestServices } from '../read/read-context.js'
import { servedType, readContextOf } from '../read/read-context.js'
import { requireView } from '../read/query/permission.js'
import { requireViewOf } from '../read/rows/require-view.js'
import { fetchParent } from '../read/graph/fetch-parent.js'
import { linkageResponse } from '../read/graph/linkage-response.js'
import { beforeFetch, parentPlan } from '../hooks/before-fetch.js'

type FetchRelationship = Extract<Operation, { kind: 'FetchRelationship' }>

/** GET `/{type}/{id}/relationships/{rel}` */
export async function fetchRelationship(
  operation: FetchRelationship,
  services: RequestServices,
): Promise<ResponseValue> {
  const owner = servedType(services, operation.context)
  const request = readContextOf(operation, services)
  const relation = findRelation(owner, operation.relationship, 'relationship', request)
  const plan = await planPaidRead({ kind: 'linkage', subject: relation, owner }, request)
  if (inheritsRead(relation.spec) && requireView(owner, operation.context)) {
    await requireViewOf(owner, operation.id, request)
  }
  const parent = await fetchParent(
    { owner, relation, id: operation.id },
    parentPlan(plan, 'BeforeFetchRelationship', owner, request),
    request,
  )
  await beforeFetch('BeforeFetchRelationship', relation, parent, request)
  return linkageResponse(relation, parent, plan.members(), request)
}
