const form = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

const MINUTE = 60_000
const ZERO = 48

/**
 * Reads `timestamptz`, and `timestamp` as UTC. A `Date` holds milliseconds: what is finer is cut off. What no `Date`
 * holds, such as `infinity`, stays PostgreSQL's own text, which it also takes back.
 */
export function readInstant(text: string): Date | string {
  return atUsualPlaces(text) ?? atAnyPlaces(text)
}

/** `2026-01-31 12:00:00`, `….123456+00` and `….5+02`: nearly all of them, so that they are read without a pattern. */
function atUsualPlaces(text: string): Date | null {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(10) !== 32 || text.length > 29) return null
  const year = digits(text, 0, 4)
  // JavaScript takes the years before 100 for those of the last century.
  if (year < 100 || text.charCodeAt(text.length - 1) === 67) return null
  const zone = zoneOf(text)
  if (zone === null) return null
  const ms = text.charCodeAt(19) === 46 ? fraction(text, zone.at) : 0
  return new Date(
    Date.UTC(year, digits(text, 5, 7) - 1, digits(text, 8, 10), digits(text, 11, 13), digits(text, 14, 16)) +
      digits(text, 17, 19) * 1000 +
      ms -
      zone.hours * 60 * MINUTE,
  )
}

interface Zone {
  /** Where the time ends. */
  readonly at: number
  readonly hours: number
}

const none = 0

/** Zones of whole hours; `null` for others. */
function zoneOf(text: string): Zone | null {
  const at = text.length - 3
  const sign = at < 19 ? none : text.charCodeAt(at)
  if (sign === 43) return { at, hours: digits(text, at + 1, at + 3) }
  if (sign === 45) return { at, hours: -digits(text, at + 1, at + 3) }
  return text.includes(':', 19) || text.includes('+', 19) || text.includes('-', 19)
    ? null
    : { at: text.length, hours: 0 }
}

function digits(text: string, from: number, to: number): number {
  let value = 0
  for (let at = from; at < to; at += 1) value = value * 10 + text.charCodeAt(at) - ZERO
  return value
}

/** The milliseconds of what stands between the point and the end. */
function fraction(text: string, end: number): number {
  const from = 20
  let value = 0
  for (let place = 0; place < 3; place += 1) {
    value = value * 10 + (from + place < end ? text.charCodeAt(from + place) - ZERO : 0)
  }
  return value
}

function atAnyPlaces(text: string): Date | string {
  const found = form.exec(text)
  if (found === null) return unreadable(text)
  const [, year, month, day, hour, minute, second, fractions = '', sign, zoneHour, zoneMinute, zoneSecond, era] = found
  const date = new Date(0)
  // Before the year 1 comes 1 BC, which counts as 0.
  date.setUTCFullYear(era === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fractions.padEnd(3, '0').slice(0, 3)))
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * MINUTE + Number(zoneSecond ?? 0) * 1000
  const instant = new Date(date.getTime() - (sign === '-' ? -zone : zone))
  return Number.isNaN(instant.getTime()) ? text : instant
}

function unreadable(text: string): string {
  if (text === 'infinity' || text === '-infinity') return text
  throw new Error(`The moment '${text}' is not written as ISO 8601: set the DateStyle of the database to ISO.`)
}
