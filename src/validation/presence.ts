import type { Constraint } from '../resource/fields/constraint.js'
import type { RequestContext } from '../resource/request-context.js'

/** The write that rules are asked about; `mode` is `null` where it is none, and rules for one of the two hold too. */
export interface Occasion {
  readonly mode: 'create' | 'update' | null
  readonly context: RequestContext
}

/** Whether a rule holds in this kind of write. */
export function holdsNow({ on }: Constraint, { mode }: Pick<Occasion, 'mode'>): boolean {
  return on === 'always' || mode === null || on === mode
}

/** Whether a value may be null, or may not be left out: rules that may stand inside `when` and `sequentially`. */
export function demands(
  rules: readonly Constraint[],
  kind: 'required' | 'nullable',
  value: unknown,
  occasion: Occasion,
): boolean {
  return rules.some((rule) => {
    if (!holdsNow(rule, occasion)) return false
    switch (rule.kind) {
      case kind:
        return true
      case 'when':
        return rule.condition(value ?? null, occasion.context) && demands(rule.constraints, kind, value, occasion)
      case 'sequentially':
        return demands(rule.constraints, kind, value, occasion)
      default:
        return false
    }
  })
}

/** What `required` refuses besides null: neither `false` nor 0 nor an object without members. */
export function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0)
}
