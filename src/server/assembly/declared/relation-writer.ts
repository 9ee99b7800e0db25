import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { linkageIsInRow } from '../../../declare/resource/reading/row-linkage.js'
import type { RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import type { DeclaredRelation } from './relation-reader.js'
import { relationReader, storageOf } from './relation-reader.js'

/**
 * Returns what writes a relation, which depends on where the key is. The persister of the owner changes join rows, and
 * keys in related rows of the same store. The persisters of the related types change keys in rows of other stores, and
 * in rows whose `update` is user-defined.
 */
export function relationWriter(ends: DeclaredRelation): ServedRelation['writeBy'] {
  const { relation, owner, targets } = ends
  const found = storageOf(ends)
  if (found.kind !== 'found' || !isMembershipKnown(ends, found.storage)) return 'none'
  if (relation.spec.fill !== null) return 'function'
  const mutates = owner.persister?.mutateRelationship !== undefined
  switch (found.storage.kind) {
    case 'ownKey':
      return 'row'
    case 'join':
    case 'provider':
      return mutates ? 'owner' : 'none'
    case 'relatedKey': {
      const isUserDefined = owner.persisterStore === null || owner.customWrites.has('mutateRelationship')
      const isInSameStore = targets.every(
        ({ persisterStore: writer, customWrites: ownWrites }) =>
          writer === owner.persisterStore && !ownWrites.has('update'),
      )
      if (mutates && (isUserDefined || isInSameStore)) return 'owner'
      return targets.every(({ persister }) => persister !== null) ? 'targets' : 'none'
    }
    case 'function':
      return 'none'
  }
}

/**
 * Returns whether the current members are known: a provider or function reads them, or the row of the owner holds their
 * identifiers. A write compares with them to determine what it changes.
 */
export function isMembershipKnown(ends: DeclaredRelation, storage: RelationStorage): boolean {
  const { relation, targets } = ends
  const related = new Map(targets.map((target) => [target.type.type, target]))
  return relationReader(ends) !== null || linkageIsInRow({ storage, spec: relation.spec, related })
}
