import { fixedPage, numberPage, offsetPage } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { endpoints, follow, idsOf, pagedShelf, pagesOf, shelf } from '../support/paged-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

describe('rule 4: links', () => {
  const query =
    'filter[title]=Album+&fields[albums]=title,artist&include=artist&sort=-year,title&page[number]=2&page[size]=2'
  const otherParameters =
    'filter%5Btitle%5D=Album+&fields%5Balbums%5D=title,artist&include=artist&sort=-year,title&page%5Bnumber%5D=NO&page%5Bsize%5D=2'

  test('are absolute and retain the rest of the query string', async () => {
    const { document } = await pagedShelf(numberPage().withCount()).get(`/albums?${query}`)
    const [one, two, three] = ['1', '2', '3'].map(
      (number) => `http://localhost/albums?${otherParameters.replace('NO', number)}`,
    )
    expect(document?.links).toEqual({ self: two, first: one, prev: one, next: three, last: three })
  })

  test('retain filters, sorts and fieldsets across pages', async () => {
    const api = pagedShelf(numberPage())
    const first = await api.get(
      '/albums?filter[title]=Album&sort=-title&fields[albums]=title&include=artist&page[size]=2',
    )
    const second = await follow(api, first, 'next')
    expect([...idsOf(first), ...idsOf(second)]).toEqual(['5', '4', '3', '2'])
    expect(second.resources.map(({ attributes }) => attributes)).toEqual([{ title: 'Album 3' }, { title: 'Album 2' }])
    expect(second.document?.included).toHaveLength(1)
  })

  test('start with the base URI', async () => {
    const api = pagedShelf(numberPage({ size: 2 }), { settings: { baseUri: 'https://music.example/api' } })
    const { document } = await api.get('/artists/1/albums')
    expect(document?.links?.['next']).toBe('https://music.example/api/artists/1/albums?page%5Bnumber%5D=2')
  })

  test('of a related collection are scoped to the related URL, those of a linkage to its own', async () => {
    const api = pagedShelf(offsetPage({ size: 2 }))
    const related = await api.get('/artists/1/albums?sort=title')
    expect(related.document?.links).toEqual({
      self: 'http://localhost/artists/1/albums?sort=title&page%5Boffset%5D=0',
      first: 'http://localhost/artists/1/albums?sort=title&page%5Boffset%5D=0',
      next: 'http://localhost/artists/1/albums?sort=title&page%5Boffset%5D=2',
    })
    const linkage = await api.get('/artists/1/relationships/albums?sort=title')
    expect(linkage.document?.links).toEqual({
      self: 'http://localhost/artists/1/relationships/albums?sort=title&page%5Boffset%5D=0',
      related: 'http://localhost/artists/1/albums',
      first: 'http://localhost/artists/1/relationships/albums?sort=title&page%5Boffset%5D=0',
      next: 'http://localhost/artists/1/relationships/albums?sort=title&page%5Boffset%5D=2',
    })
  })

  test('repeat the requested size, and replace only the position', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const response = await pagedShelf(offsetPage()).get('/albums?page[limit]=2&page[offset]=2&page[other]=x')
    expect(pagesOf(response).next).toBe('?page[limit]=2&page[offset]=4&page[other]=x')
  })
})

/** Every page of five albums, two at a time. */
const pages = [
  { position: 'the first page', no: 1, offset: 0, ids: ['1', '2'], from: 1, to: 2, prev: null, next: 2 },
  { position: 'a middle page', no: 2, offset: 2, ids: ['3', '4'], from: 3, to: 4, prev: 1, next: 3 },
  { position: 'the last page', no: 3, offset: 4, ids: ['5'], from: 5, to: 5, prev: 2, next: null },
] as const

const numbered = (number: number | null) => (number === null ? null : `?page[number]=${number}`)
const offsetAt = (number: number | null) => (number === null ? null : `?page[offset]=${(number - 1) * 2}`)
const without = <T extends object>(links: T): Partial<T> =>
  Object.fromEntries(Object.entries(links).filter(([, link]) => link !== null)) as Partial<T>

