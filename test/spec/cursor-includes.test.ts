import {
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  model,
  numberPage,
  pageMenu,
  type ServerSettings,
} from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { cursorPaginationProfile } from '../../src/declare/profiles/profile.js'
import type { TestClient, TestResource, TestResponse } from 'ashlar/testing'
import type { TestRelationship } from '../../src/tools/testing/test-response.js'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { followed, idsOf, pagesFrom } from '../support/paged-albums.js'
import { storedData } from '../support/stored-data.js'

const { uri } = cursorPaginationProfile

interface Options {
  readonly albums?: AnyPaginator
  readonly settings?: Omit<ServerSettings<readonly []>, 'resources' | 'data'>
}

/** Artist 1 has five albums, artist 2 one, artist 3 none; album 1 has three tracks, album 2 one. */
function discography({ albums: cut = cursorPage({ size: 2 }), settings = {} }: Options = {}): TestClient {
  const tracks = defineResource('tracks', { model: model<{ id: number; albumId: number }>('tracks'), id: id() })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable() }),
    relations: {
      tracks: hasMany('tracks')
        .via('albumId')
        .paginate(cursorPage({ size: 1 })),
    },
  })
  const ofArtist = hasMany('albums').via('artistId')
  const artists = defineResource('artists', {
    model: model<{ id: number; labelId: number }>('artists'),
    id: id(),
    relations: {
      albums: ofArtist.paginate(cut),
      byTitle: ofArtist.defaultSort('-title').paginate(cursorPage({ size: 3 })),
      all: ofArtist.paginate(numberPage({ size: 1 })),
      unaddressed: ofArtist.withoutRelationshipEndpoint().paginate(cursorPage({ size: 2 })),
    },
  })
  const labels = defineResource('labels', {
    model: model<{ id: number }>('labels'),
    id: id(),
    relations: { artists: hasMany('artists').via('labelId') },
    defaultIncludes: ['artists'],
  })
  const data = storedData({
    labels: [{ id: 1 }],
    artists: [1, 2, 3].map((key) => ({ id: key, labelId: 1 })),
    albums: [1, 1, 1, 2, 1, 1].map((artistId, index) => ({ id: index + 1, title: 'bacdfe'.charAt(index), artistId })),
    tracks: [1, 1, 2, 1].map((albumId, index) => ({ id: index + 1, albumId })),
  })
  return client(createServer({ ...settings, resources: [tracks, albums, artists, labels], data }))
}

function relationship({ relationships }: TestResource, name: string): TestRelationship {
  const found = relationships?.[name]
  if (found === undefined) throw new Error(`There is no relationship '${name}'.`)
  return found
}

const memberIds = ({ data }: TestRelationship): readonly string[] =>
  Array.isArray(data) ? data.map((member: { readonly id: string }) => member.id) : []
const included = ({ document }: TestResponse): readonly string[] =>
  (document?.included ?? []).map((resource) => `${resource.type} ${resource.id}`)

/** All members, from the linkage of a document on through `next`. */
async function walked(api: TestClient, start: TestRelationship): Promise<readonly (readonly string[])[]> {
  const next = followed(start.links?.['next'])
  const further = next === null ? [] : await pagesFrom(api, await api.get(next))
  return [memberIds(start), ...further.map(idsOf)]
}

