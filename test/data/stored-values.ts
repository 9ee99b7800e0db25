import * as fc from 'fast-check'
import type { ValueKind } from '../../src/declare/resource/fields/value-kind.js'
import {
  booleanKind,
  decimalKind,
  integerKind,
  listKind,
  stringKind,
} from '../../src/declare/resource/fields/value-kind.js'
import { dateKind, dateTimeKind, timeKind } from '../../src/declare/resource/fields/moment-kind.js'
import { anyText } from '../support/any-text.js'

const kinds: readonly (ValueKind | null)[] = [
  null,
  stringKind,
  integerKind,
  decimalKind,
  booleanKind,
  dateTimeKind,
  dateKind,
  timeKind,
  listKind,
]

export const anyKind: fc.Arbitrary<ValueKind | null> = fc.constantFrom(...kinds)

const hostile: readonly unknown[] = [
  undefined,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -0,
  new Date(Number.NaN),
  Symbol('x'),
  () => 1,
  Object.create(null),
  { toString: null, valueOf: null },
  {
    toString() {
      throw new Error('no text')
    },
  },
  [1n],
  new Set(['a', 1]),
  new Map(),
  /x/,
]

/** Texts that look like other values, or that UTF-16 orders wrongly. */
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '\uE000', '\uFFFD', '😀', '𝒳', 'Z'), maxLength: 4 }),
  anyText({ maxLength: 4 }),
  fc.constantFrom('', ' ', '1', '01', '1.0', '-3', '1e3', 'true', 'FALSE', '0', '2026-01-01', '2026-01-01 00:00:00'),
  fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', '2026-02-30', '10:00', '9'.repeat(30), '{}'),
)

/** A value that a valid store has in a column: null, or a scalar. */
export const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2100-01-01') }),
  fc.constantFrom(new Date('2026-01-01T00:00:00Z'), 2n ** 60n, 2 ** 60, 1n, 0n),
  texts,
)

/** Any value. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  scalar,
  fc.constantFrom(...hostile),
  fc.array(scalar, { maxLength: 3 }),
  fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSet: true }),
)
