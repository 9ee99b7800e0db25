import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { CompiledAttribute, CompiledType } from '../../resource/compiled-type.js'
import { isWritable } from '../steps/is-writable.js'
import { constraintViolations } from './constraint-violations.js'
import { fieldViolations } from './field-violations.js'
import type { Violation } from './schema-validator.js'
import type { Validation } from './validation.js'

/** Every violation of the attributes that the client may write, each with its pointer. */
export async function attributeProblems(
  type: CompiledType,
  sent: Readonly<Record<string, unknown>>,
  validation: Validation,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const attribute of type.attributes) {
    if (!isWritable(attribute, validation.mode, validation.context)) continue
    const { name, spec } = attribute
    const violations =
      validation.mode === 'update' && !Object.hasOwn(sent, name)
        ? await comparisonViolations(attribute, sent, validation)
        : await fieldViolations(spec, Object.hasOwn(sent, name) ? sent[name] : undefined, validation)
    for (const violation of violations) problems.push(problemAt(name, violation))
  }
  return problems
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

function problemAt(name: string, { path, message }: Violation): Problem {
  return problem(
    'VALIDATION_FAILED',
    { message },
    { source: { pointer: pointer('data', 'attributes', name, ...path) } },
  )
}