describe('rule 11: a cursor-paginated include', () => {
  test('renders the first cursor page per parent', async () => {
    const response = await discography().get('/artists?include=albums')
    expect(response.resources.map((artist) => memberIds(relationship(artist, 'albums')))).toEqual([
      ['1', '2'],
      ['4'],
      [],
    ])
    expect(included(response)).toEqual(['albums 1', 'albums 2', 'albums 4'])
  })

  test('has a next with page[after], and no prev or last', async () => {
    const response = await discography().get('/artists?include=albums')
    const links = response.resources.map((artist) => relationship(artist, 'albums').links)
    expect(links.map((each) => Object.keys(each ?? {}))).toEqual([
      ['self', 'related', 'first', 'next'],
      ['self', 'related', 'first'],
      ['self', 'related', 'first'],
    ])
    const address = 'http://localhost/artists/1/relationships/albums'
    expect(links[0]).toMatchObject({ self: address, first: `${address}?page%5Bsize%5D=2` })
    expect(links[0]?.['next']).toMatch(
      new RegExp(`^${address}\\?page%5Bsize%5D=2&page%5Bafter%5D=[\\w-]+$`.replaceAll('.', '\\.')),
    )
  })

  test('can be followed to its end', async () => {
    const api = discography()
    const { resource } = await api.get('/artists/1?include=albums')
    expect(await walked(api, relationship(resource, 'albums'))).toEqual([['1', '2'], ['3', '5'], ['6']])
    const first = await api.get(followed(relationship(resource, 'albums').links?.['first']) ?? '')
    expect(idsOf(first)).toEqual(['1', '2'])
  })

  test('has the order of its relation on every page', async () => {
    const api = discography()
    const { resource } = await api.get('/artists/1?include=byTitle')
    expect(await walked(api, relationship(resource, 'byTitle'))).toEqual([
      ['5', '6', '3'],
      ['1', '2'],
    ])
  })

  test('advertises the profile even when the primary collection is page-based', async () => {
    const response = await discography().get('/artists?include=albums')
    expect(response.document?.meta?.['page']).toHaveProperty('currentPage')
    expect(response.document?.jsonapi).toEqual({ version: '1.1', profile: [uri] })
    expect(response.headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${uri}"`)
    const single = await discography().get('/artists/3?include=albums')
    expect(single.document?.jsonapi).toEqual({ version: '1.1', profile: [uri] })
  })

  test('does not advertise the profile if the server did not register it', async () => {
    const response = await discography({ settings: { profiles: [] } }).get('/artists?include=albums')
    expect(memberIds(relationship(response.resources[0] as TestResource, 'albums'))).toEqual(['1', '2'])
    expect(response.document?.jsonapi).toEqual({ version: '1.1' })
    expect(response.headers.get('Content-Type')).toBe('application/vnd.api+json')
  })

  test('does not affect documents that include nothing, or nothing by cursor', async () => {
    for (const path of ['/artists', '/artists/1?include=all', '/artists?include=']) {
      expect((await discography().get(path)).document?.jsonapi).toEqual({ version: '1.1' })
    }
  })

  test('may be at deeper levels, each with its own first page and its own next', async () => {
    const api = discography()
    const response = await api.get('/artists?include=albums.tracks')
    expect(included(response)).toEqual(['albums 1', 'albums 2', 'albums 4', 'tracks 1', 'tracks 3'])
    const [first, second, fourth] = response.document?.included ?? []
    const pages = await Promise.all(
      [first, second, fourth].map((album) => walked(api, relationship(album as TestResource, 'tracks'))),
    )
    expect(pages).toEqual([[['1'], ['2'], ['4']], [['3']], [[]]])
  })

  test('may be below a level that is included whole', async () => {
    const response = await discography().get('/labels/1?include=artists.albums')
    expect(included(response)).toEqual(['artists 1', 'artists 2', 'artists 3', 'albums 1', 'albums 2', 'albums 4'])
    expect(response.document?.jsonapi).toEqual({ version: '1.1', profile: [uri] })
  })

  test('works from a related collection as well', async () => {
    const response = await discography().get('/labels/1/artists?include=albums')
    expect(included(response)).toEqual(['albums 1', 'albums 2', 'albums 4'])
    expect(response.document?.jsonapi).toEqual({ version: '1.1', profile: [uri] })
  })

  test('continues at the related URL, if linkage has none', async () => {
    const api = discography()
    const { resource } = await api.get('/artists/1?include=unaddressed')
    const shown = relationship(resource, 'unaddressed')
    expect(shown.links?.['next']).toMatch(/^http:\/\/localhost\/artists\/1\/unaddressed\?page%5Bsize%5D=2&page%5Bafter/)
    expect(await walked(api, shown)).toEqual([['1', '2'], ['3', '5'], ['6']])
  })

  test('of a menu is one if cursor is its default; its links name the kind', async () => {
    const byCursor = pageMenu([numberPage({ size: 2 }), cursorPage({ size: 2 })], { default: 'cursor' })
    const api = discography({ albums: byCursor })
    const { resource } = await api.get('/artists/1?include=albums')
    expect(followed(relationship(resource, 'albums').links?.['next'])).toContain('?page%5Bkind%5D=cursor&')
    expect(await walked(api, relationship(resource, 'albums'))).toEqual([['1', '2'], ['3', '5'], ['6']])
    const whole = await discography({ albums: pageMenu([numberPage({ size: 2 }), cursorPage({ size: 2 })]) }).get(
      '/artists/1?include=albums',
    )
    expect(included(whole)).toHaveLength(5)
    expect(whole.document?.jsonapi).toEqual({ version: '1.1' })
  })
})

describe('an include with other pages', () => {
  test('is whole, without links to other pages', async () => {
    const response = await discography().get('/artists/1?include=all')
    expect(memberIds(relationship(response.resource, 'all'))).toEqual(['1', '2', '3', '5', '6'])
    expect(Object.keys(relationship(response.resource, 'all').links ?? {})).toEqual(['self', 'related'])
  })
})

describe('relations over the same rows', () => {
  test('have a paginator each', async () => {
    const api = discography()
    const metas = await Promise.all(
      ['albums', 'byTitle', 'all'].map(async (name) => (await api.get(`/artists/1/${name}`)).document?.meta),
    )
    expect(metas).toEqual([
      { page: { perPage: 2, hasMore: true, from: '1', to: '2' } },
      { page: { perPage: 3, hasMore: true, from: '5', to: '3' } },
      { page: { currentPage: 1, perPage: 1, from: 1, to: 1 } },
    ])
    const sizes = await Promise.all(
      ['albums', 'byTitle', 'all'].map(
        async (name) => idsOf(await api.get(`/artists/1/relationships/${name}?sort=title`)).length,
      ),
    )
    expect(sizes).toEqual([2, 3, 1])
  })
})
