import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  comparableOf,
  compareInOrder,
  comparisonWith,
  equalsOneOf,
  isNull,
  cursorValue,
} from '../../src/stores/row-query/stored-value.js'
import { tokens } from '../support/cursor-content.js'
import { dateKind, dateTimeKind } from '../../src/declare/resource/fields/moment-kind.js'
import type { ValueKind } from '../../src/declare/resource/fields/value-kind.js'
import { booleanKind, decimalKind, integerKind, stringKind } from '../../src/declare/resource/fields/value-kind.js'
import { anyKind, anyValue, scalar } from './stored-values.js'
import { runs } from '../support/runs.js'

const equal = (stored: unknown, value: unknown, kind: ValueKind | null = null) => equalsOneOf([value], kind)(stored)
const compared = (stored: unknown, value: unknown, kind: ValueKind | null = null) => {
  const order = comparisonWith(value, kind)(stored)
  return order === null ? null : Math.sign(order)
}
const ordered = (values: readonly unknown[], kind: ValueKind | null = null) => {
  const read = comparableOf(kind)
  return values.toSorted((a, b) => compareInOrder(read(a), read(b)))
}

describe('Stored values', () => {
  it.each([
    [1, '1'],
    [1, 1n],
    [2 ** 60, 2n ** 60n],
    [2n ** 60n, String(2n ** 60n)],
    ['10.50', 10.5],
    [true, 'true'],
    [true, '1'],
    [false, 'FALSE'],
    [false, '0'],
    ['true', true],
    [1, true],
    [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00Z')],
    [new Date('2026-01-01T00:00:00Z'), '2026-01-01T01:00:00+01:00'],
    [new Date('2026-01-01T00:00:00Z'), '2026-01-01'],
    ['2026-01-01 00:00:00', new Date('2026-01-01T00:00:00Z')],
    [['rock', 'pop'], 'pop'],
    [[1, 2], '2'],
    [new Set(['rock']), 'rock'],
  ])('%s equals %s', (stored, value) => {
    expect(equal(stored, value)).toBe(true)
  })

  it.each([
    ['01', '1'],
    ['1.0', '1'],
    ['a', 'A'],
    [2n ** 60n, String(2n ** 60n + 1n)],
    [1, 'one'],
    [true, 'yes'],
    [new Date(0), 0],
    [['rock', 'pop'], 'roc'],
    [[], ''],
    [null, null],
    [null, 'null'],
    [undefined, undefined],
    [Number.NaN, Number.NaN],
    [[null], null],
  ])('%s does not equal %s', (stored, value) => {
    expect(equal(stored, value)).toBe(false)
  })

  it('are compared by their kind: text in a column of numbers is a number, a number in one of text is text', () => {
    expect(ordered(['10', '9.5', 2], decimalKind)).toEqual([2, '9.5', '10'])
    expect(ordered(['10', 9, '8'], stringKind)).toEqual(['10', '8', 9])
    expect(equal(5, '5', stringKind)).toBe(true)
    expect(equal('1e2', 100, integerKind)).toBe(true)
    expect(equal(0, false, booleanKind)).toBe(true)
  })

  it('are ordered by the instant if they are moments, however they are stored', () => {
    const [early, late] = ['2026-01-01T01:00:00+02:00', new Date('2026-01-01T00:00:00Z')]
    expect(ordered([late, early], dateTimeKind)).toEqual([early, late])
    expect(compared('2026-01-02', '2026-01-01', dateKind)).toBe(1)
    expect(compared(new Date('2026-01-02'), '2026-01-02', dateKind)).toBe(0)
  })

  it('are ordered by code points, not by UTF-16 units, where they are text', () => {
    expect(ordered(['😀', '\uFFFD', '\uE000', 'z', 'a', ''])).toEqual(['', 'a', 'z', '\uE000', '\uFFFD', '😀'])
    expect(compared('a😀', 'a\uFFFD')).toBe(1)
  })

  it('come before null, which is the largest of all', () => {
    const values = [null, 'z', 1, new Date(0), undefined, Number.NaN]
    expect(ordered(values).map(isNull)).toEqual([false, false, false, true, true, true])
  })

  it('have no order with values that they cannot be compared with', () => {
    expect([compared(1, 'one'), compared(new Date(0), 5), compared([1], 1), compared(null, 1)]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  it('can be compared, whatever they are', () => {
    fc.assert(
      fc.property(anyValue, anyValue, anyKind, (stored, value, kind) => {
        const read = comparableOf(kind)
        expect(compareInOrder(read(stored), read(value))).toBeTypeOf('number')
        expect(equal(stored, value, kind)).toBeTypeOf('boolean')
        expect([null, -1, 0, 1]).toContain(compared(stored, value, kind))
      }),
      { numRuns: runs(1000) },
    )
  })

  it('have an order that is total and transitive', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 3, maxLength: 3 }), anyKind, (values, kind) => {
        const [a = null, b = null, c = null] = values.map(comparableOf(kind))
        const sign = (x: typeof a, y: typeof a) => Math.sign(compareInOrder(x, y))
        expect(sign(a, a)).toBe(0)
        expect(sign(a, b) + sign(b, a)).toBe(0)
        if (sign(a, b) <= 0 && sign(b, c) <= 0) expect(sign(a, c)).toBeLessThanOrEqual(0)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('are equal exactly where neither is smaller', () => {
    fc.assert(
      fc.property(scalar, scalar, anyKind, (stored, value, kind) => {
        expect(equal(stored, value, kind)).toBe(compared(stored, value, kind) === 0)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('keep their order after a cursor round trip', () => {
    fc.assert(
      fc.property(anyValue, anyKind, (stored, kind) => {
        const read = comparableOf(kind)
        const position = cursorValue(stored)
        const [back] = tokens.decode(tokens.encode(['a'], [position]), ['a'], 'page[after]')
        expect(compareInOrder(read(back), read(position))).toBe(0)
      }),
      { numRuns: runs(1000) },
    )
  })
})
