import type { GraphNode } from '../read/graph/graph-node.js'
import { objectOf } from '../read/graph/graph-node.js'
import type { ParentRead } from '../read/plan/read-plan.js'
import type { ReadContext } from '../read/read-context.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import { firesFor } from './after-fetch.js'
import { fire } from './fire-events.js'
import { workContext } from './work-context.js'

type BeforeFetch = 'BeforeFetchRelated' | 'BeforeFetchRelationship'

/** Returns the plan that reads the owner of a relation with all columns if a listener gets its row. */
export function parentPlan<Plan extends ParentRead>(
  plan: Plan,
  name: BeforeFetch,
  owner: ServedType,
  request: ReadContext,
): Plan {
  return firesFor(request, owner, name) ? { ...plan, parentColumns: null, parentFlags: [] } : plan
}

/** Fires an event before the members of a relation are read. */
export async function beforeFetch(
  name: BeforeFetch,
  { name: relationship }: ServedRelation,
  parent: GraphNode,
  request: ReadContext,
): Promise<void> {
  const { served } = parent.rows
  if (!firesFor(request, served, name)) return
  const { context, services } = request
  await fire(served, name, { parent: objectOf(parent), relationship }, () => workContext(context, null, services))
}
