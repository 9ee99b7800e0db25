import { sentence } from '../../core/errors/sentence.js'
import type { SentenceRule } from '../../core/errors/sentence.js'
import { isBigintText } from '../../declare/resource/fields/bigint-kind.js'
import type { BigintBound, Constraint } from '../../declare/resource/fields/constraint.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'

/** Checks a bound of whole numbers that are strings of digits. A text of another form is reported before. */
export function bigintViolations(
  { name, bound }: Extract<Constraint, { kind: 'bigintBound' }>,
  value: unknown,
): readonly Violation[] {
  if (!isBigintText(value)) return noViolations
  const side = sides[name]
  return side.holds(BigInt(value), bound) ? noViolations : valueViolation(sentence(side.rule, { limit: String(bound) }))
}

interface Side {
  holds(value: bigint, bound: bigint): boolean
  readonly rule: SentenceRule
}

const sides: Readonly<Record<BigintBound, Side>> = {
  min: { holds: (value, bound) => value >= bound, rule: 'minimum' },
  max: { holds: (value, bound) => value <= bound, rule: 'maximum' },
  exclusiveMin: { holds: (value, bound) => value > bound, rule: 'exclusiveMinimum' },
  exclusiveMax: { holds: (value, bound) => value < bound, rule: 'exclusiveMaximum' },
}
