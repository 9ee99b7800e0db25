import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { json } from '../../src/serve/render/json.js'
import { runs } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

describe('the JSON text of a value', () => {
  test('is that of JSON.stringify for any JSON value', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '"',
      '\\',
      '/',
      '\n',
      '\u0000',
      '\u001f',
      '\u007f',
      '\u2028',
      'é',
      '😀',
      '\ud800',
      '\udc00',
    )
    // Most of a long text is plain, and a few characters of it are not.
    const word = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom('plain ', 'Ünd ', '“so” ') },
      { weight: 1, arbitrary: unit },
    )
    const long = fc.array(word, { minLength: 12, maxLength: 120 }).map((words) => words.join(''))
    const text = fc.oneof(fc.string({ unit }), anyText(), long)
    fc.assert(
      fc.property(fc.oneof(text, fc.jsonValue()), (value) => {
        expect(json(value)).toBe(JSON.stringify(value))
      }),
      { numRuns: runs(2000) },
    )
  })

  test.each(['"', '\\', '\n', '\t', '"\\', '\\"\n', '\ud800'])(
    'is that of JSON.stringify for any number of %j in a long text',
    (some) => {
      for (let count = 0; count < 30; count += 1) {
        const text = `${some}${`${'x'.repeat(9)}${some}`.repeat(count)}${'y'.repeat(60)}`
        expect(json(text)).toBe(JSON.stringify(text))
      }
    },
  )

  test.each([undefined, () => 1, Symbol('x'), Number.NaN, Number.POSITIVE_INFINITY, { toJSON: () => undefined }])(
    'is null for values that JSON cannot represent',
    (value) => {
      expect(json(value)).toBe('null')
    },
  )

  test('has whole numbers beyond doubles as text, at any depth', () => {
    expect(json(2n ** 64n)).toBe('"18446744073709551616"')
    expect(json({ a: [1n, { b: 2n }], c: 'x' })).toBe('{"a":["1",{"b":"2"}],"c":"x"}')
  })

  test('throws for a cyclic value', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    expect(() => json(loop)).toThrow(TypeError)
  })
})
