import type { Resources, ResourceNode } from '../../operation/response-value.js'
import { cursorPagination } from '../../profiles/profile.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import type { DocumentPlan } from './document-plan.js'
import type { GraphNode } from './graph-node.js'
import { graphNode } from './graph-node.js'
import type { Reading } from './reading.js'
import { readGraph } from './resource-graph.js'

/** Resources with everything that is shown with them. */
export interface ShownResources {
  readonly resources: Resources
  /** URIs of profiles that were applied on the way. */
  readonly profiles: readonly string[]
}

export function nodesOf(served: ServedType, { columns, rows }: RowSet): readonly GraphNode[] {
  const shared = { served, columns }
  return rows.map((row) => graphNode(shared, row))
}

/** Reads what the plan wants shown with the primary resources. */
export async function showResources(
  primary: readonly GraphNode[],
  many: boolean,
  plan: DocumentPlan,
  reading: Reading,
): Promise<ShownResources> {
  const { included, hasCursorPages } = await readGraph(primary, plan, reading)
  const { query, context } = reading
  return {
    resources: { primary, many, included: includedMember(included, plan), query, context },
    profiles: appliedProfiles(hasCursorPages, reading),
  }
}

/** Cursor pages say of themselves that they are some, where the server knows the profile. */
export function appliedProfiles(hasCursorPages: boolean, { services }: Reading): readonly string[] {
  return hasCursorPages && services.profiles.has(cursorPagination.uri) ? [cursorPagination.uri] : []
}

/** Who asks for related resources gets the member, empty or not; by default it is there when there is something in it. */
function includedMember(included: readonly ResourceNode[], { isRequested }: DocumentPlan): Resources['included'] {
  return isRequested || included.length > 0 ? included : null
}
