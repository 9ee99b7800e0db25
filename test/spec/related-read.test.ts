import { belongsTo, createServer, defineResource, hasMany, hasOne, id, model, numberPage } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const get = (path: string) => client(catalogueServer()).get(path)
const shop = (path: string) => client(recordShop()).get(path)

const missing = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }]

describe('a related read returns the full related resources', () => {
  test('to one, with links scoped to the related URL', async () => {
    const { document } = await shop('/albums/3/artist')
    expect(document).toEqual({
      data: {
        type: 'artists',
        id: '2',
        attributes: { name: 'Björk' },
        relationships: {
          label: { links: relationshipLinks('/artists/2', 'label'), data: { type: 'labels', id: '2' } },
          albums: { links: relationshipLinks('/artists/2', 'albums') },
        },
        links: { self: 'http://localhost/artists/2' },
      },
      links: { self: 'http://localhost/albums/3/artist' },
      jsonapi: { version: '1.1' },
    })
  })

  test('to many, as a list', async () => {
    const { document, resources } = await shop('/artists/1/albums')
    expect(shown(resources)).toEqual(['albums 1', 'albums 2'])
    expect(resources[1]).toEqual({
      type: 'albums',
      id: '2',
      attributes: { title: 'Kid A' },
      relationships: {
        artist: { links: relationshipLinks('/albums/2', 'artist'), data: { type: 'artists', id: '1' } },
        tracks: { links: relationshipLinks('/albums/2', 'tracks') },
      },
      links: { self: 'http://localhost/albums/2' },
    })
    expect(document?.links).toEqual({
      self: 'http://localhost/artists/1/albums?page%5Bnumber%5D=1',
      first: 'http://localhost/artists/1/albums?page%5Bnumber%5D=1',
    })
  })

  test('an empty to-many is an empty list', async () => {
    const api = client(catalogueServer())
    const { resource: library } = await api.post('/libraries', { body: { data: { type: 'libraries' } } })
    for (const path of ['/tracks/2/playlists', `/libraries/${library.id}/items`]) {
      const { status, document } = await api.get(path)
      expect(status).toBe(200)
      expect(document?.data).toEqual([])
    }
  })

  test('takes fieldsets of the related type', async () => {
    const { resource } = await shop('/albums/3/artist?fields[artists]=name&fields[albums]=title')
    expect(resource).toEqual({
      type: 'artists',
      id: '2',
      attributes: { name: 'Björk' },
      links: { self: 'http://localhost/artists/2' },
    })
  })
})

describe('a relationship that is unknown or has no related endpoint', () => {
  const relations = { artist: belongsTo('artists').withoutRelatedEndpoint(), tracks: hasMany('tracks') }

  test('unknown gives 404 with RELATIONSHIP_NOT_EXISTS', async () => {
    for (const name of ['nonsense', 'title', 'constructor', '__proto__', 'Artist']) {
      expectErrors(await shop(`/albums/1/${name}`), missing)
    }
  })

  test('suppressed gives 404 with RELATIONSHIP_NOT_EXISTS, and its link member is omitted', async () => {
    const api = client(recordShop({ albums: { relations } }))
    expectErrors(await api.get('/albums/1/artist'), missing)
    expect((await api.get('/albums/1')).resource.relationships?.['artist']).toEqual({
      links: { self: 'http://localhost/albums/1/relationships/artist' },
      data: { type: 'artists', id: '1' },
    })
    const { document } = await api.get('/albums/1/relationships/artist')
    expect(document?.links).toEqual({ self: 'http://localhost/albums/1/relationships/artist' })
  })

  test('suppressed can still be included', async () => {
    const { document } = await client(recordShop({ albums: { relations } })).get('/albums/1?include=artist')
    expect(shown(document?.included)).toEqual(['artists 1'])
  })
})

describe('a missing resource', () => {
  test('has no related resources: 404 with RESOURCE_NOT_FOUND', async () => {
    for (const path of ['/albums/99/artist', '/albums/99/tracks', '/albums/nonsense/artist']) {
      expectErrors(await shop(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    }
  })
})

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: id(),
  relations: { biography: hasOne('biographies') },
})
const biographies = defineResource('biographies', {
  model: model<{ id: number; artistId: number }>('biographies'),
  id: id(),
  relations: { artist: belongsTo('artists') },
})

/** The catalogue with a favorite of nothing: `fav-1d`. */
async function favoriteOfNothing() {
  const api = client(catalogueServer())
  expect((await api.patch('/favorites/fav-1d/relationships/favoritable', { body: { data: null } })).status).toBe(204)
  return api
}

describe('an empty to-one gives 200 with data: null, not 404', () => {
  test.each(['/products/prod-a0/parent', '/favorites/fav-1d/favoritable'])('%s', async (path) => {
    const { status, document } = await (await favoriteOfNothing()).get(path)
    expect(status).toBe(200)
    expect(document).toEqual({
      data: null,
      links: { self: `http://localhost${path}` },
      jsonapi: { version: '1.1' },
    })
  })

  test('also when the key is in the related row', async () => {
    const data = storedData({ artists: [{ id: 1 }, { id: 2 }], biographies: [{ id: 7, artistId: 2 }] })
    const api = client(createServer({ resources: [artists, biographies], data }))
    expect((await api.get('/artists/1/biography')).document?.data).toBeNull()
    expect(shown((await api.get('/artists/2/biography')).resource)).toEqual(['biographies 7'])
  })

  test('also when the key refers to a missing row', async () => {
    const data = storedData({ biographies: [{ id: 7, artistId: 99 }] })
    const api = client(createServer({ resources: [artists, biographies], data }))
    expect((await api.get('/biographies/7/artist')).document?.data).toBeNull()
  })
})

