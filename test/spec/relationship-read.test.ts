import { belongsTo, cursorPage, fixedPage, hasMany, numberPage, offsetPage, pageMenu } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { shown } from '../support/shown.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const get = (path: string) => client(catalogueServer()).get(path)
const shop = (path: string) => client(recordShop()).get(path)

const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'
const missing = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }]

/** The path and query of a link. */
function followed(link: unknown): string {
  expect(link).toMatch(/^http:\/\/localhost\//)
  return String(link).slice('http://localhost'.length)
}

describe('a relationship read returns only identifiers', () => {
  test('an object', async () => {
    const { document } = await shop('/albums/1/relationships/artist')
    expect(document).toEqual({
      data: { type: 'artists', id: '1' },
      links: {
        self: 'http://localhost/albums/1/relationships/artist',
        related: 'http://localhost/albums/1/artist',
      },
      jsonapi: { version: '1.1' },
    })
  })

  test('a list of them', async () => {
    const { document } = await shop('/albums/1/relationships/tracks')
    expect(document?.data).toEqual([
      { type: 'tracks', id: '1' },
      { type: 'tracks', id: '2' },
    ])
  })

  test('null, or an empty list', async () => {
    expect((await shop('/tracks/6/relationships/album')).document?.data).toBeNull()
    const api = client(catalogueServer())
    const { resource } = await api.post('/libraries', { body: resourceBody('libraries') })
    expect((await api.get(`/libraries/${resource.id}/relationships/items`)).document?.data).toEqual([])
  })

  test('with any fieldset', async () => {
    const { document } = await shop('/albums/1/relationships/artist?fields[artists]=name')
    expect(document?.data).toEqual({ type: 'artists', id: '1' })
  })

  test('with encoded ids where the wire ids are not the keys', async () => {
    expect(shown((await get('/products/prod-b1/relationships/parent')).document?.data)).toEqual(['products prod-a0'])
  })
})

describe('an unknown or suppressed relationship gives 404 with RELATIONSHIP_NOT_EXISTS', () => {
  test('unknown', async () => {
    for (const name of ['nonsense', 'title', 'constructor', '']) {
      expect((await shop(`/albums/1/relationships/${name}`)).status).toBe(404)
    }
    expectErrors(await shop('/albums/1/relationships/nonsense'), missing)
  })

  test('suppressed, and its link member is omitted', async () => {
    const relations = { artist: belongsTo('artists').withoutRelationshipEndpoint(), tracks: hasMany('tracks') }
    const api = client(recordShop({ albums: { relations } }))
    expectErrors(await api.get('/albums/1/relationships/artist'), missing)
    expect((await api.get('/albums/1/artist')).status).toBe(200)
    expect((await api.get('/albums/1')).resource.relationships?.['artist']).toEqual({
      links: { related: 'http://localhost/albums/1/artist' },
      data: { type: 'artists', id: '1' },
    })
  })

  test('a resource that is not there is RESOURCE_NOT_FOUND', async () => {
    expectErrors(await shop('/albums/99/relationships/artist'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })
})

describe('a polymorphic relation', () => {
  test('has mixed linkage with the type of each member', async () => {
    const { document } = await get('/libraries/1/relationships/items')
    expect(document?.data).toEqual([
      { type: 'tracks', id: '1', meta: { served_by: 'music' } },
      { type: 'tracks', id: '5', meta: { served_by: 'music' } },
      { type: 'albums', id: '2' },
      { type: 'artists', id: '3' },
    ])
  })

  test.each(['page[number]=1', 'sort=title', 'filter[title]=x'])('queried by %s is 400', async (query) => {
    const [parameter = ''] = query.split(/[[=]/)
    expectErrors(await get(`/libraries/1/relationships/items?${query}`), [
      { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter },
    ])
  })
})

const paged = (paginator: AnyPaginator) =>
  client(
    recordShop({
      labels: { relations: { artists: hasMany('artists').paginate(paginator) } },
      artists: { relations: { label: belongsTo('labels'), albums: hasMany('albums').paginate(paginator) } },
    }),
  )

describe('a bare request', () => {
  test('renders the entire association, whatever the paginator', async () => {
    for (const paginator of [cursorPage({ size: 1 }), numberPage({ size: 1 }).withCount(), fixedPage({ size: 1 })]) {
      const { document } = await paged(paginator).get('/artists/1/relationships/albums')
      expect(shown(document?.data)).toEqual(['albums 1', 'albums 2'])
      expect(document).not.toHaveProperty('meta')
      expect(document?.links).toEqual({
        self: 'http://localhost/artists/1/relationships/albums',
        related: 'http://localhost/artists/1/albums',
      })
      expect(document?.jsonapi).toEqual({ version: '1.1' })
    }
  })

  test('is one with an empty sort as well', async () => {
    const { document } = await paged(cursorPage({ size: 1 })).get('/artists/1/relationships/albums?sort=')
    expect(shown(document?.data)).toEqual(['albums 1', 'albums 2'])
  })
})

describe('a request with page, sort or filter over a cursor-paginated relation', () => {
  const address = '/artists/1/relationships/albums'

  test('windows the linkage: data stays identifiers, and there is no meta.page', async () => {
    for (const [query, first] of [
      ['page[size]=1', '1'],
      ['sort=title', '2'],
      ['sort=-title', '1'],
    ]) {
      const { document } = await paged(cursorPage({ size: 1 })).get(`${address}?${query}`)
      expect(document?.data).toEqual([{ type: 'albums', id: first }])
      expect(document).not.toHaveProperty('meta')
    }
  })

  test('has links with real cursors, and never last', async () => {
    const api = paged(cursorPage({ size: 1 }))
    const first = await api.get(`${address}?sort=title`)
    expect(shown(first.document?.data)).toEqual(['albums 2'])
    expect(first.document?.links).toEqual({
      self: `http://localhost${address}?sort=title`,
      related: 'http://localhost/artists/1/albums',
      first: `http://localhost${address}?sort=title`,
      next: expect.stringMatching(/\?sort=title&page%5Bafter%5D=[\w-]+$/) as string,
    })
    const next = followed(first.document?.links?.['next'])
    const last = await api.get(next)
    expect(shown(last.document?.data)).toEqual(['albums 1'])
    expect(last.document?.links).toEqual({
      self: `http://localhost${next}`,
      related: 'http://localhost/artists/1/albums',
      first: `http://localhost${address}?sort=title`,
      prev: expect.stringMatching(/\?sort=title&page%5Bbefore%5D=[\w-]+$/) as string,
    })
    const back = await api.get(followed(last.document?.links?.['prev']))
    expect(shown(back.document?.data)).toEqual(['albums 2'])
  })

  test('advertises the cursor profile', async () => {
    const { document, headers } = await paged(cursorPage()).get(`${address}?sort=title`)
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [cursorProfile] })
    expect(headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${cursorProfile}"`)
  })

  test('filters by the keys of the related type', async () => {
    const { document } = await get(`${address}?filter[title]=kid`)
    expect(shown(document?.data)).toEqual(['albums 2'])
    expect(document?.links).toEqual({
      self: `http://localhost${address}?filter%5Btitle%5D=kid`,
      related: 'http://localhost/artists/1/albums',
      first: `http://localhost${address}?filter%5Btitle%5D=kid`,
    })
  })

  test('refuses a cursor of another order', async () => {
    const api = paged(cursorPage({ size: 1 }))
    const { document } = await api.get(`${address}?sort=title`)
    const stale = followed(document?.links?.['next']).replace('sort=title', 'sort=-title')
    expectErrors(await api.get(stale), [{ status: 400, code: 'CURSOR_STALE', parameter: 'page[after]' }])
    expectErrors(await api.get(`${address}?page[before]=nonsense`), [
      { status: 400, code: 'CURSOR_MALFORMED', parameter: 'page[before]' },
    ])
  })

  test('refuses unknown filters and sorts, as the related endpoint does', async () => {
    for (const at of ['/artists/1/albums', address]) {
      expectErrors(await get(`${at}?filter[nonsense]=1`), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[nonsense]' },
      ])
      expectErrors(await get(`${at}?sort=nonsense`), [{ status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' }])
    }
  })
})

describe('a queried monomorphic to-many is windowed by the effective paginator of its relation', () => {
  const address = 'http://localhost/artists/1/relationships/albums'
  const related = 'http://localhost/artists/1/albums'

  test.each([
    [numberPage({ size: 1 }), 'page[number]=2', { first: 'page%5Bnumber%5D=1', prev: 'page%5Bnumber%5D=1' }],
    [offsetPage({ size: 1 }), 'page[offset]=1', { first: 'page%5Boffset%5D=0', prev: 'page%5Boffset%5D=0' }],
    [fixedPage({ size: 1 }), 'page[number]=2', { first: 'page%5Bnumber%5D=1', prev: 'page%5Bnumber%5D=1' }],
  ] as const)('%#: links, and no meta.page', async (paginator, query, links) => {
    const { document } = await paged(paginator).get(`/artists/1/relationships/albums?${query}`)
    expect(shown(document?.data)).toEqual(['albums 2'])
    expect(document?.links).toEqual({
      related,
      self: `${address}?${query.replace('[', '%5B').replace(']', '%5D')}`,
      first: `${address}?${links.first}`,
      prev: `${address}?${links.prev}`,
    })
    expect(document).not.toHaveProperty('meta')
  })

  test('a counting one has last too, and the total without meta.page', async () => {
    const { document } = await paged(numberPage({ size: 1 }).withCount()).get(
      '/artists/1/relationships/albums?page[number]=1',
    )
    expect(document?.links?.['last']).toBe(`${address}?page%5Bnumber%5D=2`)
    expect(document?.meta).toEqual({ total: 2 })
  })

  test('uses the requested kind of a menu', async () => {
    const api = paged(pageMenu([numberPage({ size: 1 }), cursorPage({ size: 1 })]))
    const byNumber = await api.get('/artists/1/relationships/albums?page[number]=1')
    expect(byNumber.document?.links).toHaveProperty('next', `${address}?page%5Bnumber%5D=2`)
    const byCursor = await api.get('/artists/1/relationships/albums?page[kind]=cursor')
    expect(byCursor.document?.links?.['next']).toMatch(/\?page%5Bkind%5D=cursor&page%5Bafter%5D=[\w-]+$/)
    expectErrors(await api.get('/artists/1/relationships/albums?page[kind]=nonsense'), [
      { status: 400, code: 'PAGINATION_KIND_UNKNOWN', parameter: 'page[kind]' },
    ])
  })

  test('without a paginator everything is shown, in the requested order and filter', async () => {
    exemptFromDescription('queries', 'Without a paginator, pages are ignored.')
    const relations = { label: belongsTo('labels'), albums: hasMany('albums').withoutPagination() }
    const api = client(recordShop({ artists: { relations } }))
    const { document } = await api.get('/artists/1/relationships/albums?sort=title&page[number]=2')
    expect(shown(document?.data)).toEqual(['albums 2', 'albums 1'])
    expect(document?.links).toEqual({ self: `${address}?sort=title&page%5Bnumber%5D=2`, related })
  })
})

describe('queries of a to-one', () => {
  test.each(['sort=name', 'page[size]=1'])('%s is QUERY_PARAM_UNRECOGNIZED', async (query) => {
    const [parameter = ''] = query.split(/[[=]/)
    expectErrors(await get(`/albums/1/relationships/artist?${query}`), [
      { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter },
    ])
  })

  test('filter turns a non-match into data: null', async () => {
    const address = '/albums/1/relationships/artist'
    expect((await get(`${address}?filter[name]=Radiohead`)).document?.data).toEqual({ type: 'artists', id: '1' })
    expect((await get(`${address}?filter[name]=Nobody`)).document?.data).toBeNull()
  })

  test('a polymorphic one takes no filter', async () => {
    expectErrors(await get('/favorites/fav-z/relationships/favoritable?filter[name]=x'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[name]' },
    ])
  })
})
