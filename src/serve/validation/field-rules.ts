import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { memoize } from '../../core/util/memoize.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'

/** The rules of a field, grouped by the step that checks them. */
export interface FieldRules {
  /** Rules that limit the size of a value: `maxLength`, `maxItems` and `maxProperties`. */
  readonly sizes: readonly Constraint[]
  /** All rules except the size rules, `required` and `nullable`. */
  readonly others: readonly Constraint[]
  /** Rules that may allow null or require a value: also `when` and `sequentially`, which may contain such rules. */
  readonly presence: readonly Constraint[]
  /** The `presence` rules except those that apply on update only: they may require a value that is not stored yet. */
  readonly presenceOfMissing: readonly Constraint[]
}

/** Groups the rules of a field. Memoized, which is safe because declarations are frozen. */
export const fieldRules: (rules: readonly Constraint[]) => FieldRules = memoize((rules) => {
  const presence = rules.filter(mayDecidePresence)
  return {
    sizes: rules.filter(limitsSize),
    others: rules.filter((rule) => !limitsSize(rule) && !isPresence(rule)),
    presence,
    presenceOfMissing: presence.filter(({ on }) => on !== 'update'),
  }
})

const sizeRuleNames: readonly string[] = Object.freeze(['maxLength', 'maxItems', 'maxProperties'])

const presenceKinds: readonly string[] = Object.freeze(['required', 'nullable'])

function isPresence({ kind }: Constraint): boolean {
  return presenceKinds.includes(kind)
}

function mayDecidePresence(rule: Constraint): boolean {
  return isPresence(rule) || rule.kind === 'when' || rule.kind === 'sequentially'
}

function limitsSize(rule: Constraint): boolean {
  return rule.kind === 'schema' && sizeRuleNames.includes(rule.name)
}

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
