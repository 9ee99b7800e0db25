import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint } from '../resource/fields/constraint.js'
import { comparedNames } from '../resource/fields/constraint.js'
import type { Awaitable } from '../util/types.js'
import { collectUpTo } from '../util/awaitable.js'
import type { FieldValidation, WrittenField } from './field-violations.js'
import { fieldViolations } from './field-violations.js'
import { resultingValue } from './resulting-value.js'
import type { SchemaValidator } from './schema-validator.js'
import type { Validation } from './validation.js'
import { nothingStored } from './validation.js'
import type { Violation } from './violation.js'
import { memoize } from '../util/memoize.js'
import { fieldRules, appliesInMode, isEmptyValue } from './field-rules.js'
import { contentViolations } from './form-violations.js'

/**
 * Checks the attributes that the client sent. An attribute that is not sent keeps its stored value: that value is checked only
 * against rules that compare it with an attribute that was sent, unless `validateStored` is set. Returns
 * problems with their pointers, in the order of the declaration, and stops after the attribute with which there are `limit`.
 *
 * @param basePointer the pointer to the object that contains the attributes: fields of join rows are in another object
 *   than the attributes of the resource
 */
export function attributeProblems(
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
  basePointer = '/data/attributes',
): Awaitable<readonly Problem[]> {
  const { mode, context, schemas, limit, writable, stored, validateStored, changed } = validation
  if (mode === 'create' && stored === nothingStored && areCertainlyValid(sent, validation)) return none
  const isSent = (name: string): boolean => Object.hasOwn(sent, name) || changed?.has(name) === true
  const checked =
    mode === 'create' ? writable : writable.filter((attribute) => isChecked(attribute, isSent, validateStored))
  const fields = checked.map((attribute) => writtenField(attribute, sent, validation))
  const sibling: FieldValidation['sibling'] = (name) => {
    const field = fields.find((each) => each.name === name)
    if (field === undefined) return { value: stored(name), moment: null }
    return { value: field.value, moment: field.spec.kind.moment }
  }
  const checks = { validateStored, isSent, checksRequired: mode === 'create' }
  const fieldValidation = { mode, context, schemas, limit, sibling, ...checks }
  return collectUpTo(
    fields,
    limit,
    (field) => fieldViolations(field.spec, field, fieldValidation),
    (violations, { name }) => problemsOf(name, violations, basePointer),
  )
}

const none: readonly Problem[] = Object.freeze([])

function problemsOf(attribute: string, violations: readonly Violation[], basePointer: string): readonly Problem[] {
  if (violations.length === 0) return []
  return violations.map(({ path, message }) => {
    const source = { pointer: `${basePointer}${pointer(attribute, ...path)}` }
    return problem('VALIDATION_FAILED', { message }, { source })
  })
}

/**
 * Whether an attribute is checked on update. One that is not sent is checked if a rule compares it with one that is. With
 * `validateStored` it is always checked, unless it is computed at rendering: then it has no stored value. It is also skipped if a
 * user-defined function would have to read its value, and the attribute has neither constraints nor children that the value
 * could violate.
 */
function isChecked(
  { name, spec }: CompiledAttribute,
  isSent: (name: string) => boolean,
  validateStored: boolean,
): boolean {
  if (isSent(name)) return true
  if (!validateStored) return spec.constraints.some((rule) => comparedNames(rule).some(isSent))
  const isPlain = spec.constraints.length === 0 && spec.kind.children === 'none'
  return !spec.computed && !(isPlain && (spec.extract !== null || spec.serialize !== null))
}

interface AttributeField extends WrittenField {
  readonly name: string
  readonly spec: AttributeSpec
}

function writtenField(
  { name, spec, valueColumn }: CompiledAttribute,
  attributes: Readonly<Record<string, unknown>>,
  { row, stored }: Validation,
): AttributeField {
  const { children } = spec.kind
  const sent = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  // The children of a map are columns of the row itself.
  const raw = children === 'columns' ? (row ?? undefined) : valueColumn === null ? undefined : row?.[valueColumn]
  const wire = stored(name)
  return { name, spec, sent, raw, wire, value: resultingValue(spec, sent, { raw, wire }) }
}

/**
 * Fast path for new resources: whether the attributes certainly meet all rules. Most do, and then no violations have
 * to be collected. The result may be false for valid attributes too, if a rule depends on more than the value.
 */
export function areCertainlyValid(
  sent: Readonly<Record<string, unknown>>,
  { writable, schemas, limit }: Pick<Validation, 'writable' | 'schemas' | 'limit'>,
): boolean {
  const rules = rulesOf(schemas)(writable)
  if (rules === null) return false
  const options = { schemas, limit }
  for (const { name, spec, mayBeMissing, mayBeNull, checks } of rules) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value === undefined || value === null) {
      if (value === null ? !mayBeNull : !mayBeMissing) return false
      continue
    }
    for (const check of checks) if (!check(value)) return false
    if (contentViolations(spec, value, options).length > 0) return false
    if (!mayBeMissing && isEmptyValue(value)) return false
  }
  return true
}

/** The rules of one attribute of a new resource. */
interface ValueRules {
  readonly name: string
  readonly spec: AttributeSpec
  readonly mayBeMissing: boolean
  readonly mayBeNull: boolean
  /** Whether a value has the right JSON type, and meets each rule that is a JSON Schema. */
  readonly checks: readonly ((value: unknown) => boolean)[]
}

/** Returns `null` if an attribute has a rule that depends on more than the value. Memoized per list of attributes. */
const rulesOf = memoize((schemas: SchemaValidator) =>
  memoize((attributes: readonly CompiledAttribute[]): readonly ValueRules[] | null => {
    const isPlain = attributes.every(
      ({ spec }) => spec.kind.children === 'none' && rulesOnCreate(spec).every(dependsOnValueOnly(spec)),
    )
    return isPlain ? attributes.map((attribute) => valueRules(attribute, schemas)) : null
  }),
)

function valueRules({ name, spec }: CompiledAttribute, schemas: SchemaValidator): ValueRules {
  const ruleSchemas = rulesOnCreate(spec).flatMap((rule) => (rule.kind === 'schema' ? [rule.schema] : []))
  const { presenceOfMissing } = fieldRules(spec.constraints)
  const has = (kind: Constraint['kind']): boolean => presenceOfMissing.some((rule) => rule.kind === kind)
  return {
    name,
    spec,
    mayBeMissing: !has('required'),
    mayBeNull: has('nullable'),
    checks: [spec.kind.schema, ...ruleSchemas].map((schema) => schemas.check(schema)),
  }
}

/** Returns the rules that apply on create. */
function rulesOnCreate({ constraints }: AttributeSpec): readonly Constraint[] {
  return constraints.filter((rule) => appliesInMode(rule, { mode: 'create' }))
}

/**
 * Whether a rule depends only on the value. It does not for the lists of `in` and `notIn` if the values are moments: one
 * moment can be written in several formats.
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
