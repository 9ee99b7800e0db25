import { sentence } from '../../core/errors/sentence.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { familyOf } from '../../declare/resource/fields/constraint.js'
import type { ItemType } from '../../declare/resource/fields/item-types.js'
import { itemTypes } from '../../declare/resource/fields/item-types.js'
import { flattenedRules } from '../../declare/resource/fields/null-items.js'
import { itemKinds } from '../../declare/resource/fields/list-kinds.js'
import { decimalKind, hashKind, listKind, stringKind } from '../../declare/resource/fields/value-kind.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { parseMoment } from './moment-violations.js'
import type { Validation } from './validation.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation, prefixedViolations } from './violation.js'

type FormOptions = Pick<Validation, 'schemas' | 'limit'>

/**
 * Checks the JSON types of the items of a list: strings, unless `of()` or the rules of `each()` define another type.
 * Without `of()`, nothing is checked here if a Standard Schema validator or the schema of `shape()` checks the items.
 */
export function itemViolations(
  items: AttributeSpec['items'],
  rules: readonly Constraint[],
  list: readonly unknown[],
  options: FormOptions,
): readonly Violation[] {
  const listRules = flattenedRules(rules)
  const itemRules = flattenedRules(listRules.flatMap((rule) => (rule.kind === 'each' ? rule.constraints : [])))
  const types = items === null ? itemTypes(rules) : null
  if (items === null && types === null) return noViolations
  const schemas = items === null ? [...(types ?? [])].map((type) => schemaOfType[type]) : [itemKinds[items].schema]
  const isMoment = itemRules.some((rule) => familyOf(rule) === 'moment')
  const textProblem = items === null ? null : itemKinds[items].textProblem
  const areTexts = schemas.includes(stringKind.schema) && !isMoment
  const nullable = itemRules.some(({ kind }) => kind === 'nullable')
  const violations: Violation[] = []
  for (const [index, item] of list.entries()) {
    if (violations.length >= options.limit) break
    if (item === null && nullable) continue
    const problem = typeof item === 'string' ? (textProblem?.(item) ?? null) : null
    // A text among texts needs no schema, and most items of long lists are such.
    if (typeof item === 'string' && problem === null && areTexts) continue
    const unfit = problem === null ? unfitItem(item, schemas, isMoment, options) : valueViolation(problem)
    const inner = unfit.length === 0 && Array.isArray(item) ? itemViolations(null, itemRules, item, options) : unfit
    violations.push(...prefixedViolations(index, inner))
  }
  return violations
}

function unfitItem(
  item: unknown,
  schemas: readonly JsonSchema[],
  isMoment: boolean,
  options: FormOptions,
): readonly Violation[] {
  const unfit = schemas.map((schema) => options.schemas.violations(schema, item, 1))
  if (unfit.every((found) => found.length > 0)) {
    return unfit.length === 1 ? unfit.flat() : valueViolation(sentence('anyForm'))
  }
  const isUnreadable = isMoment && typeof item === 'string' && parseMoment(item, null) === null
  return isUnreadable ? valueViolation(sentence('moment')) : noViolations
}

const schemaOfType: Readonly<Record<ItemType, JsonSchema>> = Object.freeze({
  string: stringKind.schema,
  number: decimalKind.schema,
  list: listKind.schema,
  object: hashKind.schema,
})
