import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { baseUrls, encodedUri } from '../../src/core/http/encoded-uri.js'
import { runs } from '../support/runs.js'

const baseUrl = baseUrls()

/** Any text, often with characters that links or JSON do not allow. */
const text = fc.string({
  unit: fc.constantFrom('a', '7', '/', '?', '=', '%', '%41', '[', ']', '"', '\\', '|', '#', '\n', 'é', '😀', '\ud800'),
})

describe('the URL of a request', () => {
  it('needs no escaping in JSON, and its encoding is not encoded again', () => {
    fc.assert(
      fc.property(text, text, text, (origin, prefix, target) => {
        const url = baseUrl(origin, prefix) + encodedUri(target)
        expect(JSON.stringify(url)).toBe(`"${url}"`)
        expect(encodedUri(encodedUri(target))).toBe(encodedUri(target))
        expect(baseUrl(baseUrl(origin, prefix), '')).toBe(baseUrl(origin, prefix))
      }),
      { numRuns: runs(500) },
    )
  })

  it.each([
    ['/albums/1', '/albums/1'],
    ['/albums/%C3%A9', '/albums/%C3%A9'],
    ['/albums/50%', '/albums/50%25'],
    ['/albums/a"b|c', '/albums/a%22b%7Cc'],
    ['page[size]=2', 'page%5Bsize%5D=2'],
    ['/half/\ud800', '/half/%EF%BF%BD'],
  ])('has an equivalent target: %j', (target, expected) => {
    expect(encodedUri(target)).toBe(expected)
  })

  it('has the origin and the prefix of its own request, in any order of requests', () => {
    const origins = ['http://a.example', 'https://a.example', 'http://[::1]:8080']
    const prefixes = ['', '/api', '/a"b']
    const encoded = ['', '/api', '/a%22b']
    const request = fc.record({ origin: fc.constantFrom(...origins), index: fc.nat({ max: prefixes.length - 1 }) })
    fc.assert(
      fc.property(fc.array(request), (requests) => {
        for (const { origin, index } of requests) {
          expect(baseUrl(origin, prefixes[index] ?? '')).toBe(`${origin}${encoded[index]}`)
        }
      }),
      { numRuns: runs(100) },
    )
  })
})
