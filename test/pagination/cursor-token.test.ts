import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokens } from '../support/cursor-content.js'
import { thrownProblem } from '../parse/thrown-problem.js'
import { runs } from '../support/runs.js'

const moment = fc.date({ noInvalidDate: true })
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value))
const whole = fc.bigInt({ min: -(10n ** 39n), max: 10n ** 39n })
const value = fc.oneof(fc.string({ unit: 'grapheme' }), finite, fc.boolean(), fc.constant(null), whole, moment)
const level = fc.string({ unit: 'grapheme' })
const placed = fc.array(fc.tuple(level, value)).map((levels) => ({
  order: levels.map(([name]) => name),
  place: levels.map(([, held]) => held),
}))

const read = (token: string, order: readonly string[]) => tokens.decode(token, order, 'page[after]')

describe('a token', () => {
  test('contains its position, with any values', () => {
    fc.assert(
      fc.property(placed, ({ order, place }) => {
        const token = tokens.encode(order, place)
        expect(token).toMatch(/^[\w-]+$/)
        expect(read(token, order)).toEqual(place)
      }),
      { numRuns: runs(500) },
    )
  })

  test.each(['\ud800', 'a\u0000', '\udc00\ud800'])(
    'with text that no database can store is refused: %j',
    async (text) => {
      expect(await thrownProblem(() => read(tokens.encode(['a'], [text]), ['a']))).toMatchObject({
        code: 'CURSOR_MALFORMED',
      })
      expect(await thrownProblem(() => read(tokens.encode([text], ['a']), ['a']))).toMatchObject({
        code: 'CURSOR_MALFORMED',
      })
    },
  )

  test('contains null for missing values, numbers that JSON does not have, and the text of other values', () => {
    const place = [undefined, Number.NaN, Number.POSITIVE_INFINITY, { toString: () => 'seven' }]
    const order = ['a', 'b', 'c', 'd']
    expect(read(tokens.encode(order, place), order)).toEqual([null, Number.NaN, Number.POSITIVE_INFINITY, 'seven'])
  })

  test('is stale under any other order', async () => {
    const token = tokens.encode(['title', '-year'], ['x', 1])
    for (const order of [
      [],
      ['title'],
      ['-year', 'title'],
      ['title', 'year'],
      ['-title', '-year'],
      ['title', '-year', 'id'],
    ]) {
      expect(await thrownProblem(() => read(token, order))).toMatchObject({
        code: 'CURSOR_STALE',
        context: { parameter: 'page[after]' },
        source: { parameter: 'page[after]' },
      })
    }
  })

  test('that the server did not create is refused, and causes no other error', async () => {
    const anything = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((json) => Buffer.from(json).toString('base64url')),
      fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64url')),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (token) => {
        const problem = await thrownProblem(() => read(token, ['no one sorts by this']))
        expect(['CURSOR_MALFORMED', 'CURSOR_STALE']).toContain(problem?.code)
      }),
      { numRuns: runs(1000) },
    )
  })
})
