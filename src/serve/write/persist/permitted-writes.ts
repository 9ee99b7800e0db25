import { permissionIn } from '../../read/query/permission.js'
import { ruleCondition, ruleSlot, scopeIn, scopeOf } from '../../read/query/scope-conditions.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { Permission } from '../../../declare/resource/policy/policy.js'
import { RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { certainlyMeets, isDecidedByColumns, staysMet } from '../../../stores/row-query/condition-analysis.js'
import { setsKey } from '../linkage/guarded-keys.js'

/*
 * The decisions of policies about writes by one statement. If a statement cannot decide, the write is done in a transaction.
 */

/** Returns the conditions under which the policy permits a write of a visible row; `null` if a statement cannot decide it. */
export function permittedConditions(
  served: ServedType,
  ability: string,
  context: RequestContext,
): readonly RowCondition[] | null {
  const permission = permissionIn(served, ability, context)
  if (permission === true || isRuleOfView(permission, served, context)) return none
  return permission instanceof RowRule ? [ruleSlot(served, ability)] : null
}

/** Whether a rule is the one that decides which rows are visible. The scope contains it, so that visible rows meet it. */
function isRuleOfView(permission: Permission, { type: { policy } }: ServedType, context: RequestContext): boolean {
  return permission instanceof RowRule && policy?.permission('view', context) === permission
}

const none: readonly RowCondition[] = Object.freeze([])

/** Whether a row that may be updated is certainly still visible, and permitted by the policy, after these columns are set. */
export function staysPermitted(served: ServedType, values: ColumnValues, context: RequestContext): boolean {
  if (setsGuardedKey(served, values, context)) return false
  if (!staysMet(scopeIn(served, context), values, served)) return false
  const updated = permissionIn(served, 'updated', context)
  if (!(updated instanceof RowRule)) return updated === true
  if (isRuleOfView(updated, served, context)) return true
  // The row is known to meet the rule of `update`, which usually is the same.
  if (updated === permissionIn(served, 'update', context)) {
    return staysMet(ruleSlot(served, 'update').conditionIn(context), values, served)
  }
  return certainlyMeets(ruleCondition(served, updated, context), values)
}

/**
 * Returns the conditions that a new row has to meet as it is stored: none if its values show that it is visible to the caller, and
 * permitted by the policy. Returns `null` if a statement that stores the row cannot decide it.
 */
export function creatableConditions(
  served: ServedType,
  values: ColumnValues,
  context: RequestContext,
): readonly RowCondition[] | null {
  if (setsGuardedKey(served, values, context)) return null
  const permission = permissionIn(served, 'create', context)
  if (permission === false) return null
  // What a function decides has been decided before, by the document.
  const isDecided = !(permission instanceof RowRule) || isRuleOfView(permission, served, context)
  const rule = isDecided ? null : ruleCondition(served, permission, context)
  const scope = scopeIn(served, context)
  const isVisible = scope === null || certainlyMeets(scope, values)
  if (isVisible && (rule === null || certainlyMeets(rule, values))) return none
  const conditions = [scopeOf(served), rule === null ? null : ruleSlot(served, 'create')].filter(
    (slot) => slot !== null,
  )
  return conditions.every((each) => isDecidedByColumns(each, context)) ? conditions : null
}

/** Whether values contain a key of a relation of other rows, which not every caller may change. */
function setsGuardedKey(served: ServedType, values: ColumnValues, context: RequestContext): boolean {
  return served.guardedKeys.some((guarded) => {
    return setsKey(guarded, values) && !isAlwaysPermitted(guarded.owner, guarded.ability, context)
  })
}

/** Whether the caller has an ability for every row, before and after a write. */
export function isAlwaysPermitted(served: ServedType, ability: string, context: RequestContext): boolean {
  if (permissionIn(served, ability, context) !== true) return false
  return ability !== 'update' || permissionIn(served, 'updated', context) === true
}
