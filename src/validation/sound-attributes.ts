import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint } from '../resource/fields/constraint.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { oncePer } from '../util/once-per.js'
import { fieldRules } from './field-rules.js'
import { formViolations } from './form-violations.js'
import { holdsNow, isEmpty } from './presence.js'
import type { Validation } from './validation.js'

/**
 * Whether the attributes of a new resource keep all rules for sure. Most do, and then nobody has to note what there is to
 * say of them. What is not told here, because of a rule that asks for more than the value, is not broken therefore.
 */
export function areSound(
  sent: Readonly<Record<string, unknown>>,
  { writable, schemas, limit }: Pick<Validation, 'writable' | 'schemas' | 'limit'>,
): boolean {
  const rules = rulesOf(writable)
  if (rules === null) return false
  const forms = { schemas, limit }
  for (const { name, spec, mayBeMissing, mayBeNull, allowed } of rules) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value === undefined || value === null) {
      if (value === null ? !mayBeNull : !mayBeMissing) return false
      continue
    }
    if (formViolations(spec, value, forms).length > 0) return false
    if (!mayBeMissing && isEmpty(value)) return false
    for (const schema of allowed) if (schemas.violations(schema, value, 1).length > 0) return false
  }
  return true
}

/** What holds for one attribute of a new resource. */
interface ValueRules {
  readonly name: string
  readonly spec: AttributeSpec
  readonly mayBeMissing: boolean
  readonly mayBeNull: boolean
  readonly allowed: readonly JsonSchema[]
}

/** `null` where an attribute has rules that its value alone does not decide. */
const rulesOf = oncePer((attributes: readonly CompiledAttribute[]): readonly ValueRules[] | null => {
  const isPlain = attributes.every(({ spec }) => spec.kind.children === 'none' && ofNew(spec).every(isOfValue(spec)))
  return isPlain ? attributes.map(valueRules) : null
})

function valueRules({ name, spec }: CompiledAttribute): ValueRules {
  const { presenceOfNew } = fieldRules(spec.constraints)
  const isSaid = (kind: Constraint['kind']): boolean => presenceOfNew.some((rule) => rule.kind === kind)
  return {
    name,
    spec,
    mayBeMissing: !isSaid('required'),
    mayBeNull: isSaid('nullable'),
    allowed: ofNew(spec).flatMap((rule) => (rule.kind === 'schema' ? [rule.schema] : [])),
  }
}

/** The rules that hold for new resources. */
function ofNew({ constraints }: AttributeSpec): readonly Constraint[] {
  return constraints.filter((rule) => holdsNow(rule, { mode: 'create' }))
}

/** One moment can be written in several ways, so that lists of moments are more than lists of texts. */
function isOfValue({ kind: { moment } }: AttributeSpec): (rule: Constraint) => boolean {
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
