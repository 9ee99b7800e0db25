import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { problem } from '../../errors/json-api-error.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { isWritable } from '../steps/is-writable.js'
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
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    for (const violation of await fieldViolations(spec, value, validation)) problems.push(problemAt(name, violation))
  }
  return problems
}

function problemAt(name: string, { path, message }: Violation): Problem {
  return problem(
    'VALIDATION_FAILED',
    { message },
    { source: { pointer: pointer('data', 'attributes', name, ...path) } },
  )
}
