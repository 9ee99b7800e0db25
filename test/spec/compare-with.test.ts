import type { AttributeKit } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { type ThingRow, thingsWith, violationsOf } from '../support/validated-things.js'

type Operator = '=' | '!=' | '>' | '>=' | '<' | '<='
type Comparable = { compareWith(field: string, operator: Operator): object }

/** Things with `one`, compared with `other` of the same kind. */
function compared(kind: (a: AttributeKit<ThingRow>) => Comparable, operator: Operator) {
  return thingsWith((a) => ({ one: kind(a).compareWith('other', operator), other: kind(a) }))
}

describe('compareWith()', () => {
  test.each([
    ['=', [2]],
    ['!=', [1, 3]],
    ['>', [3]],
    ['>=', [2, 3]],
    ['<', [1]],
    ['<=', [1, 2]],
  ] as const)('supports %s', async (operator, holds) => {
    const api = compared((a) => a.integer(), operator)
    for (const one of [1, 2, 3]) {
      const refused = (await violationsOf(api, { one, other: 2 })).length > 0
      expect(refused).toBe(!(holds as readonly number[]).includes(one))
    }
  })

  test('compares numbers by size, and texts by their characters', async () => {
    const decimals = compared((a) => a.decimal(), '>')
    expect(await violationsOf(decimals, { one: 10, other: 9.5 })).toEqual([])
    const texts = compared((a) => a.string(), '>')
    expect(await violationsOf(texts, { one: '10', other: '9' })).toEqual(["one: This must be greater than 'other'."])
    expect(await violationsOf(texts, { one: '😀', other: '\uffee' })).toEqual([])
  })

  test('compares moments by instant, however they are written', async () => {
    const instants = compared((a) => a.dateTime(), '=')
    expect(await violationsOf(instants, { one: '2026-01-01T00:00:00Z', other: '2026-01-01T01:00:00+01:00' })).toEqual(
      [],
    )
    const times = compared((a) => a.time(), '=')
    expect(await violationsOf(times, { one: '12:30', other: '12:30:00' })).toEqual([])
    const own = compared((a) => a.date().format('DD.MM.YYYY'), '>')
    expect(await violationsOf(own, { one: '01.02.2000', other: '31.01.2000' })).toEqual([])
    expect(await violationsOf(own, { one: '31.01.2000', other: '01.02.2000' })).toEqual([
      "one: This must be greater than 'other'.",
    ])
  })

  test('reads each side in its own format and zone', async () => {
    const api = thingsWith((a) => ({
      from: a.dateTime().useTimezone('Europe/Paris').compareWith('to', '<='),
      to: a.dateTime(),
      day: a.date().format('DD.MM.YYYY').compareWith('to', '<='),
    }))
    expect(
      await violationsOf(api, { from: '2026-01-01T13:00:00', to: '2026-01-01T12:00:00', day: '01.01.2026' }),
    ).toEqual([])
    expect(
      await violationsOf(api, { from: '2026-01-01T13:01:00', to: '2026-01-01T12:00:00', day: '02.01.2026' }),
    ).toEqual(["from: This must be less than or equal to 'to'.", "day: This must be less than or equal to 'to'."])
  })

  test('treats lists and objects with the same content as equal', async () => {
    const api = thingsWith((a) => ({
      one: a.arrayHash().compareWith('other', '='),
      other: a.arrayHash(),
      list: a.arrayList().compareWith('rest', '!='),
      rest: a.arrayList(),
    }))
    expect(
      await violationsOf(api, { one: { a: 1, b: [2] }, other: { b: [2], a: 1 }, list: ['a'], rest: ['b'] }),
    ).toEqual([])
    expect(await violationsOf(api, { one: { a: 1 }, other: { a: 2 }, list: ['a'], rest: ['a'] })).toEqual([
      "one: This must be equal to 'other'.",
      "list: This must be different from 'rest'.",
    ])
  })

  test('is skipped if either side is absent or null', async () => {
    const api = thingsWith((a) => ({
      one: a.integer().nullable().compareWith('other', '>'),
      other: a.integer().nullable(),
    }))
    for (const sent of [{ one: 1 }, { other: 1 }, { one: null, other: 1 }, { one: 1, other: null }]) {
      expect(await violationsOf(api, sent)).toEqual([])
    }
  })
})
