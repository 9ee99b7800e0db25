import { cursorPage, defaultProfiles } from 'ashlar'
import { describe, expect, test } from 'vitest'
import {
  cursorShelf,
  endpoints,
  follow,
  idsOf,
  linkTo,
  pagedShelf,
  pagesFrom,
  pagesOf,
  sentIn,
} from '../support/paged-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

describe.each(endpoints)('rule 9 on $name: the cursor strategy', ({ path, name }) => {
  /** Linkage does not describe its pages. */
  const pageMeta = (page: object) => (name === 'a queried linkage' ? undefined : { page })
  const first = (api: ReturnType<typeof cursorShelf>) => api.get(`${path}?page[size]=2`)

  test('emits first, prev and next, never self or last', async () => {
    const api = cursorShelf(2)
    const start = await first(api)
    const middle = await follow(api, start, 'next')
    const end = await follow(api, middle, 'next')
    const [one, two, three] = [start, middle, end].map((response) => Object.keys(pagesOf(response)))
    expect([one, two, three]).toEqual([
      ['self', 'first', 'next'],
      ['self', 'first', 'prev', 'next'],
      ['self', 'first', 'prev'],
    ])
    // The self is that of the request, which every document has.
    expect(middle.document?.links?.['self']).toBe(start.document?.links?.['next'])
    expect(pagesOf(end).first).toBe('?page[size]=2')
  })

  test('goes forward by page[after] and back by page[before], in natural order', async () => {
    const api = cursorShelf(2)
    const one = await first(api)
    const two = await follow(api, one, 'next')
    const three = await follow(api, two, 'next')
    expect([one, two, three].map(idsOf)).toEqual([['1', '2'], ['3', '4'], ['5']])
    expect(linkTo(one, 'next')).toMatch(/\?page%5Bsize%5D=2&page%5Bafter%5D=[\w-]+$/)
    expect(linkTo(three, 'prev')).toMatch(/\?page%5Bsize%5D=2&page%5Bbefore%5D=[\w-]+$/)
    const back = await follow(api, three, 'prev')
    expect(idsOf(back)).toEqual(['3', '4'])
    expect(idsOf(await follow(api, back, 'prev'))).toEqual(['1', '2'])
    expect(idsOf(await follow(api, back, 'next'))).toEqual(['5'])
    expect(idsOf(await follow(api, back, 'first'))).toEqual(['1', '2'])
  })

  test('has in meta.page whether more follow, and the range of the page', async () => {
    const api = cursorShelf(2)
    const one = await first(api)
    const two = await follow(api, one, 'next')
    const three = await follow(api, two, 'next')
    const back = await follow(api, three, 'prev')
    expect([one, two, three, back].map(({ document }) => document?.meta)).toEqual([
      pageMeta({ perPage: 2, hasMore: true, from: '1', to: '2' }),
      pageMeta({ perPage: 2, hasMore: true, from: '3', to: '4' }),
      pageMeta({ perPage: 2, hasMore: false, from: '5', to: '5' }),
      pageMeta({ perPage: 2, hasMore: true, from: '3', to: '4' }),
    ])
  })

  test('a backward page that reaches the beginning has no prev', async () => {
    const api = cursorShelf(2)
    const two = await follow(api, await first(api), 'next')
    const back = await follow(api, two, 'prev')
    expect(Object.keys(pagesOf(back))).toEqual(['self', 'first', 'next'])
    expect(idsOf(await follow(api, back, 'next'))).toEqual(['3', '4'])
  })

  test('a backward page is filled from the side of its cursor', async () => {
    const api = cursorShelf(2)
    const four = await api.get(`${path}?page[size]=4`)
    const last = await follow(api, four, 'next')
    const back = await api.get(`${path}?page[size]=3&page[before]=${sentIn(last, 'prev', 'before')}`)
    expect(idsOf(back)).toEqual(['2', '3', '4'])
    expect(pagesOf(back)).toHaveProperty('prev')
  })

  test('an empty page has no position from which others could be reached', async () => {
    const response = await cursorShelf(2, { count: 0 }).get(`${path}?page[size]=2`)
    expect(idsOf(response)).toEqual([])
    expect(pagesOf(response)).toEqual({ self: '?page[size]=2', first: '?page[size]=2' })
    expect(response.document?.meta).toEqual(pageMeta({ perPage: 2, hasMore: false }))
  })

  test('both page[after] and page[before] mean the range between them', async () => {
    const api = cursorShelf(2, { count: 9 })
    const after = sentIn(await first(api), 'next', 'after')
    const eight = await follow(api, await api.get(`${path}?page[size]=7`), 'next')
    const before = sentIn(eight, 'prev', 'before')
    const whole = await api.get(`${path}?page[size]=9&page[after]=${after}&page[before]=${before}`)
    expect(idsOf(whole)).toEqual(['3', '4', '5', '6', '7'])
    expect(pagesOf(whole)).not.toHaveProperty('next')
    expect(whole.document?.meta).toEqual(pageMeta({ perPage: 9, hasMore: false, from: '3', to: '7' }))
  })

  test('a range that does not fit is truncated, and next stays in it', async () => {
    const api = cursorShelf(2, { count: 9 })
    const after = sentIn(await first(api), 'next', 'after')
    const before = sentIn(await follow(api, await api.get(`${path}?page[size]=7`), 'next'), 'prev', 'before')
    const pages = await pagesFrom(api, await api.get(`${path}?page[after]=${after}&page[before]=${before}`))
    for (const response of pages.slice(0, -1)) expect(pagesOf(response).next).toContain(`&page[before]=${before}`)
    expect(pages.map(idsOf)).toEqual([['3', '4'], ['5', '6'], ['7']])
    expect(pages.map(({ document }) => document?.meta)).toEqual([
      pageMeta({ perPage: 2, hasMore: true, rangeTruncated: true, from: '3', to: '4' }),
      pageMeta({ perPage: 2, hasMore: true, rangeTruncated: true, from: '5', to: '6' }),
      pageMeta({ perPage: 2, hasMore: false, from: '7', to: '7' }),
    ])
  })

  test('a range that is empty, or reversed, contains nothing', async () => {
    const api = cursorShelf(2)
    const one = await first(api)
    const two = await follow(api, one, 'next')
    const [end, start] = [sentIn(one, 'next', 'after'), sentIn(two, 'prev', 'before')]
    expect(idsOf(await api.get(`${path}?page[after]=${end}&page[before]=${start}`))).toEqual([])
    const three = sentIn(two, 'next', 'after')
    expect(idsOf(await api.get(`${path}?page[after]=${three}&page[before]=${start}`))).toEqual([])
  })

  test('is never counted, even if a count is requested', async () => {
    exemptFromDescription('queries', 'A cursor page ignores that a count is asked for.')
    const api = pagedShelf(cursorPage({ size: 2 }).withCount(), { countable: true })
    const headers = { accept: `application/vnd.api+json; profile="${defaultProfiles[1]?.uri}"` }
    const response = await api.get(`${path}?withCount=_self_&page[size]=2`, { headers })
    expect(response.status).toBe(200)
    expect(response.text).not.toContain('"total"')
    expect(pagesOf(response)).not.toHaveProperty('last')
  })

  test('takes empty cursors as none', async () => {
    const response = await cursorShelf(2).get(`${path}?page[after]=&page[before]=`)
    expect(idsOf(response)).toEqual(['1', '2'])
    expect(pagesOf(response)).not.toHaveProperty('prev')
  })
})

