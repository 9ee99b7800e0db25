import { Sentence, sentence } from '../../core/errors/sentence.js'
import type { Constraint } from '../../declare/resource/fields/constraint.js'
import type { Awaitable } from '../../core/util/types.js'
import { collectUpTo, mapAwaitable } from '../../core/util/awaitable.js'
import { bigintViolations } from './bigint-violations.js'
import { compareViolations } from './compare-violations.js'
import type { RuleContext } from './validation.js'
import { momentViolations } from './moment-violations.js'
import { hasPresenceRule, appliesInMode } from './field-rules.js'
import { isEmptyValue } from './form-violations.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation, prefixedViolations } from './violation.js'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { MomentFormat } from '../../declare/resource/fields/moment-format.js'

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
  const fitting = collectUpTo(
    alternatives,
    1,
    (alternative) => constraintViolations(alternative, value, ruleContext),
    (violations, alternative) => (violations.length === 0 ? [alternative] : []),
  )
  return mapAwaitable(fitting, ({ length }) => (length > 0 ? noViolations : valueViolation(sentence('anyForm'))))
}

function eachViolations(
  constraints: readonly Constraint[],
  value: unknown,
  ruleContext: RuleContext,
): Awaitable<readonly Violation[]> {
  if (!Array.isArray(value)) return noViolations
  return collectUpTo<unknown, Violation>(
    value,
    ruleContext.limit,
    (item) => constrainedItemViolations(constraints, item, ruleContext),
    (violations, _, index) => prefixedViolations(index, violations),
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
    return valueViolation(sentence('notEmpty'))
  return violationsOf(constraints, item, ruleContext)
}

/**
 * Converts the result of a user-defined rule. Throws if it is neither null nor a string: to ignore it would accept
 * any value.
 */
function customViolations(name: string, result: Sentence | string | null | undefined): readonly Violation[] {
  if (result === null || result === undefined) return noViolations
  if (typeof result === 'string' || result instanceof Sentence) return valueViolation(result)
  throw new TypeError(`The rule '${name}' returned neither null nor a string.`)
}

/** Checks a value with a Standard Schema validator of another library. The output value of the validator is ignored. */
function standardViolations(
  validator: StandardSchemaV1,
  value: unknown,
  limit: number,
): Awaitable<readonly Violation[]> {
  return mapAwaitable(validator['~standard'].validate(value), ({ issues }) => issueViolations(issues, limit))
}

function issueViolations(issues: readonly StandardSchemaV1.Issue[] | undefined, limit: number): readonly Violation[] {
  if (issues === undefined) return noViolations
  if (issues.length === 0) return valueViolation(sentence('valid'))
  return issues.slice(0, limit).map(({ path = [], message }) => ({
    path: path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)),
    message,
  }))
}

type SchemaConstraint = Extract<Constraint, { kind: 'schema' }>

/** Checks a constraint that is written as JSON Schema. Every rule except `shape()` reports at most one violation. */
function schemaViolations(
  constraint: SchemaConstraint,
  value: unknown,
  { spec, schemas, limit }: Pick<RuleContext, 'spec' | 'schemas' | 'limit'>,
): readonly Violation[] {
  const { name, schema } = constraint
  const { moment } = spec.kind
  if (moment !== null && typeof value === 'string') {
    if (name === 'notIn')
      return isListed(schema['not'], value, moment) ? valueViolation(sentence('notOneOf')) : noViolations
    if (name === 'in' && isListed(schema, value, moment)) return noViolations
  }
  return schemas.violations(schema, value, name === 'shape' ? limit : 1)
}

/** Whether a list has the moment of a value. Compares instants, because one moment can be written in several formats. */
function isListed(set: unknown, value: string, moment: MomentFormat): boolean {
  const { enum: listed } = set as { readonly enum?: readonly unknown[] }
  const instant = moment.read(value)?.getTime()
  return (listed ?? []).some((each) => typeof each === 'string' && moment.read(each)?.getTime() === instant)
}
