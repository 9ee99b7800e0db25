import type { Constraint } from '../resource/fields/constraint.js'
import { oncePer } from '../util/once-per.js'

/** The rules of a field by when they are asked. */
export interface FieldRules {
  /** Those about the size of a value. */
  readonly sizes: readonly Constraint[]
  readonly others: readonly Constraint[]
  /** Those that may say that a value may be null, or may not be left out. */
  readonly presence: readonly Constraint[]
  /** Of these, the ones that ask for what was not there before. */
  readonly presenceOfNew: readonly Constraint[]
}

/** Declarations are frozen, so that their rules are told apart once. */
export const fieldRules: (rules: readonly Constraint[]) => FieldRules = oncePer((rules) => {
  const presence = rules.filter(saysPresence)
  return {
    sizes: rules.filter(limitsSize),
    others: rules.filter((rule) => !limitsSize(rule) && !isPresence(rule)),
    presence,
    presenceOfNew: presence.filter(({ on }) => on !== 'update'),
  }
})

const sizes: readonly string[] = Object.freeze(['maxLength', 'maxItems', 'maxProperties'])

const ofPresence: readonly string[] = Object.freeze(['required', 'nullable'])

function isPresence({ kind }: Constraint): boolean {
  return ofPresence.includes(kind)
}

function saysPresence(rule: Constraint): boolean {
  return isPresence(rule) || rule.kind === 'when' || rule.kind === 'sequentially'
}

function limitsSize(rule: Constraint): boolean {
  return rule.kind === 'schema' && sizes.includes(rule.name)
}
