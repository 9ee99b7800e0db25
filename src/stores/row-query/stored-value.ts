import { dateFormat, dateTimeFormat, timeFormat } from '../../declare/resource/fields/moment-format.js'
import type { StorageType, ValueKind } from '../../declare/resource/fields/value-kind.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { RawStored } from '../../core/util/raw-stored.js'
import { keyText } from './key-text.js'

/**
 * A value in the form that is compared: a boolean becomes the number 0 or 1, a value without an order becomes its text, and a missing value
 * becomes null.
 */
export type Comparable = number | bigint | string | Date | null

/** Returns whether a value counts as null. Values without a JSON form, such as `NaN`, count as null too. */
export function isNull(stored: unknown): boolean {
  switch (typeof stored) {
    case 'undefined':
    case 'function':
    case 'symbol':
      return true
    case 'number':
      return Number.isNaN(stored)
    case 'object':
      return stored === null || (stored instanceof Date && Number.isNaN(stored.getTime()))
    default:
      return false
  }
}

/** Converts a stored value for a cursor position: to a value that a cursor encodes and decodes without a change. */
export function cursorValue(stored: unknown): unknown {
  if (isNull(stored)) return null
  switch (typeof stored) {
    case 'number':
      return stored
    case 'bigint':
      return wholeNumber.test(String(stored)) ? stored : finite(Number(stored))
    case 'string':
      return sortableText(stored)
    case 'object':
      return stored instanceof Date ? stored : sortableText(textOf(stored))
    default:
      return stored
  }
}

/** Replaces characters that databases and cursors reject, by characters that sort close to them. */
function sortableText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\u0001')
}

function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

/** Returns a function that converts values of one column. Text in a column of another kind is parsed as that kind. */
export function comparableOf(
  kind: (Pick<ValueKind, 'comparedAs'> & Partial<Pick<ValueKind, 'storageType'>>) | null,
): (value: unknown) => Comparable {
  const isText = kind?.comparedAs === 'text'
  const parse = parserOf(kind)
  const shown = shownPart(kind?.storageType)
  const ofText = (text: string): Comparable => parse(text) ?? text
  return (value) => {
    if (isNull(value)) return null
    switch (typeof value) {
      case 'string':
        return ofText(value)
      case 'number':
      case 'bigint':
        return isText ? String(value) : value
      case 'boolean':
        return isText ? String(value) : Number(value)
      default:
        return value instanceof Date ? shown(value) : ofText(textOf(value))
    }
  }
}

/** Like `comparableOf()`, for comparisons with values that clients sent: integers that documents show rounded are rounded. */
function shownComparable(kind: ValueKind | null): (value: unknown) => Comparable {
  const read = comparableOf(kind)
  if (kind === null || !kind.isRounded || kind.comparedAs !== 'number') return read
  return (value) => {
    const compared = read(value)
    return typeof compared === 'bigint' ? Number(compared) : compared
  }
}

/**
 * Whether a column of this kind can hold a value. Tests the form in which the value is compared: stores may also hold
 * numbers and moments as text, and a text of digits as a number.
 */
export function canHold(kind: ValueKind | null, value: unknown): boolean {
  if (kind === null || value instanceof RawStored) return true
  const compared = comparableOf(kind)(value)
  switch (kind.comparedAs) {
    case 'moment':
      // PostgreSQL has 24:00 as the end of a day, besides 00:00.
      return compared instanceof Date || value === '24:00:00'
    case 'number':
      return typeof value !== 'boolean' && (isNumeric(compared) || Number.isNaN(value))
    case 'boolean':
      return isNumeric(compared)
    case 'text':
    case 'json':
      return typeof compared === 'string' || compared instanceof Date
  }
}

function isNumeric(value: Comparable): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

const DAY = 86_400_000

/** Returns the part of an instant that an attribute shows: a date shows the day, a time the time of the day. */
function shownPart(storageType: StorageType | undefined): (instant: Date) => Date {
  switch (storageType) {
    case 'date':
      return (instant) => new Date(Math.floor(instant.getTime() / DAY) * DAY)
    case 'time':
      return (instant) => new Date(((instant.getTime() % DAY) + DAY) % DAY)
    default:
      return (instant) => instant
  }
}

function parserOf(kind: Pick<ValueKind, 'comparedAs'> | null): (text: string) => Comparable {
  switch (kind?.comparedAs) {
    case 'number':
      return parsedNumber
    case 'boolean':
      return parsedBoolean
    case 'moment':
      return parsedDate
    default:
      return () => null
  }
}

/** Compares two values: numbers come first, then text by code points, then dates, and null last. */
export function compareInOrder(a: Comparable, b: Comparable): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0)
  const [first, second] = [classOf(a), classOf(b)]
  if (first !== second) return first - second
  if (typeof a === 'string') return compareText(a, b as string)
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Returns a function that compares stored values with an expected one: negative if the stored value is smaller, `null`
 * if the two have no order. Text and a value of another class are compared if the text parses as a value of that class.
 */
