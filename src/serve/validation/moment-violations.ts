import { sentence } from '../../core/errors/sentence.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { Constraint, Moment } from '../../declare/resource/fields/constraint.js'
import type { MomentFormat } from '../../declare/resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from '../../declare/resource/fields/moment-format.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'

type MomentConstraint = Extract<Constraint, { kind: 'before' | 'after' | 'between' }>

/**
 * Checks a `before`, `after` or `between` rule. The bounds of `before` and `after` are exclusive, those of `between`
 * are inclusive. A value that cannot be parsed is no violation here: the check of its form reports it.
 */
export function momentViolations(
  constraint: MomentConstraint,
  value: unknown,
  { kind: { moment: format } }: AttributeSpec,
): readonly Violation[] {
  const moment = typeof value === 'string' ? parseMoment(value, format) : null
  if (moment === null) return noViolations
  const formatted = (bound: Date): string => format?.write(bound) ?? bound.toISOString()
  switch (constraint.kind) {
    case 'before': {
      const bound = boundOf(constraint.bound, constraint.kind, format)
      return moment < bound ? noViolations : valueViolation(sentence('before', { limit: formatted(bound) }))
    }
    case 'after': {
      const bound = boundOf(constraint.bound, constraint.kind, format)
      return moment > bound ? noViolations : valueViolation(sentence('after', { limit: formatted(bound) }))
    }
    case 'between': {
      const [from, to] = [constraint.from, constraint.to].map((bound) => boundOf(bound, constraint.kind, format))
      if (from === undefined || to === undefined || (moment >= from && moment <= to)) return noViolations
      return valueViolation(sentence('between', { min: formatted(from), max: formatted(to) }))
    }
  }
}

/** Parses a text as a moment: in the format of its field, or in any ISO 8601 form if the field has no format. */
export function parseMoment(text: string, format: MomentFormat | null): Date | null {
  if (format !== null) return format.read(text)
  return dateTimeFormat(null).read(text) ?? dateFormat.read(text) ?? timeFormat.read(text)
}

/**
 * Returns a bound as a date. A bound that is declared as a function is evaluated for every check. Throws if it
 * returns no date or time: to ignore the result would accept any value.
 */
function boundOf(declared: Moment, modifier: string, format: MomentFormat | null): Date {
  const bound: unknown = typeof declared === 'function' ? declared() : declared
  const moment = typeof bound === 'string' ? (parseMoment(bound, format) ?? parseMoment(bound, null)) : bound
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return moment
  throw new TypeError(`The function of ${modifier}() returned ${String(bound)}, which is not a date or time.`)
}
