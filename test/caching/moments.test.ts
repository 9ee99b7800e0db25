import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAnyInstant, readInstant } from '../../src/stores/sql/dialect/postgres/driver/postgres-instant.js'
import { isoText } from '../../src/core/util/iso-text.js'
import { dateFormat, dateTimeFormat, timeFormat } from '../../src/declare/resource/fields/moment-format.js'
import { runs } from '../support/runs.js'

/** Moments are written by arithmetic, and days that have the canonical form are not parsed: both must agree with the calendar. */

const lastDay = 8_640_000_000_000_000

describe('a moment', () => {
  const moments = fc.oneof(
    fc.integer({ min: -lastDay, max: lastDay }),
    fc.integer({ min: Date.UTC(1000, 0), max: Date.UTC(10_000, 0) }),
    // A millisecond around midnight of any day, around which days, months and years change.
    fc
      .tuple(fc.integer({ min: -400_000, max: 2_900_000 }), fc.integer({ min: -1, max: 1 }))
      .map(([day, distance]) => day * 86_400_000 + distance),
  )

  test('is written as toISOString() does', () => {
    fc.assert(
      fc.property(moments, (time) => {
        const moment = new Date(time)
        expect(isoText(moment)).toBe(moment.toISOString())
      }),
      { numRuns: runs(3000) },
    )
  })

  test.each([
    ['the years that have four digits', ['0999-12-31T23:59:59.999Z', '1000-01-01T00:00:00.000Z']],
    ['the last of them', ['9999-12-31T23:59:59.999Z', '+010000-01-01T00:00:00.000Z']],
    ['years before the first', ['0000-01-01T00:00:00.000Z', '-000001-12-31T23:59:59.999Z', '0001-02-03T04:05:06.007Z']],
    ['the epoch', ['1969-12-31T23:59:59.999Z', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z']],
    ['leap days', ['2000-02-29T12:00:00.000Z', '2024-02-29T00:00:00.000Z', '1600-02-29T23:59:59.999Z']],
    ['no leap days', ['1900-02-28T23:59:59.999Z', '1900-03-01T00:00:00.000Z', '2100-03-01T00:00:00.000Z']],
    ['the ends of a year', ['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00.000Z', '2024-12-31T00:00:00.010Z']],
    ['the ends of time', [new Date(-lastDay).toISOString(), new Date(lastDay).toISOString()]],
  ])('is also written so at %s', (_name, texts) => {
    for (const text of texts) expect(isoText(new Date(text))).toBe(text)
  })

  test('that is invalid throws as toISOString() does', () => {
    expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError)
  })

  test('is the same in every format', () => {
    fc.assert(
      fc.property(moments, (time) => {
        const iso = new Date(time).toISOString()
        const fraction = iso.endsWith('.000Z') ? '' : iso.slice(-5, -1)
        expect(dateTimeFormat(null).write(new Date(time))).toBe(`${iso.slice(0, -5)}${fraction}+00:00`)
        expect(dateFormat.write(new Date(time))).toBe(iso.slice(0, 10))
        expect(timeFormat.write(new Date(time))).toBe(`${iso.slice(11, 19)}${fraction}`)
      }),
    )
  })
})

const isWritten = (text: string): boolean => dateFormat.isCanonical?.(text) === true
/** The result of the calendar. */
const wouldBe = (text: string): string | null => {
  const moment = dateFormat.read(text)
  return moment === null ? null : dateFormat.write(moment)
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, '0')
}

describe('a day that is text already', () => {
  test('is passed on unchanged only if it has the canonical form', () => {
    const digits = fc.constantFrom('0', '1', '2', '3', '9')
    const day = fc
      .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 33 }))
      .map(([year, month, on]) => [pad(year, 4), pad(month, 2), pad(on, 2)].join('-'))
    const changed = fc
      .tuple(day, fc.nat(9), fc.oneof(digits, fc.constantFrom('-', '/', ':', ' ', '+', '.', 'e', '٣', '０', 'a')))
      .map(([text, at, other]) => text.slice(0, at) + other + text.slice(at + 1))
    fc.assert(
      fc.property(fc.oneof(day, changed, fc.string({ minLength: 9, maxLength: 11 })), (text) => {
        if (isWritten(text)) expect(wouldBe(text)).toBe(text)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('is passed on unchanged in nearly all cases', () => {
    for (let month = 1; month <= 12; month += 1) {
      for (let day = 1; day <= 28; day += 1) expect(isWritten(`2026-${pad(month, 2)}-${pad(day, 2)}`)).toBe(true)
    }
  })

  test.each(['0000-01-01', '2023-02-29', '2023-02-30', '2023-04-31', '2023-13-01', '2023-00-10', '2023-01-00', ''])(
    'is parsed if it is %s',
    (text) => {
      expect(isWritten(text)).toBe(false)
    },
  )
})

const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((part) => String(part).padStart(2, '0'))

describe('an instant that PostgreSQL has written', () => {
  const year = fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1900, max: 2100 }))
  const day = fc.tuple(year, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 })).map((parts) => {
    return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-')
  })
  const fraction = fc.oneof(
    fc.constant(''),
    fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'), minLength: 1, maxLength: 6 }),
  )
  const zone = fc.oneof(
    fc.constant(''),
    fc.tuple(fc.constantFrom('+', '-'), twoDigits(15)).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('+', '-'), twoDigits(15), twoDigits(59)).map(([sign, ...time]) => sign + time.join(':')),
    fc
      .tuple(fc.constantFrom('+', '-'), twoDigits(15), twoDigits(59), twoDigits(59))
      .map(([sign, ...time]) => sign + time.join(':')),
  )
  const clock = fc.tuple(twoDigits(23), twoDigits(59), twoDigits(59)).map((parts) => parts.join(':'))

  test('is read by the fast path and by the general parser with the same result', () => {
    const written = fc.tuple(day, clock, fraction, zone, fc.constantFrom('', ' BC'))
    fc.assert(
      fc.property(written, ([date, time, digits, offset, era]) => {
        const text = `${date} ${time}${digits === '' ? '' : `.${digits}`}${offset}${era}`
        expect(readInstant(text)).toEqual(parseAnyInstant(text))
      }),
      { numRuns: runs(2000) },
    )
  })
})
