import type { Constraint } from '../../resource/fields/constraint.js'

/** The rules of a field by when they are asked. */
export interface FieldRules {
  /** Those about the size of a value. */
  readonly sizes: readonly Constraint[]
  readonly others: readonly Constraint[]
  /** Those that may demand that something is there that was not. */
  readonly ofNew: readonly Constraint[]
}

const known = new WeakMap<readonly Constraint[], FieldRules>()

/** Declarations are frozen, so that their rules are told apart once. */
export function fieldRules(rules: readonly Constraint[]): FieldRules {
  const before = known.get(rules)
  if (before !== undefined) return before
  const sorted = {
    sizes: rules.filter(limitsSize),
    others: rules.filter((rule) => !limitsSize(rule)),
    ofNew: rules.filter(({ on }) => on !== 'update'),
  }
  known.set(rules, sorted)
  return sorted
}

const sizes: readonly string[] = Object.freeze(['maxLength', 'maxItems', 'maxProperties'])

function limitsSize(rule: Constraint): boolean {
  return rule.kind === 'schema' && sizes.includes(rule.name)
}
