import type { GraphNode } from '../read/graph/graph-node.js'
import { setRelationship } from '../read/graph/graph-node.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { linkageNeedsFlag, rowLinkage } from '../resource/reading/row-linkage.js'
import type { LinkageChange } from './linkage/linkage-change.js'

/**
 * Adds the linkage of a new resource that is known from its write, so that it is not read again: relations without a related
 * resource, and relations to sent resources, which were found to be visible.
 */
export function addKnownLinkage(node: GraphNode, changes: readonly LinkageChange[], plan: DocumentPlan): void {
  const { served, columns } = node.rows
  for (const relation of plan.primaryLinkageToRead(served)) {
    if (!linkageNeedsFlag(relation) || plan.primary.queryOf(relation) !== null) continue
    const data = rowLinkage(relation, columns)(node.row)
    const [sent] = changes.find((change) => change.relation === relation)?.added ?? []
    const isKnown = data === null || (sent?.type === data.type && sent.id === data.id)
    if (isKnown) setRelationship(node, relation.name, { data, total: null, page: null, members: null })
  }
}
