import type { ResourceNode, Resources } from '../../operation/response-value.js'
import { appliedProfiles } from '../paging/list-extras.js'
import type { ReadContext } from '../read-context.js'
import type { GraphNode } from './graph-node.js'
import type { DocumentPlan } from '../plan/document-plan.js'
import type { ReadGraph } from './read-graph.js'
import { readGraph } from './read-graph.js'

/** Resources with everything that is shown with them. */
export interface ShownResources {
  readonly resources: Resources
  /** URIs of profiles that were applied on the way. */
  readonly profiles: readonly string[]
}

/** Reads what the plan wants shown with the primary resources; where that is nothing, there is nothing to wait for. */
export function showResources(
  primary: readonly GraphNode[],
  many: boolean,
  plan: DocumentPlan,
  reading: ReadContext,
): ShownResources | Promise<ShownResources> {
  const show = ({ included, hasCursorPages }: ReadGraph): ShownResources => ({
    resources: {
      primary,
      many,
      included: includedMember(included, plan),
      query: reading.query,
      context: reading.context,
    },
    profiles: appliedProfiles(hasCursorPages, reading),
  })
  return plan.isBare ? show(primaryAlone) : readGraph(primary, plan, reading).then(show)
}

const primaryAlone: ReadGraph = Object.freeze({ included: [], hasCursorPages: false })

/** Who asks for related resources gets the member, empty or not; by default it is there when there is something in it. */
function includedMember(included: readonly ResourceNode[], { isRequested }: DocumentPlan): Resources['included'] {
  return isRequested || included.length > 0 ? included : null
}
