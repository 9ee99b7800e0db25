import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  model,
  numberPage,
} from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const headers = { accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"` }
const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'

interface Tracks {
  readonly paginator: AnyPaginator
  readonly always?: boolean
}

/** Albums whose tracks have their own paginator. */
const paged = ({ paginator, always = false }: Tracks, options = { headers }) => {
  const tracks = hasMany('tracks')
    .paginate(paginator)
    .withFilters((f) => ({ title: f.contains('title') }))
  const relations = { artist: belongsTo('artists'), tracks: always ? tracks.withData() : tracks }
  return client(recordShop({ albums: { relations } }), options)
}

const atLinkage = (query: string): string => `http://localhost/albums/1/relationships/tracks?${query}`

/** The path and query of a link. */
const followed = (link: unknown): string => String(link).slice('http://localhost'.length)

describe('while relationship queries are negotiated', () => {
  const one = numberPage({ size: 1 })

  test('an included to-many is windowed to page 1 of its own paginator, and included matches', async () => {
    const { document, resource } = await paged({ paginator: one }).get('/albums/1?include=tracks')
    expect(resource.relationships?.['tracks']).toEqual({
      links: {
        ...relationshipLinks('/albums/1', 'tracks'),
        first: atLinkage('page%5Bnumber%5D=1'),
        next: atLinkage('page%5Bnumber%5D=2'),
      },
      data: [{ type: 'tracks', id: '1' }],
    })
    expect(shown(document?.included)).toEqual(['tracks 1'])
  })

  test('so is one that is included by default', async () => {
    const relations = { artist: belongsTo('artists'), tracks: hasMany('tracks').paginate(one) }
    const server = recordShop({ albums: { relations, defaultIncludes: ['tracks'] } })
    const { document, resource } = await client(server, { headers }).get('/albums/1')
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1'])
    expect(shown(document?.included)).toEqual(['tracks 1'])
  })

  test('so is linkage that is always shown', async () => {
    const { resources } = await paged({ paginator: one, always: true }).get('/albums')
    expect(resources.map(({ relationships }) => shown(relationships?.['tracks']?.data))).toEqual([
      ['tracks 1'],
      ['tracks 3'],
      ['tracks 4'],
      ['tracks 5'],
    ])
    expect(resources.map(({ relationships }) => relationships?.['tracks']?.links?.['next'])).toEqual([
      atLinkage('page%5Bnumber%5D=2'),
      undefined,
      undefined,
      undefined,
    ])
  })

  test('a relation that renders links only is not changed', async () => {
    const { resource } = await paged({ paginator: one }).get('/albums/1')
    expect(resource.relationships?.['tracks']).toEqual({ links: relationshipLinks('/albums/1', 'tracks') })
  })

  test('a counting paginator has last too', async () => {
    const { resource } = await paged({ paginator: one.withCount() }).get('/albums/1?include=tracks')
    expect(resource.relationships?.['tracks']?.links?.['last']).toBe(atLinkage('page%5Bnumber%5D=2'))
    expect(resource.relationships?.['tracks']).not.toHaveProperty('meta')
  })

  test('a relation without a paginator is shown whole, without page links', async () => {
    const relations = { artist: belongsTo('artists'), tracks: hasMany('tracks').withoutPagination() }
    const { resource } = await client(recordShop({ albums: { relations } }), { headers }).get(
      '/albums/1?include=tracks',
    )
    expect(resource.relationships?.['tracks']?.data).toHaveLength(2)
    expect(resource.relationships?.['tracks']?.links).toEqual(relationshipLinks('/albums/1', 'tracks'))
  })

  test('only the relations of primary resources are windowed', async () => {
    const { document } = await paged({ paginator: one }).get('/artists/1?include=albums.tracks')
    expect(shown(document?.included)).toEqual(['albums 1', 'albums 2', 'tracks 1', 'tracks 2', 'tracks 3'])
  })

  test('the responses to writes are windowed too', async () => {
    const body = resourceBody('albums', { title: 'OKNOTOK' }, '1')
    const { resource } = await paged({ paginator: one, always: true }).patch('/albums/1', { body })
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1'])
  })

  test('without them the whole related set is shown', async () => {
    const { document, resource } = await paged({ paginator: one }, { headers: { accept: '*/*' } }).get(
      '/albums/1?include=tracks',
    )
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 2'])
    expect(resource.relationships?.['tracks']?.links).toEqual(relationshipLinks('/albums/1', 'tracks'))
  })
})

describe("links of a window refer to the relationship's own URL", () => {
  test('in plain sort, filter and page form, correctly encoded', async () => {
    const query = 'include=tracks&rQ[tracks][sort]=-title&rQ[tracks][filter][title]=a%20%26%3D%C3%A9'
    const { resource } = await paged({ paginator: numberPage({ size: 1 }) }).get(`/albums/1?${query}`)
    expect(resource.relationships?.['tracks']?.data).toEqual([])
    const found = await paged({ paginator: numberPage({ size: 1 }) }).get(
      '/albums/1?include=tracks&rQ[tracks][sort]=-title&rQ[tracks][filter][title]=a',
    )
    expect(found.resource.relationships?.['tracks']?.links).toEqual({
      ...relationshipLinks('/albums/1', 'tracks'),
      first: atLinkage('sort=-title&filter%5Btitle%5D=a&page%5Bnumber%5D=1'),
      next: atLinkage('sort=-title&filter%5Btitle%5D=a&page%5Bnumber%5D=2'),
    })
  })

  test('and can be followed without the profile', async () => {
    const api = paged({ paginator: numberPage({ size: 1 }) })
    const { resource } = await api.get('/albums/1?include=tracks&rQ[tracks][sort]=-title')
    const links = resource.relationships?.['tracks']?.links
    const plain = paged({ paginator: numberPage({ size: 1 }) }, { headers: { accept: '*/*' } })
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 2'])
    expect(shown((await plain.get(followed(links?.['first']))).document?.data)).toEqual(['tracks 2'])
    expect(shown((await plain.get(followed(links?.['next']))).document?.data)).toEqual(['tracks 1'])
  })

  test('with filters of several levels and lists, too', async () => {
    const api = client(catalogueServer(), { headers })
    const { resource } = await api.get('/artists/1?include=albums&rQ[albums][filter][rating][min]=4.7')
    expect(shown(resource.relationships?.['albums']?.data)).toEqual(['albums 1'])
    const first = resource.relationships?.['albums']?.links?.['first']
    expect(first).toBe(
      'http://localhost/artists/1/relationships/albums?filter%5Brating%5D%5Bmin%5D=4.7&page%5Bsize%5D=15',
    )
    expect(shown((await api.get(followed(first))).document?.data)).toEqual(['albums 1'])
  })
})

describe('a cursor-paginated include', () => {
  const cursor = cursorPage({ size: 1 })
  const plain = { headers: { accept: '*/*' } }

  test('renders the first cursor page per parent: next has page[after], with no prev or last', async () => {
    const { document, resources } = await paged({ paginator: cursor }, plain).get('/albums?include=tracks')
    expect(resources.map(({ relationships }) => shown(relationships?.['tracks']?.data))).toEqual([
      ['tracks 1'],
      ['tracks 3'],
      ['tracks 4'],
      ['tracks 5'],
    ])
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 3', 'tracks 4', 'tracks 5'])
    expect(resources[0]?.relationships?.['tracks']?.links).toEqual({
      ...relationshipLinks('/albums/1', 'tracks'),
      first: atLinkage('page%5Bsize%5D=1'),
      next: expect.stringMatching(
        /\/albums\/1\/relationships\/tracks\?page%5Bsize%5D=1&page%5Bafter%5D=[\w-]+$/,
      ) as string,
    })
    expect(resources[1]?.relationships?.['tracks']?.links).not.toHaveProperty('next')
  })

  test('continues at the relationship endpoint', async () => {
    const api = paged({ paginator: cursor }, plain)
    const { resource } = await api.get('/albums/1?include=tracks')
    const { document } = await api.get(followed(resource.relationships?.['tracks']?.links?.['next']))
    expect(shown(document?.data)).toEqual(['tracks 2'])
    expect(document?.links).not.toHaveProperty('next')
  })

  test('advertises the profile even when the primary collection is page-based', async () => {
    const { document, headers: sent } = await paged({ paginator: cursor }, plain).get('/albums?include=tracks')
    expect(document?.meta).toHaveProperty('page.currentPage', 1)
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [cursorProfile] })
    expect(sent.get('Content-Type')).toBe(`application/vnd.api+json; profile="${cursorProfile}"`)
  })

  test('at any depth', async () => {
    const { document } = await paged({ paginator: cursor }, plain).get('/artists/1?include=albums.tracks')
    expect(shown(document?.included)).toEqual(['albums 1', 'albums 2', 'tracks 1', 'tracks 3'])
    expect(document?.jsonapi).toHaveProperty('profile', [cursorProfile])
  })

  test('queried by the profile has its order in the cursor', async () => {
    const api = paged({ paginator: cursor })
    const { resource } = await api.get('/albums/1?include=tracks&rQ[tracks][sort]=-title')
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 2'])
    const { document } = await api.get(followed(resource.relationships?.['tracks']?.links?.['next']))
    expect(shown(document?.data)).toEqual(['tracks 1'])
  })
})

