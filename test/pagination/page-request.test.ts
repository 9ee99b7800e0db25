import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PageParameters, pageRequest } from '../../src/declare/pagination/page-request.js'
import { cursorPage, fixedPage, numberPage, offsetPage } from '../../src/declare/pagination/paginator.js'
import { runs } from '../support/runs.js'

const sent = (values: Readonly<Record<string, string>>): PageParameters => new Map(Object.entries(values))

describe('the requested part of a collection', () => {
  test('is the first by default', () => {
    expect(pageRequest(numberPage(), sent({}))).toEqual({ kind: 'offset', offset: 0, limit: 15 })
    expect(pageRequest(offsetPage(), sent({}))).toEqual({ kind: 'offset', offset: 0, limit: 15 })
    expect(pageRequest(fixedPage(), sent({}))).toEqual({ kind: 'offset', offset: 0, limit: 15 })
    expect(pageRequest(cursorPage(), sent({}))).toEqual({ kind: 'cursor', limit: 15, after: null, before: null })
  })

  test('retains cursors as they were sent, and takes empty ones as none', () => {
    const both = sent({ after: 'a b', before: '' })
    expect(pageRequest(cursorPage(), both)).toEqual({ kind: 'cursor', limit: 15, after: 'a b', before: null })
  })

  test('stays within safe numbers', () => {
    const far = sent({ number: '9'.repeat(500), size: '9'.repeat(500), offset: '9'.repeat(500), limit: '7' })
    const most = Number.MAX_SAFE_INTEGER
    expect(pageRequest(numberPage({ maxSize: 0 }), far)).toEqual({ kind: 'offset', offset: most, limit: most })
    expect(pageRequest(offsetPage(), far)).toEqual({ kind: 'offset', offset: most, limit: 7 })
  })

  test('is whole, never negative and never above the cap, whatever is sent', () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.bigInt().map(String))
    const parameters = fc.dictionary(fc.constantFrom('number', 'size', 'offset', 'limit'), text).map(sent)
    const paginators = fc.constantFrom(numberPage, offsetPage, cursorPage)
    fc.assert(
      fc.property(paginators, fc.integer({ min: 1, max: 50 }), parameters, (make, maxSize, page) => {
        const request = pageRequest(make({ size: 1, maxSize }), page)
        expect(Number.isSafeInteger(request.limit)).toBe(true)
        expect(request.limit).toBeLessThanOrEqual(maxSize)
        expect(request.limit).toBeGreaterThanOrEqual(request.kind === 'cursor' ? 1 : 0)
        if (request.kind === 'offset') {
          expect(Number.isSafeInteger(request.offset)).toBe(true)
          expect(request.offset).toBeGreaterThanOrEqual(0)
        }
      }),
      { numRuns: runs(500) },
    )
  })
})
