import type { Constraint } from '../resource/fields/constraint.js'
import type { RequestContext } from '../resource/request-context.js'

/**
 * The write for which rules are checked. `mode` is `null` outside of writes, where the rules for create and those for
 * update both apply.
 */
export interface PresenceContext {
  readonly mode: 'create' | 'update' | null
  readonly context: RequestContext
}

/** Whether a rule applies to this kind of write. */
export function appliesInMode({ on }: Constraint, { mode }: Pick<PresenceContext, 'mode'>): boolean {
  return on === 'always' || mode === null || on === mode
}

/** Whether a `required` or `nullable` rule applies to a value, directly or inside `when` and `sequentially`. */
export function hasPresenceRule(
  rules: readonly Constraint[],
  kind: 'required' | 'nullable',
  value: unknown,
  write: PresenceContext,
): boolean {
  return rules.some((rule) => {
    if (!appliesInMode(rule, write)) return false
    switch (rule.kind) {
      case kind:
        return true
      case 'when':
        return rule.condition(value ?? null, write.context) && hasPresenceRule(rule.constraints, kind, value, write)
      case 'sequentially':
        return hasPresenceRule(rule.constraints, kind, value, write)
      default:
        return false
    }
  })
}

/**
 * Whether `required` refuses a value that is not null: an empty string or an empty list. `false`, 0 and an object
 * without members are not empty.
 */
export function isEmptyValue(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}