describe('a cursor', () => {
  test('is opaque and safe in a URL, whatever the values that it is made of', async () => {
    const api = cursorShelf(1, { titles: ['a/b+c=&?#%', 'Jóga 😀', '"quoted"\\', ''] })
    const pages = await pagesFrom(api, await api.get('/albums?sort=title'))
    const seen = pages.slice(0, -1).map((page) => sentIn(page, 'next', 'after'))
    for (const token of seen) expect(token).toMatch(/^[\w-]+$/)
    expect(new Set(seen).size).toBe(3)
  })

  test('is a position, which remains valid after its row is deleted', async () => {
    const api = cursorShelf(2)
    const next = linkTo(await api.get('/albums'), 'next') ?? ''
    await api.delete('/albums/2')
    await api.delete('/albums/3')
    expect(idsOf(await api.get(next))).toEqual(['4', '5'])
  })

  test('is bound neither to a filter nor to a size', async () => {
    const api = cursorShelf(2)
    const after = sentIn(await api.get('/albums?filter[title]=Album'), 'next', 'after')
    expect(idsOf(await api.get(`/albums?page[size]=9&page[after]=${after}`))).toEqual(['3', '4', '5'])
  })

  test('may come under another key, which links and errors then use', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const paginator = cursorPage({ size: 2, keys: { after: 'since', before: 'until', size: 'n' } })
    const api = pagedShelf(paginator)
    const two = await follow(api, await api.get('/albums?page[n]=2&page[after]=x'), 'next')
    expect(idsOf(two)).toEqual(['3', '4'])
    expect(pagesOf(two).prev).toMatch(/^\?page\[n\]=2&page\[after\]=x&page\[until\]=[\w-]+$/)
    expect((await api.get('/albums?page[since]=!')).errors[0]?.source).toEqual({ parameter: 'page[since]' })
  })
})
