import { belongsTo, cursorPage, hasMany, numberPage } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks } from '../support/shown.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const headers = { accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }
const both = {
  accept: `application/vnd.api+json; profile="${countableProfile.uri} ${relationshipQueriesProfile.uri}"`,
}

const get = (path: string) => client(catalogueServer(), { headers }).get(path)

const notAllowed = (names: string) => [
  {
    status: 400,
    code: 'RELATIONSHIP_COUNT_NOT_ALLOWED',
    parameter: 'withCount',
    detail: `These cannot be counted here: ${names}.`,
  },
]

/** Albums of artists by cursor, tracks of albums with linkage that always shows; both can be counted. */
const counting = () =>
  client(
    recordShop({
      artists: {
        relations: {
          label: belongsTo('labels'),
          albums: hasMany('albums')
            .countable()
            .paginate(cursorPage({ size: 1 })),
        },
      },
      albums: {
        countable: true,
        relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').countable().withData() },
      },
    }),
    { headers },
  )

describe('withCount', () => {
  test('has no meaning unless the profile is negotiated', async () => {
    const api = client(catalogueServer())
    for (const path of [
      '/albums?withCount=_self_',
      '/albums/1?withCount=tracks',
      '/albums/1/tracks?withCount=_self_',
    ]) {
      expectErrors(await api.get(path), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'withCount' }])
    }
    const lenient = client(catalogueServer({ strictQueryParameters: false }))
    const { status, document } = await lenient.get('/albums?withCount=_self_,nonsense')
    expect(status).toBe(200)
    expect(document?.meta).not.toHaveProperty('total')
  })

  test('is a flat comma list: duplicates are merged, blanks are dropped', async () => {
    const { resource } = await get('/albums/1?withCount=,tracks,,tracks,&fields[albums]=tracks')
    expect(resource.relationships?.['tracks']?.meta).toEqual({ total: 3 })
    expect((await get('/albums/1?withCount=')).status).toBe(200)
  })
})

describe('the name of a relation', () => {
  test('puts its total into the meta of the relationship: on a single resource', async () => {
    const { resource } = await get('/albums/1?withCount=tracks&fields[albums]=tracks')
    expect(resource.relationships).toEqual({
      tracks: { links: relationshipLinks('/albums/1', 'tracks'), meta: { total: 3 } },
    })
  })

  test('on every member of a collection, also if it is 0', async () => {
    const { resources, document } = await get('/tracks?withCount=playlists')
    const totals = [2, 0, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0]
    expect(resources.map(({ relationships }) => relationships?.['playlists']?.meta)).toEqual(
      totals.map((total) => ({ total })),
    )
    expect(document?.meta).not.toHaveProperty('total')
  })

  test('on a related read, of the related type', async () => {
    const { resources } = await get('/artists/1/albums?withCount=tracks')
    expect(resources.map(({ relationships }) => relationships?.['tracks']?.meta)).toEqual([{ total: 3 }, { total: 2 }])
    const one = await get('/tracks/1/album?withCount=tracks')
    expect(one.resource.relationships?.['tracks']?.meta).toEqual({ total: 3 })
    expectErrors(await get('/artists/1/albums?withCount=albums'), notAllowed('albums'))
  })

  test('on the responses to writes', async () => {
    const api = client(catalogueServer(), { headers })
    const body = resourceBody('albums', { title: 'OKNOTOK' }, '1')
    const changed = await api.patch('/albums/1?withCount=tracks', { body })
    expect(changed.resource.relationships?.['tracks']?.meta).toEqual({ total: 3 })
    const created = await api.post('/albums?withCount=tracks', {
      body: resourceBody('albums', { title: 'Amnesiac', releasedAt: '2001-06-05T00:00:00Z', explicit: false }),
    })
    expect(created.status).toBe(201)
    expect(created.resource.relationships?.['tracks']?.meta).toEqual({ total: 0 })
  })

  test('next to linkage and links, whether the relation is included or not', async () => {
    const { resource } = await counting().get('/albums/1?withCount=tracks')
    expect(resource.relationships?.['tracks']).toEqual({
      links: relationshipLinks('/albums/1', 'tracks'),
      data: [
        { type: 'tracks', id: '1' },
        { type: 'tracks', id: '2' },
      ],
      meta: { total: 2 },
    })
  })

  test('counts all members if linkage shows one page of them', async () => {
    const { resource } = await counting().get('/artists/1?include=albums&withCount=albums')
    expect(resource.relationships?.['albums']?.data).toHaveLength(1)
    expect(resource.relationships?.['albums']?.meta).toEqual({ total: 2 })
  })

  test('of the primary resources only: included ones are not counted', async () => {
    const { document } = await counting().get('/artists/2?include=albums&withCount=albums')
    expect(document?.included?.[0]?.relationships?.['tracks']).not.toHaveProperty('meta')
  })

  test('does not show a relationship that the fieldset leaves out', async () => {
    expect((await get('/albums/1?withCount=tracks&fields[albums]=title')).resource).not.toHaveProperty('relationships')
  })

  test('a countable relation that was not named has no total', async () => {
    const { resource } = await get('/albums/1?include=tracks')
    expect(resource.relationships?.['tracks']).not.toHaveProperty('meta')
  })

  test('of members of several types is not counted', async () => {
    exemptFromDescription('queries', 'Names to count are ignored if the resources have several types.')
    const { status, resources } = await get('/libraries/1/items?withCount=tracks')
    expect(status).toBe(200)
    expect(resources.flatMap(({ relationships }) => Object.values(relationships ?? {})).some((each) => each.meta)).toBe(
      false,
    )
    expectErrors(await get('/libraries/1/items?withCount=nonsense'), notAllowed('nonsense'))
  })
})

