import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { RelationLink, RelationStorage } from '../../resource/relations/relation-link.js'
import { memoize } from '../../util/memoize.js'

/**
 * Whether a change of the members also changes resources of the related types: their rows hold the key, or they show the same
 * join rows by a relation of their own, or another type with the same model does. Then the caller needs to be permitted to update
 * those resources too.
 */
export const changesForeignRows: (relation: ServedRelation) => boolean = memoize(
  (relation: ServedRelation): boolean => {
    const { storage, related } = relation
    if (storage.kind === 'relatedKey') return true
    if (storage.kind !== 'join') return false
    // Another type with the same model shows the same rows.
    const shown = [...related.values()].flatMap(({ siblings }) => siblings)
    return shown.some(({ relations }) => [...relations.values()].some((other) => isInverse(other, storage)))
  },
)

function isInverse({ storage }: RelationLink, join: Extract<RelationStorage, { kind: 'join' }>): boolean {
  if (storage.kind !== 'join' || storage.model !== join.model) return false
  return storage.owner.id === join.member.id && storage.member.id === join.owner.id
}
