import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { linkageIsInRow } from '../../resource/reading/identifier.js'
import type { RelationStorage } from '../../resource/relations/relation-link.js'
import type { DeclaredEnds } from './relation-reader.js'
import { relationReader, storageOf } from './relation-reader.js'

/**
 * Who writes a relation: whoever holds the key. Join rows are the owner's persister's to change, and so are keys in related
 * rows of the same store; keys in rows of other stores, and in rows that the author updates, are those of the persisters
 * there.
 */
export function relationWriter(ends: DeclaredEnds): ServedRelation['writeBy'] {
  const { relation, owner, targets } = ends
  const found = storageOf(ends)
  if (found.kind !== 'found' || !isMembershipKnown(ends, found.storage)) return 'nobody'
  if (relation.spec.fill !== null) return 'function'
  const mutates = owner.persister?.mutateRelationship !== undefined
  switch (found.storage.kind) {
    case 'ownKey':
      return 'row'
    case 'join':
    case 'provider':
      return mutates ? 'owner' : 'nobody'
    case 'relatedKey': {
      const isOwn = owner.writer === null || owner.ownWrites.has('mutateRelationship')
      const isStores = targets.every(({ writer, ownWrites }) => writer === owner.writer && !ownWrites.has('update'))
      if (mutates && (isOwn || isStores)) return 'owner'
      return targets.every(({ persister }) => persister !== null) ? 'targets' : 'nobody'
    }
    case 'function':
      return 'nobody'
  }
}

/** What a write changes is told from the members that there are: somebody reads them, or the owner's own row names them. */
export function isMembershipKnown(ends: DeclaredEnds, storage: RelationStorage): boolean {
  const { relation, targets } = ends
  const related = new Map(targets.map((target) => [target.type.type, target]))
  return relationReader(ends) !== null || linkageIsInRow({ storage, spec: relation.spec, related })
}
