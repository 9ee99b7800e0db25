import { pointer } from '../../core/document/json-pointer.js'
import type { Problem } from '../../core/errors/json-api-error.js'
import { problem } from '../../core/errors/json-api-error.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import { comparedNames } from '../../declare/resource/fields/constraint.js'
import type { Awaitable } from '../../core/util/types.js'
import { collectUpTo } from '../../core/util/awaitable.js'
import type { FieldValidation, WrittenField } from './field-violations.js'
import { fieldViolations } from './field-violations.js'
import { resultingValue } from './resulting-value.js'
import type { SchemaValidator } from './schema-validator.js'
import type { Validation } from './validation.js'
import { nothingStored } from './validation.js'
import type { Violation } from './violation.js'
import { memoize } from '../../core/util/memoize.js'
import { isStorableText } from '../../core/util/storable-text.js'
import { appliesInMode } from './field-rules.js'
import { contentViolations, isEmptyValue } from './form-violations.js'

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
  const { mode, context, schemas, limit, writable, row, stored, validateStored, changed } = validation
  if (row === null && stored === nothingStored && areCertainlyValid(sent, validation)) return none
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
 * Fast path for resources of which nothing is stored or known: whether the attributes certainly meet all rules. Most do, and then no
 * violations have to be collected. The result may be false for valid attributes too, if a rule depends on more than the value.
 */
export function areCertainlyValid(
  sent: Readonly<Record<string, unknown>>,
  { mode, writable, schemas, limit }: Pick<Validation, 'mode' | 'writable' | 'schemas' | 'limit'>,
): boolean {
  const rules = rulesOf(schemas)(writable)[mode]
  if (rules === null) return false
  const options = { schemas, limit }
  for (const { name, spec, isRequired, mayBeNull, checks, hasContent, isPlainText } of rules) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value === undefined) {
      // An attribute that an update does not name keeps its value.
      if (isRequired && mode === 'create') return false
      continue
    }
    if (value === null) {
      if (!mayBeNull) return false
      continue
    }
    if (checks === null) return false
    for (const check of checks) if (!check(value)) return false
    if (!hasContent) continue
    if (isPlainText && typeof value === 'string') {
      if ((isRequired && value === '') || !isStorableText(value)) return false
      continue
    }
    if (contentViolations(spec, value, options).length > 0) return false
    if (isRequired && isEmptyValue(value)) return false
  }
  return true
}

/** The rules of one attribute in one kind of write. */
interface ValueRules {
  readonly name: string
  readonly spec: AttributeSpec
  readonly isRequired: boolean
  readonly mayBeNull: boolean
  /**
   * Whether a value has the right JSON type, and meets each rule that is a JSON Schema; `null` if a rule depends on more than
   * the value.
   */
  readonly checks: readonly ((value: unknown) => boolean)[] | null
  /** False for integers and booleans, whose JSON type says all: they have no texts, and are never empty. */
  readonly hasContent: boolean
  /** Whether a text has no form of its own, as that of a date: it only has to be storable. */
  readonly isPlainText: boolean
}

/**
 * The rules of attributes by kind of write; `null` if an attribute that is not sent may have to be checked too. Memoized per list of
 * attributes.
 */
const rulesOf = memoize((schemas: SchemaValidator) =>
  memoize((attributes: readonly CompiledAttribute[]): Record<Validation['mode'], readonly ValueRules[] | null> => {
    const rulesIn = (mode: Validation['mode']): readonly ValueRules[] =>
      attributes.map((attribute) => valueRules(attribute, mode, schemas))
    const create = rulesIn('create')
    const isComparing = attributes.some(({ spec }) => spec.constraints.some((rule) => comparedNames(rule).length > 0))
    return {
      create: create.every(({ checks }) => checks !== null) ? create : null,
      update: isComparing ? null : rulesIn('update'),
    }
  }),
)

function valueRules({ name, spec }: CompiledAttribute, mode: Validation['mode'], schemas: SchemaValidator): ValueRules {
  const rules = spec.constraints.filter((rule) => appliesInMode(rule, { mode }))
  const has = (kind: Constraint['kind']): boolean => rules.some((rule) => rule.kind === kind)
  const isPlain = spec.kind.children === 'none' && rules.every(dependsOnValueOnly(spec))
  const ruleSchemas = rules.flatMap((rule) => (rule.kind === 'schema' ? [rule.schema] : []))
  const checks = isPlain ? [spec.kind.schema, ...ruleSchemas].map((schema) => schemas.check(schema)) : null
  const { unconvertedType, moment, textProblem } = spec.kind
  const hasContent = unconvertedType !== 'integer' && unconvertedType !== 'boolean'
  const isPlainText = spec.kind.children === 'none' && moment === null && textProblem === null
  const ofValue = { checks, hasContent, isPlainText }
  return { name, spec, isRequired: has('required'), mayBeNull: has('nullable'), ...ofValue }
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