describe('a name that cannot be counted is RELATIONSHIP_COUNT_NOT_ALLOWED', () => {
  test.each([
    ['/albums', 'nonsense', 'unknown'],
    ['/albums/1', 'artist', 'to-one'],
    ['/artists', 'albums', 'not countable'],
    ['/albums', 'title', 'no relation'],
    ['/albums', 'tracks.playlists', 'a path'],
    ['/albums', 'constructor', 'unknown'],
  ])('%s?withCount=%s: %s', async (address, name) => {
    expectErrors(await get(`${address}?withCount=${name}`), notAllowed(name))
  })

  test('and the whole list is validated: all such names are reported', async () => {
    expectErrors(await get('/albums?withCount=nonsense,tracks,artist'), notAllowed('nonsense, artist'))
  })

  test('a relation that the caller does not see is unknown', async () => {
    const relations = { artist: belongsTo('artists'), tracks: hasMany('tracks').countable().hidden() }
    const api = client(recordShop({ albums: { relations } }), { headers })
    expectErrors(await api.get('/albums?withCount=tracks'), notAllowed('tracks'))
  })

  test('before anything is read or written', async () => {
    expectErrors(await get('/albums/99?withCount=artist'), notAllowed('artist'))
    const api = client(catalogueServer(), { headers })
    const body = resourceBody('genres', { name: 'Dub' }, 'dub')
    expectErrors(await api.post('/genres?withCount=nonsense', { body }), notAllowed('nonsense'))
    expect((await api.get('/genres/dub')).status).toBe(404)
  })

  test('at a relationship endpoint, since identifiers have nothing to count', async () => {
    expectErrors(await get('/artists/1/relationships/albums?withCount=tracks'), notAllowed('tracks'))
  })
})

