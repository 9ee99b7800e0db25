import type { Constraint, CustomTest } from '../resource/fields/constraint.js'
import type { Awaitable } from '../util/types.js'
import { gathered, whenKnown } from '../util/when-known.js'
import { compareViolations } from './compare-violations.js'
import type { Judging } from './judging.js'
import { momentViolations } from './moment-violations.js'
import { demands, holdsNow, isEmpty } from './presence.js'
import { schemaViolations } from './schema-violations.js'
import { standardViolations } from './standard-violations.js'
import type { Violation } from './violation.js'
import { nothing, wholeValue, within } from './violation.js'

/** What a constraint finds wrong with a value that is there, not null, and of the right JSON type. */
function constraintViolations(
  constraint: Constraint,
  value: unknown,
  judging: Judging,
): Awaitable<readonly Violation[]> {
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
      return violationsOf(constraint.constraints, value, judging)
    case 'compare':
      return compareViolations(constraint, value, judging)
    case 'standard':
      return standardViolations(constraint.validator, value, judging.limit)
    case 'custom':
      return customViolations(constraint.name, constraint.test(value, judging.context))
  }
}

/** Everything that some constraints find wrong, as far as the limit goes. */
export function violationsOf(
  constraints: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Awaitable<readonly Violation[]> {
  return gathered(constraints, judging.limit, (constraint) => constraintViolations(constraint, value, judging))
}

/** Everything that the first constraint finds that finds anything. */
function firstViolations(
  constraints: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Awaitable<readonly Violation[]> {
  return gathered(constraints, 1, (constraint) => constraintViolations(constraint, value, judging))
}

function alternativeViolations(
  alternatives: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Awaitable<readonly Violation[]> {
  const fitting = gathered(alternatives, 1, (alternative) =>
    whenKnown(constraintViolations(alternative, value, judging), ({ length }) => (length === 0 ? [alternative] : [])),
  )
  return whenKnown(fitting, ({ length }) => (length > 0 ? nothing : wholeValue('This has none of the allowed forms.')))
}

function eachViolations(
  constraints: readonly Constraint[],
  value: unknown,
  judging: Judging,
): Awaitable<readonly Violation[]> {
  if (!Array.isArray(value)) return nothing
  return gathered<unknown, Violation>(value, judging.limit, (item, index) =>
    whenKnown(itemViolations(constraints, item, judging), (violations) => within(index, violations)),
  )
}

/** Whether items may be null is a question of their type, which was asked before. */
function itemViolations(
  constraints: readonly Constraint[],
  item: unknown,
  judging: Judging,
): Awaitable<readonly Violation[]> {
  if (item === null && demands(constraints, 'nullable', item, judging)) return nothing
  if (isEmpty(item) && demands(constraints, 'required', item, judging)) return wholeValue('This must not be empty.')
  return violationsOf(constraints, item, judging)
}

/** An answer that is neither would let through whatever was sent. */
function customViolations(name: string, answer: ReturnType<CustomTest> | undefined): readonly Violation[] {
  if (answer === null || answer === undefined) return nothing
  if (typeof answer === 'string') return wholeValue(answer)
  throw new TypeError(`The rule '${name}' answered neither null nor a sentence.`)
}
