import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import { constraintViolations } from './constraint-violations.js'
import { fieldViolations } from './field-violations.js'
import type { Violation } from './schema-validator.js'
import type { Validation } from './validation.js'

/**
 * The violations of the attributes that the client may write, each with its pointer, as far as the limit goes.
 *
 * @param at where they stand: the fields of join rows stand elsewhere than those of the resource
 */
export async function attributeProblems(
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
  at = '/data/attributes',
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const attribute of validation.writable) {
    if (problems.length >= validation.limit) break
    const { name } = attribute
    for (const violation of await attributeViolations(attribute, sent, validation)) {
      problems.push(problemAt(`${at}${pointer(name, ...violation.path)}`, violation))
    }
  }
  return problems.slice(0, validation.limit)
}

async function attributeViolations(
  attribute: CompiledAttribute,
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
): Promise<readonly Violation[]> {
  const { name, spec, column } = attribute
  if (Object.hasOwn(sent, name)) {
    // What has no column of its own, such as a map, is kept by the row itself.
    const stored = column === null ? validation.row : validation.row?.[column]
    return fieldViolations(spec, sent[name], stored, validation)
  }
  if (validation.mode === 'update') return comparisonViolations(attribute, sent, validation)
  return fieldViolations(spec, undefined, undefined, validation)
}

/** What is not sent keeps its value, which must still stand well with the attributes that are sent. */
async function comparisonViolations(
  { name, spec }: CompiledAttribute,
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
): Promise<readonly Violation[]> {
  const rules = spec.constraints.filter(
    (rule) => rule.kind === 'compare' && rule.on !== 'create' && Object.hasOwn(sent, rule.field),
  )
  if (rules.length === 0) return []
  const kept = validation.sibling(name)
  if (kept === null || kept === undefined) return []
  const violations = rules.map((rule) => constraintViolations(rule, kept, { ...validation, spec }))
  return (await Promise.all(violations)).flat()
}

function problemAt(place: string, { message }: Violation): Problem {
  return problem('VALIDATION_FAILED', { message }, { source: { pointer: place } })
}
