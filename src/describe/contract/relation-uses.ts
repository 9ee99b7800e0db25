import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import type { RelationContract, RelationUse, TypeContract } from './contract.js'
import { isRequired } from './attribute-uses.js'
import { isAlwaysShown, isShown } from './shown-fields.js'

/** Returns the uses of a relation on its server. */
export function relationUses(relation: ServedRelation): readonly RelationUse[] {
  return [...readUses(relation), ...writeUses(relation)]
}

/**
 * Returns the uses of a relation as declared, without what only the built service knows: which types and stores the server has. The types of a
 * declaration do not require a relation that some caller cannot read or write.
 */
export function declaredUses(relation: ServedRelation): readonly RelationUse[] {
  const { relatedEndpoint, relationshipEndpoint, security, writeOnly } = relation.spec
  const isLimited = security !== null || typeof writeOnly === 'function'
  const declared: ServedRelation = {
    ...relation,
    complete: true,
    readBy: 'owner',
    hasRelatedEndpoint: relatedEndpoint,
    hasRelationshipEndpoint: relationshipEndpoint,
  }
  return relationUses(declared).filter((each) => each !== 'required' || !isLimited)
}

/** Returns the relations of a type that have a use. An update replaces the members of a to-many relation. */
export function relationsFor(
  { relations }: Pick<TypeContract, 'relations'>,
  wanted: RelationUse,
): readonly RelationContract[] {
  return relations.filter(({ uses }) => uses.includes(wanted))
}

function readUses(relation: ServedRelation): readonly RelationUse[] {
  const { spec, linkage, complete, readBy } = relation
  if (!isShown(spec)) return []
  return [
    'shown',
    ...use('optional', !isAlwaysShown(spec) || spec.security !== null),
    ...use('includable', complete && spec.cannotBeIncluded !== true),
    ...use('related', relation.hasRelatedEndpoint),
    ...use('relationship', relation.hasRelationshipEndpoint),
    ...use('linked', spec.traits.ownerSide || linkage === 'always'),
    ...use('countable', spec.countable && spec.traits.toMany && readBy !== 'none'),
  ]
}

function writeUses({ spec, writeBy }: ServedRelation): readonly RelationUse[] {
  if (writeBy === 'none' || spec.hidden === true) return []
  const { toMany } = spec.traits
  const isCreatable = spec.readOnlyOnCreate !== true
  const isUpdatable = spec.readOnlyOnUpdate !== true
  return [
    ...use('creatable', isCreatable),
    ...use('required', isCreatable && isNeeded(spec)),
    ...use('replaceable', isUpdatable && !(toMany && spec.cannotReplace === true)),
    ...use('addable', isUpdatable && toMany && spec.cannotAdd !== true),
    ...use('removable', isUpdatable && toMany && spec.cannotRemove !== true),
  ]
}

/** Returns whether every request that creates a resource must have a relation. A caller to whom it is hidden need not send it. */
function isNeeded(spec: ServedRelation['spec']): boolean {
  return isRequired(spec, 'create') && spec.readOnlyOnCreate === false && spec.hidden === false && spec.guard === null
}

function use(name: RelationUse, applies: boolean): readonly RelationUse[] {
  return applies ? [name] : []
}
