import {
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  defineType,
  fixedPage,
  hasMany,
  id,
  model,
  morphToMany,
  numberPage,
  offsetPage,
  pageMenu,
} from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { cursorPaginationProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { cursorShelf, follow, idsOf, linkTo, pagedShelf, pagesFrom, pagesOf } from '../support/paged-albums.js'
import { storedData } from '../support/stored-data.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const linkage = '/artists/1/relationships/albums'

describe('a relationship read', () => {
  test('that is bare renders the entire association, whatever the paginator', async () => {
    for (const paginator of [cursorPage({ size: 2 }), numberPage({ size: 2 }), offsetPage({ size: 2 })]) {
      const response = await pagedShelf(paginator).get(linkage)
      expect(response.document).toEqual({
        data: ['1', '2', '3', '4', '5'].map((key) => ({ type: 'albums', id: key })),
        links: { self: `http://localhost${linkage}`, related: 'http://localhost/artists/1/albums' },
        jsonapi: { version: '1.1' },
      })
    }
  })

  test.each([
    ['page', 'page[size]=2', ['1', '2']],
    ['page without a meaning', 'page[x]=1', ['1', '2']],
    ['sort', 'sort=-title', ['5', '4']],
    ['filter', 'filter[title]=Album', ['1', '2']],
  ])('with %s over a cursor-paginated relation windows the linkage', async (_, query, ids) => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = cursorShelf(2)
    const response = await api.get(`${linkage}?${query}`)
    expect(response.document?.data).toEqual(ids.map((key) => ({ type: 'albums', id: key })))
    expect(response.document).not.toHaveProperty('meta')
    expect(Object.keys(response.document?.links ?? {})).toEqual(['self', 'related', 'first', 'next'])
    const next = await follow(api, response, 'next')
    expect(linkTo(response, 'next')).toContain('page%5Bafter%5D=')
    expect(linkTo(next, 'prev')).toContain('page%5Bbefore%5D=')
    expect(next.document?.links).not.toHaveProperty('last')
    expect(next.document).not.toHaveProperty('meta')
    expect(idsOf(await follow(api, next, 'prev'))).toEqual(ids)
  })

  test('with one of them is windowed by the effective paginator of its relation, without meta.page', async () => {
    for (const [paginator, next] of [
      [numberPage({ size: 2 }), '?sort=-title&page[number]=2'],
      [offsetPage({ size: 2 }), '?sort=-title&page[offset]=2'],
      [fixedPage({ size: 2 }), '?sort=-title&page[number]=2'],
    ] as const) {
      const api = pagedShelf(paginator)
      const response = await api.get(`${linkage}?sort=-title`)
      expect(idsOf(response)).toEqual(['5', '4'])
      expect(pagesOf(response).next).toBe(next)
      expect(response.document).not.toHaveProperty('meta')
      expect(idsOf(await follow(api, response, 'next'))).toEqual(['3', '2'])
    }
  })

  test('counts the selected kind of a menu', async () => {
    const api = pagedShelf(pageMenu([numberPage({ size: 2 }), cursorPage({ size: 3 }), offsetPage({ size: 1 })]))
    expect(idsOf(await api.get(`${linkage}?sort=title`))).toEqual(['1', '2'])
    expect(idsOf(await api.get(`${linkage}?page[kind]=cursor`))).toEqual(['1', '2', '3'])
    expect(idsOf(await api.get(`${linkage}?page[offset]=3`))).toEqual(['4'])
    const byCursor = await api.get(`${linkage}?page[kind]=cursor`)
    expect(idsOf(await follow(api, byCursor, 'next'))).toEqual(['4', '5'])
  })

  test('refuses include', async () => {
    expectErrors(await cursorShelf(2).get(`${linkage}?include=artist`), [
      { status: 400, code: 'INCLUSION_UNSUPPORTED', parameter: 'include' },
    ])
  })
})

