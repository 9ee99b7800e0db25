import type { MomentFormat } from './moment-format.js'
import { dateFormat, dateTimeFormat, timeFormat } from './moment-format.js'
import type { ValueKind } from './value-kind.js'
import { textSchema, valueKind } from './value-kind.js'

/** An instant is stored as a `Date`. */
export const dateTimeKind: ValueKind = momentKind('dateTime', dateTimeFormat(null), 'instant')

/** A date and a time of day are not instants: they are stored as text. */
export const dateKind: ValueKind = momentKind('date', dateFormat, 'date')
export const timeKind: ValueKind = momentKind('time', timeFormat, 'time')

function momentKind(name: string, moment: MomentFormat, storage: 'instant' | 'date' | 'time'): ValueKind {
  /** Returns whether a text is the same on the wire and in the column. */
  const isStoredText = (format: MomentFormat, text: string): boolean =>
    storage !== 'instant' && format === moment && moment.isCanonical?.(text) === true
  return valueKind(name, textSchema, ['moment'], {
    comparedAs: 'moment',
    storageType: storage,
    moment,
    read(this: ValueKind, value) {
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : (this.moment ?? moment).write(value)
      if (typeof value !== 'string' || isStoredText(this.moment ?? moment, value)) return value
      const instant = storage === 'instant' ? storedInstant(value) : moment.read(value)
      return instant === null ? value : (this.moment ?? moment).write(instant)
    },
    isWireValue(this: ValueKind, value) {
      const format = this.moment ?? moment
      return typeof value === 'string' && (isStoredText(format, value) || format.read(value) !== null)
    },
    write(this: ValueKind, wire) {
      if (typeof wire !== 'string' || isStoredText(this.moment ?? moment, wire)) return wire
      const instant = (this.moment ?? moment).read(wire)
      if (instant === null) return wire
      return storage === 'instant' ? instant : moment.write(instant)
    },
  })
}

/** Parses an instant that a store holds as text. Some stores write `2026-01-01 00:00:00` instead of the ISO form. */
function storedInstant(text: string): Date | null {
  return dateTimeFormat(null).read(text.replace(' ', 'T')) ?? dateFormat.read(text)
}
