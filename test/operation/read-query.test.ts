import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../src/core/errors/catalogue.js'
import type { QueryParameters } from '../../src/serve/operation/query-parameters.js'
import { noQuery } from '../../src/serve/operation/query-parameters.js'
import { type QueryRules, readQuery } from '../../src/serve/operation/read-query.js'
import { parseQueryString } from '../../src/serve/parse/query-string.js'
import {
  countableProfile,
  cursorPaginationProfile,
  defaultProfiles,
  relationshipQueriesProfile,
} from '../../src/declare/profiles/profile.js'
import { thrownProblem } from '../parse/thrown-problem.js'
import { runs } from '../support/runs.js'
import { anyText } from '../support/any-text.js'

const labelled = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }
const everything = [...defaultProfiles, labelled].map(({ uri }) => uri)

const rules: QueryRules = Object.freeze({
  strict: true,
  strictPages: false,
  families: new Set(['myFamily']),
  profiles: [...defaultProfiles, labelled],
  maxIncludePaths: 3,
  maxSortKeys: 3,
  maxFilterValues: 3,
})

const read = (
  raw: string,
  profiles: readonly string[] = everything,
  given: Partial<QueryRules> = {},
): QueryParameters => readQuery(parseQueryString(raw), { ...rules, ...given }, profiles)
const refusal = async (...given: Parameters<typeof read>) => {
  const problem = await thrownProblem(() => read(...given))
  return problem && [problem.code, problem.source]
}
const limitOf = async (raw: string) => {
  const problem = await thrownProblem(() => read(raw))
  return problem && [problem.code, problem.context, problem.source]
}

describe('withCount', () => {
  test('is a list of names, each once, without the empty ones', () => {
    expect(read('withCount=tracks,_self_,,tracks,').withCount).toEqual(['tracks', '_self_'])
    expect(read('withCount=').withCount).toEqual([])
    expect(read('sort=title').withCount).toEqual([])
  })

  test('counts once when it is repeated: the last wins', () => {
    expect(read('withCount=tracks&withCount=artist').withCount).toEqual(['artist'])
  })

  test.each(['withCount[]=tracks', 'withCount[a]=tracks', 'withCount[a][b]='])('is no map or list: %s', async (raw) => {
    expect(await refusal(raw)).toEqual(['QUERY_PARAM_MALFORMED', { parameter: 'withCount' }])
  })

  test('has as many names as an inclusion may have paths', async () => {
    expect(read('withCount=a,b,c,a,b').withCount).toEqual(['a', 'b', 'c'])
    expect(await limitOf('withCount=a,b,c,d')).toEqual([
      'LIMIT_EXCEEDED',
      { limit: 3, subject: 'names to count' },
      { parameter: 'withCount' },
    ])
  })
})

