import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FilterSpec, ValuedFilter } from '../../../declare/resource/filters/filter-spec.js'
import { RowCheck, RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { QueryColumn, RowCondition, ScopeCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { OperationContext, resultKey } from '../../../declare/resource/request/memoize-in-request.js'
import { memoize } from '../../../core/util/memoize.js'
import { ruleTarget } from './column-target.js'
import { conditionOfFilter } from './condition-of-filter.js'
import { permissionIn } from './permission.js'
import type { SoftDeleted } from './soft-deleted.js'
import { softDeleteConditions } from './soft-deleted.js'

/**
 * Returns the conditions that rows of a type must meet to be visible: not deleted softly, unless `trash` shows
 * deleted rows, and inside the scope of the type. The scope is a slot, so that the conditions are the same objects, in the
 * same list, in every request.
 */
export function scopeConditions(served: ServedType, trash: SoftDeleted = 'hidden'): readonly RowCondition[] {
  return conditionsOf(served)[trash]
}

const conditionsOf = memoize((served: ServedType): Readonly<Record<SoftDeleted, readonly RowCondition[]>> => {
  const slots = served.type.scope === null ? [] : [scopeSlot(served)]
  const conditions = (trash: SoftDeleted): readonly RowCondition[] =>
    Object.freeze([...softDeleteConditions(served.type, trash), ...slots])
  return { hidden: conditions('hidden'), shown: conditions('shown'), only: conditions('only') }
})

/** Returns the condition of the scope of a type in a request; `null` if the scope lets all rows pass. */
export function scopeIn(served: ServedType, context: RequestContext): RowCondition | null {
  return served.type.scope === null ? null : scopeSlot(served).conditionIn(context)
}

/** Returns the slot of the scope of a type; `null` if it has none. */
export function scopeOf(served: ServedType): ScopeCondition | null {
  return served.type.scope === null ? null : scopeSlot(served)
}

const scopeSlot = memoize((served: ServedType) => conditionSlot(served, (context) => ownScope(served, context, [])))

/** Returns a slot whose condition is computed once for each request. */
export function conditionSlot(
  { type: { type } }: ServedType,
  compute: (context: RequestContext) => RowCondition | null,
): ScopeCondition {
  const key = resultKey<RowCondition | null>()
  const inRequest = (context: RequestContext): RowCondition | null => {
    const known = OperationContext.resultIn(context, key)
    return known === undefined ? OperationContext.storeIn(context, key, compute(context)) : known
  }
  return Object.freeze<ScopeCondition>({ kind: 'scope', type, conditionIn: inRequest })
}

/**
 * Returns the condition of the scope of a type; `null` for none. A scope that throws makes the read fail, since no read
 * may ignore it.
 *
 * @param outer the types whose scopes refer to this one. Scopes that refer to each other cannot be evaluated.
 */
function ownScope(served: ServedType, context: RequestContext, outer: readonly string[]): RowCondition | null {
  const { type, scope } = served.type
  const filter = scope?.(context) ?? null
  if (filter === null) return null
  if (outer.includes(type)) {
    throw new Error(`The scopes of ${[...outer, type].map((name) => `'${name}'`).join(', ')} refer to each other.`)
  }
  return conditionIn(served, filter, { context, outer: outer.length === 0 ? [type] : [...outer, type] })
}

/** Returns the condition of a rule of a policy: paths lead only to visible rows, as in scopes. */
export function ruleCondition(served: ServedType, rule: RowRule, context: RequestContext): RowCondition {
  return conditionIn(served, rule, { context, outer: [] }) ?? everyRow
}

export const everyRow: RowCondition = Object.freeze({ kind: 'all', conditions: Object.freeze([]) })

/**
 * Returns the slot of the rule for an ability, which lets all rows pass if the caller has the ability for each. It is evaluated once for
 * each request, and is the same object in every request.
 */
export function ruleSlot(served: ServedType, ability: string): ScopeCondition {
  const slots = ruleSlots(served)
  const known = slots.get(ability)
  if (known !== undefined) return known
  const slot = conditionSlot(served, (context) => {
    const permission = permissionIn(served, ability, context)
    if (permission === true) return null
    return permission instanceof RowRule ? ruleCondition(served, permission, context) : noRow
  })
  slots.set(ability, slot)
  return slot
}

const ruleSlots = memoize((_served: ServedType) => new Map<string, ScopeCondition>())

interface ScopedContext {
  readonly context: RequestContext
  /** The types whose scopes refer to this one. */
  readonly outer: readonly string[]
}

/** Returns the conditions of an ability in the policy of a related type, for `granted()`. */
function rulesOf(served: ServedType, ability: string, { context, outer }: ScopedContext): readonly RowCondition[] {
  const { type, policy } = served.type
  const label = `the ability '${ability}' of '${type}'`
  if (policy !== null && !policy.declares(ability)) {
    throw new Error(`granted() refers to ${label}, which its policy does not declare.`)
  }
  if (outer.includes(label)) throw new Error(`granted() in the rule of ${label} refers back to itself.`)
  const permission = permissionIn(served, ability, context)
  if (permission instanceof RowCheck)
    throw new Error(`granted() refers to ${label}, which check() decides, not a rule.`)
  if (permission === true) return []
  if (permission === false) return [noRow]
  return [conditionIn(served, permission, { context, outer: [...outer, label] }) ?? everyRow]
}

export const noRow: RowCondition = Object.freeze({ kind: 'any', conditions: Object.freeze([]) })

/**
 * Fast path of `conditionOfFilter()` for a rule that compares a column of the row with a value, as most do. Returns `null` for every other
 * filter.
 */
function comparisonOf(served: ServedType, { spec, value }: ValuedFilter): RowCondition | null {
  if (value === undefined || value === null) return null
  const column = comparedColumn(served)(spec)
  return column === null ? null : { kind: 'compare', column, operator: '=', value }
}

/** Memoized, because the filters of rules are those of the build: only their values differ. */
const comparedColumn = memoize((served: ServedType) =>
  memoize(({ test, byColumn, coercion, deserialize, fixed }: FilterSpec): QueryColumn | null => {
    if (test.kind !== 'compare' || test.column === null || test.operator !== '=' || byColumn !== true) return null
    if (coercion !== 'field' || deserialize !== null || fixed !== null) return null
    return ruleTarget(test.column, served)?.column ?? null
  }),
)

function conditionIn(served: ServedType, filter: ValuedFilter, { context, outer }: ScopedContext): RowCondition | null {
  const comparison = comparisonOf(served, filter)
  if (comparison !== null) return comparison
  const { spec, value } = filter
  return conditionOfFilter({ key: '', spec }, value === undefined ? null : { kind: 'declared', value }, {
    rows: { served, relation: null },
    context,
    isOfClient: false,
    checkComposed: null,
    guardsOf: null,
    rulesOf: (entered, ability) => rulesOf(entered, ability, { context, outer }),
    scopeConditionsOf: (entered) => {
      const inner = ownScope(entered, context, outer)
      const deleted = softDeleteConditions(entered.type, 'hidden')
      return inner === null ? deleted : [...deleted, inner]
    },
  })
}
