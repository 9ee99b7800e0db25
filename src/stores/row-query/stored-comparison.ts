import type { StoredTexts } from '../../declare/resource/querying/row-condition.js'
import { compareDecimals, decimalText } from './decimal.js'
import { comparableOf, compareInOrder, equalsOneOf } from './stored-value.js'

/** How a stored value compares with an expected one: negative if it is smaller; `null` if the two cannot be compared exactly. */
export type StoredComparison = (stored: unknown) => number | null

/**
 * Compares values for rules and scopes: as a column of the type of the stored value would.
 *
 * @param texts what stored texts mean
 */
export function storedComparison(expected: unknown, texts: StoredTexts): StoredComparison {
  return (stored) => {
    switch (typeof stored) {
      case 'number':
      case 'bigint':
        return texts === 'boolean' ? inClass.boolean(stored, expected) : inClass.number(stored, expected)
      case 'boolean':
        return inClass.boolean(stored, expected)
      case 'string':
        return inClass[texts](stored, expected)
      default:
        return stored instanceof Date ? inClass.moment(stored, expected) : null
    }
  }
}

type Compare = (stored: unknown, expected: unknown) => number | null

/** Compares two values as those of a column of one class; `null` if one of them is none. */
const inClass: Readonly<Record<StoredTexts, Compare>> = Object.freeze({
  text: (stored, expected) => (typeof expected === 'string' ? compareInOrder(String(stored), expected) : null),
  number: (stored, expected) => {
    if (typeof stored === 'number' && typeof expected === 'number') return difference(stored, expected)
    const [one, other] = [decimalText(stored), decimalText(expected)]
    return one === null || other === null ? null : compareDecimals(one, other)
  },
  boolean: (stored, expected) => {
    const [one, other] = [zeroOrOne(stored, true), zeroOrOne(expected, false)]
    return one === null || other === null ? null : one - other
  },
  moment: (stored, expected) => {
    const [one, other] = [momentOf(stored), momentOf(expected)]
    return one instanceof Date && other instanceof Date ? one.getTime() - other.getTime() : null
  },
})

/** Returns `null` for `NaN` and the infinities, which no column of numbers has on every store. */
function difference(stored: number, expected: number): number | null {
  if (!Number.isFinite(stored) || !Number.isFinite(expected)) return null
  return stored < expected ? -1 : stored > expected ? 1 : 0
}

const momentOf = comparableOf({ comparedAs: 'moment' })

/** @param parses whether a text may be a boolean: a stored one, but not one that comes from a caller */
function zeroOrOne(value: unknown, parses: boolean): 0 | 1 | null {
  if (value === true || value === 1 || value === 1n) return 1
  if (value === false || value === 0 || value === 0n) return 0
  if (!parses || typeof value !== 'string') return null
  const word = value.trim().toLowerCase()
  return word === 'true' || word === '1' ? 1 : word === 'false' || word === '0' ? 0 : null
}

/**
 * Returns a function that returns whether a stored value equals one of several; `null` if it equals none of them, and
 * cannot be compared with all of them. A list equals a value if one of its items does.
 */
export function storedEquality(expected: readonly unknown[], texts: StoredTexts): (stored: unknown) => boolean | null {
  const compares = expected.map((value) => equality(value, texts))
  const isListed = equalsOneOf(expected, null)
  // Fast path for the usual lists, whose values all have the class of the column.
  const known = new Set(expected)
  const sameClass = expected.every((value) => typeof value === 'string')
    ? 'string'
    : expected.every((value) => Number.isFinite(value))
      ? 'number'
      : null
  const isPlain = sameClass === 'string' ? texts === 'text' : texts !== 'boolean'
  return (stored) => {
    if (isPlain && typeof stored === sameClass) return known.has(stored)
    if (typeof stored === 'object' && !(stored instanceof Date)) return isListed(stored)
    const results = compares.map((compare) => compare(stored))
    if (results.includes(0)) return true
    return results.includes(null) ? null : false
  }
}

/** A number equals its digits in a column of texts, which has no order of numbers. */
function equality(expected: unknown, texts: StoredTexts): StoredComparison {
  const compare = storedComparison(expected, texts)
  const isNumber = typeof expected === 'bigint' || (typeof expected === 'number' && Number.isFinite(expected))
  if (!isNumber || texts !== 'text') return compare
  const digits = String(expected)
  return (stored) => (typeof stored === 'string' ? compareInOrder(stored, digits) : compare(stored))
}
