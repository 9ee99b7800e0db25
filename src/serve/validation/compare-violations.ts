import { sentence } from '../../core/errors/sentence.js'
import type { SentenceRule } from '../../core/errors/sentence.js'
import { compareInOrder } from '../../stores/row-query/stored-value.js'
import type { CompareOperator, Constraint } from '../../declare/resource/fields/constraint.js'
import type { DigitText } from '../../declare/resource/fields/value-kind.js'
import { canonicalJson } from './canonical-json.js'
import type { RuleContext, Sibling } from './validation.js'
import { parseMoment } from './moment-violations.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'

/** Checks a `compare` rule. It is skipped if either of the two values is absent or null. */
export function compareViolations(
  { field, operator }: Extract<Constraint, { kind: 'compare' }>,
  value: unknown,
  { spec, sibling }: Pick<RuleContext, 'spec' | 'sibling'>,
): readonly Violation[] {
  const other = sibling(field)
  if (other === undefined || other.value === null || other.value === undefined) return noViolations
  const { moment, digits } = spec.kind
  const order =
    digits === null
      ? comparison({ value, moment }, other)
      : compareInOrder(digitsOf(value, digits), digitsOf(other.value, digits))
  if (operators[operator].holds(order)) return noViolations
  return valueViolation(sentence(operators[operator].rule, { field }))
}

interface Operator {
  readonly rule: SentenceRule
  /** Takes the result of `comparison`: a number below, at or above zero. */
  holds(order: number): boolean
}

const operators: Readonly<Record<CompareOperator, Operator>> = Object.freeze({
  '=': { rule: 'equalTo', holds: (order: number) => order === 0 },
  '!=': { rule: 'differentFrom', holds: (order: number) => order !== 0 },
  '>': { rule: 'greaterThan', holds: (order: number) => order > 0 },
  '>=': { rule: 'greaterOrEqual', holds: (order: number) => order >= 0 },
  '<': { rule: 'lessThan', holds: (order: number) => order < 0 },
  '<=': { rule: 'lessOrEqual', holds: (order: number) => order <= 0 },
})

/** Compares numbers by size, moments by instant (each parsed in the format of its field), everything else as text. */
function comparison(left: Sibling, right: Sibling): number {
  if (typeof left.value === 'number' && typeof right.value === 'number') return left.value - right.value
  const moments = [left, right].map(({ value, moment }) =>
    typeof value === 'string' ? parseMoment(value, moment) : null,
  )
  const [leftMoment, rightMoment] = moments
  if (leftMoment instanceof Date && rightMoment instanceof Date) return leftMoment.getTime() - rightMoment.getTime()
  return compareInOrder(textOf(left.value), textOf(right.value))
}

function digitsOf(value: unknown, digits: DigitText): bigint | number | string {
  return typeof value === 'number' ? value : digits.valueOf(textOf(value))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}