describe('relatedQuery', () => {
  test('has a sort, a filter and a page for each relationship', () => {
    const { relatedQuery } = read(
      'relatedQuery[tracks][sort]=-title,id&relatedQuery[tracks][filter][title]=a' +
        '&relatedQuery[tracks][filter][id][]=1&relatedQuery[tracks][filter][id][]=2' +
        '&relatedQuery[tracks][filter][length][min]=3&relatedQuery[tracks][page][size]=5&relatedQuery[artist.albums][sort]=',
    )
    expect([...relatedQuery]).toEqual([
      [
        'tracks',
        {
          parameter: 'relatedQuery[tracks]',
          sortParameter: 'relatedQuery[tracks][sort]',
          filterParameter: 'relatedQuery[tracks][filter]',
          pageParameter: 'relatedQuery[tracks][page]',
          sort: ['-title', 'id'],
          filter: new Map<string, unknown>([
            ['title', 'a'],
            ['id', ['1', '2']],
            ['length', new Map([['min', '3']])],
          ]),
          page: new Map([['size', '5']]),
        },
      ],
      ['artist.albums', expect.objectContaining({ parameter: 'relatedQuery[artist.albums]', sort: [] })],
    ])
  })

  test('has no sort if only a filter is sent', () => {
    expect(read('relatedQuery[tracks][filter][title]=a').relatedQuery.get('tracks')?.sort).toBeNull()
  })

  test('may be called rQ, and is reported by that name', () => {
    expect(read('rQ[tracks][sort]=title').relatedQuery.get('tracks')).toEqual({
      parameter: 'rQ[tracks]',
      sortParameter: 'rQ[tracks][sort]',
      filterParameter: 'rQ[tracks][filter]',
      pageParameter: 'rQ[tracks][page]',
      sort: ['title'],
      filter: new Map(),
      page: new Map(),
    })
  })

  test.each([
    'relatedQuery[tracks][sort]=long&rQ[tracks][sort]=short',
    'rQ[tracks][sort]=short&relatedQuery[tracks][sort]=long',
  ])('wins over rQ for the same relationship and part, whatever the order: %s', (raw) => {
    expect(read(raw).relatedQuery.get('tracks')).toMatchObject({ parameter: 'relatedQuery[tracks]', sort: ['long'] })
  })

  test('leaves the parts that it does not have to rQ', () => {
    const { relatedQuery } = read(
      'rQ[tracks][sort]=short&rQ[tracks][filter][a]=1&rQ[tracks][page][size]=2' +
        '&relatedQuery[tracks][filter][b]=3&rQ[artist][sort]=name',
    )
    expect(relatedQuery.get('tracks')).toEqual({
      parameter: 'relatedQuery[tracks]',
      sortParameter: 'rQ[tracks][sort]',
      filterParameter: 'relatedQuery[tracks][filter]',
      pageParameter: 'rQ[tracks][page]',
      sort: ['short'],
      filter: new Map([['b', '3']]),
      page: new Map([['size', '2']]),
    })
    expect(relatedQuery.get('artist')?.parameter).toBe('rQ[artist]')
  })

  test('wins with an empty sort too', () => {
    expect(read('relatedQuery[tracks][sort]=&rQ[tracks][sort]=short').relatedQuery.get('tracks')?.sort).toEqual([])
  })

  test.each([
    ['relatedQuery=tracks', 'relatedQuery'],
    ['rQ=tracks', 'rQ'],
    ['relatedQuery[]=tracks', 'relatedQuery'],
    ['relatedQuery[][sort]=title', 'relatedQuery'],
    ['relatedQuery[tracks]=title', 'relatedQuery[tracks]'],
    ['rQ[tracks]=title', 'rQ[tracks]'],
    ['relatedQuery[tracks][]=title', 'relatedQuery[tracks]'],
    ['relatedQuery[tracks][include]=title', 'relatedQuery[tracks]'],
    ['relatedQuery[tracks][page]=2', 'relatedQuery[tracks]'],
    ['relatedQuery[tracks][sort][]=title', 'relatedQuery[tracks][sort]'],
    ['relatedQuery[tracks][sort][a]=title', 'relatedQuery[tracks][sort]'],
    ['relatedQuery[tracks][filter]=a', 'relatedQuery[tracks][filter]'],
    ['rQ[tracks][filter][]=a', 'rQ[tracks][filter]'],
  ])('of another shape is QUERY_PARAM_MALFORMED: %s', async (raw, parameter) => {
    expect(await refusal(raw)).toEqual(['QUERY_PARAM_MALFORMED', { parameter }])
  })

  test('has the limits of sort and filter', async () => {
    expect(await limitOf('relatedQuery[tracks][sort]=a,b,c,d')).toEqual([
      'LIMIT_EXCEEDED',
      { limit: 3, subject: 'sort keys' },
      { parameter: 'relatedQuery[tracks][sort]' },
    ])
    const values = [1, 2, 3, 4].map((value) => `rQ[tracks][filter][id][]=${value}`).join('&')
    expect(await limitOf(values)).toEqual([
      'LIMIT_EXCEEDED',
      { limit: 3, subject: 'values of one filter' },
      { parameter: 'rQ[tracks][filter][id]' },
    ])
  })

  test('takes garbage inside page for absent', () => {
    const { relatedQuery } = read('rQ[tracks][page][]=1&rQ[tracks][page][size][a]=1&rQ[tracks][page][size]=x')
    expect(relatedQuery.get('tracks')?.page).toEqual(new Map([['size', 'x']]))
  })

  test('may contain names of prototype members without harm', () => {
    const { relatedQuery } = read('rQ[__proto__][filter][constructor]=1')
    expect([...relatedQuery.keys()]).toEqual(['__proto__'])
    expect(({} as { constructor: unknown }).constructor).toBe(Object)
  })
})

