import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { memoize } from '../../../core/util/memoize.js'
import type { GuardConditions } from './condition-of-filter.js'
import { negatedCondition } from './negated-condition.js'
import { permissionIn } from './permission.js'
import { conditionSlot, noRow, ruleCondition, ruleSlot } from './scope-conditions.js'

/**
 * Returns the conditions of `security({ read })` of a relation; `null` if it has none. They are slots, so that they are the
 * same objects in every request.
 */
export function guardConditions(owner: ServedType, relation: ServedRelation): GuardConditions | null {
  const { readGuard } = relation.spec
  return readGuard === null ? null : conditionsOf(owner)(relation)
}

const conditionsOf = memoize((owner: ServedType) =>
  memoize(({ spec: { readGuard } }: ServedRelation): GuardConditions => {
    const ability = readGuard?.ability ?? ''
    return Object.freeze<GuardConditions>({
      shows: ruleSlot(owner, ability),
      hides: conditionSlot(owner, (context) => negatedRuleIn(owner, ability, context)),
    })
  }),
)

/** Returns the negated rule. No row meets it if it has a user-defined expression, which cannot be negated. */
function negatedRuleIn(owner: ServedType, ability: string, context: RequestContext): RowCondition | null {
  const permission = permissionIn(owner, ability, context)
  if (permission === true) return noRow
  if (!(permission instanceof RowRule)) return null
  try {
    return negatedCondition(ruleCondition(owner, permission, context))
  } catch (thrown) {
    if (thrown instanceof TypeError) return noRow
    throw thrown
  }
}
