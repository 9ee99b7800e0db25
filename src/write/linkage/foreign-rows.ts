import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RelationLink, RelationStorage } from '../../resource/relations/relation-link.js'
import { mutateAbility } from '../../resource/relations/relation-security.js'
import { memoize } from '../../util/memoize.js'

/**
 * Whether a change of the members also changes resources of the related types: their rows hold the key, or they show the same
 * join rows by a relation of their own. Then the caller needs to be permitted to update those resources too.
 */
export const changesForeignRows: (relation: ServedRelation) => boolean = memoize(
  (relation: ServedRelation): boolean => {
    const { storage, related } = relation
    if (storage.kind === 'relatedKey') return true
    if (storage.kind !== 'join') return false
    return [...related.values()].some((served) => inversesOf(relation, served).length > 0)
  },
)

/**
 * Returns the abilities that a change of a relation needs for the members of a type: `update`, unless all relations of the
 * type that lead back need abilities of their own. Then it returns those.
 */
export function foreignAbilities(relation: ServedRelation, served: ServedType): readonly string[] {
  const abilities = inversesOf(relation, served).map(({ spec }) => mutateAbility(spec))
  if (abilities.length === 0 || abilities.includes('update')) return update
  return [...new Set(abilities.filter((ability) => ability !== null))]
}

const update: readonly string[] = Object.freeze(['update'])

/** Returns the relations of a related type that show the same keys from the other side. */
function inversesOf({ owner, storage }: ServedRelation, { relations }: ServedType): readonly ServedRelation[] {
  return [...relations.values()].filter((other) => {
    if (storage.kind === 'join') return isInverse(other, storage)
    const isKey = storage.kind === 'relatedKey' && other.storage.kind === 'ownKey'
    return isKey && other.storage.key.id === storage.key.id && other.targets.some(({ type }) => type === owner.type)
  })
}

function isInverse({ storage }: RelationLink, join: Extract<RelationStorage, { kind: 'join' }>): boolean {
  if (storage.kind !== 'join' || storage.model !== join.model) return false
  return storage.owner.id === join.member.id && storage.member.id === join.owner.id
}
