import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestRequestOptions, type TestResource } from 'ashlar/testing'
import type { TestIdentifier } from '../../src/tools/testing/test-response.js'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { scopedMusic, staff } from '../support/scoped-music.js'

const api = client(scopedMusic())
const counting = { headers: { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` } }
const querying = { headers: { Accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"` } }

/** `type id` of each member of a list, or of the one. */
const named = (data: unknown): readonly string[] =>
  (Array.isArray(data) ? (data as readonly TestIdentifier[]) : [data as TestIdentifier]).map(
    (each) => `${each.type} ${each.id}`,
  )

const data = async (target: string, options: TestRequestOptions = {}): Promise<unknown> =>
  (await api.get(target, options)).document?.data

const ids = async (target: string, options: TestRequestOptions = {}): Promise<readonly string[]> =>
  ((await data(target, options)) as readonly TestResource[]).map((each) => each.id)

const linkage = async (target: string, name: string, options: TestRequestOptions = {}): Promise<unknown> =>
  (await api.get(target, options)).resource.relationships?.[name]?.data

const included = async (target: string, options: TestRequestOptions = {}): Promise<readonly string[]> =>
  named((await api.get(target, options)).document?.included)

async function isNotFound(target: string): Promise<void> {
  expectErrors(await api.get(target), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
}

describe('a row outside the scope of its type does not exist: collections', () => {
  test('leave it out for these callers', async () => {
    expect(await ids('/albums')).toEqual(['1', '2', '4'])
    expect(await ids('/albums', staff)).toEqual(['1', '2', '3', '4'])
  })

  test('do not find it by a filter either', async () => {
    expect(await ids('/albums?filter[title]=Demos')).toEqual([])
    expect(await ids('/albums?filter[title]=Demos', staff)).toEqual(['3'])
  })

  test('count and window the remaining rows', async () => {
    const { document } = await api.get('/albums?withCount=_self_&page[size]=2', counting)
    expect(document?.meta).toMatchObject({ total: 3, page: { total: 3, lastPage: 2 } })
    expect(await ids('/albums?page[size]=2&page[number]=2')).toEqual(['4'])
    const all = await api.get('/albums?withCount=_self_', { headers: { ...counting.headers, ...staff.headers } })
    expect(all.document?.meta).toMatchObject({ total: 4 })
  })
})

describe('a row outside the scope of its type does not exist: single reads', () => {
  test('are 404, and so are all paths below its URL', async () => {
    for (const target of [
      '/albums/3',
      '/albums/3/artist',
      '/albums/3/tracks',
      '/albums/3/relationships/artist',
      '/albums/3/relationships/tracks',
      '/artists/2/portrait',
      '/artists/2/relationships/albums',
    ]) {
      await isNotFound(target)
    }
    expect((await api.get('/albums/3', staff)).resource.attributes).toEqual({ title: 'Demos', released: false })
    expect(await ids('/albums/3/tracks', staff)).toEqual(['3'])
  })
})

describe('a row outside the scope of its type does not exist: related reads', () => {
  test('of a to-many leave it out', async () => {
    expect(await ids('/artists/1/albums')).toEqual(['1'])
    expect(await ids('/artists/1/albums', staff)).toEqual(['1', '3'])
    expect(await ids('/playlists/1/albums')).toEqual(['1', '2'])
    expect(named(await data('/playlists/1/items'))).toEqual(['artists 1', 'albums 2'])
    expect(named(await data('/playlists/1/items', staff))).toEqual(['artists 1', 'artists 2', 'albums 2', 'albums 3'])
  })

  test('of a to-one are null', async () => {
    expect(await data('/albums/2/artist')).toBeNull()
    expect(await data('/tracks/3/album')).toBeNull()
    expect(await data('/artists/3/portrait')).toBeNull()
    expect(await data('/playlists/1/dedicatedTo')).toBeNull()
    expect(named(await data('/playlists/2/dedicatedTo'))).toEqual(['albums 1'])
    expect(named(await data('/albums/2/artist', staff))).toEqual(['artists 2'])
  })

  test('count and window the remaining rows', async () => {
    const { document } = await api.get('/artists/1/albums?withCount=_self_', counting)
    expect(document?.meta).toMatchObject({ total: 1 })
    expect(await ids('/playlists/1/items?page[size]=1&page[number]=2')).toEqual(['2'])
    const { links } = (await api.get('/playlists/1/items?page[size]=1&page[number]=2')).document ?? {}
    expect(links).not.toHaveProperty('next')
  })
})

describe('a row outside the scope of its type does not exist: linkage', () => {
  test('of an owner-side to-one is null, although the key is in the row', async () => {
    expect(await linkage('/albums/2', 'artist')).toBeNull()
    expect(await linkage('/albums/1', 'artist')).toEqual({ type: 'artists', id: '1' })
    expect(await linkage('/albums/2', 'artist', staff)).toEqual({ type: 'artists', id: '2' })
    expect(await linkage('/playlists/1', 'dedicatedTo')).toBeNull()
    expect(await linkage('/playlists/1', 'dedicatedTo', staff)).toEqual({ type: 'artists', id: '2' })
    const { resources } = await api.get('/albums')
    expect(resources.map(({ relationships }) => relationships?.['artist']?.data)).toEqual([
      { type: 'artists', id: '1' },
      null,
      { type: 'artists', id: '3' },
    ])
  })

  test('of a to-many leaves it out, in documents and at its own URL', async () => {
    const shown = [
      { type: 'albums', id: '1', meta: { pivot: { place: 1 } } },
      { type: 'albums', id: '2', meta: { pivot: { place: 3 } } },
    ]
    expect(await linkage('/playlists/1', 'albums')).toEqual(shown)
    expect(await data('/playlists/1/relationships/albums')).toEqual(shown)
    expect(named(await linkage('/playlists/1', 'items'))).toEqual(['artists 1', 'albums 2'])
    expect(named(await data('/playlists/1/relationships/items'))).toEqual(['artists 1', 'albums 2'])
  })

  test('at its own URL is null for a to-one', async () => {
    expect(await data('/albums/2/relationships/artist')).toBeNull()
    expect(await data('/playlists/1/relationships/dedicatedTo')).toBeNull()
    expect(await data('/artists/3/relationships/portrait')).toBeNull()
    expect(await data('/albums/2/relationships/artist', staff)).toEqual({ type: 'artists', id: '2' })
  })

  test('is counted without it', async () => {
    const totals = async (target: string, name: string): Promise<unknown> =>
      (await api.get(target, counting)).resource.relationships?.[name]?.meta
    expect(await totals('/artists/1?withCount=albums', 'albums')).toEqual({ total: 1 })
    expect(await totals('/playlists/1?withCount=albums', 'albums')).toEqual({ total: 2 })
    expect(await totals('/playlists/1?withCount=items', 'items')).toEqual({ total: 2 })
    const { document } = await api.get('/playlists/1/relationships/items?withCount=_self_', counting)
    expect(document?.meta).toEqual({ total: 2 })
  })

  test('of a relationship query leaves it out', async () => {
    const target = '/artists/1?include=albums&rQ[albums][sort]=-title'
    expect(named(await linkage(target, 'albums', querying))).toEqual(['albums 1'])
    expect(await linkage('/albums/2?include=artist&rQ[artist][filter][name]=Burial', 'artist', querying)).toBeNull()
  })
})

describe('a row outside the scope of its type does not exist: included resources', () => {
  test('leave it out, and the resources that it would include', async () => {
    expect(await included('/artists?include=albums.tracks')).toEqual(['albums 1', 'albums 4', 'tracks 1', 'tracks 4'])
    expect(await included('/albums?include=artist')).toEqual(['artists 1', 'artists 3'])
    expect(await included('/tracks?include=album.artist')).toEqual([
      'albums 1',
      'albums 2',
      'albums 4',
      'artists 1',
      'artists 3',
    ])
    expect(await included('/playlists?include=items,dedicatedTo')).toEqual(['artists 1', 'albums 2', 'albums 1'])
    expect(await included('/artists?include=portrait')).toEqual(['portraits 1'])
  })

  test('by default leave it out as well', async () => {
    expect(await included('/tracks')).toEqual(['albums 1', 'albums 2', 'albums 4'])
    expect(await included('/tracks', staff)).toEqual(['albums 1', 'albums 2', 'albums 3', 'albums 4'])
  })
})

describe('a row outside the scope of its type does not exist: filters through relations', () => {
  test('find nothing by it', async () => {
    expect(await ids('/albums?filter[artist]=Burial')).toEqual([])
    expect(await ids('/albums?filter[artistId]=2')).toEqual([])
    expect(await ids('/albums?filter[search]=buri')).toEqual([])
    expect(await ids('/artists?filter[album]=Demos')).toEqual([])
    expect(await ids('/tracks?filter[artist]=Burial')).toEqual([])
    expect(await ids('/tracks?filter[album]=Demos')).toEqual([])
    expect(await ids('/albums?filter[artist]=Burial', staff)).toEqual(['2'])
    expect(await ids('/tracks?filter[album]=Demos', staff)).toEqual(['3'])
  })

  test('find no difference from it either', async () => {
    expect(await ids('/albums?filter[artistNot]=Radiohead')).toEqual(['4'])
    expect(await ids('/albums?filter[artistNot]=Radiohead', staff)).toEqual(['2', '4'])
  })

  test('that test for its existence do not see it', async () => {
    expect(await ids('/albums?filter[signed]')).toEqual(['1', '4'])
    expect(await ids('/albums?filter[orphaned]')).toEqual(['2'])
    expect(await ids('/albums?filter[orphaned]', staff)).toEqual([])
    expect(await ids('/artists?filter[withAlbum]')).toEqual(['1', '3'])
    expect(await ids('/playlists?filter[dedicated]')).toEqual(['2'])
    expect(await ids('/playlists?filter[dedicated]', staff)).toEqual(['1', '2'])
    expect(await ids('/playlists?filter[empty]')).toEqual(['2', '3'])
    expect(await ids('/playlists?filter[empty]', staff)).toEqual(['2'])
  })
})

describe('a row outside the scope of its type does not exist: sorts through relations', () => {
  test('count it as null', async () => {
    expect(await ids('/albums?sort=artist')).toEqual(['4', '1', '2'])
    expect(await ids('/albums?sort=-artist')).toEqual(['2', '1', '4'])
    expect(await ids('/albums?sort=artist', staff)).toEqual(['4', '2', '1', '3'])
    expect(await ids('/tracks?sort=artist')).toEqual(['4', '1', '2', '3'])
    expect(await ids('/tracks?sort=artist', staff)).toEqual(['4', '2', '1', '3'])
  })
})