describe('the token _self_', () => {
  test('puts the total of the primary collection into meta.total, and into meta.page.total of a page', async () => {
    const { document } = await get('/albums?withCount=_self_&page[size]=3')
    expect(document?.meta).toEqual({
      page: { currentPage: 1, perPage: 3, from: 1, to: 3, total: 4, lastPage: 2 },
      total: 4,
    })
    expect(document?.links).toHaveProperty('last')
    expect((await get('/albums?page[size]=3')).document?.meta).toEqual({
      page: { currentPage: 1, perPage: 3, from: 1, to: 3 },
    })
  })

  test('is 400 on a resource that is not countable', async () => {
    expectErrors(await get('/libraries?withCount=_self_'), notAllowed('_self_'))
  })

  test('is 400 where there is no collection', async () => {
    for (const path of ['/albums/1', '/tracks/1/album', '/tracks/1/relationships/album']) {
      expectErrors(await get(`${path}?withCount=_self_`), notAllowed('_self_'))
    }
  })

  test('on related and linkage reads depends on whether the relation is countable, not the type', async () => {
    const related = await get('/albums/1/tracks?withCount=_self_')
    expect(related.document?.meta).toMatchObject({ total: 3, page: { total: 3, lastPage: 1 } })
    const linkage = await get('/albums/1/relationships/tracks?withCount=_self_')
    expect(linkage.document?.meta).toEqual({ total: 3 })
    for (const path of ['/artists/1/albums', '/artists/1/relationships/albums', '/libraries/1/items']) {
      expectErrors(await get(`${path}?withCount=_self_`), notAllowed('_self_'))
    }
  })

  test('on a windowed linkage read is the total of all, without meta.page', async () => {
    const { document } = await get('/albums/1/relationships/tracks?withCount=_self_&page[size]=1')
    expect(document?.data).toEqual([{ type: 'tracks', id: '1', meta: { served_by: 'music' } }])
    expect(document?.meta).toEqual({ total: 3 })
  })

  test('together with names counts both', async () => {
    const { document, resources } = await get('/albums?withCount=_self_,tracks')
    expect(document?.meta).toMatchObject({ total: 4 })
    expect(resources[0]?.relationships?.['tracks']?.meta).toEqual({ total: 3 })
  })
})

describe('counts reflect', () => {
  test('the filters of the collection', async () => {
    expect((await get('/albums?withCount=_self_&filter[title]=ki')).document?.meta).toMatchObject({ total: 2 })
    expect((await get('/albums/1/tracks?withCount=_self_&filter[title]=air')).document?.meta).toMatchObject({
      total: 1,
    })
    const linkage = await get('/albums/1/relationships/tracks?withCount=_self_&filter[title]=air')
    expect(linkage.document?.meta).toEqual({ total: 1 })
  })

  test('the filters of relationship queries', async () => {
    const api = client(catalogueServer(), { headers: both })
    const { resources } = await api.get('/albums?withCount=tracks&relatedQuery[tracks][filter][title]=air')
    expect(resources.map(({ relationships }) => relationships?.['tracks']?.meta)).toEqual([
      { total: 1 },
      { total: 0 },
      { total: 0 },
      { total: 0 },
    ])
  })
})

describe('lists that are always counted', () => {
  test('a counting paginator counts every list', async () => {
    const server = recordShop({ albums: { pagination: numberPage({ size: 3 }).withCount() } })
    expect((await client(server).get('/albums')).document?.meta).toEqual({
      page: { currentPage: 1, perPage: 3, from: 1, to: 3, total: 4, lastPage: 2 },
      total: 4,
    })
  })

  test('a collection that is fetched whole always has its total', async () => {
    const server = recordShop({ albums: { pagination: null } })
    expect((await client(server).get('/albums')).document?.meta).toEqual({ total: 4 })
    expect((await client(server).get('/artists/1/albums')).document?.meta).toEqual({ total: 2 })
  })

  test('a cursor page never counts, requested or not', async () => {
    exemptFromDescription('queries', 'A cursor page ignores that a count is asked for.')
    const { document } = await counting().get('/artists/1/albums?withCount=_self_')
    expect(document?.meta).toEqual({ page: { perPage: 1, hasMore: true, from: '1', to: '1' } })
  })
})
