import type { Constraint, CustomTest } from '../resource/fields/constraint.js'
import type { Awaitable } from '../util/types.js'
import { collectUpTo, mapAwaitable } from '../util/awaitable.js'
import { bigintViolations } from './bigint-violations.js'
import { compareViolations } from './compare-violations.js'
import type { RuleContext } from './rule-context.js'
import { momentViolations } from './moment-violations.js'
import { hasPresenceRule, appliesInMode, isEmptyValue } from './presence-rules.js'
import { schemaViolations } from './schema-violations.js'
import { standardViolations } from './standard-violations.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation, prefixedViolations } from './violation.js'

/** Checks one constraint. The value is present, not null, and of the right JSON type. */
function constraintViolations(
  constraint: Constraint,
  value: unknown,
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  if (!appliesInMode(constraint, ruleContext)) return noViolations
  switch (constraint.kind) {
    // Presence and null are checked before the constraints; uniqueness is checked by the store.
    case 'required':
    case 'nullable':
    case 'unique':
      return noViolations
    case 'schema':
      return schemaViolations(constraint, value, ruleContext)
    case 'bigintBound':
      return bigintViolations(constraint, value)
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
      if (!constraint.condition(value, ruleContext.context)) return noViolations
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
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  return collectUpTo(constraints, ruleContext.limit, (constraint) =>
    constraintViolations(constraint, value, ruleContext),
  )
}

/** Returns the violations of the first constraint that has any; the constraints after it are not checked. */
function firstViolations(
  constraints: readonly Constraint[],
  value: unknown,
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  return collectUpTo(constraints, 1, (constraint) => constraintViolations(constraint, value, ruleContext))
}

function alternativeViolations(
  alternatives: readonly Constraint[],
  value: unknown,
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  const fitting = collectUpTo(alternatives, 1, (alternative) =>
    mapAwaitable(constraintViolations(alternative, value, ruleContext), ({ length }) =>
      length === 0 ? [alternative] : [],
    ),
  )
  return mapAwaitable(fitting, ({ length }) =>
    length > 0 ? noViolations : valueViolation('This has none of the allowed forms.'),
  )
}

function eachViolations(
  constraints: readonly Constraint[],
  value: unknown,
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  if (!Array.isArray(value)) return noViolations
  return collectUpTo<unknown, Violation>(value, ruleContext.limit, (item, index) =>
    mapAwaitable(constrainedItemViolations(constraints, item, ruleContext), (violations) =>
      prefixedViolations(index, violations),
    ),
  )
}

/** Checks one item of a list. Whether it may be null is checked before, with its JSON type. */
function constrainedItemViolations(
  constraints: readonly Constraint[],
  item: unknown,
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  if (item === null && hasPresenceRule(constraints, 'nullable', item, ruleContext)) return noViolations
  if (isEmptyValue(item) && hasPresenceRule(constraints, 'required', item, ruleContext))
    return valueViolation('This must not be empty.')
  return violationsOf(constraints, item, ruleContext)
}

/**
 * Converts the result of a user-defined rule. Throws if it is neither null nor a string: to ignore it would accept
 * any value.
 */
function customViolations(name: string, result: ReturnType<CustomTest> | undefined): readonly Violation[] {
  if (result === null || result === undefined) return noViolations
  if (typeof result === 'string') return valueViolation(result)
  throw new TypeError(`The rule '${name}' returned neither null nor a string.`)
}
