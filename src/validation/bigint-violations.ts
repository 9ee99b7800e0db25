import { isBigintText } from '../resource/fields/bigint-kind.js'
import type { BigintBound, Constraint } from '../resource/fields/constraint.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'

/** Checks a bound of whole numbers that are strings of digits. A text of another form is reported before. */
export function bigintViolations(
  { name, bound }: Extract<Constraint, { kind: 'bigintBound' }>,
  value: unknown,
): readonly Violation[] {
  if (!isBigintText(value)) return noViolations
  const side = sides[name]
  return side.holds(BigInt(value), bound) ? noViolations : valueViolation(side.message(bound))
}

interface Side {
  holds(value: bigint, bound: bigint): boolean
  message(bound: bigint): string
}

const sides: Readonly<Record<BigintBound, Side>> = {
  min: { holds: (value, bound) => value >= bound, message: (bound) => `This must be ${bound} or more.` },
  max: { holds: (value, bound) => value <= bound, message: (bound) => `This must be ${bound} or less.` },
  exclusiveMin: { holds: (value, bound) => value > bound, message: (bound) => `This must be more than ${bound}.` },
  exclusiveMax: { holds: (value, bound) => value < bound, message: (bound) => `This must be less than ${bound}.` },
}
