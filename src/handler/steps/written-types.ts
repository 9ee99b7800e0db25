import type { ServedType } from '../../resource/capabilities/served-type.js'
import { flattenedChain } from '../../resource/reading/flattened-chain.js'
import type { SentLinkage } from '../linkage/sent-linkage.js'
import type { ResourceDocument } from './resource-document.js'
import type { WritableMembers } from './writable-members.js'

interface Sent {
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly linkages: readonly SentLinkage[]
}

/** The types whose rows a document may write: its own first, and those that hold keys or attributes of it elsewhere. */
export function writtenTypes(served: ServedType, { document, writable, linkages }: Sent): readonly ServedType[] {
  const ends = writable.attributes.flatMap((attribute) => {
    if (!Object.hasOwn(document.attributes, attribute.name)) return []
    return flattenedChain(served, attribute)?.end ?? []
  })
  const members = linkages.flatMap(({ relation }) => {
    return relation.writeBy === 'targets' ? [...relation.related.values()] : []
  })
  return [served, ...members, ...ends]
}
