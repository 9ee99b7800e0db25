import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint, ValueFamily } from '../resource/fields/constraint.js'
import { familyOf } from '../resource/fields/constraint.js'
import { booleanKind, decimalKind, hashKind, integerKind, listKind, stringKind } from '../resource/fields/value-kind.js'
import type { JsonSchema } from '../resource/json-schema.js'
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
  const listRules = flattened(rules)
  const itemRules = flattened(listRules.flatMap((rule) => (rule.kind === 'each' ? rule.constraints : [])))
  if (items === null && [...listRules, ...itemRules].some(definesForm)) return noViolations
  const families = new Set(itemRules.map(familyOf))
  const schemas = items === null ? schemasOf(families) : [schemaByName[items]]
  const nullable = itemRules.some(({ kind }) => kind === 'nullable')
  const violations: Violation[] = []
  for (const [index, item] of list.entries()) {
    if (violations.length >= options.limit) break
    if (item === null && nullable) continue
    const unfit = unfitItem(item, schemas, families.has('moment'), options)
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
    return unfit.length === 1 ? unfit.flat() : valueViolation('This has none of the allowed forms.')
  }
  const isUnreadable = isMoment && typeof item === 'string' && parseMoment(item, null) === null
  return isUnreadable ? valueViolation('This must be a real date or time.') : noViolations
}

/** Returns every rule that may apply to a value, including those inside `when`, `sequentially` and `atLeastOneOf`. */
function flattened(rules: readonly Constraint[]): readonly Constraint[] {
  return rules.flatMap((rule) => {
    switch (rule.kind) {
      case 'when':
      case 'sequentially':
        return flattened(rule.constraints)
      case 'atLeastOneOf':
        return flattened(rule.alternatives)
      default:
        return [rule]
    }
  })
}

function definesForm(rule: Constraint): boolean {
  return rule.kind === 'standard' || (rule.kind === 'schema' && rule.name === 'shape')
}

const schemaByName: Readonly<Record<NonNullable<AttributeSpec['items']>, JsonSchema>> = Object.freeze({
  string: stringKind.schema,
  integer: integerKind.schema,
  number: decimalKind.schema,
  boolean: booleanKind.schema,
})

const schemaByFamily: Readonly<Partial<Record<ValueFamily, JsonSchema>>> = Object.freeze({
  text: stringKind.schema,
  moment: stringKind.schema,
  number: decimalKind.schema,
  list: listKind.schema,
  properties: hashKind.schema,
})

function schemasOf(families: ReadonlySet<ValueFamily>): readonly JsonSchema[] {
  const schemas = new Set(
    [...families].map((family) => schemaByFamily[family]).filter((schema) => schema !== undefined),
  )
  return schemas.size === 0 ? [stringKind.schema] : [...schemas]
}