/** The pages from a path on, by `next`. */
async function walked(api: TestClient, path: string): Promise<readonly (readonly string[])[]> {
  const pages = await pagesFrom(api, await api.get(path))
  return pages.map(({ resources }) => resources.map((member) => `${member.type} ${member.id}`))
}

const item = (key: number, itemType: string) => ({ id: `${itemType}${key}`, libraryId: 1, itemId: key, itemType })

function library(paginator: AnyPaginator): TestClient {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
  const libraries = defineResource('libraries', {
    model: model<{ id: number }>('libraries'),
    id: id(),
    relations: {
      items: morphToMany(['tracks', 'albums'])
        .through('library_items', { owner: 'libraryId', member: 'itemId', memberType: 'itemType' })
        .paginate(paginator),
    },
  })
  const keys = [1, 2, 3].map((key) => ({ id: key }))
  const data = storedData({
    tracks: keys,
    albums: keys,
    libraries: [{ id: 1 }],
    library_items: [item(3, 'albums'), item(2, 'tracks'), item(1, 'albums'), item(3, 'tracks'), item(1, 'tracks')],
  })
  return client(createServer({ resources: [tracks, albums, libraries], data }))
}

describe('a polymorphic to-many', () => {
  test('page slices the mixed list at the related URL, by every strategy', async () => {
    const pages = [['tracks 1', 'tracks 2'], ['tracks 3', 'albums 1'], ['albums 3']]
    for (const paginator of [numberPage, offsetPage, fixedPage, cursorPage]) {
      expect(await walked(library(paginator({ size: 2 })), '/libraries/1/items')).toEqual(pages)
    }
  })

  test('has the paginator of the server if its relation declares none', async () => {
    const { document } = await client(catalogueServer({ pagination: offsetPage({ size: 3 }) })).get(
      '/libraries/1/items',
    )
    expect(document?.meta).toEqual({ page: { offset: 0, limit: 3, from: 1, to: 3 } })
  })

  test('is never windowed as linkage: page there is 400, as are sort and filter', async () => {
    const api = library(cursorPage({ size: 2 }))
    for (const [query, parameter] of [
      ['page[size]=2', 'page'],
      ['sort=id', 'sort'],
      ['filter[id]=1', 'filter'],
    ] as const) {
      const response = await api.get(`/libraries/1/relationships/items?${query}`)
      expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter }])
    }
    expect(idsOf(await api.get('/libraries/1/relationships/items'))).toEqual(['1', '2', '3', '1', '3'])
  })

  test('with cursor pages is included with its first page, and continues at its related URL', async () => {
    const { document, resource } = await library(cursorPage({ size: 2 })).get('/libraries/1?include=items')
    expect(document?.included).toHaveLength(2)
    const links = resource.relationships?.['items']?.links ?? {}
    expect(Object.keys(links)).toEqual(['self', 'related', 'first', 'next'])
    expect(String(links['next'])).toMatch(/^http:\/\/localhost\/libraries\/1\/items\?page%5Bsize%5D=2&page%5Bafter%5D=/)
    expect(document?.jsonapi).toHaveProperty('profile', [cursorPaginationProfile.uri])
  })
})

function playlist(paginator: AnyPaginator): TestClient {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const playlists = defineResource('playlists', {
    model: model<{ id: number }>('playlists'),
    id: id(),
    relations: {
      tracks: belongsToMany('tracks')
        .through('playlist_tracks', { owner: 'playlistId', member: 'trackId' })
        .fields((a) => ({ position: a.integer().nullable() }))
        .defaultSort('position')
        .paginate(paginator),
    },
  })
  const positions = [2, null, 1, 2, 3]
  const data = storedData({
    tracks: positions.map((_, index) => ({ id: index + 1 })),
    playlists: [{ id: 1 }],
    playlist_tracks: positions.map((position, index) => ({ id: index, playlistId: 1, trackId: index + 1, position })),
  })
  return client(createServer({ resources: [tracks, playlists], data }))
}

