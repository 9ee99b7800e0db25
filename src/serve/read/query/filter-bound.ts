import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { attributeOf } from '../../../declare/resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../../../declare/resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat } from '../../../declare/resource/fields/moment-format.js'
import { dateTimeKind } from '../../../declare/resource/fields/moment-kind.js'
import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { TargetedFilter, TextReading } from './filter-text.js'
import { fitReading, readText, unfitMomentReading } from './filter-text.js'

export type BoundSide = 'min' | 'max'

/** The parsed bound of a range. An excluded bound is a maximum that is itself too large. */
export interface BoundReading {
  readonly reading: TextReading
  readonly excluded: boolean
}

/** For columns without a moment attribute: a column that is filtered by a range of moments holds date-times. */
const dateTime: AttributeSpec = attributeOf(dateTimeKind).spec

const DAY = 86_400_000

/** Parses a bound of a range: a moment if the filter is declared so, otherwise a number. */
export function readBound(text: string, side: BoundSide, filter: TargetedFilter): BoundReading {
  const { test, deserialize } = filter.spec
  if (test.kind !== 'range' || !test.moments || deserialize !== null) return inclusive(readText(text, filter))
  return momentBound(text, side, momentAttribute(filter))
}

/** Returns the attribute that defines how the moments of a range are written and stored. */
export function momentAttribute({ target }: TargetedFilter): AttributeSpec {
  const attribute = target?.attribute ?? dateTime
  const { moment } = attribute.kind
  if (moment === null) return dateTime
  // A scope compares the instants of a column, of which a date shows only the days.
  const isDay = target?.column.asStored !== undefined && hasDays(moment) && !storesInstants(attribute.kind, moment)
  return isDay ? dateTime : attribute
}

/**
 * Parses a bound in the format of the attribute, as a day, or as a day and a time. Without an offset, the bound is in
 * the attribute's time zone, or in UTC if it has none. If the attribute stores instants, a day as the maximum
 * includes the whole day.
 */
function momentBound(text: string, side: BoundSide, { kind, timezone }: AttributeSpec): BoundReading {
  const format = kind.moment ?? dateTimeFormat(null)
  const iso = dateTimeFormat(timezone)
  const isDay = dateFormat.read(text) !== null
  const parsed = format.read(text)
  if (!hasDays(format))
    return inclusive(parsed === null ? unfitMomentReading(format.pattern) : fitReading(text, kind.write(text)))
  const instant = isDay ? iso.read(`${text}T00:00`) : (parsed ?? iso.read(text.replace(' ', 'T')))
  if (instant === null) return inclusive(unfitMomentReading('YYYY-MM-DD or YYYY-MM-DDTHH:mm:ssZ'))
  const wire = format.write(instant)
  if (!storesInstants(kind, format)) {
    // The minimum becomes the first day that does not begin before it, the maximum the last day that does not begin
    // after it.
    const day = side === 'min' ? new Date(instant.getTime() + DAY - 1) : instant
    return inclusive(fitReading(wire, kind.write(format.write(day))))
  }
  if (!isDay || side === 'min') return inclusive(fitReading(wire, instant))
  return { reading: fitReading(wire, dayAfter(text, instant, iso)), excluded: true }
}

function inclusive(reading: TextReading): BoundReading {
  return { reading, excluded: false }
}

/** Whether a format distinguishes days: the format of a time does not. */
function hasDays(format: MomentFormat): boolean {
  return format.write(new Date(0)) !== format.write(new Date(DAY))
}

/** Whether values are stored as instants. A value that is stored as text has no time, or no day. */
function storesInstants(kind: ValueKind, format: MomentFormat): boolean {
  return kind.write(format.write(new Date(0))) instanceof Date
}

/** Returns the instant at which the next day begins in the time zone: not every day has 24 hours. */
function dayAfter(day: string, start: Date, iso: MomentFormat): Date {
  const next = new Date((dateFormat.read(day)?.getTime() ?? 0) + DAY)
  return iso.read(`${dateFormat.write(next)}T00:00`) ?? new Date(start.getTime() + DAY)
}
