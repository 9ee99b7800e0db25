import type { RelationshipMode } from '../../resource/hooks.js'
import type { ReadContext } from '../../read/read-context.js'
import type { GraphNode } from '../../read/graph/graph-node.js'
import { currentMembers, unseenMembers } from './current-members.js'
import type { LinkageChange } from './linkage-change.js'
import { linkageChange } from './linkage-change.js'
import type { SentLinkage } from '../document/sent-linkage.js'

/** What linkage changes in a resource that there is. All of it is held against the state before any of it is written. */
export function linkageChanges(
  owner: GraphNode,
  linkages: readonly SentLinkage[],
  mode: RelationshipMode,
  reading: ReadContext,
): Promise<readonly LinkageChange[]> {
  return Promise.all(
    linkages.map(async (linkage) => {
      const { relation } = linkage
      const membership = { relation, parent: owner, reading }
      // Those that stay are not written again, so nobody may take them away meanwhile.
      const current = await currentMembers(membership, mode === 'replace')
      const unseen = await unseenMembers(membership, current)
      return { ...linkageChange(linkage, mode, current, reading.context), unseen }
    }),
  )
}
