import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { BodyParts } from '../../src/serve/adapters/body-parts.js'
import { runs } from '../support/runs.js'

it('joins parts in their order', () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9000 }))
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), (sizes) => {
      const parts = new BodyParts()
      const sent = sizes.map((length, index) => Buffer.alloc(length, index + 1))
      for (const part of sent) parts.add(part)
      const expected = sizes.length === 0 ? null : Buffer.concat(sent)
      expect(parts.size).toBe(expected?.length ?? 0)
      const joined = parts.joined()
      expect(joined === null ? null : Buffer.from(joined).equals(expected ?? Buffer.alloc(0))).toBe(
        expected === null ? null : true,
      )
    }),
    { numRuns: runs(300) },
  )
})

it('holds no small part after the first one, and copies no large one', () => {
  const parts = new BodyParts()
  const sent = [Buffer.from('a'), ...Array.from({ length: 5000 }, () => Buffer.from('b')), Buffer.alloc(4096, 'c')]
  for (const part of sent) parts.add(part)
  for (const part of sent) part.fill('x')
  expect(Buffer.from(parts.joined() ?? []).toString()).toBe(`x${'b'.repeat(5000)}${'x'.repeat(4096)}`)
})

it('returns a single part as it is', () => {
  const parts = new BodyParts()
  const part = Buffer.from('{}')
  parts.add(part)
  expect(parts.joined()).toBe(part)
  parts.clear()
  expect(parts.joined()).toBe(null)
})
