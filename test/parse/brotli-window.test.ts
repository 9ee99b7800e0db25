import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brotliWindowBytes, firstBlockBytes, narrowed } from '../../src/serve/parse/brotli-window.js'
import { runs } from '../support/runs.js'

const compressed = (content: Uint8Array, window: number, quality = 5): Buffer =>
  brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_LGWIN]: window, [constants.BROTLI_PARAM_QUALITY]: quality },
  })

/** The exponent of the window size in the first byte (RFC 7932, section 9.1). */
const windowOf = ([first = 0]: Uint8Array): number => 17 + ((first >> 1) & 7)

describe('The window of a brotli stream', () => {
  it('is as large as the limit needs, and no larger', () => {
    for (const [limit, bits] of [
      [100, 18],
      [2 ** 18 - 16, 18],
      [2 ** 18 - 15, 19],
      [2 ** 20, 21],
      [2 ** 24, 24],
      [2 ** 30, 24],
    ] as const) {
      expect(brotliWindowBytes(limit)).toBe(2 ** bits)
      expect(windowOf(narrowed(compressed(Buffer.alloc(100), 24), limit))).toBe(bits)
    }
  })

  it('stays the same if it is small', () => {
    for (const window of [10, 15, 16, 17, 18, 20]) {
      const stream = compressed(Buffer.from('Dummy'), window)
      expect(narrowed(stream, 2 ** 20)).toBe(stream)
    }
  })

  it('does not change content of at most the limit', () => {
    const word = fc.constantFrom('time', 'of the', ' Dummy', '"data":', 'x', '\u00e5')
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 400 }),
        fc.integer({ min: 1, max: 800 }),
        fc.integer({ min: 10, max: 24 }),
        fc.constantFrom(0, 1, 5, 9),
        (words, times, window, quality) => {
          const content = Buffer.from(words.join('').repeat(times))
          const stream = compressed(content, window, quality)
          expect(brotliDecompressSync(narrowed(stream, content.length)).equals(content)).toBe(true)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  it('reaches back to the first byte of content of the limit', () => {
    const random = Buffer.from(
      Array.from({ length: 2000 }, (_, index) => (index * index * 7919 + index * 104_729) % 251),
    )
    for (const size of [2 ** 18 - 16, 2 ** 18, 2 ** 20 - 16, 2 ** 20]) {
      const content = Buffer.concat([random, Buffer.alloc(size - 2 * random.length, 'x'), random])
      const stream = compressed(content, 24, 11)
      expect(windowOf(narrowed(stream, size))).toBeLessThan(24)
      expect(brotliDecompressSync(narrowed(stream, size)).equals(content)).toBe(true)
    }
  })
})

describe('The size of the first block', () => {
  it('is at most the size of the content', () => {
    for (const window of [10, 16, 17, 18, 22, 24]) {
      for (const size of [1, 100, 65_536, 65_537, 2 ** 21]) {
        const first = firstBlockBytes(compressed(Buffer.alloc(size, 'x'), window))
        expect(first, `${window} ${size}`).toBeGreaterThan(0)
        expect(first, `${window} ${size}`).toBeLessThanOrEqual(size)
      }
    }
  })

  it('is 0 without content, and for data that ends too early', () => {
    expect(firstBlockBytes(compressed(Buffer.alloc(0), 22))).toBe(0)
    expect(firstBlockBytes(Buffer.alloc(0))).toBeLessThan(2)
  })
})
