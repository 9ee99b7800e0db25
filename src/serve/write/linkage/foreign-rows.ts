import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RelationLink, RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import { mutateAbility } from '../../../declare/resource/relations/relation-security.js'
import { memoize } from '../../../core/util/memoize.js'

/**
 * Whether a change of the members also changes resources of the related types: their rows hold the key, or a relation of theirs,
 * or of another type with the same model, shows the same join rows. Then the caller must be permitted to update those resources
 * too.
 */
export const changesForeignRows: (relation: ServedRelation) => boolean = memoize(
  (relation: ServedRelation): boolean => {
    const { storage, related } = relation
    if (storage.kind === 'relatedKey') return true
    if (storage.kind !== 'join') return false
    // Another type with the same model shows the same rows.
    const shown = [...related.values()].flatMap(({ siblings }) => siblings)
    return shown.some((served) => inversesOf(relation, served).length > 0)
  },
)

/**
 * Returns the abilities that a change of a relation needs for the members of a type: `update`, unless all inverse relations
 * of the type need separate abilities. Then it returns these abilities.
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