describe('a paginated related collection', () => {
  const relations = {
    artist: belongsTo('artists'),
    tracks: hasMany('tracks').paginate(numberPage({ size: 1 }).withCount()),
  }

  test('has links and meta.page scoped to the related URL', async () => {
    const api = client(recordShop({ albums: { relations } }))
    const { document, resources } = await api.get('/albums/1/tracks?sort=-title')
    expect(shown(resources)).toEqual(['tracks 2'])
    const [first, last] = [1, 2].map(
      (number) => `http://localhost/albums/1/tracks?sort=-title&page%5Bnumber%5D=${number}`,
    )
    expect(document?.links).toEqual({ self: first, first, next: last, last })
    expect(document?.meta).toEqual({
      page: { currentPage: 1, perPage: 1, from: 1, to: 1, total: 2, lastPage: 2 },
      total: 2,
    })
    const next = await api.get('/albums/1/tracks?sort=-title&page[number]=2')
    expect(shown(next.resources)).toEqual(['tracks 1'])
    expect(next.document?.links).toEqual({ self: last, first, prev: first, last })
  })

  test('by cursor has real cursors', async () => {
    const { document, resources } = await get('/artists/1/albums?page[size]=1')
    expect(shown(resources)).toEqual(['albums 1'])
    const next = String(document?.links?.['next']).slice('http://localhost'.length)
    expect(next).toMatch(/^\/artists\/1\/albums\?page%5Bsize%5D=1&page%5Bafter%5D=[\w-]+$/)
    const following = await get(next)
    expect(shown(following.resources)).toEqual(['albums 2'])
    const previous = String(following.document?.links?.['prev']).slice('http://localhost'.length)
    expect(previous).toMatch(/^\/artists\/1\/albums\?page%5Bsize%5D=1&page%5Bbefore%5D=[\w-]+$/)
    expect(shown((await get(previous)).resources)).toEqual(['albums 1'])
  })

  test('that is fetched whole has its total, and no meta.page', async () => {
    const whole = { artist: belongsTo('artists'), tracks: hasMany('tracks').withoutPagination() }
    const { document } = await client(recordShop({ albums: { relations: whole } })).get('/albums/1/tracks')
    expect(document?.meta).toEqual({ total: 2 })
    expect(document?.links).toEqual({ self: 'http://localhost/albums/1/tracks' })
  })

  test('is filtered and sorted by the keys of the related type, and by those of the relation', async () => {
    expect(shown((await get('/albums/1/tracks?filter[title]=air')).resources)).toEqual(['tracks 1'])
    expect(shown((await get('/albums/1/tracks?filter[longerThan]=300')).resources)).toEqual(['tracks 2'])
    expect(shown((await get('/albums/1/tracks?sort=-duration')).resources)).toEqual([
      'tracks 2',
      'tracks 1',
      'tracks 6',
    ])
    expectErrors(await get('/albums/1/tracks?filter[rating]=1'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[rating]' },
    ])
    expectErrors(await get('/tracks?filter[longerThan]=300'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[longerThan]' },
    ])
  })
})

describe('queries of a to-one', () => {
  test.each(['sort=name', 'page[size]=1', 'page[number]=2'])('%s is QUERY_PARAM_UNRECOGNIZED', async (query) => {
    const [parameter = ''] = query.split(/[[=]/)
    expectErrors(await get(`/albums/1/artist?${query}`), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter }])
  })

  test('filter turns a non-match into data: null', async () => {
    expect(shown((await get('/albums/1/artist?filter[name]=Radiohead')).resource)).toEqual(['artists 1'])
    expect((await get('/albums/1/artist?filter[name]=Bj%C3%B6rk')).document?.data).toBeNull()
  })

  test('a filter that the related type does not have is FILTERING_UNRECOGNIZED', async () => {
    expectErrors(await get('/albums/1/artist?filter[rating]=1'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[rating]' },
    ])
  })

  test('a polymorphic one takes no filter, even when it is empty', async () => {
    const api = await favoriteOfNothing()
    for (const favorite of ['fav-z', 'fav-1d']) {
      expectErrors(await api.get(`/favorites/${favorite}/favoritable?filter[name]=x`), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[name]' },
      ])
    }
  })
})

describe('include on a related read', () => {
  test('returns the related resource plus included', async () => {
    const { document, resource } = await shop('/tracks/1/album?include=artist.label')
    expect(shown(resource)).toEqual(['albums 1'])
    expect(shown(document?.included)).toEqual(['artists 1', 'labels 1'])
    expect(document?.links).toEqual({ self: 'http://localhost/tracks/1/album?include=artist.label' })
  })

  test('of an empty to-one has nothing to include', async () => {
    const { document } = await shop('/tracks/6/album?include=artist')
    expect(document).toMatchObject({ data: null, included: [] })
  })

  test('includes only from the page that is shown', async () => {
    const { document } = await get('/artists/1/albums?include=tracks&page[size]=1')
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 2', 'tracks 6'])
  })
})
