import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { RowRule } from '../../resource/policy/rule-kit.js'
import type { RowCondition, ScopeCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import { OperationContext, resultKey } from '../../resource/memoize-in-request.js'
import { memoize } from '../../util/memoize.js'
import type { GuardConditions } from './condition-of-filter.js'
import { negatedCondition } from './negated-condition.js'
import { permissionIn } from './permission.js'
import { ruleCondition } from './scope-conditions.js'

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
      shows: abilityCondition(owner, ability),
      hides: slot(owner, (context) => negatedRuleIn(owner, ability, context)),
    })
  }),
)

/** Returns a slot for the rule of an ability: the rows for which the caller has it. */
export function abilityCondition(owner: ServedType, ability: string): ScopeCondition {
  return slot(owner, (context) => ruleIn(owner, ability, context))
}

function slot({ type }: ServedType, compute: ScopeCondition['conditionIn']): ScopeCondition {
  const key = resultKey<RowCondition | null>()
  const conditionIn = (context: RequestContext): RowCondition | null => {
    const known = OperationContext.resultIn(context, key)
    return known === undefined ? OperationContext.storeIn(context, key, compute(context)) : known
  }
  return Object.freeze<ScopeCondition>({ kind: 'scope', type: type.type, conditionIn })
}

const noRow: RowCondition = Object.freeze({ kind: 'any', conditions: Object.freeze([]) })

/** Returns the condition of a rule. No row meets a function of the policy, because it cannot filter lists. */
function ruleIn(owner: ServedType, ability: string, context: RequestContext): RowCondition | null {
  const permission = permissionIn(owner, ability, context)
  if (permission === true) return null
  return permission instanceof RowRule ? ruleCondition(owner, permission, context) : noRow
}

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
