import { cursorPage, fixedPage, numberPage, offsetPage, type Paginator } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import type { DataSource } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { accepting, endpoints, follow, idsOf, pagedShelf, pagesOf, shelf } from '../support/paged-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const countable = accepting(countableProfile.uri)

describe('rule 6: counting is opt-in', () => {
  test.each([numberPage({ size: 2 }), offsetPage({ size: 2 }), fixedPage({ size: 2 })])(
    'a $strategy page is count-free by default: no total, no last',
    async (paginator) => {
      const { document } = await pagedShelf(paginator, { countable: true }).get('/albums')
      expect(document?.meta).not.toHaveProperty('total')
      expect(document?.meta?.['page']).not.toHaveProperty('total')
      expect(document?.meta?.['page']).not.toHaveProperty('lastPage')
      expect(document?.links).not.toHaveProperty('last')
      expect(document?.links).toHaveProperty('next')
    },
  )

  test.each(endpoints)('next is driven by one item past the window, on $name', async ({ path }) => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    for (const paginator of [numberPage({ size: 2 }), offsetPage({ size: 2 }), fixedPage({ size: 2 })]) {
      for (const { count, hasNext } of [
        { count: 1, hasNext: false },
        { count: 2, hasNext: false },
        { count: 3, hasNext: true },
      ]) {
        const response = await pagedShelf(paginator, { count }).get(`${path}?page[number]=1`)
        expect('next' in pagesOf(response)).toBe(hasNext)
        expect(idsOf(response)).toHaveLength(Math.min(count, 2))
      }
    }
  })
})

describe('rule 7: counting is enabled', () => {
  test('by withCount() on the paginator, always', async () => {
    for (const [paginator, last] of [
      [numberPage({ size: 2 }), '?page[number]=3'],
      [offsetPage({ size: 2 }), '?page[offset]=4'],
      [fixedPage({ size: 2 }), '?page[number]=3'],
    ] as const) {
      const response = await pagedShelf(paginator.withCount()).get('/albums')
      expect(response.document?.meta).toMatchObject({ total: 5, page: { total: 5 } })
      expect(pagesOf(response).last).toBe(last)
    }
  })

  test('by a countable resource and withCount=_self_, on demand', async () => {
    const api = shelf({ countable: true, pagination: numberPage({ size: 2 }) })
    const response = await api.get('/albums?withCount=_self_', countable)
    expect(response.document?.meta).toEqual({
      total: 5,
      page: { currentPage: 1, perPage: 2, from: 1, to: 2, total: 5, lastPage: 3 },
    })
    expect(pagesOf(response).last).toBe('?withCount=_self_&page[number]=3')
  })

  test('by a countable relation and withCount=_self_, on related and linkage reads', async () => {
    const api = shelf({ countable: true, relation: offsetPage({ size: 2 }) })
    const related = await api.get('/artists/1/albums?withCount=_self_', countable)
    expect(related.document?.meta).toEqual({ total: 5, page: { offset: 0, limit: 2, from: 1, to: 2, total: 5 } })
    const linkage = await api.get('/artists/1/relationships/albums?withCount=_self_&page[limit]=2', countable)
    expect(linkage.document?.meta).toEqual({ total: 5 })
    expect(pagesOf(linkage).last).toBe('?withCount=_self_&page[limit]=2&page[offset]=4')
  })

  test.each(endpoints)(
    'and nothing else: _self_ of a type that is not countable is 400, on $name',
    async ({ path }) => {
      for (const paginator of [numberPage(), numberPage().withCount(), cursorPage()]) {
        const response = await pagedShelf(paginator).get(`${path}?withCount=_self_`, countable)
        expectErrors(response, [{ status: 400, code: 'RELATIONSHIP_COUNT_NOT_ALLOWED', parameter: 'withCount' }])
      }
    },
  )

  test('of the filtered set', async () => {
    const { document } = await pagedShelf(numberPage({ size: 1 }).withCount()).get('/albums?filter[year]=1990')
    expect(document?.meta).toMatchObject({ total: 2, page: { total: 2, lastPage: 2 } })
  })

  test('for a page out of range too', async () => {
    const { document } = await pagedShelf(numberPage({ size: 2 }).withCount()).get('/albums?page[number]=9')
    expect(document?.meta).toMatchObject({ total: 5, page: { currentPage: 9, total: 5, lastPage: 3 } })
  })

  test('on demand applies to the next page too', async () => {
    const api = shelf({ countable: true, pagination: numberPage({ size: 2 }) })
    const first = await api.get('/albums?withCount=_self_', countable)
    const second = await follow(api, first, 'next', countable)
    expect(second.document?.meta).toMatchObject({ total: 5, page: { currentPage: 2, total: 5 } })
  })
})

