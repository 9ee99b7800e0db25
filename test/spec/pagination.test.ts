import { cursorPage, fixedPage, numberPage, offsetPage } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { endpoints, idsOf, pagedShelf } from '../support/paged-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const counting = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index))

const strategies = { page: numberPage(), offset: offsetPage(), fixed: fixedPage(), cursor: cursorPage() }
const garbage = [
  '',
  'abc',
  '1.5',
  '1e1',
  '0x2',
  'NaN',
  'Infinity',
  'null',
  '%20',
  '1,2',
  '٣',
  '--1',
  '%00',
  '%zz',
  '%ff',
]

describe('the strategies', () => {
  test('page reads page[number] and page[size]: number 1 and size 15 by default', async () => {
    const api = pagedShelf(strategies.page, { count: 40 })
    const first = await api.get('/albums')
    expect(idsOf(first)).toEqual(counting(1, 15))
    expect(first.document?.meta).toEqual({ page: { currentPage: 1, perPage: 15, from: 1, to: 15 } })
    const third = await api.get('/albums?page[number]=3&page[size]=7')
    expect(idsOf(third)).toEqual(counting(15, 21))
    expect(third.document?.meta).toEqual({ page: { currentPage: 3, perPage: 7, from: 15, to: 21 } })
  })

  test('offset reads page[offset] and page[limit]: offset 0 and limit 15 by default', async () => {
    const api = pagedShelf(strategies.offset, { count: 40 })
    const first = await api.get('/albums')
    expect(idsOf(first)).toEqual(counting(1, 15))
    expect(first.document?.meta).toEqual({ page: { offset: 0, limit: 15, from: 1, to: 15 } })
    const later = await api.get('/albums?page[offset]=4&page[limit]=3')
    expect(idsOf(later)).toEqual(counting(5, 7))
    expect(later.document?.meta).toEqual({ page: { offset: 4, limit: 3, from: 5, to: 7 } })
  })

  test('fixed reads page[number] only: the size is 15, never echoed, and without a cap', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = pagedShelf(strategies.fixed, { count: 40 })
    const second = await api.get('/albums?page[number]=2&page[size]=3')
    expect(idsOf(second)).toEqual(counting(16, 30))
    expect(second.document?.meta).toEqual({ page: { currentPage: 2 } })
    const large = await pagedShelf(fixedPage({ size: 150 }), { count: 200 }).get('/albums')
    expect(idsOf(large)).toEqual(counting(1, 150))
  })

  test('cursor reads page[size], page[after] and page[before]: size 15 by default', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = pagedShelf(strategies.cursor, { count: 40 })
    const first = await api.get('/albums')
    expect(idsOf(first)).toEqual(counting(1, 15))
    expect(first.document?.meta).toEqual({ page: { perPage: 15, hasMore: true, from: '1', to: '15' } })
    const few = await api.get('/albums?page[size]=2&page[number]=9&page[offset]=9&page[limit]=9')
    expect(idsOf(few)).toEqual(['1', '2'])
  })

  test('read only their own keys', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const page = await pagedShelf(strategies.page, { count: 20 }).get('/albums?page[offset]=9&page[limit]=1')
    expect(page.document?.meta).toEqual({ page: { currentPage: 1, perPage: 15, from: 1, to: 15 } })
    const offset = await pagedShelf(strategies.offset, { count: 20 }).get('/albums?page[number]=2&page[size]=1')
    expect(offset.document?.meta).toEqual({ page: { offset: 0, limit: 15, from: 1, to: 15 } })
  })

  test('may give their keys other names', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = pagedShelf(numberPage({ keys: { number: 'no', size: 'of' } }), { count: 9 })
    const response = await api.get('/albums?page[no]=2&page[of]=4&page[number]=1&page[size]=1')
    expect(idsOf(response)).toEqual(counting(5, 8))
  })
})

