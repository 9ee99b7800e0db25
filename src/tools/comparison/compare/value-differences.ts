import type { SchemaNode } from '../model/schema-node.js'
import { canonicalJson } from '../model/json.js'
import type { RuleRelation } from '../model/value-rules.js'
import { ruleRelation } from '../model/value-rules.js'
import { ruleText, valueText } from './rule-text.js'

/** A difference between the values of two nodes. */
export type ValueDifference =
  | { readonly kind: 'types'; readonly relation: RuleRelation; readonly before: string; readonly after: string }
  | { readonly kind: 'null'; readonly isAllowed: boolean }
  | { readonly kind: 'values'; readonly added: readonly string[]; readonly removed: readonly string[] }
  | {
      readonly kind: 'rule'
      readonly keyword: string
      readonly relation: RuleRelation
      /** `null` if there was none. */
      readonly before: string | null
      readonly after: string | null
    }

/** Returns the differences between the values of a member, without its children. */
export function valueDifferences(before: SchemaNode, after: SchemaNode): readonly ValueDifference[] {
  const relation = typeRelation(before.types, after.types)
  const types: readonly ValueDifference[] =
    relation === 'same' ? [] : [{ kind: 'types', relation, before: typeText(before), after: typeText(after) }]
  // Rules of different types are not compared.
  if (relation === 'other') return types
  // If an integer becomes a number, its bounds are removed too.
  const others = [...nullDifference(before, after), ...listedValues(before, after), ...ruleDifferences(before, after)]
  return [...types, ...others.filter((each) => each.kind !== 'rule' || each.relation !== relation)]
}

function typeText({ types }: SchemaNode): string {
  if (types === null) return 'anything'
  return types.length === 0 ? 'nothing' : types.join(' or ')
}

function typeRelation(before: SchemaNode['types'], after: SchemaNode['types']): RuleRelation {
  if (canonicalJson(before) === canonicalJson(after)) return 'same'
  if (before === null) return 'tighter'
  if (after === null) return 'looser'
  if (before.every((type) => covers(after, type))) return 'looser'
  return after.every((type) => covers(before, type)) ? 'tighter' : 'other'
}

/** A number may be an integer. */
function covers(types: readonly string[], type: string): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'))
}

function nullDifference(before: SchemaNode, after: SchemaNode): readonly ValueDifference[] {
  // A value of any type may be null too.
  const isComparable = before.types !== null && after.types !== null
  return isComparable && before.isNullable !== after.isNullable ? [{ kind: 'null', isAllowed: after.isNullable }] : []
}

function listedValues(before: SchemaNode, after: SchemaNode): readonly ValueDifference[] {
  const [old, newer] = [before.values?.map(valueText), after.values?.map(valueText)]
  if (old === undefined && newer === undefined) return []
  if (old === undefined || newer === undefined) {
    const relation = old === undefined ? 'tighter' : 'looser'
    return [{ kind: 'rule', keyword: 'enum', relation, before: setText(old), after: setText(newer) }]
  }
  const [added, removed] = [
    newer.filter((value) => !old.includes(value)),
    old.filter((value) => !newer.includes(value)),
  ]
  return added.length + removed.length === 0 ? [] : [{ kind: 'values', added, removed }]
}

function setText(values: readonly string[] | undefined): string | null {
  return values === undefined ? null : `one of ${values.join(', ')}`
}

function ruleDifferences(before: SchemaNode, after: SchemaNode): readonly ValueDifference[] {
  const keywords = new Set([...before.rules.keys(), ...after.rules.keys()])
  return [...keywords].flatMap((keyword): readonly ValueDifference[] => {
    const [old, newer] = [before.rules.get(keyword), after.rules.get(keyword)]
    const relation = ruleRelation(keyword, old, newer)
    if (relation === 'same') return []
    return [{ kind: 'rule', keyword, relation, before: ruleText(keyword, old), after: ruleText(keyword, newer) }]
  })
}
