import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { documentBuffer, DocumentText } from '../../src/serve/render/document-text.js'
import { runs } from '../support/runs.js'

const buffer = documentBuffer()

const unlimited = (): DocumentText => new DocumentText(Number.POSITIVE_INFINITY, null, buffer)

const whole = (parts: readonly string[]): string | Uint8Array => {
  const text = unlimited()
  let open = ''
  for (const part of parts) open = text.flush(open + part)
  return text.end(open)
}

describe('the text of a document', () => {
  test('is a string if it is short', () => {
    expect(whole([])).toBe('')
    expect(whole(['a', '😀', 'é'])).toBe('a😀é')
    expect(whole(['x'.repeat(4000), 'é'.repeat(95)])).toBe('x'.repeat(4000) + 'é'.repeat(95))
  })

  const unit = fc.constantFrom('a', 'é', 'ÿ', 'Ā', '€', '😀', '\u0000', '"', '\uffff')
  const length = fc.oneof(
    fc.nat(50),
    fc.integer({ min: 505, max: 518 }),
    fc.integer({ min: 4090, max: 4102 }),
    fc.integer({ min: 5000, max: 40_000 }),
  )
  const part = fc.tuple(unit, unit, length).map(([first, then, size]) => first + then.repeat(size))

  test('is the bytes of the same text if it is long, with any characters', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const found = whole(parts)
        const text = parts.join('')
        expect(Buffer.from(found).equals(Buffer.from(text))).toBe(true)
        if (text.length < 4096) expect(found).toBe(text)
      }),
      { numRuns: runs(60) },
    )
  })

  test.each([4095, 4096, 4097])('is correct if a part ends at %i characters', (size) => {
    for (const each of ['a', 'é', '€', '😀']) {
      const parts = [each.repeat(size / each.length), 'é', each.repeat(3), '']
      expect(Buffer.from(whole(parts)).equals(Buffer.from(parts.join('')))).toBe(true)
    }
  })

  test('is correct if its buffer grows many times', () => {
    const parts = Array.from(
      { length: 60 },
      (_, index) => ['€', 'a', '😀', 'é'][index % 4]?.repeat(1500 * (1 + (index % 5))) ?? '',
    )
    expect(Buffer.from(whole(parts)).equals(Buffer.from(parts.join('')))).toBe(true)
  })

  test('does not affect another document', () => {
    const [one, other] = [unlimited(), unlimited()]
    expect([one.flush('a'.repeat(5000)), other.flush('b'.repeat(5000))]).toEqual(['', ''])
    const [first, second] = [one.end('1'), other.end('2')]
    expect([Buffer.from(first).toString(), Buffer.from(second).toString()]).toEqual([
      `${'a'.repeat(5000)}1`,
      `${'b'.repeat(5000)}2`,
    ])
  })
})
