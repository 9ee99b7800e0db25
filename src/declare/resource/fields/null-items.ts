import type { AttributeSpec } from './attribute-declaration.js'
import type { Constraint } from './constraint.js'

/**
 * Returns whether a list may have null items: if `each(rule.nullable())` is declared, or if a validator or a schema defines the
 * items.
 */
export function allowsNullItems({ items, constraints }: Pick<AttributeSpec, 'items' | 'constraints'>): boolean {
  const rules = flattenedRules(constraints)
  const itemRules = flattenedRules(rules.flatMap((rule) => (rule.kind === 'each' ? rule.constraints : [])))
  if (itemRules.some(({ kind }) => kind === 'nullable')) return true
  return items === null && [...rules, ...itemRules].some(definesItems)
}

/** Returns every rule that may apply to a value, including those inside `when`, `sequentially` and `atLeastOneOf`. */
export function flattenedRules(rules: readonly Constraint[]): readonly Constraint[] {
  return rules.flatMap((rule) => {
    switch (rule.kind) {
      case 'when':
      case 'sequentially':
        return flattenedRules(rule.constraints)
      case 'atLeastOneOf':
        return flattenedRules(rule.alternatives)
      default:
        return [rule]
    }
  })
}

/** Returns whether a rule defines the form of the items of a list, instead of `of()`. */
export function definesItems(rule: Constraint): boolean {
  return rule.kind === 'standard' || (rule.kind === 'schema' && rule.name === 'shape')
}
