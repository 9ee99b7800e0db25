import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import { comparedNames } from '../resource/fields/constraint.js'
import type { Awaitable } from '../util/types.js'
import { collectUpTo, mapAwaitable } from '../util/awaitable.js'
import type { FieldValidation, WrittenField } from './field-violations.js'
import { fieldViolations } from './field-violations.js'
import { resultingValue } from './resulting-value.js'
import { areCertainlyValid } from './certainly-valid.js'
import type { Validation } from './validation.js'
import { nothingStored } from './validation.js'
import type { Violation } from './violation.js'

/**
 * Checks the attributes that the client sent. An attribute that is not sent keeps its stored value: that value is checked only
 * against rules that compare it with an attribute that was sent, unless `validateStored` is set. Returns at most `limit`
 * problems with their pointers, in the order of the declaration.
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
  const problems = collectUpTo(fields, limit, (field) =>
    mapAwaitable(fieldViolations(field.spec, field, fieldValidation), (violations) =>
      problemsOf(field.name, violations, basePointer),
    ),
  )
  return mapAwaitable(problems, (found) => (found.length > limit ? found.slice(0, limit) : found))
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