export function comparisonWith(expected: unknown, kind: ValueKind | null): (stored: unknown) => number | null {
  const read = shownComparable(kind)
  const wanted = read(expected)
  const wantedParsed = parsedValues(wanted)
  return (stored) => {
    const value = itemsOf(stored) === null ? read(stored) : null
    if (value === null || wanted === null) return null
    if (classOf(value) === classOf(wanted)) return compareInOrder(value, wanted)
    const other = wantedParsed.find((parsed) => classOf(parsed) === classOf(value))
    if (other !== undefined) return compareInOrder(value, other)
    const valueParsed = parsedValues(value).find((parsed) => classOf(parsed) === classOf(wanted))
    return valueParsed === undefined ? null : compareInOrder(valueParsed, wanted)
  }
}

/**
 * Returns a function that returns whether a stored value equals one of several, by the rules of `comparisonWith`. A
 * list equals a value if one of its items does. Null equals nothing.
 */
export function equalsOneOf(expected: readonly unknown[], kind: ValueKind | null): (stored: unknown) => boolean {
  const read = shownComparable(kind)
  const wanted = expected.map(read).filter((value) => value !== null)
  const onlyText = wanted.every((value) => typeof value === 'string')
  const identities = new Set(wanted.map(identityOf))
  const parsedIdentities = new Set(wanted.flatMap(parsedValues).map(identityOf))
  const equals = (stored: unknown): boolean => {
    const value = read(stored)
    if (value === null) return false
    const identity = identityOf(value)
    if (identities.has(identity) || parsedIdentities.has(identity)) return true
    return !onlyText && parsedValues(value).some((parsed) => identities.has(identityOf(parsed)))
  }
  return (stored) => itemsOf(stored)?.some(equals) ?? equals(stored)
}

/** Returns whether a stored key is one of several, by their text: the string `1` equals the number 1, but not `01`. */
export function isOneOfKeys(expected: readonly unknown[]): (stored: unknown) => boolean {
  const texts = new Set(expected.map(keyText))
  return (stored) => texts.has(keyText(stored))
}

/** Converts a key, of which a cursor may have only the text, into the form of the keys that a column holds. */
export function keyAsStored(key: unknown, storedKeys: readonly Comparable[]): Comparable {
  const text = keyText(key)
  if (text === null) return null
  const same = storedKeys.find((other) => keyText(other) === text)
  if (same !== undefined) return same
  // The row of this key was deleted. The key had the same class as the others.
  const other = storedKeys.find((each) => each !== null) ?? text
  return parsedValues(text).find((parsed) => classOf(parsed) === classOf(other)) ?? text
}

/** Returns the items of a list; `null` for a value that is not a list. */
function itemsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  return value instanceof Set ? [...value] : null
}

function classOf(value: NonNullable<Comparable>): number {
  return typeof value === 'string' ? 1 : value instanceof Date ? 2 : 0
}

/** Returns the same text for all equal values: 1 and 1n are the same number. */
function identityOf(value: NonNullable<Comparable>): string {
  if (typeof value === 'string') return `text ${value}`
  if (value instanceof Date) return `moment ${value.getTime()}`
  const exact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return `number ${exact ? BigInt(value) : value}`
}

/** Returns the number, boolean or date that a text can be parsed as. */
function parsedValues(value: Comparable): readonly NonNullable<Comparable>[] {
  if (typeof value !== 'string') return []
  return [parsedNumber(value) ?? parsedBoolean(value), parsedDate(value)].filter((parsed) => parsed !== null)
}

const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** At most as many digits as a cursor encodes; a longer number is only as exact as a double. */
const wholeNumber = /^-?\d{1,40}$/

/** Integers that are too large for a double stay exact, as `bigint`. */
function parsedNumber(text: string): number | bigint | null {
  const trimmed = text.trim()
  if (!number.test(trimmed)) return null
  const value = Number(trimmed)
  if (!Number.isSafeInteger(value) && wholeNumber.test(trimmed)) return BigInt(trimmed)
  return Number.isFinite(value) ? value : null
}

function parsedBoolean(text: string): number | null {
  const word = text.trim().toLowerCase()
  return word === 'true' ? 1 : word === 'false' ? 0 : null
}

const dateTime = dateTimeFormat(null)

/** Stores with text columns for instants write `2026-01-01 00:00:00` as well as the ISO form. */
function parsedDate(text: string): Date | null {
  // Most texts fail on the first character, so that the three formats need not be tried.
  if (!/^\d/.test(text)) return null
  return dateTime.read(text.replace(' ', 'T')) ?? dateFormat.read(text) ?? timeFormat.read(text)
}

/** Returns the text of an object; empty if it cannot be converted. */
function textOf(object: unknown): string {
  try {
    const written = Array.isArray(object) || isPlainObject(object) ? JSON.stringify(object) : String(object)
    return typeof written === 'string' ? written : ''
  } catch {
    return ''
  }
}

/**
 * Compares by code points. A surrogate sorts last, because its character is above all characters of one UTF-16 unit.
 */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const [unitA, unitB] = [a.charCodeAt(index), b.charCodeAt(index)]
    if (unitA !== unitB) return codePointRank(unitA) - codePointRank(unitB)
  }
  return a.length - b.length
}

function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
