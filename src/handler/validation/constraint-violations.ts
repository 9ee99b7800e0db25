import type { Constraint, CustomTest } from '../../resource/fields/constraint.js'
import { compareViolations } from './compare-violations.js'
import type { Judging } from './judging.js'
import { momentViolations } from './moment-violations.js'
import { demands, holdsNow, isEmpty } from './presence.js'
import { schemaViolations } from './schema-violations.js'
import { standardViolations } from './standard-violations.js'
import type { Violation } from './violation.js'
import { nothing, wholeValue, within } from './violation.js'

/** What a constraint finds wrong with a value that is there, not null, and of the right JSON type. */
async function constraintViolations(
  constraint: Constraint,
  value: unknown,
  judging: Judging,
): Promise<readonly Violation[]> {
  if (!holdsNow(constraint, judging)) return nothing
  switch (constraint.kind) {
    // Decided before any constraint is asked; uniqueness is the store's to know.
    case 'required':
    case 'nullable':
    case 'unique':
      return nothing
    case 'schema':
      return schemaViolations(constraint, value, judging)
    case 'before':
    case 'after':
    case 'between':
      return momentViolations(constraint, value, judging.spec)
    case 'each':
      return eachViolations(constraint.constraints, value, judging)
    case 'sequentially':
      return firstViolations(constraint.constraints, value, judging)
    case 'atLeastOneOf':
      return alternativeViolations(constraint.alternatives, value, judging)
    case 'when':
      if (!constraint.condition(value, judging.context)) return nothing
      return ruleViolations(constraint.constraints, value, judging)
    case 'compare':
      return compareViolations(constraint, value, judging)
    case 'standard':
      return standardViolations(constraint.validator, value, judging.limit)
    case 'custom':
      return customViolations(constraint.name, constraint.test(value, judging.context))
  }
}

/** Everything that some constraints find wrong, as far as the limit goes. */
export async function ruleViolations(
  constraints: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Promise<readonly Violation[]> {
  const violations: Violation[] = []
  for (const constraint of constraints) {
    if (violations.length >= judging.limit) break
    violations.push(...(await constraintViolations(constraint, value, judging)))
  }
  return violations
}

async function firstViolations(
  constraints: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Promise<readonly Violation[]> {
  for (const constraint of constraints) {
    const violations = await constraintViolations(constraint, value, judging)
    if (violations.length > 0) return violations
  }
  return nothing
}

async function alternativeViolations(
  alternatives: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Promise<readonly Violation[]> {
  for (const alternative of alternatives) {
    if ((await constraintViolations(alternative, value, judging)).length === 0) return nothing
  }
  return wholeValue('This has none of the allowed forms.')
}

async function eachViolations(
  constraints: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Promise<readonly Violation[]> {
  if (!Array.isArray(value)) return nothing
  const violations: Violation[] = []
  for (const [index, item] of value.entries()) {
    if (violations.length >= judging.limit) break
    violations.push(...within(index, await itemViolations(constraints, item, judging)))
  }
  return violations
}

/** Whether items may be null is a question of their type, which was asked before. */
async function itemViolations(
  constraints: readonly Constraint[],
  item: unknown,
  judging: Judging,
): Promise<readonly Violation[]> {
  if (item === null && demands(constraints, 'nullable', item, judging)) return nothing
  if (isEmpty(item) && demands(constraints, 'required', item, judging)) return wholeValue('This must not be empty.')
  return ruleViolations(constraints, item, judging)
}

/** An answer that is neither would let through whatever was sent. */
function customViolations(name: string, answer: ReturnType<CustomTest> | undefined): readonly Violation[] {
  if (answer === null || answer === undefined) return nothing
  if (typeof answer === 'string') return wholeValue(answer)
  throw new TypeError(`The rule '${name}' answered neither null nor a sentence.`)
}
