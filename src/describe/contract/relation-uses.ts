import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import { memoize } from '../../core/util/memoize.js'
import { isRequired } from './attribute-uses.js'
import { isAlwaysShown, isShown } from './shown-fields.js'

/**
 * What clients can do with a relation: read it in resources, in each way, and write it. Conditions that depend on the request or the row are
 * ignored: a use is one of some caller.
 */
export type RelationUse =
  | 'shown'
  /** Not in every response, even without a fieldset. */
  | 'optional'
  | 'includable'
  | 'related'
  | 'relationship'
  /** Its linkage is always shown. */
  | 'linked'
  | 'countable'
  | 'creatable'
  | 'required'
  | 'replaceable'
  | 'addable'
  | 'removable'

/** Returns the uses of a relation on its server. Documents ask for them many times. */
export const relationUses: (relation: ServedRelation) => ReadonlySet<RelationUse> = memoize(
  (relation) => new Set([...readUses(relation), ...writeUses(relation)]),
)

/** Returns the relations of a type that have a use. An update replaces the members of a to-many relation. */
export function relationsFor({ relations }: ServedType, wanted: RelationUse): readonly ServedRelation[] {
  return [...relations.values()].filter((relation) => relationUses(relation).has(wanted))
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
