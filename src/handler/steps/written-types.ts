import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
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
  const members = linkages.flatMap(({ relation }) => memberTypes(relation))
  return [served, ...members, ...ends]
}

/** The same of a document of which nothing is known but the names in it. */
export function touchedTypes(
  served: ServedType,
  { attributes, relationships }: Pick<ResourceDocument, 'attributes' | 'relationships'>,
): readonly ServedType[] {
  const ends = served.type.attributes.flatMap((attribute) => {
    return Object.hasOwn(attributes, attribute.name) ? (flattenedChain(served, attribute)?.end ?? []) : []
  })
  const members = [...served.relations.values()].flatMap((relation) => {
    return Object.hasOwn(relationships, relation.name) ? memberTypes(relation) : []
  })
  return [served, ...members, ...ends]
}

/** The types whose rows are written where the members of a relation change. */
export function memberTypes({ writeBy, related }: ServedRelation): readonly ServedType[] {
  return writeBy === 'targets' ? [...related.values()] : []
}
