import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint, ValueFamily } from '../resource/fields/constraint.js'
import { familyOf } from '../resource/fields/constraint.js'
import { booleanKind, decimalKind, hashKind, integerKind, listKind, stringKind } from '../resource/fields/value-kind.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { momentIn } from './moment-violations.js'
import type { Validation } from './validation.js'
import type { Violation } from './violation.js'
import { nothing, wholeValue, within } from './violation.js'

type Forms = Pick<Validation, 'schemas' | 'limit'>

/**
 * The items of a list that are of the wrong JSON type: strings, unless `of()` or the rules of `each()` say otherwise. A
 * validator or a raw schema says for itself what it takes.
 */
export function itemViolations(
  items: AttributeSpec['items'],
  rules: readonly Constraint[],
  list: readonly unknown[],
  forms: Forms,
): readonly Violation[] {
  const about = opened(rules)
  const own = opened(about.flatMap((rule) => (rule.kind === 'each' ? rule.constraints : [])))
  if (items === null && [...about, ...own].some(saysForm)) return nothing
  const families = new Set(own.map(familyOf))
  const schemas = items === null ? schemasOf(families) : [byName[items]]
  const nullable = own.some(({ kind }) => kind === 'nullable')
  const violations: Violation[] = []
  for (const [index, item] of list.entries()) {
    if (violations.length >= forms.limit) break
    if (item === null && nullable) continue
    const unfit = unfitItem(item, schemas, families.has('moment'), forms)
    const inner = unfit.length === 0 && Array.isArray(item) ? itemViolations(null, own, item, forms) : unfit
    violations.push(...within(index, inner))
  }
  return violations
}

function unfitItem(
  item: unknown,
  schemas: readonly JsonSchema[],
  isMoment: boolean,
  forms: Forms,
): readonly Violation[] {
  const unfit = schemas.map((schema) => forms.schemas.violations(schema, item, 1))
  if (unfit.every((found) => found.length > 0)) {
    return unfit.length === 1 ? unfit.flat() : wholeValue('This has none of the allowed forms.')
  }
  const unread = isMoment && typeof item === 'string' && momentIn(item, null) === null
  return unread ? wholeValue('This must be a real date or time.') : nothing
}

/** The rules that may come to hold for one value: those inside combinations too. */
function opened(rules: readonly Constraint[]): readonly Constraint[] {
  return rules.flatMap((rule) => {
    switch (rule.kind) {
      case 'when':
      case 'sequentially':
        return opened(rule.constraints)
      case 'atLeastOneOf':
        return opened(rule.alternatives)
      default:
        return [rule]
    }
  })
}

function saysForm(rule: Constraint): boolean {
  return rule.kind === 'standard' || (rule.kind === 'schema' && rule.name === 'shape')
}

const byName: Readonly<Record<NonNullable<AttributeSpec['items']>, JsonSchema>> = Object.freeze({
  string: stringKind.schema,
  integer: integerKind.schema,
  number: decimalKind.schema,
  boolean: booleanKind.schema,
})

const byFamily: Readonly<Partial<Record<ValueFamily, JsonSchema>>> = Object.freeze({
  text: stringKind.schema,
  moment: stringKind.schema,
  number: decimalKind.schema,
  list: listKind.schema,
  properties: hashKind.schema,
})

function schemasOf(families: ReadonlySet<ValueFamily>): readonly JsonSchema[] {
  const said = new Set([...families].map((family) => byFamily[family]).filter((schema) => schema !== undefined))
  return said.size === 0 ? [stringKind.schema] : [...said]
}
