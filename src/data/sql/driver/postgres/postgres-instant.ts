const form = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?( BC)?$/

const DAY = 86_400_000
const MINUTE = 60_000

const PLUS = 43
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const BLANK = 32

/** Where a time ends that has no fractions of a second. */
const WHOLE = 19

/**
 * Reads `timestamptz`, and `timestamp` as UTC. A `Date` holds milliseconds: what is finer is cut off. What no `Date`
 * holds, such as `infinity`, stays PostgreSQL's own text, which it also takes back.
 */
export function readInstant(text: string): Date | string {
  const usual = atUsualPlaces(text)
  return Number.isNaN(usual) ? atAnyPlaces(text) : new Date(usual)
}

/** `2026-01-31 12:00:00`, `….123456+00` and `….5-03:30`: nearly all of them, so that they are read without a pattern. */
function atUsualPlaces(text: string): number {
  const { length } = text
  if (length < WHOLE || text.charCodeAt(4) !== MINUS || text.charCodeAt(10) !== BLANK) return Number.NaN
  const year = two(text, 0) * 100 + two(text, 2)
  const seconds = (two(text, 11) * 60 + two(text, 14)) * 60 + two(text, 17)
  const whole = daysOf(year, two(text, 5), two(text, 8)) * DAY + seconds * 1000
  let at = WHOLE
  let fraction = 0
  if (text.charCodeAt(at) === POINT) {
    at += 1
    for (let worth = 100; isDigit(text.charCodeAt(at)); worth = Math.trunc(worth / 10), at += 1) {
      fraction += (text.charCodeAt(at) - ZERO) * worth
    }
  }
  return whole + fraction - (at === length ? 0 : zoneAt(text, at) * MINUTE)
}

/** The minutes of `+00` or `-03:30` at the end of a text; `NaN` where something else stands. */
function zoneAt(text: string, at: number): number {
  const sign = text.charCodeAt(at)
  const hasMinutes = at + 6 === text.length && text.charCodeAt(at + 3) === COLON
  if ((sign !== PLUS && sign !== MINUS) || (at + 3 !== text.length && !hasMinutes)) return Number.NaN
  const minutes = two(text, at + 1) * 60 + (hasMinutes ? two(text, at + 4) : 0)
  return sign === PLUS ? minutes : -minutes
}

/** Days from 1970 to a day of the Gregorian calendar. Its years start in March, so that the day of the leap is the last. */
function daysOf(year: number, month: number, day: number): number {
  const isEarly = month <= 2
  const since = isEarly ? year - 1 : year
  const ofYear = Math.trunc((153 * (isEarly ? month + 9 : month - 3) + 2) / 5) + day - 1
  return since * 365 + Math.trunc(since / 4) - Math.trunc(since / 100) + Math.trunc(since / 400) + ofYear - 719_468
}

function two(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE
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