describe('rule 1: garbage or missing page values never cause 400', () => {
  test('an absent or non-numeric value falls back to the default', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const page = pagedShelf(numberPage({ size: 2 }))
    const offset = pagedShelf(offsetPage({ size: 2 }))
    const fixed = pagedShelf(fixedPage({ size: 2 }))
    const cursor = pagedShelf(cursorPage({ size: 2 }))
    for (const value of garbage) {
      const [wide, narrow] = [`page[number]=${value}&page[size]=${value}`, `page[offset]=${value}&page[limit]=${value}`]
      expect((await page.get(`/albums?${wide}`)).document?.meta).toEqual({
        page: { currentPage: 1, perPage: 2, from: 1, to: 2 },
      })
      expect((await offset.get(`/albums?${narrow}`)).document?.meta).toEqual({
        page: { offset: 0, limit: 2, from: 1, to: 2 },
      })
      expect((await fixed.get(`/albums?${wide}`)).document?.meta).toEqual({ page: { currentPage: 1 } })
      expect((await cursor.get(`/albums?${wide}`)).document?.meta).toEqual({
        page: { perPage: 2, hasMore: true, from: '1', to: '2' },
      })
    }
  })

  test.each(endpoints)('only a cursor or a kind is ever refused, on $name', async ({ path }) => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const keys = ['number', 'size', 'offset', 'limit', 'kind', 'nonsense']
    const values = [...garbage, '-1', '0', '-99999999999999999999', '99999999999999999999', `1${'0'.repeat(400)}`]
    for (const paginator of Object.values(strategies)) {
      const api = pagedShelf(paginator)
      for (const value of values) {
        const response = await api.get(`${path}?${keys.map((key) => `page[${key}]=${value}`).join('&')}`)
        expect([response.status, value]).toEqual([200, value])
      }
      for (const query of ['page[]=1', 'page[][]=1', 'page[size][]=1', 'page[size][a][b]=1', 'page[after][x]=1']) {
        expect((await api.get(`${path}?${query}`)).status).toBe(200)
      }
    }
  })

  test('a value in further brackets counts as absent', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = pagedShelf(numberPage({ size: 2 }))
    const response = await api.get('/albums?page[number][a]=2&page[size][]=1&page[]=3')
    expect(response.document?.meta).toEqual({ page: { currentPage: 1, perPage: 2, from: 1, to: 2 } })
  })

  test('the last of a repeated value counts', async () => {
    const response = await pagedShelf(strategies.page).get('/albums?page[size]=1&page[size]=abc&page[size]=3')
    expect(response.document?.meta).toEqual({ page: { currentPage: 1, perPage: 3, from: 1, to: 3 } })
  })

  test('a sign and blanks around a number are accepted', async () => {
    const response = await pagedShelf(strategies.page).get('/albums?page[number]=%2B2&page[size]=+2+')
    expect(response.document?.meta).toEqual({ page: { currentPage: 2, perPage: 2, from: 3, to: 4 } })
  })

  test.each(['0', '-1', '-99999999999999999999'])(
    '%s is clamped to zero as a position: the first page',
    async (value) => {
      const page = await pagedShelf(numberPage({ size: 2 })).get(`/albums?page[number]=${value}`)
      expect(page.document?.meta).toEqual({ page: { currentPage: 1, perPage: 2, from: 1, to: 2 } })
      const offset = await pagedShelf(offsetPage({ size: 2 })).get(`/albums?page[offset]=${value}`)
      expect(offset.document?.meta).toEqual({ page: { offset: 0, limit: 2, from: 1, to: 2 } })
      const fixed = await pagedShelf(fixedPage({ size: 2 })).get(`/albums?page[number]=${value}`)
      expect(idsOf(fixed)).toEqual(['1', '2'])
    },
  )

  test.each(['0', '-1', '-99999999999999999999'])('%s is clamped to zero as a size: an empty page', async (value) => {
    const page = await pagedShelf(strategies.page).get(`/albums?page[size]=${value}`)
    expect(page.document).toMatchObject({
      data: [],
      meta: { page: { currentPage: 1, perPage: 0, from: null, to: null } },
    })
    const offset = await pagedShelf(strategies.offset).get(`/albums?page[limit]=${value}&page[offset]=1`)
    expect(offset.document).toMatchObject({ data: [], meta: { page: { offset: 1, limit: 0, from: null, to: null } } })
  })

  test.each(['0', '-1', '-99999999999999999999'])('%s as the size of a cursor page is 1', async (value) => {
    const response = await pagedShelf(strategies.cursor).get(`/albums?page[size]=${value}`)
    expect(response.document?.meta).toEqual({ page: { perPage: 1, hasMore: true, from: '1', to: '1' } })
  })

  test.each(['101', '500', '99999999999999999999'])(
    'an oversize %s is clamped to the cap with status 200, and meta.page reports the capped size',
    async (value) => {
      const page = await pagedShelf(strategies.page, { count: 120 }).get(`/albums?page[size]=${value}`)
      expect(page.status).toBe(200)
      expect(idsOf(page)).toHaveLength(100)
      expect(page.document?.meta).toEqual({ page: { currentPage: 1, perPage: 100, from: 1, to: 100 } })
      const offset = await pagedShelf(strategies.offset, { count: 120 }).get(`/albums?page[limit]=${value}`)
      expect(offset.document?.meta).toEqual({ page: { offset: 0, limit: 100, from: 1, to: 100 } })
      const cursor = await pagedShelf(strategies.cursor, { count: 120 }).get(`/albums?page[size]=${value}`)
      expect(cursor.document?.meta).toEqual({ page: { perPage: 100, hasMore: true, from: '1', to: '100' } })
    },
  )
})

