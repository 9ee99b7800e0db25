import { dateFormat, dateTimeFormat, timeFormat } from '../resource/fields/moment-format.js'
import type { ValueKind } from '../resource/fields/value-kind.js'
import { isPlainObject } from '../util/frozen.js'
import { keyText } from './key-text.js'

/**
 * A value as it is compared: a boolean is the number 0 or 1, what has no order of its own is its text, and what has no
 * value at all is null.
 */
export type Comparable = number | bigint | string | Date | null

/** Whether a store would say that there is no value. What JSON cannot show either, such as `NaN`, counts as none. */
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

/** A stored value as the place of a row holds it: nothing that a cursor would change on its way to the client and back. */
export function placeValue(stored: unknown): unknown {
  if (isNull(stored)) return null
  switch (typeof stored) {
    case 'number':
      return finite(stored)
    case 'bigint':
      return wholeNumber.test(String(stored)) ? stored : finite(Number(stored))
    case 'string':
      return placeText(stored)
    case 'object':
      return stored instanceof Date ? stored : placeText(textOf(stored))
    default:
      return stored
  }
}

/** Cursors refuse what databases do: it lies where the nearest text lies that all of them hold. */
function placeText(text: string): string {
  return text.toWellFormed().replaceAll('\u0000', '\u0001')
}

function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

/** Reads values of one column. Text in a column of another kind is the value that it spells. */
export function comparableOf(kind: Pick<ValueKind, 'comparedAs'> | null): (value: unknown) => Comparable {
  const isText = kind?.comparedAs === 'text'
  const spelled = spellerOf(kind)
  const ofText = (text: string): Comparable => spelled(text) ?? text
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
        return value instanceof Date ? value : ofText(textOf(value))
    }
  }
}

function spellerOf(kind: Pick<ValueKind, 'comparedAs'> | null): (text: string) => Comparable {
  switch (kind?.comparedAs) {
    case 'number':
      return numberIn
    case 'boolean':
      return truthIn
    case 'moment':
      return momentIn
    default:
      return () => null
  }
}

/** The order of values: numbers, then text by code points, then moments, and null after everything. */
export function compareInOrder(a: Comparable, b: Comparable): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0)
  const [first, second] = [classOf(a), classOf(b)]
  if (first !== second) return first - second
  if (typeof a === 'string') return compareText(a, b as string)
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * Compares stored values with one that is asked for: negative when the stored one is smaller, `null` when the two have
 * no order. Text and a value of another class are compared where the text spells a value of that class.
 */
export function comparisonWith(asked: unknown, kind: ValueKind | null): (stored: unknown) => number | null {
  const read = comparableOf(kind)
  const wanted = read(asked)
  const spelled = spellings(wanted)
  return (stored) => {
    const value = membersOf(stored) === null ? read(stored) : null
    if (value === null || wanted === null) return null
    if (classOf(value) === classOf(wanted)) return compareInOrder(value, wanted)
    const other = spelled.find((spelling) => classOf(spelling) === classOf(value))
    if (other !== undefined) return compareInOrder(value, other)
    const own = spellings(value).find((spelling) => classOf(spelling) === classOf(wanted))
    return own === undefined ? null : compareInOrder(own, wanted)
  }
}

/**
 * Whether a stored value equals one of several: what `comparisonWith` finds equal is, and a list is equal to what one
 * of its members is. Null equals nothing.
 */
export function equalsOneOf(asked: readonly unknown[], kind: ValueKind | null): (stored: unknown) => boolean {
  const read = comparableOf(kind)
  const wanted = asked.map(read).filter((value) => value !== null)
  const onlyText = wanted.every((value) => typeof value === 'string')
  const identities = new Set(wanted.map(identityOf))
  const spelled = new Set(wanted.flatMap(spellings).map(identityOf))
  const equals = (stored: unknown): boolean => {
    const value = read(stored)
    if (value === null) return false
    const identity = identityOf(value)
    if (identities.has(identity) || spelled.has(identity)) return true
    return !onlyText && spellings(value).some((spelling) => identities.has(identityOf(spelling)))
  }
  return (stored) => membersOf(stored)?.some(equals) ?? equals(stored)
}

/** Whether a stored key is one of several, however they are held: the text `1` is the number 1, and `01` is neither. */
export function isOneOfKeys(asked: readonly unknown[]): (stored: unknown) => boolean {
  const texts = new Set(asked.map(keyText))
  return (stored) => texts.has(keyText(stored))
}

/** A key as a column holds it, by the keys that are found there: whoever asks for one may know no more than its text. */
export function heldKey(key: unknown, held: readonly Comparable[]): Comparable {
  const text = keyText(key)
  if (text === null) return null
  const same = held.find((other) => keyText(other) === text)
  if (same !== undefined) return same
  // Its row is gone: what the others are tells what it was.
  const other = held.find((each) => each !== null) ?? text
  return spellings(text).find((spelling) => classOf(spelling) === classOf(other)) ?? text
}

/** The members of a column that holds a list. */
function membersOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  return value instanceof Set ? [...value] : null
}

function classOf(value: NonNullable<Comparable>): number {
  return typeof value === 'string' ? 1 : value instanceof Date ? 2 : 0
}

/** One text for all values that are equal, however they are held: 1 and 1n are one number. */
function identityOf(value: NonNullable<Comparable>): string {
  if (typeof value === 'string') return `text ${value}`
  if (value instanceof Date) return `moment ${value.getTime()}`
  const exact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
  return `number ${exact ? BigInt(value) : value}`
}

/** What a text says besides itself. */
function spellings(value: Comparable): readonly NonNullable<Comparable>[] {
  if (typeof value !== 'string') return []
  return [numberIn(value) ?? truthIn(value), momentIn(value)].filter((spelling) => spelling !== null)
}

const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i
/** As many digits as a cursor carries; what is longer is as exact as a double. */
const wholeNumber = /^-?\d{1,40}$/

/** Whole numbers beyond what a double holds stay exact. */
function numberIn(text: string): number | bigint | null {
  const trimmed = text.trim()
  if (!number.test(trimmed)) return null
  const value = Number(trimmed)
  if (!Number.isSafeInteger(value) && wholeNumber.test(trimmed)) return BigInt(trimmed)
  return Number.isFinite(value) ? value : null
}

function truthIn(text: string): number | null {
  const word = text.trim().toLowerCase()
  return word === 'true' ? 1 : word === 'false' ? 0 : null
}

const dateTime = dateTimeFormat(null)

/** Stores that keep instants as text write `2026-01-01 00:00:00` as well as the ISO form. */
function momentIn(text: string): Date | null {
  // The first sign tells most texts apart from moments without three expressions.
  if (!/^\d/.test(text)) return null
  return dateTime.read(text.replace(' ', 'T')) ?? dateFormat.read(text) ?? timeFormat.read(text)
}

/** The text of an object; what cannot even say that has an empty one. */
function textOf(object: unknown): string {
  try {
    const written = Array.isArray(object) || isPlainObject(object) ? JSON.stringify(object) : String(object)
    return typeof written === 'string' ? written : ''
  } catch {
    return ''
  }
}

/** By code points: where the first difference is a surrogate, it belongs to a character beyond all that are none. */
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
