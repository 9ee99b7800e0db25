import type { MomentFormat } from './moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from './moment-format.js'
import type { ValueKind } from './value-kind.js'
import { textSchema, valueKind } from './value-kind.js'

/** An instant is stored as a `Date`. */
export const dateTimeKind: ValueKind = momentKind('dateTime', dateTimeFormat(null), 'instant')

/** A day and a time of day have no instant: they are stored as the text that they are. */
export const dateKind: ValueKind = momentKind('date', dateFormat, 'date')
export const timeKind: ValueKind = momentKind('time', timeFormat, 'time')

function momentKind(name: string, moment: MomentFormat, keptAs: 'instant' | 'date' | 'time'): ValueKind {
  /** Whether a text is on the wire as it is stored. */
  const isKept = (format: MomentFormat, text: string): boolean =>
    keptAs !== 'instant' && format === moment && moment.isWritten?.(text) === true
  return valueKind(name, textSchema, ['moment'], {
    comparedAs: 'moment',
    keptAs,
    moment,
    read(this: ValueKind, value) {
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : (this.moment ?? moment).write(value)
      if (typeof value !== 'string' || isKept(this.moment ?? moment, value)) return value
      const instant = keptAs === 'instant' ? storedInstant(value) : moment.read(value)
      return instant === null ? value : (this.moment ?? moment).write(instant)
    },
    write(this: ValueKind, wire) {
      if (typeof wire !== 'string' || isKept(this.moment ?? moment, wire)) return wire
      const instant = (this.moment ?? moment).read(wire)
      if (instant === null) return wire
      return keptAs === 'instant' ? instant : moment.write(instant)
    },
  })
}

/** Stores that keep instants as text write `2026-01-01 00:00:00` as well as the ISO form. */
function storedInstant(text: string): Date | null {
  return dateTimeFormat(null).read(text.replace(' ', 'T'))
}
