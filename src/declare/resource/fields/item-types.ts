import type { Constraint, ValueFamily } from './constraint.js'
import { familyOf } from './constraint.js'
import { definesItems, flattenedRules } from './null-items.js'

/** A JSON type of the items of a list. */
export type ItemType = 'string' | 'number' | 'list' | 'object'

const typeOfFamily: Readonly<Partial<Record<ValueFamily, ItemType>>> = Object.freeze({
  text: 'string',
  bigint: 'string',
  moment: 'string',
  number: 'number',
  list: 'list',
  properties: 'object',
})

/**
 * Returns the JSON types that the items of a list without `of()` have: strings, unless the rules of `each()` are for
 * others. Null if a validator or a schema defines the items, so that their types are unknown.
 */
export function itemTypes(constraints: readonly Constraint[]): ReadonlySet<ItemType> | null {
  const rules = flattenedRules(constraints)
  const itemRules = flattenedRules(rules.flatMap((rule) => (rule.kind === 'each' ? rule.constraints : [])))
  if ([...rules, ...itemRules].some(definesItems)) return null
  const types = itemRules.map((rule) => typeOfFamily[familyOf(rule)]).filter((type) => type !== undefined)
  return new Set<ItemType>(types.length === 0 ? ['string'] : types)
}

/** Returns the JSON type of an item; null for other values, such as booleans. */
export function itemTypeOf(item: unknown): ItemType | null {
  switch (typeof item) {
    case 'string':
      return 'string'
    case 'number':
      return Number.isFinite(item) ? 'number' : null
    case 'object':
      return item === null ? null : Array.isArray(item) ? 'list' : 'object'
    default:
      return null
  }
}