describe('rule 2: the window', () => {
  test.each([
    { number: 1, size: 4, ids: counting(1, 4) },
    { number: 2, size: 4, ids: counting(5, 8) },
    { number: 3, size: 4, ids: ['9'] },
    { number: 4, size: 4, ids: [] },
    { number: 9, size: 1, ids: ['9'] },
  ])('of page $number of size $size starts at (number - 1) * size', async ({ number, size, ids }) => {
    const page = await pagedShelf(strategies.page, { count: 9 }).get(
      `/albums?page[number]=${number}&page[size]=${size}`,
    )
    expect(idsOf(page)).toEqual(ids)
    const fixed = await pagedShelf(fixedPage({ size }), { count: 9 }).get(`/albums?page[number]=${number}`)
    expect(idsOf(fixed)).toEqual(ids)
    const offset = await pagedShelf(strategies.offset, { count: 9 }).get(
      `/albums?page[offset]=${(number - 1) * size}&page[limit]=${size}`,
    )
    expect(idsOf(offset)).toEqual(ids)
  })

  test('far beyond every collection is empty', async () => {
    const far = '9'.repeat(30)
    const page = await pagedShelf(strategies.page).get(`/albums?page[number]=${far}`)
    expect([page.status, idsOf(page)]).toEqual([200, []])
    const offset = await pagedShelf(strategies.offset).get(`/albums?page[offset]=${far}`)
    expect([offset.status, idsOf(offset)]).toEqual([200, []])
    const unlimited = pagedShelf(numberPage({ maxSize: 0 }))
    expect(idsOf(await unlimited.get(`/albums?page[number]=${far}&page[size]=${far}`))).toEqual([])
    expect(idsOf(await unlimited.get(`/albums?page[size]=${far}`))).toEqual(counting(1, 5))
  })
})

describe('rule 3: the cap', () => {
  test('of the size defaults to 100, and may be another', async () => {
    const api = pagedShelf(numberPage({ size: 2, maxSize: 3 }))
    expect(idsOf(await api.get('/albums'))).toEqual(counting(1, 2))
    expect(idsOf(await api.get('/albums?page[size]=4'))).toEqual(counting(1, 3))
  })

  test('is disabled by 0', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const paginators = [numberPage({ maxSize: 0 }), offsetPage({ maxSize: 0 }), cursorPage({ maxSize: 0 })]
    for (const paginator of paginators) {
      const response = await pagedShelf(paginator, { count: 130 }).get('/albums?page[size]=120&page[limit]=120')
      expect(idsOf(response)).toEqual(counting(1, 120))
    }
  })
})
