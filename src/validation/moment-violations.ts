import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint, Moment } from '../resource/fields/constraint.js'
import type { MomentFormat } from '../resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from '../resource/fields/moment-format.js'
import type { Violation } from './violation.js'
import { nothing, wholeValue } from './violation.js'

type MomentConstraint = Extract<Constraint, { kind: 'before' | 'after' | 'between' }>

/** `before` and `after` are strict, `between` is inclusive. A value that cannot be read is somebody else's to refuse. */
export function momentViolations(
  constraint: MomentConstraint,
  value: unknown,
  { kind: { moment: format } }: AttributeSpec,
): readonly Violation[] {
  const moment = typeof value === 'string' ? momentIn(value, format) : null
  if (moment === null) return nothing
  const shown = (bound: Date): string => format?.write(bound) ?? bound.toISOString()
  switch (constraint.kind) {
    case 'before': {
      const bound = boundOf(constraint.bound, constraint.kind, format)
      return moment < bound ? nothing : wholeValue(`This must be before ${shown(bound)}.`)
    }
    case 'after': {
      const bound = boundOf(constraint.bound, constraint.kind, format)
      return moment > bound ? nothing : wholeValue(`This must be after ${shown(bound)}.`)
    }
    case 'between': {
      const [from, to] = [constraint.from, constraint.to].map((bound) => boundOf(bound, constraint.kind, format))
      if (from === undefined || to === undefined || (moment >= from && moment <= to)) return nothing
      return wholeValue(`This must be between ${shown(from)} and ${shown(to)}.`)
    }
  }
}

/** A text as the moment that it names: in the format of its field, or in any of ISO 8601 where the field has none. */
export function momentIn(text: string, format: MomentFormat | null): Date | null {
  if (format !== null) return format.read(text)
  return dateTimeFormat(null).read(text) ?? dateFormat.read(text) ?? timeFormat.read(text)
}

/** Asked on every request. A bound that is none would let through whatever was sent. */
function boundOf(given: Moment, modifier: string, format: MomentFormat | null): Date {
  const bound: unknown = typeof given === 'function' ? given() : given
  const moment = typeof bound === 'string' ? (momentIn(bound, format) ?? momentIn(bound, null)) : bound
  if (moment instanceof Date && !Number.isNaN(moment.getTime())) return moment
  throw new TypeError(`The function of ${modifier}() answered ${String(bound)}, which is no date or time.`)
}
