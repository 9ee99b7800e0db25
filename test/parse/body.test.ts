import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BodyLimits } from '../../src/serve/parse/body.js'
import { bodyMemory } from '../../src/core/http/body-memory.js'
import { DEFAULT_BODY_LIMITS, exceedsDepth, readBody } from '../../src/serve/parse/body.js'
import type { HttpRequest } from '../../src/core/http/request.js'
import { stubRequest } from './stub-request.js'
import { thrownProblem } from './thrown-problem.js'
import { runs } from '../support/runs.js'

const memory = bodyMemory(2 ** 26, new Error('refused'))
const readDocument = async (request: HttpRequest, limits: BodyLimits = DEFAULT_BODY_LIMITS) =>
  (await readBody(request, 'extension', { limits, memory })).document
const read = (body: string | Uint8Array) => readDocument(stubRequest({ body }))
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('A body', () => {
  it('is read as JSON', async () => {
    expect(await read('{"data":{"type":"albums","attributes":{"title":"Blå"}}}')).toEqual({
      data: { type: 'albums', attributes: { title: 'Blå' } },
    })
  })

  it('is no document when it is absent, empty or white space', async () => {
    expect(await readDocument(stubRequest({}))).toBeUndefined()
    expect(await read('')).toBeUndefined()
    expect(await read(' \r\n\t')).toBeUndefined()
    expect(await read('\uFEFF')).toBeUndefined()
  })

  it('may start with a byte order mark', async () => {
    expect(await read('\uFEFF{"data":null}')).toEqual({ data: null })
  })

  it.each(['{', '{"data":}', '{"a":1,}', "{'a':1}", 'undefined', '\u00A0', '{} {}', '"\u0000"'])(
    'is refused with 400 when it is not JSON: %s',
    async (body) => {
      expect((await thrownProblem(() => read(body)))?.code).toBe('REQUEST_BODY_INVALID_JSON')
    },
  )

  it('is refused with 400 when it is not UTF-8', async () => {
    const bytes = Uint8Array.from([0x22, 0xc3, 0x28, 0x22])
    expect((await thrownProblem(() => read(bytes)))?.code).toBe('REQUEST_BODY_INVALID_JSON')
    const encodedSurrogate = Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22])
    expect((await thrownProblem(() => read(encodedSurrogate)))?.code).toBe('REQUEST_BODY_INVALID_JSON')
  })

  it('is never contained in the error', async () => {
    for (const body of ['{"password": hunter2}', '{"password":"hunter2"', 'hunter2', '{"password":"hunter2"}}']) {
      const problem = await thrownProblem(() => read(body))
      expect(problem?.code).toBe('REQUEST_BODY_INVALID_JSON')
      expect(JSON.stringify(problem)).not.toMatch(/hunter|password/)
    }
  })

  it('is refused with 413 past the limit of bytes', async () => {
    const limits = { bytes: 10, depth: 64, encodings: [] }
    expect(await readDocument(stubRequest({ body: '"12345678"' }), limits)).toBe('12345678')
    expect(await thrownProblem(() => readDocument(stubRequest({ body: '"123456789"' }), limits))).toMatchObject({
      code: 'REQUEST_BODY_TOO_LARGE',
      context: { limit: 10 },
    })
  })

  it('may be nested 64 levels deep and no deeper', async () => {
    expect(await read(nested(64))).toBeDefined()
    expect(await thrownProblem(() => read(nested(65)))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      context: { limit: 64 },
      source: { pointer: '' },
    })
    expect((await thrownProblem(() => read('{"a":'.repeat(100_000))))?.code).toBe('LIMIT_EXCEEDED')
  })

  it('may have any number of brackets inside strings', async () => {
    const text = `${'['.repeat(100)}"\\${'{'.repeat(100)}`
    expect(await read(JSON.stringify({ text, again: [text] }))).toEqual({ text, again: [text] })
  })

  it('has a __proto__ member as a harmless own property', async () => {
    const document = await read('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}')
    expect(Object.keys(document as object)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(document)).toBe(Object.prototype)
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('Any bytes at all', () => {
  it('are a document or one of the two errors', async () => {
    const structural = fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\', ',', ':', '1', ' ') })
    const bytes = fc.oneof(fc.uint8Array(), fc.json(), structural)
    const limits = { bytes: 1024, depth: 5, encodings: [] }
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        const problem = await thrownProblem(() => readDocument(stubRequest({ body }), limits))
        expect([undefined, 'REQUEST_BODY_INVALID_JSON', 'LIMIT_EXCEEDED', 'REQUEST_BODY_TOO_LARGE']).toContain(
          problem?.code,
        )
      }),
      { numRuns: runs(1000) },
    )
  })

  it('have the depth that the parsed value has', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, limit) => {
        expect(exceedsDepth(JSON.stringify(value, null, 1), limit)).toBe(depthOf(value) > limit)
      }),
      { numRuns: runs(1000) },
    )
  })
})