const playlistServer = (suppressed: boolean) => {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const ordered = belongsToMany('tracks')
    .through('entries', { owner: 'playlistId', member: 'trackId' })
    .fields((a) => ({ position: a.integer() }))
    .paginate(cursorPage({ size: 1 }))
  const playlists = defineResource('playlists', {
    model: model<{ id: number }>('playlists'),
    id: id(),
    relations: { tracks: suppressed ? ordered.withoutRelatedEndpoint() : ordered },
  })
  const data = storedData({
    tracks: [{ id: 1 }, { id: 2 }],
    playlists: [{ id: 1 }],
    entries: [1, 2].map((key) => ({ id: key, playlistId: 1, trackId: key, position: key })),
  })
  return createServer({ resources: [tracks, playlists], data })
}

describe('linkage with fields of join rows', () => {
  test('has its pages at the related URL, since its own takes no queries', async () => {
    for (const accept of ['*/*', headers.accept]) {
      const api = client(playlistServer(false), { headers: { accept } })
      const { document, resource } = await api.get('/playlists/1?include=tracks')
      const { data, links } = resource.relationships?.['tracks'] ?? {}
      expect(data).toEqual([{ type: 'tracks', id: '1', meta: { pivot: { position: 1 } } }])
      expect(shown(document?.included)).toEqual(['tracks 1'])
      expect(links?.['next']).toMatch(/^http:\/\/localhost\/playlists\/1\/tracks\?/)
      expect(shown((await api.get(followed(links?.['next']))).resources)).toEqual(['tracks 2'])
    }
  })
})

describe('linkage is shown whole if no link could refer to the rest', () => {
  test('of join rows with fields without a related endpoint', async () => {
    for (const accept of ['*/*', headers.accept]) {
      const api = client(playlistServer(true), { headers: { accept } })
      const { resource } = await api.get('/playlists/1?include=tracks')
      expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1', 'tracks 2'])
      expect(resource.relationships?.['tracks']?.links).toEqual({
        self: 'http://localhost/playlists/1/relationships/tracks',
      })
    }
  })

  test('of relations without links', async () => {
    const unlinked = hasMany('tracks')
      .paginate(cursorPage({ size: 1 }))
      .withoutLinks()
    const api = client(recordShop({ albums: { relations: { artist: belongsTo('artists'), tracks: unlinked } } }))
    const { resource } = await api.get('/albums/1?include=tracks')
    expect(resource.relationships?.['tracks']).toEqual({
      data: [
        { type: 'tracks', id: '1' },
        { type: 'tracks', id: '2' },
      ],
    })
  })
})
