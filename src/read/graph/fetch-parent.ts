import { fail } from '../../errors/json-api-error.js'
import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { Reading } from '../reading.js'
import { fetchRow } from '../rows/fetch-row.js'
import type { GraphNode } from './graph-node.js'
import { hidesRelation, nodesOf } from './graph-node.js'
import { withParentColumns } from '../plan/with-parent-columns.js'

/** The resource whose relationship is read: 404 where there is none, or where it hides the relation from this caller. */
export async function fetchParent(
  owner: ServedType,
  id: string,
  relation: ServedRelation,
  reading: Reading,
): Promise<GraphNode> {
  const columns = columnsOfParents(owner, relation)
  const { context, open } = reading
  const [parent] = nodesOf(owner, await fetchRow(owner, id, columns, { context, open, recurring: columns }))
  if (parent === undefined || hidesRelation(parent, relation, reading.context)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: relation.name })
  }
  return parent
}

const known = new WeakMap<ServedRelation, WantedColumns>()

/** The same list for every parent: it stands for what is read of them. */
function columnsOfParents({ type, serializer }: ServedType, relation: ServedRelation): WantedColumns {
  const found = known.get(relation)
  if (found !== undefined) return found
  const columns = serializer === null ? withParentColumns([type.id.column], [relation]) : null
  known.set(relation, columns)
  return columns
}