describe.each(endpoints)('rule 5 on $name: the links', ({ path, name }) => {
  const hasMeta = name !== 'a queried linkage'
  test.each(pages)('of $position by number', async ({ no, ids, from, to, prev, next }) => {
    const links = { self: numbered(no), first: numbered(1), prev: numbered(prev), next: numbered(next) }
    const free = await pagedShelf(numberPage({ size: 2 })).get(`${path}?page[number]=${no}`)
    expect(idsOf(free)).toEqual(ids)
    expect(pagesOf(free)).toEqual(without(links))
    expect(free.document?.meta).toEqual(hasMeta ? { page: { currentPage: no, perPage: 2, from, to } } : undefined)
    const counted = await pagedShelf(numberPage({ size: 2 }).withCount()).get(`${path}?page[number]=${no}`)
    expect(pagesOf(counted)).toEqual(without({ ...links, last: numbered(3) }))
    const page = { currentPage: no, perPage: 2, from, to, total: 5, lastPage: 3 }
    expect(counted.document?.meta).toEqual(hasMeta ? { total: 5, page } : { total: 5 })
  })

  test.each(pages)('of $position by offset', async ({ no, offset, ids, from, to, prev, next }) => {
    const links = { self: offsetAt(no), first: offsetAt(1), prev: offsetAt(prev), next: offsetAt(next) }
    const free = await pagedShelf(offsetPage({ size: 2 })).get(`${path}?page[offset]=${offset}`)
    expect(idsOf(free)).toEqual(ids)
    expect(pagesOf(free)).toEqual(without(links))
    expect(free.document?.meta).toEqual(hasMeta ? { page: { offset, limit: 2, from, to } } : undefined)
    const counted = await pagedShelf(offsetPage({ size: 2 }).withCount()).get(`${path}?page[offset]=${offset}`)
    expect(pagesOf(counted)).toEqual(without({ ...links, last: offsetAt(3) }))
    expect(counted.document?.meta).toEqual(
      hasMeta ? { total: 5, page: { offset, limit: 2, from, to, total: 5 } } : { total: 5 },
    )
  })

  test.each(pages)('of $position of a fixed size', async ({ no, ids, prev, next }) => {
    const links = { self: numbered(no), first: numbered(1), prev: numbered(prev), next: numbered(next) }
    const free = await pagedShelf(fixedPage({ size: 2 })).get(`${path}?page[number]=${no}`)
    expect(idsOf(free)).toEqual(ids)
    expect(pagesOf(free)).toEqual(without(links))
    expect(free.document?.meta).toEqual(hasMeta ? { page: { currentPage: no } } : undefined)
    const counted = await pagedShelf(fixedPage({ size: 2 }).withCount()).get(`${path}?page[number]=${no}`)
    expect(pagesOf(counted)).toEqual(without({ ...links, last: numbered(3) }))
    const page = { currentPage: no, total: 5, lastPage: 3 }
    expect(counted.document?.meta).toEqual(hasMeta ? { total: 5, page } : { total: 5 })
  })

  test('end at the last page if it is full', async () => {
    const number = await pagedShelf(numberPage({ size: 2 }).withCount(), { count: 4 }).get(`${path}?page[number]=2`)
    expect(pagesOf(number)).toEqual({
      self: '?page[number]=2',
      first: '?page[number]=1',
      prev: '?page[number]=1',
      last: '?page[number]=2',
    })
    const offset = await pagedShelf(offsetPage({ size: 2 }).withCount(), { count: 4 }).get(`${path}?page[offset]=2`)
    expect(pagesOf(offset)).toEqual({
      self: '?page[offset]=2',
      first: '?page[offset]=0',
      prev: '?page[offset]=0',
      last: '?page[offset]=2',
    })
  })

  test('of a page that is out of range have no self link of the page, and link back', async () => {
    // A page would write 9 for it: the self is that of the request.
    const beyond = 'page[number]=09'
    const counted = await pagedShelf(numberPage({ size: 2 }).withCount()).get(`${path}?${beyond}`)
    expect(idsOf(counted)).toEqual([])
    expect(pagesOf(counted)).toEqual({
      self: `?${beyond}`,
      first: '?page[number]=1',
      prev: '?page[number]=3',
      last: '?page[number]=3',
    })
    const free = await pagedShelf(numberPage({ size: 2 })).get(`${path}?${beyond}`)
    expect(pagesOf(free)).toEqual({ self: `?${beyond}`, first: '?page[number]=1', prev: '?page[number]=8' })
    const byOffset = await pagedShelf(offsetPage({ size: 2 }).withCount()).get(`${path}?page[offset]=090`)
    expect(pagesOf(byOffset)).toEqual({
      self: '?page[offset]=090',
      first: '?page[offset]=0',
      prev: '?page[offset]=4',
      last: '?page[offset]=4',
    })
  })

  test('are all omitted if there are no rows, whether or not they were counted', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    for (const paginator of [numberPage(), offsetPage(), fixedPage()]) {
      for (const cut of [paginator, paginator.withCount()]) {
        const response = await pagedShelf(cut, { count: 0 }).get(`${path}?page[number]=1&page[offset]=0`)
        expect(pagesOf(response)).toEqual({ self: '?page[number]=1&page[offset]=0' })
      }
    }
  })

  test('are all omitted when the size is zero or less', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    for (const size of ['0', '-5']) {
      for (const paginator of [numberPage(), numberPage().withCount(), offsetPage(), offsetPage().withCount()]) {
        const query = `page[size]=${size}&page[limit]=${size}`
        const response = await pagedShelf(paginator).get(`${path}?${query}`)
        expect(idsOf(response)).toEqual([])
        expect(pagesOf(response)).toEqual({ self: `?${query}` })
      }
    }
  })
})

