import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/serve/validation/canonical-json.js'
import { isSentBack } from '../../src/serve/validation/resulting-value.js'
import { rounds } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

const lookalikes = [0, -0, '0', '-0', 1, '1', true, 'true', null, 'null', '', [], {}, '"1"', '\ud800', '\\ud800']
const unlikeJson = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  new Date(0),
  '1970-01-01T00:00:00.000Z',
  5e-324,
  1e21,
  '1e+21',
]

const value = fc.oneof(
  fc.constantFrom<unknown>(...lookalikes, ...unlikeJson),
  anyText({ maxLength: 2 }),
  fc.double(),
  fc.jsonValue({ maxDepth: 2 }),
)

test('a value is unchanged exactly if the two have the same JSON text', () => {
  const seen = { same: 0, others: 0 }
  const pair = fc.oneof(
    fc.tuple(value, value),
    value.map((each) => [each, structuredClone(each)] as const),
  )
  fc.assert(
    fc.property(pair, ([sent, wire]) => {
      const isSame = canonicalJson(sent) === canonicalJson(wire)
      expect(isSentBack(sent, wire)).toBe(isSame)
      seen[isSame ? 'same' : 'others'] += 1
    }),
    { numRuns: rounds(2000, 50_000) },
  )
  expect(Math.min(seen.same, seen.others)).toBeGreaterThan(500)
})

test('values that cannot be read are not compared', () => {
  expect(isSentBack(undefined, undefined)).toBe(false)
  expect(isSentBack(null, undefined)).toBe(false)
})