describe('a relation with pivot fields', () => {
  test('is walked at the related URL, by the fields of the join rows too', async () => {
    for (const paginator of [numberPage, offsetPage, fixedPage, cursorPage]) {
      const api = playlist(paginator({ size: 2 }))
      const pages = [['tracks 3', 'tracks 1'], ['tracks 4', 'tracks 5'], ['tracks 2']]
      expect(await walked(api, '/playlists/1/tracks')).toEqual(pages)
      expect((await walked(api, '/playlists/1/tracks?sort=-position')).flat()[0]).toBe('tracks 2')
    }
  })

  test('is 400 as queried linkage, and complete without a query', async () => {
    const api = playlist(cursorPage({ size: 2 }))
    for (const [query, parameter] of [
      ['page[size]=2', 'page'],
      ['sort=position', 'sort'],
      ['filter[x]=1', 'filter'],
    ] as const) {
      const response = await api.get(`/playlists/1/relationships/tracks?${query}`)
      expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter }])
    }
    expect(idsOf(await api.get('/playlists/1/relationships/tracks'))).toEqual(['3', '1', '4', '5', '2'])
  })

  test('continues from an include at the related URL, which takes the query', async () => {
    const api = playlist(cursorPage({ size: 2 }))
    const { resource } = await api.get('/playlists/1?include=tracks')
    const { links, data } = resource.relationships?.['tracks'] ?? {}
    expect(data).toEqual([
      { type: 'tracks', id: '3', meta: { pivot: { position: 1 } } },
      { type: 'tracks', id: '1', meta: { pivot: { position: 2 } } },
    ])
    const { pathname, search } = new URL(String(links?.['next']))
    expect(await walked(api, `${pathname}${search}`)).toEqual([['tracks 4', 'tracks 5'], ['tracks 2']])
  })
})

describe('members that no store can window', () => {
  const songs = ['Jóga', 'Bachelorette', 'Hunter', 'Unravel', 'Pluto'].map((title, index) => ({
    id: `t${index}`,
    title,
    albumId: 1,
  }))
  const byTitle = ['t1', 't2', 't0', 't4', 't3']

  /** The album's tracks by a key, from a provider that returns all its rows, and by a function of the album. */
  function elsewhere(paginator: AnyPaginator): TestClient {
    const tracks = defineType('tracks', {
      fields: (a) => ({ id: id(), title: a.string().sortable() }),
      serializer: {
        members: ['title'],
        serialize: (row) => ({ id: String(row['id']), attributes: { title: row['title'] } }),
      },
      provider: { fetchOne: () => null, fetchCollection: () => songs },
      operations: ['FetchCollection'],
    })
    const albums = defineResource('albums', {
      model: model<{ id: number }>('albums'),
      id: id(),
      relations: {
        tracks: hasMany('tracks').via('albumId').paginate(paginator).readOnly(),
        sung: hasMany('tracks')
          .extractUsing(() => songs)
          .paginate(paginator),
      },
    })
    return client(createServer({ resources: [tracks, albums], data: storedData({ albums: [{ id: 1 }] }) }))
  }

  test.each(['tracks', 'sung'])('are windowed by the service, by every strategy: %s', async (relation) => {
    for (const paginator of [numberPage, offsetPage, fixedPage, cursorPage]) {
      const api = elsewhere(paginator({ size: 2 }))
      for (const path of [`/albums/1/${relation}`, `/albums/1/relationships/${relation}`]) {
        const pages = await walked(api, `${path}?sort=title`)
        expect(pages).toEqual([byTitle.slice(0, 2), byTitle.slice(2, 4), byTitle.slice(4)].map(tracksNamed))
      }
    }
    const { resource } = await elsewhere(cursorPage({ size: 2 })).get(`/albums/1?include=${relation}`)
    expect(resource.relationships?.[relation]?.data).toHaveLength(2)
    expect(resource.relationships?.[relation]?.links).toHaveProperty('next')
  })
})

const tracksNamed = (keys: readonly string[]): readonly string[] => keys.map((key) => `tracks ${key}`)
