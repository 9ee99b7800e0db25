import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint } from '../resource/fields/constraint.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { memoize } from '../util/memoize.js'
import { fieldRules } from './field-rules.js'
import { formViolations } from './form-violations.js'
import { appliesInMode, isEmptyValue } from './presence-rules.js'
import type { Validation } from './validation.js'

/**
 * Fast path for new resources: whether the attributes certainly meet all rules. Most do, and then no violations have
 * to be collected. The result may be false for valid attributes too, if a rule depends on more than the value.
 */
export function areCertainlyValid(
  sent: Readonly<Record<string, unknown>>,
  options: Pick<Validation, 'writable' | 'schemas' | 'limit'>,
): boolean {
  const { writable, schemas } = options
  const rules = rulesOf(writable)
  if (rules === null) return false
  for (const { name, spec, mayBeMissing, mayBeNull, ruleSchemas } of rules) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value === undefined || value === null) {
      if (value === null ? !mayBeNull : !mayBeMissing) return false
      continue
    }
    if (formViolations(spec, value, options).length > 0) return false
    if (!mayBeMissing && isEmptyValue(value)) return false
    for (const schema of ruleSchemas) if (schemas.violations(schema, value, 1).length > 0) return false
  }
  return true
}

/** The rules of one attribute of a new resource. */
interface ValueRules {
  readonly name: string
  readonly spec: AttributeSpec
  readonly mayBeMissing: boolean
  readonly mayBeNull: boolean
  readonly ruleSchemas: readonly JsonSchema[]
}

/** Returns `null` if an attribute has a rule that depends on more than the value. Memoized per list of attributes. */
const rulesOf = memoize((attributes: readonly CompiledAttribute[]): readonly ValueRules[] | null => {
  const isPlain = attributes.every(
    ({ spec }) => spec.kind.children === 'none' && rulesOnCreate(spec).every(dependsOnValueOnly(spec)),
  )
  return isPlain ? attributes.map(valueRules) : null
})

function valueRules({ name, spec }: CompiledAttribute): ValueRules {
  const { presenceOfMissing: presenceOfNew } = fieldRules(spec.constraints)
  const has = (kind: Constraint['kind']): boolean => presenceOfNew.some((rule) => rule.kind === kind)
  return {
    name,
    spec,
    mayBeMissing: !has('required'),
    mayBeNull: has('nullable'),
    ruleSchemas: rulesOnCreate(spec).flatMap((rule) => (rule.kind === 'schema' ? [rule.schema] : [])),
  }
}

/** Returns the rules that apply on create. */
function rulesOnCreate({ constraints }: AttributeSpec): readonly Constraint[] {
  return constraints.filter((rule) => appliesInMode(rule, { mode: 'create' }))
}

/**
 * Whether the value alone decides a rule. It does not for the lists of `in` and `notIn` if the values are moments: one
 * moment can be written in several ways.
 */
function dependsOnValueOnly({ kind: { moment } }: AttributeSpec): (rule: Constraint) => boolean {
  return (rule) => {
    switch (rule.kind) {
      case 'required':
      case 'nullable':
      case 'unique':
        return true
      case 'schema':
        return moment === null || (rule.name !== 'in' && rule.name !== 'notIn')
      default:
        return false
    }
  }
}
