import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { FieldValidation, WrittenField } from './field-violations.js'
import { fieldViolations } from './field-violations.js'
import { resultingValue } from './resulting-value.js'
import type { Validation } from './validation.js'

/**
 * The violations of the attributes that the client may write, as they will be: what is not sent keeps its value, and is
 * held against the rules as well. Each has its pointer; as far as the limit goes, in the order of the declaration.
 *
 * @param at where they stand: the fields of join rows stand elsewhere than those of the resource
 */
export async function attributeProblems(
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
  at = '/data/attributes',
): Promise<readonly Problem[]> {
  const { writable, limit, mode, stored } = validation
  const judged = writable.filter((attribute) => isJudged(attribute, sent, validation))
  const fields = new Map(judged.map((attribute) => [attribute.name, writtenField(attribute, sent, validation)]))
  const sibling: FieldValidation['sibling'] = (name) => {
    const field = fields.get(name)
    if (field === undefined) return { value: stored(name), moment: null }
    return { value: field.value, moment: field.spec.kind.moment }
  }
  const problems: Problem[] = []
  for (const [name, field] of fields) {
    if (problems.length >= limit) break
    const violations = await fieldViolations(field.spec, field, { ...validation, sibling, whole: mode === 'create' })
    for (const { path, message } of violations) {
      const source = { pointer: `${at}${pointer(name, ...path)}` }
      problems.push(problem('VALIDATION_FAILED', { message }, { source }))
    }
  }
  return problems.slice(0, limit)
}

/**
 * What is not sent is judged on update too, but for what is made when it is rendered: that has no value of its own to keep.
 * Nor is a function asked to read a value of which nothing is demanded.
 */
function isJudged(
  { name, spec }: CompiledAttribute,
  sent: Readonly<Record<string, unknown>>,
  { mode }: Validation,
): boolean {
  if (mode === 'create' || Object.hasOwn(sent, name)) return true
  const isPlain = spec.constraints.length === 0 && spec.kind.children === 'none'
  return !spec.computed && !(isPlain && (spec.extract !== null || spec.serialize !== null))
}

function writtenField(
  { name, spec, valueColumn }: CompiledAttribute,
  attributes: Readonly<Record<string, unknown>>,
  { row, stored }: Validation,
): WrittenField & { readonly spec: AttributeSpec } {
  const { children } = spec.kind
  const sent = Object.hasOwn(attributes, name) ? attributes[name] : undefined
  // The children of a map are columns of the row itself.
  const raw = children === 'columns' ? (row ?? undefined) : valueColumn === null ? undefined : row?.[valueColumn]
  const wire = stored(name)
  return { spec, sent, raw, wire, value: resultingValue(spec, sent, { raw, wire }) }
}
