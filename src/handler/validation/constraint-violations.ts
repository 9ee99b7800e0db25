import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { CompareOperator, Constraint, Moment } from '../../resource/fields/constraint.js'
import { dateTimeFormat } from '../../resource/fields/moment-format.js'
import type { Violation } from './schema-validator.js'
import type { Validation } from './validation.js'

/** A constraint is judged for a field, whose own format says how its moments are read. */
interface FieldValidation extends Validation {
  readonly spec: AttributeSpec
}

const nothing: readonly Violation[] = Object.freeze([])

/** What a constraint finds wrong with a value that is there, not null, and of the right JSON type. */
export async function constraintViolations(
  constraint: Constraint,
  value: unknown,
  validation: FieldValidation,
): Promise<readonly Violation[]> {
  switch (constraint.kind) {
    // Decided before any constraint is asked; uniqueness is the store's to know.
    case 'required':
    case 'nullable':
    case 'unique':
      return nothing
    case 'schema':
      return validation.schemas.violations(constraint.schema, value, validation.limit)
    case 'before':
    case 'after':
    case 'between':
      return momentViolations(constraint, value, validation)
    case 'each':
      return eachViolations(constraint.constraints, value, validation)
    case 'sequentially':
      return firstViolations(constraint.constraints, value, validation)
    case 'atLeastOneOf':
      return alternativeViolations(constraint.alternatives, value, validation)
    case 'when':
      if (!constraint.condition(value, validation.context)) return nothing
      return ruleViolations(constraint.constraints, value, validation)
    case 'compare':
      return compareViolations(constraint, value, validation)
    case 'standard':
      return standardViolations(constraint, value, validation)
    case 'custom':
      return sentence(constraint.test(value, validation.context))
  }
}

/** Everything that some constraints find wrong, as far as the limit goes. */
export async function ruleViolations(
  constraints: readonly Constraint[],
  value: unknown,
  validation: FieldValidation,
): Promise<readonly Violation[]> {
  const violations: Violation[] = []
  for (const constraint of constraints) {
    if (violations.length >= validation.limit) break
    violations.push(...(await constraintViolations(constraint, value, validation)))
  }
  return violations
}

async function firstViolations(
  constraints: readonly Constraint[],
  value: unknown,
  validation: FieldValidation,
): Promise<readonly Violation[]> {
  for (const constraint of constraints) {
    const violations = await constraintViolations(constraint, value, validation)
    if (violations.length > 0) return violations
  }
  return nothing
}

async function alternativeViolations(
  alternatives: readonly Constraint[],
  value: unknown,
  validation: FieldValidation,
): Promise<readonly Violation[]> {
  for (const alternative of alternatives) {
    if ((await constraintViolations(alternative, value, validation)).length === 0) return nothing
  }
  return sentence('This has none of the allowed forms.')
}

async function eachViolations(
  constraints: readonly Constraint[],
  value: unknown,
  validation: FieldValidation,
): Promise<readonly Violation[]> {
  if (!Array.isArray(value)) return nothing
  const violations: Violation[] = []
  for (const [index, item] of value.entries()) {
    if (violations.length >= validation.limit) break
    for (const { path, message } of await ruleViolations(constraints, item, validation)) {
      violations.push({ path: [String(index), ...path], message })
    }
  }
  return violations
}

type MomentConstraint = Extract<Constraint, { kind: 'before' | 'after' | 'between' }>

/** `before` and `after` are strict, `between` is inclusive. A value that cannot be read is somebody else's to refuse. */
function momentViolations(
  constraint: MomentConstraint,
  value: unknown,
  { spec }: FieldValidation,
): readonly Violation[] {
  const moment = typeof value === 'string' ? spec.kind.moment?.read(value) : null
  if (moment === null || moment === undefined) return nothing
  const bound = (given: Moment): Date | null => boundOf(given, spec)
  switch (constraint.kind) {
    case 'before': {
      const limit = bound(constraint.bound)
      return limit === null || moment < limit ? nothing : sentence(`This must be before ${shown(limit, spec)}.`)
    }
    case 'after': {
      const limit = bound(constraint.bound)
      return limit === null || moment > limit ? nothing : sentence(`This must be after ${shown(limit, spec)}.`)
    }
    case 'between': {
      const [from, to] = [bound(constraint.from), bound(constraint.to)]
      if (from === null || to === null || (moment >= from && moment <= to)) return nothing
      return sentence(`This must be between ${shown(from, spec)} and ${shown(to, spec)}.`)
    }
  }
}

function boundOf(given: Moment, spec: AttributeSpec): Date | null {
  const bound = typeof given === 'function' ? given() : given
  if (bound instanceof Date) return bound
  return spec.kind.moment?.read(bound) ?? dateTimeFormat(null).read(bound)
}

function shown(moment: Date, spec: AttributeSpec): string {
  return spec.kind.moment?.write(moment) ?? moment.toISOString()
}

/** Skipped when either side is absent or null. */
function compareViolations(
  { field, operator }: Extract<Constraint, { kind: 'compare' }>,
  value: unknown,
  { sibling }: FieldValidation,
): readonly Violation[] {
  const other = sibling(field)
  if (other === null || other === undefined || holds(value, operator, other)) return nothing
  return sentence(`This must be ${operatorNames[operator]} '${field}'.`)
}

const operatorNames: Readonly<Record<CompareOperator, string>> = Object.freeze({
  '=': 'equal to',
  '!=': 'different from',
  '>': 'greater than',
  '>=': 'greater than or equal to',
  '<': 'less than',
  '<=': 'less than or equal to',
})

function holds(value: unknown, operator: CompareOperator, other: unknown): boolean {
  const [left, right] = comparable(value, other)
  switch (operator) {
    case '=':
      return left === right
    case '!=':
      return left !== right
    case '>':
      return left > right
    case '>=':
      return left >= right
    case '<':
      return left < right
    case '<=':
      return left <= right
  }
}

/** Numbers as numbers, moments as instants, everything else as text. */
function comparable(value: unknown, other: unknown): readonly [number, number] | readonly [string, string] {
  if (typeof value === 'number' && typeof other === 'number') return [value, other]
  const instants = [value, other].map((side) => (typeof side === 'string' ? instantOf(side) : null))
  const [left, right] = instants
  if (typeof left === 'number' && typeof right === 'number') return [left, right]
  return [String(value), String(other)]
}

function instantOf(text: string): number | null {
  const moment = dateTimeFormat(null).read(text.includes('T') ? text : `${text}T00:00`)
  return moment?.getTime() ?? null
}

async function standardViolations(
  { validator }: Extract<Constraint, { kind: 'standard' }>,
  value: unknown,
  { limit }: FieldValidation,
): Promise<readonly Violation[]> {
  const result = await validator['~standard'].validate(value)
  return (result.issues ?? []).slice(0, limit).map((issue) => ({
    path: (issue.path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment)),
    message: issue.message,
  }))
}

function sentence(message: string | null): readonly Violation[] {
  return message === null ? nothing : [{ path: [], message }]
}
