import { pointer } from '../document/json-pointer.js'
import type { Problem } from '../errors/json-api-error.js'
import { problem } from '../errors/json-api-error.js'
import type { CompiledAttribute } from '../resource/compiled-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Awaitable } from '../util/types.js'
import { gathered, whenKnown } from '../util/when-known.js'
import type { FieldValidation, WrittenField } from './field-violations.js'
import { fieldViolations } from './field-violations.js'
import { resultingValue } from './resulting-value.js'
import { areSound } from './sound-attributes.js'
import type { Validation } from './validation.js'
import { nothingStored } from './validation.js'
import type { Violation } from './violation.js'

/**
 * The violations of the attributes that the client may write, as they will be: what is not sent keeps its value, and is
 * held against the rules as well. Each has its pointer; as far as the limit goes, in the order of the declaration.
 *
 * @param at where they stand: the fields of join rows stand elsewhere than those of the resource
 */
export function attributeProblems(
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
  at = '/data/attributes',
): Awaitable<readonly Problem[]> {
  const { mode, context, schemas, limit, writable, stored } = validation
  if (mode === 'create' && stored === nothingStored && areSound(sent, validation)) return none
  const judged = mode === 'create' ? writable : writable.filter((attribute) => isJudged(attribute, sent))
  const fields = judged.map((attribute) => writtenField(attribute, sent, validation))
  const sibling: FieldValidation['sibling'] = (name) => {
    const field = fields.find((each) => each.name === name)
    if (field === undefined) return { value: stored(name), moment: null }
    return { value: field.value, moment: field.spec.kind.moment }
  }
  const among = { mode, context, schemas, limit, sibling, whole: mode === 'create' }
  const problems = gathered(fields, limit, (field) =>
    whenKnown(fieldViolations(field.spec, field, among), (violations) => problemsOf(field.name, violations, at)),
  )
  return whenKnown(problems, (found) => (found.length > limit ? found.slice(0, limit) : found))
}

const none: readonly Problem[] = Object.freeze([])

function problemsOf(attribute: string, violations: readonly Violation[], at: string): readonly Problem[] {
  if (violations.length === 0) return []
  return violations.map(({ path, message }) => {
    const source = { pointer: `${at}${pointer(attribute, ...path)}` }
    return problem('VALIDATION_FAILED', { message }, { source })
  })
}

/**
 * What is not sent is judged on update too, but for what is made when it is rendered: that has no value of its own to keep.
 * Nor is a function asked to read a value of which nothing is demanded.
 */
function isJudged({ name, spec }: CompiledAttribute, sent: Readonly<Record<string, unknown>>): boolean {
  if (Object.hasOwn(sent, name)) return true
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
