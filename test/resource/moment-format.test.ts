import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  customFormat,
  dateFormat,
  dateTimeFormat,
  timeFormat,
} from '../../src/declare/resource/fields/moment-format.js'
import { runs } from '../support/runs.js'

const instants = fc.date({
  min: new Date('0001-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

const dateTime = dateTimeFormat(null)

describe('date-times', () => {
  it('are written in an offset form, with milliseconds only if there are some', () => {
    expect(dateTime.write(new Date('2026-01-01T00:00:00Z'))).toBe('2026-01-01T00:00:00+00:00')
    expect(dateTime.write(new Date('2026-01-01T00:00:00.120Z'))).toBe('2026-01-01T00:00:00.120+00:00')
  })

  it('are read back as the instant that was written', () => {
    fc.assert(
      fc.property(instants, (instant) => dateTime.read(dateTime.write(instant))?.getTime() === instant.getTime()),
    )
  })

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01t10:30z', '2026-01-01T10:30:00.000Z'],
    ['2026-01-01T00:00:00+02:00', '2025-12-31T22:00:00.000Z'],
    ['2026-01-01T00:00:00-0530', '2026-01-01T05:30:00.000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('read ISO 8601: %s', (text, iso) => {
    expect(dateTime.read(text)?.toISOString()).toBe(iso)
  })

  it.each([
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:61Z',
    '2026-01-01T00:00:00+24:00',
    '9999-12-31T23:59:59-01:00',
    '0000-12-31T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '2026-01-01',
    'tomorrow',
    '1767225600',
    '',
    ' 2026-01-01T00:00:00Z',
  ])('are refused if they are no real date and time: %j', (text) => {
    expect(dateTime.read(text)).toBeNull()
  })

  it('without an offset are read in the declared zone, summer time included', () => {
    const paris = dateTimeFormat('Europe/Paris')
    expect(paris.read('2026-01-15T12:00:00')?.toISOString()).toBe('2026-01-15T11:00:00.000Z')
    expect(paris.read('2026-07-15T12:00:00')?.toISOString()).toBe('2026-07-15T10:00:00.000Z')
    expect(paris.read('2026-07-15T12:00:00Z')?.toISOString()).toBe('2026-07-15T12:00:00.000Z')
  })

  it('never throw, whatever the text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const moment = dateTime.read(text)
        expect(moment === null || !Number.isNaN(moment.getTime())).toBe(true)
      }),
    )
  })
})

describe('dates and times of day', () => {
  it('are real days and times', () => {
    expect(dateFormat.read('2026-02-28')).not.toBeNull()
    expect(dateFormat.read('2026-02-29')).toBeNull()
    expect(timeFormat.read('23:59:59')).not.toBeNull()
    expect(timeFormat.read('23:59')).not.toBeNull()
    expect(timeFormat.read('24:00:00')).toBeNull()
  })

  it('are read back as they were written', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const [day, time] = [dateFormat.write(instant), timeFormat.write(instant)]
        expect(dateFormat.write(dateFormat.read(day) ?? new Date(Number.NaN))).toBe(day)
        expect(timeFormat.write(timeFormat.read(time) ?? new Date(Number.NaN))).toBe(time)
      }),
    )
  })
})

describe('user-defined formats', () => {
  it('replace their tokens, copy everything else, and read what they write', () => {
    const format = customFormat('DD.MM.YYYY (HH:mm:ss.SSS) Z', null)
    expect(format.write(new Date('2026-03-04T05:06:07.089Z'))).toBe('04.03.2026 (05:06:07.089) +00:00')
    fc.assert(fc.property(instants, (instant) => format.read(format.write(instant))?.getTime() === instant.getTime()))
    expect(format.read('04-03-2026 (05:06:07.089) +00:00')).toBeNull()
    expect(format.read('30.02.2026 (05:06:07.089) +00:00')).toBeNull()
  })
})

/** Numbers of as many digits. */
function digits(most: number, width: number): fc.Arbitrary<string> {
  return fc.integer({ min: 0, max: most }).map((number) => String(number).padStart(width, '0'))
}

it('days that would not change are passed on unchanged', () => {
  const days = fc.tuple(digits(9999, 4), digits(14, 2), digits(33, 2)).map((parts) => parts.join('-'))
  const written: boolean[] = []
  fc.assert(
    fc.property(fc.oneof(days, fc.string()), (text) => {
      const isWritten = dateFormat.isCanonical?.(text) === true
      written.push(isWritten)
      const moment = dateFormat.read(text)
      return !isWritten || (moment !== null && dateFormat.write(moment) === text)
    }),
    { numRuns: runs(1000) },
  )
  expect(new Set(written)).toEqual(new Set([true, false]))
})
