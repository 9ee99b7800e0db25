import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { flattenedChain } from '../../resource/reading/flattened-chain.js'
import type { ResourceDocument } from '../document/resource-document.js'

/**
 * Returns the types whose rows a document may write: its own first, then the types that store its members or flattened
 * attributes.
 */
export function writtenTypes(
  served: ServedType,
  { attributes, relationships }: Pick<ResourceDocument, 'attributes' | 'relationships'>,
): readonly ServedType[] {
  const written = [served]
  for (const relation of served.relations.values()) {
    if (Object.hasOwn(relationships, relation.name)) written.push(...memberTypes(relation))
  }
  for (const attribute of served.type.attributes) {
    if (attribute.spec.on === null || !Object.hasOwn(attributes, attribute.name)) continue
    const chain = flattenedChain(served, attribute)
    if (chain !== null) written.push(chain.end)
  }
  return written
}

/** Returns the related types whose rows are written if the members of a relation change. */
export function memberTypes({ writeBy, related }: ServedRelation): readonly ServedType[] {
  return writeBy === 'targets' ? [...related.values()] : []
}
