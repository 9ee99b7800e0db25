import type { RelationshipMode } from '../../resource/hooks.js'
import type { ReadContext } from '../../read/read-context.js'
import type { GraphNode } from '../../read/graph/graph-node.js'
import { currentMembers, unseenMembers } from './current-members.js'
import { pauses } from '../../util/time-slices.js'
import type { LinkageChange } from './linkage-change.js'
import { linkageChange } from './linkage-change.js'
import type { SentLinkage } from '../document/sent-linkage.js'

/** Returns the changes of an existing resource by linkage. All of them are compared with the state before the write. */
export function linkageChanges(
  owner: GraphNode,
  linkages: readonly SentLinkage[],
  mode: RelationshipMode,
  request: ReadContext,
): Promise<readonly LinkageChange[]> {
  const pause = pauses()
  return Promise.all(
    linkages.map(async (linkage) => {
      const { relation } = linkage
      const membership = { relation, parent: owner, request }
      // Members that stay are not written again, so their rows are locked against removal by others.
      const current = await currentMembers(membership, mode === 'replace')
      const unseen = await unseenMembers(membership, current)
      await pause()
      return { ...linkageChange(linkage, mode, current, request.context), unseen }
    }),
  )
}
