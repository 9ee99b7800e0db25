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
  const touched = [served]
  for (const relation of served.relations.values()) {
    if (Object.hasOwn(relationships, relation.name)) touched.push(...memberTypes(relation))
  }
  for (const attribute of served.type.attributes) {
    if (attribute.spec.on === null || !Object.hasOwn(attributes, attribute.name)) continue
    const chain = flattenedChain(served, attribute)
    if (chain !== null) touched.push(chain.end)
  }
  return touched
}

/** The types whose rows are written where the members of a relation change. */
export function memberTypes({ writeBy, related }: ServedRelation): readonly ServedType[] {
  return writeBy === 'targets' ? [...related.values()] : []
}
