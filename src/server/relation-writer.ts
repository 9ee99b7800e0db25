import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { DeclaredEnds } from './relation-reader.js'
import { storageOf } from './relation-reader.js'

/**
 * Who writes a relation: whoever holds the key. Join rows, and keys in related rows of the same store, are the owner's
 * persister's to change; keys in rows of other stores those of the persisters there.
 */
export function relationWriter(ends: DeclaredEnds): ServedRelation['writeBy'] {
  const { relation, owner, targets } = ends
  if (relation.spec.fill !== null) return 'function'
  const storage = storageOf(ends)
  if (storage.kind !== 'found' || storage.storage.kind === 'function') return 'nobody'
  const { kind } = storage.storage
  if (kind === 'ownKey') return 'row'
  const oneStore = owner.writer === null || targets.every(({ writer }) => writer === owner.writer)
  if (owner.persister?.mutateRelationship !== undefined && oneStore) return 'owner'
  return kind === 'relatedKey' && targets.every(({ persister }) => persister !== null) ? 'targets' : 'nobody'
}
