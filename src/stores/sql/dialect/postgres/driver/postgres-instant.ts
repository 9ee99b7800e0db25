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

/** The length of a timestamp without fractional seconds. */
const WHOLE = 19

/**
 * Parses `timestamptz`, and `timestamp` as UTC. A `Date` has a precision of milliseconds: finer digits are cut off. A
 * value that no `Date` can represent, such as `infinity`, stays the text of PostgreSQL, which also accepts it as input.
 */
export function readInstant(text: string): Date | string {
  const bytes = Buffer.from(text)
  return instantIn(bytes, 0, bytes.length)
}

/** Parses the bytes of an instant, like `readInstant`. */
export function instantIn(bytes: Uint8Array, start: number, end: number): Date | string {
  const milliseconds = parseUsual(bytes, start, end)
  if (!Number.isNaN(milliseconds)) return new Date(milliseconds)
  return parseAnyInstant(Buffer.from(bytes.subarray(start, end)).toString())
}

/**
 * Fast path of `parseAnyInstant` for the usual forms `2026-01-31 12:00:00`, `….123456+00` and `….5-03:30`: it needs no
 * regular expression. Without it, a list of 50 takes 8 % more CPU time (W2). Returns NaN for other forms.
 */
function parseUsual(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < WHOLE || bytes[start + 4] !== MINUS || bytes[start + 10] !== BLANK) return Number.NaN
  const year = two(bytes, start) * 100 + two(bytes, start + 2)
  const seconds = (two(bytes, start + 11) * 60 + two(bytes, start + 14)) * 60 + two(bytes, start + 17)
  const whole = daysOf(year, two(bytes, start + 5), two(bytes, start + 8)) * DAY + seconds * 1000
  let at = start + WHOLE
  let fraction = 0
  if (at < end && bytes[at] === POINT) {
    at += 1
    for (let weight = 100; at < end && isDigit(bytes[at]); weight = Math.trunc(weight / 10), at += 1) {
      fraction += digit(bytes, at) * weight
    }
  }
  return whole + fraction - (at === end ? 0 : zoneAt(bytes, at, end) * MINUTE)
}

/** Parses the minutes of `+00` or `-03:30` at the end of an instant. NaN for anything else. */
function zoneAt(bytes: Uint8Array, at: number, end: number): number {
  const sign = bytes[at]
  const hasMinutes = at + 6 === end && bytes[at + 3] === COLON
  if ((sign !== PLUS && sign !== MINUS) || (at + 3 !== end && !hasMinutes)) return Number.NaN
  const minutes = two(bytes, at + 1) * 60 + (hasMinutes ? two(bytes, at + 4) : 0)
  return sign === PLUS ? minutes : -minutes
}

/**
 * Returns the days from 1970 to a Gregorian date. Years are counted from March, so that the leap day is the last day.
 */
function daysOf(year: number, month: number, day: number): number {
  const isEarly = month <= 2
  const since = isEarly ? year - 1 : year
  const ofYear = Math.trunc((153 * (isEarly ? month + 9 : month - 3) + 2) / 5) + day - 1
  return since * 365 + Math.trunc(since / 4) - Math.trunc(since / 100) + Math.trunc(since / 400) + ofYear - 719_468
}

function two(bytes: Uint8Array, at: number): number {
  return digit(bytes, at) * 10 + digit(bytes, at + 1)
}

function digit(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? Number.NaN) - ZERO
}

function isDigit(code = Number.NaN): boolean {
  return code >= ZERO && code <= NINE
}

/** Parses all forms. `parseUsual` is its fast path. */
export function parseAnyInstant(text: string): Date | string {
  const found = form.exec(text)
  if (found === null) return unreadable(text)
  const [, year, month, day, hour, minute, second, fractions = '', sign, zoneHour, zoneMinute, zoneSecond, era] = found
  const date = new Date(0)
  // The year before 1 is 1 BC, which counts as 0.
  date.setUTCFullYear(era === undefined ? Number(year) : 1 - Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fractions.padEnd(3, '0').slice(0, 3)))
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * MINUTE + Number(zoneSecond ?? 0) * 1000
  const instant = new Date(date.getTime() - (sign === '-' ? -zone : zone))
  return Number.isNaN(instant.getTime()) ? text : instant
}

function unreadable(text: string): string {
  if (text === 'infinity' || text === '-infinity') return text
  throw new Error(`The timestamp '${text}' is not in ISO 8601 format: set the DateStyle of the database to ISO.`)
}
