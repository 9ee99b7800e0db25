import { fail } from '../../core/errors/json-api-error.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { isVisible } from '../../declare/resource/fields/visible-field.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { firesFor } from '../hooks/after-fetch.js'
import { fire } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse } from '../operation/response-value.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { showResources } from '../read/graph/show-resources.js'
import { listExtras } from '../read/paging/list-extras.js'
import { refuseList } from '../read/paging/whole-list.js'
import { planPaidRead } from '../read/plan/read-plan.js'
import { requirePermission } from '../read/query/permission.js'
import type { ReadContext } from '../read/read-context.js'
import { readGroups } from '../read/rows/read-groups.js'

/** GET `/{type}/-aggregates/{name}`: the groups are a page of resources of a type of their own. */
export async function fetchAggregate(
  served: ServedType,
  source: ServedType,
  request: ReadContext,
): Promise<ResponseValue> {
  const { context, services } = request
  requireVisibleGroups(served, context)
  const plan = await planPaidRead({ kind: 'collection', subject: served }, request)
  requirePermission(source, 'aggregate', context)
  if (firesFor(request, source, 'BeforeFetchCollection')) {
    await fire(source, 'BeforeFetchCollection', {}, () => workContext(context, null, services))
  }
  const { document, page, typed, criteria } = plan
  const list = await readGroups(served, source, { ...criteria, columns: document.primaryColumns(served) }, request)
  if (plan.isLimited && list.more) refuseList(services)
  const nodes = nodesOf(served, list.rows)
  const { resources, profiles } = await showResources(nodes, true, document, request)
  const { total, more } = list
  const extras = listExtras(nodes, { total, more, edges: null, ...typed, page, profiles }, request)
  return dataResponse(resources, { ...extras, meta: metaOf(served, list.omits, extras.meta) })
}

/**
 * Fails as for an unknown aggregate if the caller does not see a field that groups the rows. Without the field, the document would show
 * how many rows have each of its values.
 */
function requireVisibleGroups({ type }: ServedType, context: RequestContext): void {
  for (const { name } of type.groupsOf?.aggregate.groups ?? []) {
    const spec = type.attributeNamed.get(name)?.spec ?? type.relationNamed.get(name)?.spec
    if (spec === undefined || !isVisible(spec, context)) fail('PATH_NOT_FOUND')
  }
}

type Meta = Readonly<Record<string, unknown>> | null

/** Adds whether groups were left out, if the aggregate has a minimum size. */
function metaOf({ type }: ServedType, omits: boolean, meta: Meta): Meta {
  const { minGroupSize = 1 } = type.groupsOf?.aggregate ?? {}
  return minGroupSize === 1 ? meta : { ...meta, minGroupSize, hasSmallerGroups: omits }
}
