import type { RelationshipMode } from '../../resource/hooks.js'
import type { ReadContext } from '../../read/read-context.js'
import type { GraphNode } from '../../read/graph/graph-node.js'
import { currentMembers, unseenMembers } from './current-members.js'
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
  return Promise.all(
    linkages.map(async (linkage) => {
      const { relation } = linkage
      const membership = { relation, parent: owner, request }
      // Members that stay are not written again, so their rows are locked against removal by others.
      const named = readsNamedMembers(linkage, mode) ? linkage.members : null
      const current = await currentMembers(membership, { forChange: mode === 'replace', named })
      const unseen = await unseenMembers(membership, current)
      return { ...linkageChange(linkage, mode, current, request.context), unseen }
    }),
  )
}

/**
 * Whether a change needs only those current members that the body names. Constraints and `fillUsing()` look at the whole set. An
 * addition to a large relation would read all of its members otherwise.
 */
function readsNamedMembers({ relation, members }: SentLinkage, mode: RelationshipMode): boolean {
  const { spec, related } = relation
  if (mode === 'replace' || spec.constraints.length > 0 || spec.fill !== null) return false
  if ([...related.values()].some(({ serializer }) => serializer !== null)) return false
  // An id that has another form, or that cannot be decoded, may still be that of a stored row.
  return members.every(({ type, id }) => {
    const idOf = related.get(type)?.type.id
    return idOf === undefined || (idOf.hasFormat(id) && idOf.decode(id) !== null)
  })
}
