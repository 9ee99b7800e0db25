import type { RowFlag } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import { visibilityFlag } from '../../../declare/resource/reading/row-linkage.js'
import { memoize } from '../../../core/util/memoize.js'
import { ruleSlot } from '../query/scope-conditions.js'
import { scopeConditions } from '../query/scope-conditions.js'

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

/** Returns the flags whether the caller has the abilities of guards for a row of a type. */
export function guardFlags(served: ServedType, guards: readonly FieldGuard[]): readonly RowFlag[] {
  return guards.map(flagsOfType(served))
}

const flagsOfType = memoize((served: ServedType) =>
  memoize(({ flag, ability }: FieldGuard) =>
    Object.freeze<RowFlag>({ name: flag, condition: ruleSlot(served, ability) }),
  ),
)
