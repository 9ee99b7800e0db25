import { fail } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { Reading } from '../reading.js'
import { fetchRow } from '../rows/fetch-row.js'
import type { GraphNode } from './graph-node.js'
import { hidesRelation, nodesOf } from './graph-node.js'
import { withParentColumns } from './with-parent-columns.js'

/** The resource whose relationship is read: 404 where there is none, or where it hides the relation from this caller. */
export async function fetchParent(
  owner: ServedType,
  id: string,
  relation: ServedRelation,
  reading: Reading,
): Promise<GraphNode> {
  const columns = owner.serializer === null ? withParentColumns([owner.type.id.column], [relation]) : null
  const [parent] = nodesOf(owner, await fetchRow(owner, id, columns, reading))
  if (parent === undefined || hidesRelation(parent, relation, reading.context)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: relation.name })
  }
  return parent
}
