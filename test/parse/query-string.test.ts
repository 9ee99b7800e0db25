import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQueryString } from '../../src/serve/parse/query-string.js'
import { thrownProblem } from './thrown-problem.js'
import { runs } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

const paths = (raw: string) => parseQueryString(raw).map(({ path }) => path)
const values = (raw: string) => parseQueryString(raw).map(({ value }) => value)
const problemOf = (raw: string) => thrownProblem(() => parseQueryString(raw))

describe('A query string', () => {
  it('gives its pairs in the order sent, repeated names included', () => {
    expect(parseQueryString('sort=title&filter[title]=a&sort=-year')).toEqual([
      { name: 'sort', path: ['sort'], value: 'title' },
      { name: 'filter[title]', path: ['filter', 'title'], value: 'a' },
      { name: 'sort', path: ['sort'], value: '-year' },
    ])
  })

  it('may be empty, or have empty pairs', () => {
    expect(parseQueryString('')).toEqual([])
    expect(paths('&&sort=a&')).toEqual([['sort']])
  })

  it('gives a pair without a value, or with an empty one, the empty string', () => {
    expect(values('include&include=')).toEqual(['', ''])
  })

  it('ends a name at its first equals sign', () => {
    expect(parseQueryString('filter[a]=b=c')).toEqual([{ name: 'filter[a]', path: ['filter', 'a'], value: 'b=c' }])
  })

  it('has brackets plain or percent-encoded, nested, dotted and empty', () => {
    expect(paths('filter[artist.name]=x')).toEqual([['filter', 'artist.name']])
    expect(paths('filter%5Bartist.name%5D=x')).toEqual([['filter', 'artist.name']])
    expect(paths('filter[rating][min]=3')).toEqual([['filter', 'rating', 'min']])
    expect(paths('filter[id][]=1')).toEqual([['filter', 'id', '']])
    expect(paths('relatedQuery[tracks][filter][title]=x')).toEqual([['relatedQuery', 'tracks', 'filter', 'title']])
  })

  it('is decoded, with plus as a space', () => {
    expect(values('filter[a]=a+b%20c%2Bd%C3%A5')).toEqual(['a b c+då'])
    expect(parseQueryString('a+b=1')[0]?.name).toBe('a b')
  })

  it.each([
    ['filter[a]=%', 'filter'],
    ['filter[a]=%zz', 'filter'],
    ['filter[a]=%C3%28', 'filter'],
    ['filter%5Ba%5D=%ff', 'filter'],
    ['filter[%ff]=1', 'filter'],
    ['%ff=1', '%ff'],
    ['filter[a=1', 'filter'],
    ['filter[=1', 'filter'],
    ['filter[a]b=1', 'filter'],
    ['filter[a]b[c]=1', 'filter'],
    ['filter[a[b]]=1', 'filter'],
    ['filter[a]]=1', 'filter'],
    ['filter]=1', 'filter]'],
    ['[a=1', '[a'],
  ])('is refused with 400, naming the family: %s', async (raw, parameter) => {
    expect(await problemOf(raw)).toMatchObject({ code: 'QUERY_PARAM_MALFORMED', source: { parameter } })
  })

  it('may nest 16 brackets and no more', async () => {
    expect(paths(`filter${'[a]'.repeat(16)}=1`)[0]).toHaveLength(17)
    expect(await problemOf(`filter${'[a]'.repeat(17)}=1`)).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      context: { limit: 16 },
      source: { parameter: 'filter' },
    })
  })

  it('may contain names of prototype members without harm', () => {
    expect(paths('__proto__[admin]=1&constructor[prototype][admin]=1&filter[__proto__]=1')).toEqual([
      ['__proto__', 'admin'],
      ['constructor', 'prototype', 'admin'],
      ['filter', '__proto__'],
    ])
    expect(({} as { admin?: string }).admin).toBeUndefined()
  })
})

describe('Any query string at all', () => {
  const fragments = fc
    .array(fc.constantFrom('filter', '[', ']', '%5B', '%5d', '%', '+', '&', '=', 'a', '%C3%A5', '%ff', '\u00e5'))
    .map((parts) => parts.join(''))

  it('is a list of pairs or one of the two errors', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText(), fragments), async (raw) => {
        const problem = await problemOf(raw)
        expect([undefined, 'QUERY_PARAM_MALFORMED', 'LIMIT_EXCEEDED']).toContain(problem?.code)
      }),
      { numRuns: runs(2000) },
    )
  })

  it('returns the names and values that URLSearchParams wrote', () => {
    const name = fc.string({ unit: 'grapheme' }).filter((text) => !/[[\]]/.test(text))
    const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed())
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (pairs) => {
        const raw = new URLSearchParams(pairs).toString()
        expect(parseQueryString(raw).map((pair) => [pair.name, pair.value])).toEqual(pairs)
      }),
    )
  })
})
