import type { ResourceNode, Resources } from '../../operation/response-value.js'
import { appliedProfiles } from '../paging/list-extras.js'
import type { ReadContext } from '../read-context.js'
import type { GraphNode } from './graph-node.js'
import type { DocumentPlan } from '../plan/document-plan.js'
import type { ReadGraph } from './read-graph.js'
import { readGraph } from './read-graph.js'

/** The primary resources, with everything that the document shows with them. */
export interface ShownResources {
  readonly resources: Resources
  /** URIs of the profiles that the document applies. */
  readonly profiles: readonly string[]
}

/** Reads everything that the plan shows with the primary resources. Returns no promise if nothing has to be read. */
export function showResources(
  primary: readonly GraphNode[],
  many: boolean,
  plan: DocumentPlan,
  request: ReadContext,
): ShownResources | Promise<ShownResources> {
  const show = ({ included, hasCursorPages }: ReadGraph): ShownResources => ({
    resources: {
      primary,
      many,
      included: includedMember(included, plan),
      query: request.query,
      context: request.context,
    },
    profiles: appliedProfiles(hasCursorPages, request),
  })
  return plan.isBare ? show(nothingIncluded) : readGraph(primary, plan, request).then(show)
}

const nothingIncluded: ReadGraph = Object.freeze({ included: [], hasCursorPages: false })

/** Returns the `included` member. If the request has no `include`, the member is left out when it would be empty. */
function includedMember(included: readonly ResourceNode[], { isRequested }: DocumentPlan): Resources['included'] {
  return isRequested || included.length > 0 ? included : null
}
