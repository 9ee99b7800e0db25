import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { attributeOf } from '../../resource/fields/attribute-declaration.js'
import type { MomentFormat } from '../../resource/fields/moment-format.js'
import { dateFormat, dateTimeFormat } from '../../resource/fields/moment-format.js'
import { dateTimeKind } from '../../resource/fields/moment-kind.js'
import type { ValueKind } from '../../resource/fields/value-kind.js'
import type { AimedFilter, TextReading } from './filter-text.js'
import { fit, readText, unfitMoment } from './filter-text.js'

export type Side = 'min' | 'max'

/** What a bound says; a maximum may be the first value that is too large. */
export interface BoundReading {
  readonly reading: TextReading
  readonly excluded: boolean
}

/** Columns that are asked for a range of moments hold moments, whether or not an attribute says so. */
const moment: AttributeSpec = attributeOf(dateTimeKind).spec

const DAY = 86_400_000

/** Reads a bound of a range: a number, or a moment where the filter says so. */
export function readBound(text: string, side: Side, filter: AimedFilter): BoundReading {
  const { test, deserialize } = filter.spec
  if (test.kind !== 'range' || !test.moments || deserialize !== null) return included(readText(text, filter))
  return momentBound(text, side, momentAttribute(filter))
}

/** The attribute that says how the moments of a range are written and stored. */
export function momentAttribute({ target }: AimedFilter): AttributeSpec {
  const attribute = target?.attribute ?? moment
  return attribute.kind.moment === null ? moment : attribute
}

/**
 * The attribute's own form, a day, or a day and a time. Without an offset it is in the attribute's time zone, else UTC.
 * Of an instant, a day as the maximum takes in the whole day.
 */
function momentBound(text: string, side: Side, { kind, timezone }: AttributeSpec): BoundReading {
  const format = kind.moment ?? dateTimeFormat(null)
  const iso = dateTimeFormat(timezone)
  const isDay = dateFormat.read(text) !== null
  const own = format.read(text)
  if (!tellsDays(format)) return included(own === null ? unfitMoment(format.pattern) : fit(text, kind.write(text)))
  const instant = isDay ? iso.read(`${text}T00:00`) : (own ?? iso.read(text.replace(' ', 'T')))
  if (instant === null) return included(unfitMoment('YYYY-MM-DD or YYYY-MM-DDTHH:mm:ssZ'))
  const wire = format.write(instant)
  if (!storesInstants(kind, format)) {
    // Of the days, the first that does not begin before the bound, and the last that does not begin after it.
    const day = side === 'min' ? new Date(instant.getTime() + DAY - 1) : instant
    return included(fit(wire, kind.write(format.write(day))))
  }
  if (!isDay || side === 'min') return included(fit(wire, instant))
  return { reading: fit(wire, dayAfter(text, instant, iso)), excluded: true }
}

function included(reading: TextReading): BoundReading {
  return { reading, excluded: false }
}

function tellsDays(format: MomentFormat): boolean {
  return format.write(new Date(0)) !== format.write(new Date(DAY))
}

/** What is stored as text has no time, or no day. */
function storesInstants(kind: ValueKind, format: MomentFormat): boolean {
  return kind.write(format.write(new Date(0))) instanceof Date
}

/** When the next day begins in the zone: not every day has 24 hours. */
function dayAfter(day: string, start: Date, iso: MomentFormat): Date {
  const next = new Date((dateFormat.read(day)?.getTime() ?? 0) + DAY)
  return iso.read(`${dateFormat.write(next)}T00:00`) ?? new Date(start.getTime() + DAY)
}
