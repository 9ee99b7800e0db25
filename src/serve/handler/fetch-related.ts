import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { relatedResponse } from '../operation/response-value.js'
import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import { inheritsRead } from '../../declare/resource/relations/relation-security.js'
import { findRelation } from '../read/plan/find-relation.js'
import { planPaidRead, readOfParent } from '../read/plan/read-plan.js'
import { showResources } from '../read/graph/show-resources.js'
import type { RequestServices, ReadContext } from '../read/read-context.js'
import { servedType, readContextOf } from '../read/read-context.js'
import { listExtras } from '../read/paging/list-extras.js'
import { fetchParent } from '../read/graph/fetch-parent.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { primaryNode } from '../read/graph/graph-node.js'
import { idReader } from '../../declare/resource/reading/row-linkage.js'
import { shownPivotReader } from '../read/graph/pivot-reader.js'
import type { ReadRelation } from '../read/graph/read-relation.js'
import { readRelation } from '../read/graph/read-relation.js'
import { beforeFetch, parentPlan } from '../hooks/before-fetch.js'
import { refuseList } from '../read/paging/whole-list.js'
import { limitedRead } from '../read/plan/relation-read.js'
import { relatedMemberReader } from '../read/rows/related-rows.js'
import { requireView } from '../read/query/permission.js'
import { requireViewOf } from '../read/rows/require-view.js'
import { exportRelated } from './export-related.js'

type FetchRelated = Extract<Operation, { kind: 'FetchRelated' }>

/** GET `/{type}/{id}/{rel}` */
export async function fetchRelated(operation: FetchRelated, services: RequestServices): Promise<ResponseValue> {
  const owner = servedType(services, operation.context)
  const request = readContextOf(operation, services)
  const relation = findRelation(owner, operation.relationship, 'related', request)
  const target = { kind: 'related', subject: relation, owner } as const
  const owned = { owner, relation, id: operation.id }
  if (operation.exportAs !== undefined) {
    const readParent = (): Promise<GraphNode> => readOwner(owned, readOfParent(target, false), request)
    return exportRelated({ target, format: operation.exportAs }, readParent, request)
  }
  const plan = await planPaidRead(target, request)
  const parent = await readOwner(owned, plan, request)
  const members = plan.members()
  const read = await readRelation(relation, [parent], limitedRead(members, services.maxResources), request)
  if (read.related.beyondLimit !== undefined) refuseList(services)
  const nodes = memberNodes(relation, read, request)
  const { toMany } = relation.spec.traits
  const { resources, profiles } = await showResources(nodes, toMany, plan.document, request)
  if (!toMany) return relatedResponse(resources, { profiles })
  const facts = read.related.groups[0] ?? { total: null }
  return relatedResponse(
    resources,
    listExtras(nodes, { ...facts, ...members.query, types: relation.targets, profiles }, request),
  )
}

/** Reads the resource that owns the relation, if the caller may read the relation of it. */
async function readOwner(
  owned: Parameters<typeof fetchParent>[0],
  plan: Parameters<typeof fetchParent>[1],
  request: ReadContext,
): Promise<GraphNode> {
  const { owner, relation, id } = owned
  if (inheritsRead(relation.spec) && requireView(owner, request.context)) await requireViewOf(owner, id, request)
  const parent = await fetchParent(owned, parentPlan(plan, 'BeforeFetchRelated', owner, request), request)
  await beforeFetch('BeforeFetchRelated', relation, parent, request)
  return parent
}

/** Returns the members as primary resources. The fields of join rows are meta of the resource here. */
function memberNodes(relation: ServedRelation, { related }: ReadRelation, request: ReadContext): readonly GraphNode[] {
  const pivotOf = shownPivotReader(relation, request)
  const nodeOf = relatedMemberReader(related, ({ served, rows: { columns } }) => {
    const shared = { served, columns }
    const idOf = idReader(served, columns)
    return (row, { pivot }) =>
      primaryNode(
        shared,
        row,
        pivotOf(pivot, () => idOf(row, request.context)),
      )
  })
  return (related.groups[0]?.members ?? []).map(nodeOf)
}
