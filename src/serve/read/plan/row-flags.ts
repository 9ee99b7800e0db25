import type { RowFlag } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import { visibilityFlag } from '../../../declare/resource/reading/row-linkage.js'
import { memoize } from '../../../core/util/memoize.js'
import { everyRow, ruleSlot, scopeConditions } from '../query/scope-conditions.js'

/**
 * Returns the flag whether the related resource of a row is visible, so that its linkage needs no further
 * read. The scope is a slot, so that the flag is the same object in every request.
 */
export const linkageFlag: (relation: ServedRelation) => RowFlag = memoize((relation) => {
  const conditionsOf = new Map(
    [...relation.related.values()].map((served) => [served.type.type, scopeConditions(served)]),
  )
  return Object.freeze<RowFlag>({
    name: visibilityFlag(relation),
    condition: { kind: 'related', relation, conditionsOf, condition: null, negated: false },
  })
})

/**
 * Returns the flags of the members of a relation, whose owners are in the document or in its URL: linkage of a member to its owner is
 * visible, so that the store is not asked for each row.
 */
export function flagsOfMembers(
  relation: ServedRelation,
  member: ServedType,
  flags: readonly RowFlag[],
): readonly RowFlag[] {
  const backTo = new Set(linksToOwner(relation, member))
  return flags.map((flag) => (backTo.has(flag) ? Object.freeze({ ...flag, condition: everyRow }) : flag))
}

/** Returns the visibility flags of the relations of a member that hold the same key, and lead to the type of the owner only. */
function linksToOwner({ owner, storage }: ServedRelation, member: ServedType): readonly RowFlag[] {
  // An owner that is marked as deleted may be shown, and linkage to it is null.
  if (storage.kind !== 'relatedKey' || storage.key.type !== null || owner.softDeletes !== null) return []
  return [...member.relations.values()].flatMap((other) => {
    const { storage: back, related } = other
    const isBack = back.kind === 'ownKey' && back.key.type === null && back.key.id === storage.key.id
    return isBack && related.size === 1 && related.get(owner.type)?.type === owner ? [linkageFlag(other)] : []
  })
}

/** Returns the flags whether the caller has the abilities of guards for a row of a type. */
export function guardFlags(served: ServedType, guards: readonly FieldGuard[]): readonly RowFlag[] {
  return guards.map(flagsOfType(served))
}

const flagsOfType = memoize((served: ServedType) =>
  memoize(({ flag, ability }: FieldGuard) =>
    Object.freeze<RowFlag>({ name: flag, condition: ruleSlot(served, ability) }),
  ),
)