describe('links.self', () => {
  test('is the request URI, unless a page has its own self link', async () => {
    exemptFromDescription('queries', 'Without a paginator, pages are ignored.')
    const api = pagedShelf(numberPage({ size: 2 }))
    const there = await api.get('/albums')
    expect(there.document?.links?.['self']).toBe('http://localhost/albums?page%5Bnumber%5D=1')
    const beyond = await api.get('/albums?page[number]=7')
    expect(beyond.document?.links?.['self']).toBe('http://localhost/albums?page%5Bnumber%5D=7')
    const whole = await shelf({ pagination: null }).get('/albums?page[number]=7')
    expect(whole.document?.links).toEqual({ self: 'http://localhost/albums?page%5Bnumber%5D=7' })
  })

  test('does not apply to prev and next: they are left out if there is no such page, not null', async () => {
    const { document } = await pagedShelf(numberPage()).get('/albums')
    expect(Object.keys(document?.links ?? {})).toEqual(['self', 'first'])
  })
})

describe('an empty page', () => {
  test('has no first and no last row to name', async () => {
    const counted = { total: 5, lastPage: 3 }
    const page = await pagedShelf(numberPage({ size: 2 }).withCount()).get('/albums?page[number]=4')
    expect(page.document?.meta).toEqual({
      total: 5,
      page: { currentPage: 4, perPage: 2, from: null, to: null, ...counted },
    })
    const offset = await pagedShelf(offsetPage({ size: 2 })).get('/albums?page[offset]=5')
    expect(offset.document?.meta).toEqual({ page: { offset: 5, limit: 2, from: null, to: null } })
    const nothing = await pagedShelf(fixedPage().withCount(), { count: 0 }).get('/albums')
    expect(nothing.document?.meta).toEqual({ total: 0, page: { currentPage: 1, total: 0, lastPage: 1 } })
  })
})
