import { fail } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { LinkagePlan } from '../plan/read-plan.js'
import type { ReadContext } from '../read-context.js'
import { fetchRow } from '../rows/fetch-row.js'
import type { GraphNode } from './graph-node.js'
import { hidesRelation, nodesOf } from './graph-node.js'

/**
 * Reads the resource that owns a relation. Fails with 404 if it does not exist, or if the relation is hidden from the
 * client.
 */
export async function fetchParent(
  { owner, relation, id }: { readonly owner: ServedType; readonly relation: ServedRelation; readonly id: string },
  { parentColumns, cacheKey }: LinkagePlan,
  { context, open }: ReadContext,
): Promise<GraphNode> {
  const [parent] = nodesOf(owner, await fetchRow(owner, id, parentColumns, { context, open, cacheKey }))
  if (parent === undefined || hidesRelation(parent, relation, context)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: relation.name })
  }
  return parent
}