describe('rule 8: without a paginator', () => {
  test('meta.total is rendered unconditionally, and there is no meta.page', async () => {
    exemptFromDescription('queries', 'Without a paginator, pages are ignored.')
    const api = shelf({ pagination: null, relation: null })
    expect((await api.get('/albums')).document?.meta).toEqual({ total: 5 })
    expect((await api.get('/albums?filter[year]=1991&page[size]=1')).document?.meta).toEqual({ total: 2 })
    expect((await api.get('/artists/1/albums')).document?.meta).toEqual({ total: 5 })
    expect((await shelf({ pagination: null, count: 0 }).get('/albums')).document?.meta).toEqual({ total: 0 })
  })

  test('that applies to linkage, whether it is queried or whole', async () => {
    exemptFromDescription('queries', 'Without a paginator, pages are ignored.')
    const api = shelf({ relation: null })
    const path = '/artists/1/relationships/albums'
    expect((await api.get(path)).document?.meta).toEqual({ total: 5 })
    expect((await api.get(`${path}?filter[year]=1991`)).document?.meta).toEqual({ total: 2 })
    expect((await api.get(`${path}?page[size]=1`)).document?.meta).toEqual({ total: 5 })
  })

  test('a whole linkage of a relation that has a paginator is not counted', async () => {
    const { document } = await shelf({ relation: numberPage().withCount() }).get('/artists/1/relationships/albums')
    expect(document).not.toHaveProperty('meta')
  })
})

/** Records the counts and windows of reads of albums. */
function watched(data: DataSource, seen: object[]): DataSource {
  const note = ({ wantsCount, window }: { readonly wantsCount: boolean; readonly window: unknown }): void => {
    seen.push({ wantsCount, window })
  }
  return {
    ...data,
    provider(type) {
      const provider = data.provider(type)
      if (provider === null) return null
      return {
        ...provider,
        fetchCollection(served, criteria) {
          if (served.type === 'albums') note(criteria)
          return provider.fetchCollection?.(served, criteria) ?? []
        },
        fetchRelated(relation, parents, criteria) {
          note(criteria)
          return provider.fetchRelated?.(relation, parents, criteria) ?? { sets: [], groups: [] }
        },
      }
    },
  }
}

async function criteriaOf(paginator: Paginator | null, path: string): Promise<readonly object[]> {
  const seen: object[] = []
  const api = shelf({
    pagination: paginator,
    relation: paginator,
    countable: true,
    watch: (data) => watched(data, seen),
  })
  const response = await api.get(path, accepting(countableProfile.uri, relationshipQueriesProfile.uri))
  expect(response.status).toBe(200)
  return seen
}

describe('the criteria for a store', () => {
  const window = { kind: 'offset', offset: 0, limit: 15 }
  const cursor = { kind: 'cursor', limit: 15, after: null, before: null }

  test.each(['/albums', '/artists/1/albums', '/artists/1/relationships/albums'])(
    'are to count only if the total is shown: %s',
    async (path) => {
      exemptFromDescription('queries', 'A cursor page ignores that a count is asked for.')
      const queried = `${path}?sort=title`
      expect(await criteriaOf(numberPage(), queried)).toEqual([{ wantsCount: false, window }])
      expect(await criteriaOf(numberPage().withCount(), queried)).toEqual([{ wantsCount: true, window }])
      expect(await criteriaOf(numberPage(), `${queried}&withCount=_self_`)).toEqual([{ wantsCount: true, window }])
      expect(await criteriaOf(cursorPage().withCount(), `${queried}&withCount=_self_`)).toEqual([
        { wantsCount: false, window: cursor },
      ])
      // The total of a whole collection is the number of its rows, which has a limit.
      const limit = { kind: 'offset', offset: 0, limit: 50_000 }
      const whole = path === '/albums' ? { wantsCount: false, window: limit } : { wantsCount: true, window: null }
      expect(await criteriaOf(null, queried)).toEqual([whole])
    },
  )

  test('are not to count resources that are included by cursor', async () => {
    const included = await criteriaOf(cursorPage().withCount(), '/artists?include=albums')
    expect(included).toEqual([{ wantsCount: false, window: cursor }])
  })
})
