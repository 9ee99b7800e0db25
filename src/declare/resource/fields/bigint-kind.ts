import { sentence } from '../../../core/errors/sentence.js'
import type { DigitText, ValueKind } from './value-kind.js'
import { textSchema, valueKind } from './value-kind.js'

/** The range of the eight-byte integers that databases have. */
const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Digits in canonical form: no plus sign, no leading zeros. */
const canonical = /^(?:0|-?[1-9]\d*)$/
/** Digits as columns may hold them. A `numeric` column of PostgreSQL may add zeros after a point. */
const stored = /^\s*[+-]?\d{1,40}(?:\.0*)?\s*$/

/**
 * A whole number of eight bytes. A JSON number cannot represent all its digits. On the wire it is a string of digits,
 * and in rows a `bigint`.
 */
export const bigintKind: ValueKind = valueKind('bigint', textSchema, ['bigint'], {
  read: bigintText,
  write: (wire) => (isBigintText(wire) ? BigInt(wire) : wire),
  isWireValue: isBigintText,
  textProblem: (text) => (isBigintText(text) ? null : formMessage),
  comparedAs: 'number',
  storageType: 'bigint',
  digits: Object.freeze<DigitText>({
    pattern: '^(?:0|-?[1-9][0-9]{0,18})$',
    note: 'A whole number of eight bytes, as a string of digits.',
    valueOf: (text) => (isBigintText(text) ? BigInt(text) : text),
  }),
})

/** A sum of such numbers, which may have more digits. */
export const bigintSumKind: ValueKind = Object.freeze<ValueKind>({
  ...bigintKind,
  isWireValue: (value) => typeof value === 'string' && canonical.test(value),
  textProblem: null,
  digits: Object.freeze<DigitText>({
    pattern: '^(?:0|-?[1-9][0-9]*)$',
    note: 'A whole number, as a string of digits.',
    valueOf: (text) => (canonical.test(text) ? BigInt(text) : text),
  }),
})

const formMessage = sentence('bigint', { min: String(smallest), max: String(largest) })

/** Returns the digits of a stored whole number. Returns other values unchanged. */
function bigintText(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isSafeInteger(value) ? value.toString() : value
    case 'string':
      return stored.test(value) ? BigInt(value.trim().replace(/^\+|\.0*$/g, '')).toString() : value
    default:
      return value
  }
}

/** Returns whether a value is the wire form of a whole number of eight bytes. */
export function isBigintText(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > 20 || !canonical.test(value)) return false
  if (value.length < 19) return true
  const number = BigInt(value)
  return number >= smallest && number <= largest
}