describe('the family of a profile', () => {
  const families = [
    ['withCount=tracks', 'withCount', countableProfile.uri],
    ['relatedQuery[tracks][sort]=title', 'relatedQuery', relationshipQueriesProfile.uri],
    ['rQ[tracks][sort]=title', 'rQ', relationshipQueriesProfile.uri],
    ['labelLanguage=is', 'labelLanguage', labelled.uri],
  ] as const

  test.each(families)('is unknown if the profile was not negotiated: %s', async (raw, family, uri) => {
    const unrecognized = ['QUERY_PARAM_UNRECOGNIZED', { parameter: family }]
    expect(await refusal(raw, [])).toEqual(unrecognized)
    expect(await refusal(raw, [cursorPaginationProfile.uri])).toEqual(unrecognized)
    expect(await refusal(raw, [uri])).toBeUndefined()
  })

  test.each(families)('is unknown if the profile is not registered: %s', async (raw, family) => {
    expect(await refusal(raw, everything, { profiles: [] })).toEqual([
      'QUERY_PARAM_UNRECOGNIZED',
      { parameter: family },
    ])
  })

  test.each(families)('is ignored without strict validation, whatever its shape: %s', (raw) => {
    const query = read(`${raw}&withCount[]=x&relatedQuery=x&rQ[]`, [], { strict: false })
    expect(query).toMatchObject({ withCount: [], relatedQuery: new Map(), custom: new Map() })
  })

  test('belongs to the application if the profile is its own, with all its values', () => {
    expect([...read('labelLanguage=is&myFamily=1&labelLanguage=no').custom]).toEqual([
      ['labelLanguage', ['is', 'no']],
      ['myFamily', ['1']],
    ])
  })
})

describe('a query', () => {
  test('that is empty is one shared object', () => {
    expect(read('')).toBe(noQuery)
    expect(read('&&')).toBe(noQuery)
  })

  test('is frozen, and has every family', () => {
    const query = read('sort=title')
    expect(Object.isFrozen(query)).toBe(true)
    expect(Object.keys(query).toSorted()).toEqual(Object.keys(noQuery).toSorted())
  })

  test('reads filters the same everywhere', () => {
    const sent = '[a]=1&X[b][]=2&X[b][]=3&X[c][d]=4&X[c][e][f]=5&X[b][g]=6&X[c]=7'
    const plain = read(`filter${sent.replaceAll('X', 'filter')}`).filter
    const related = read(`rQ[tracks][filter]${sent.replaceAll('X', 'rQ[tracks][filter]')}`).relatedQuery
    expect(plain).toEqual(
      new Map<string, unknown>([
        ['a', '1'],
        ['b', new Map([['g', '6']])],
        ['c', '7'],
      ]),
    )
    expect(related.get('tracks')?.filter).toEqual(plain)
  })
})

describe('any query string at all', () => {
  const words = ['fields', 'include', 'sort', 'filter', 'page', 'profile', 'withCount', 'relatedQuery', 'rQ'] as const
  const part = fc.constantFrom(
    ...words,
    'labelLanguage',
    'myFamily',
    'tracks',
    '[',
    ']',
    '[]',
    '[sort]',
    '[filter]',
    '[page]',
    '[a]',
    '=',
    '&',
    ',',
    '%',
    '%5B',
    '%ff',
    '+',
    '-',
    'é',
    '__proto__',
  )
  const name = fc.tuple(
    fc.constantFrom(...words),
    fc.array(fc.constantFrom('[]', '[a]', '[sort]', '[filter]', '[page]')),
  )
  const pairs = fc
    .array(fc.tuple(name, fc.string({ unit: 'grapheme', maxLength: 8 })))
    .map((all) =>
      all.map(([[family, keys], value]) => `${family}${keys.join('')}=${encodeURIComponent(value)}`).join('&'),
    )
  const raw = fc.oneof(
    pairs,
    fc.array(part).map((parts) => parts.join('')),
    anyText(),
  )

  test('is read, or refused with a code of the 400s', async () => {
    await fc.assert(
      fc.asyncProperty(raw, fc.subarray(everything), fc.boolean(), async (text, profiles, strict) => {
        // Anything but an error of the service is thrown on.
        const problem = await thrownProblem(() => read(text, profiles, { strict }))
        if (problem === undefined) return
        const { status } = catalogue[problem.code]
        expect(status).toBeGreaterThanOrEqual(400)
        expect(status).toBeLessThan(500)
        expect(problem.source).toHaveProperty('parameter')
      }),
      { numRuns: runs(3000) },
    )
  })
})
