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

/** Checks one constraint. The value is present, not null, and of the right JSON type. */
function constraintViolations(
  constraint: Constraint,
  value: unknown,
  ruleContext: Judging,
): Awaitable<readonly Violation[]> {
  if (!holdsNow(constraint, ruleContext)) return nothing
  switch (constraint.kind) {
    // Presence and null are checked before the constraints; uniqueness is checked by the store.
    case 'required':
    case 'nullable':
    case 'unique':
      return nothing
    case 'schema':
      return schemaViolations(constraint, value, ruleContext)
    case 'before':
    case 'after':
    case 'between':
      return momentViolations(constraint, value, ruleContext.spec)
    case 'each':
      return eachViolations(constraint.constraints, value, ruleContext)
    case 'sequentially':
      return firstViolations(constraint.constraints, value, ruleContext)
    case 'atLeastOneOf':
      return alternativeViolations(constraint.alternatives, value, ruleContext)
    case 'when':
      if (!constraint.condition(value, ruleContext.context)) return nothing
      return violationsOf(constraint.constraints, value, ruleContext)
    case 'compare':
      return compareViolations(constraint, value, ruleContext)
    case 'standard':
      return standardViolations(constraint.validator, value, ruleContext.limit)
    case 'custom':
      return customViolations(constraint.name, constraint.test(value, ruleContext.context))
  }
}

/** Checks several constraints in order, and stops once there are as many violations as the limit. */
export function violationsOf(
  constraints: readonly Constraint[],
  value: unknown,
  ruleContext: Judging,
): Awaitable<readonly Violation[]> {
  return gathered(constraints, ruleContext.limit, (constraint) => constraintViolations(constraint, value, ruleContext))
}

/** Returns the violations of the first constraint that has any; the constraints after it are not checked. */
function firstViolations(
  constraints: readonly Constraint[],
  value: unknown,
  ruleContext: Judging,
): Awaitable<readonly Violation[]> {
  return gathered(constraints, 1, (constraint) => constraintViolations(constraint, value, ruleContext))
}

function alternativeViolations(
  alternatives: readonly Constraint[],
  value: unknown,
  ruleContext: Judging,
): Awaitable<readonly Violation[]> {
  const fitting = gathered(alternatives, 1, (alternative) =>
    whenKnown(constraintViolations(alternative, value, ruleContext), ({ length }) =>
      length === 0 ? [alternative] : [],
    ),
  )
  return whenKnown(fitting, ({ length }) => (length > 0 ? nothing : wholeValue('This has none of the allowed forms.')))
}

function eachViolations(
  constraints: readonly Constraint[],
  value: unknown,
  ruleContext: Judging,
): Awaitable<readonly Violation[]> {
  if (!Array.isArray(value)) return nothing
  return gathered<unknown, Violation>(value, ruleContext.limit, (item, index) =>
    whenKnown(constrainedItemViolations(constraints, item, ruleContext), (violations) => within(index, violations)),
  )
}

/** Checks one item of a list. Whether it may be null is checked before, with its JSON type. */
function constrainedItemViolations(
  constraints: readonly Constraint[],
  item: unknown,
  ruleContext: Judging,
): Awaitable<readonly Violation[]> {
  if (item === null && demands(constraints, 'nullable', item, ruleContext)) return nothing
  if (isEmpty(item) && demands(constraints, 'required', item, ruleContext)) return wholeValue('This must not be empty.')
  return violationsOf(constraints, item, ruleContext)
}

/**
 * Converts the result of a user-defined rule. Throws if it is neither null nor a string: to ignore it would accept
 * any value.
 */
function customViolations(name: string, result: ReturnType<CustomTest> | undefined): readonly Violation[] {
  if (result === null || result === undefined) return nothing
  if (typeof result === 'string') return wholeValue(result)
  throw new TypeError(`The rule '${name}' returned neither null nor a string.`)
}
