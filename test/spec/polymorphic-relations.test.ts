import { createServer, defineResource, id, model, morphTo, morphToMany, numberPage } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { linkageWriter, one } from '../support/linkage-writer.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const get = (path: string) => client(catalogueServer()).get(path)

describe('MorphTo resolves the type from the related object', () => {
  test('the same endpoint renders a different type per parent', async () => {
    const api = linkageWriter(catalogueServer())
    const album = await api.get('/favorites/fav-z/favoritable')
    expect(shown(album.resource)).toEqual(['albums 4'])
    expect(album.resource.attributes).toHaveProperty('title', 'Kind of Blue')
    const artist = await api.get('/favorites/fav-16/favoritable')
    expect(shown(artist.resource)).toEqual(['artists 2'])
    expect(artist.resource.attributes).toHaveProperty('name', 'Björk')
    const track = await api.get('/favorites/fav-1d/favoritable')
    expect(shown(track.resource)).toEqual(['tracks 5'])
    expect(track.resource.attributes).toHaveProperty('displayTitle', '1. So What')
    await api.replace('/favorites/fav-1d/favoritable', null)
    expect((await api.get('/favorites/fav-1d/favoritable')).document?.data).toBeNull()
  })

  test('so does its linkage, in the resource and at its own URL', async () => {
    const api = linkageWriter(catalogueServer())
    const expectLinkage = async (...linkage: readonly unknown[]): Promise<void> => {
      const { resources } = await api.get('/favorites')
      expect(resources.map(({ relationships }) => relationships?.['favoritable']?.data)).toEqual(linkage)
      const read = await Promise.all(
        ['fav-z', 'fav-16', 'fav-1d'].map((key) => api.get(`/favorites/${key}/relationships/favoritable`)),
      )
      expect(read.map(({ document }) => document?.data)).toEqual(linkage)
    }
    const [album, artist] = [one('albums', '4'), one('artists', '2')]
    await expectLinkage(album, artist, { ...one('tracks', '5'), meta: { served_by: 'music' } })
    await api.replace('/favorites/fav-1d/favoritable', null)
    await expectLinkage(album, artist, null)
  })

  test('each included member has the fields and the fieldset of its own type', async () => {
    const { document } = await get('/favorites?include=favoritable&fields[albums]=title&fields[artists]=name')
    const soWhat = {
      title: 'So What',
      trackNumber: 1,
      durationSeconds: 562,
      explicit: false,
      genres: ['jazz'],
      previewOffset: null,
      displayTitle: '1. So What',
    }
    expect(document?.included?.map(({ type, attributes }) => [type, attributes])).toEqual([
      ['albums', { title: 'Kind of Blue' }],
      ['artists', { name: 'Björk' }],
      ['tracks', soWhat],
    ])
  })

  test('a path continues from the types that have its next relation', async () => {
    const { document } = await get('/favorites?include=favoritable.artist,favoritable.albums')
    expect(shown(document?.included)).toEqual(['albums 4', 'artists 2', 'tracks 5', 'artists 3', 'albums 3'])
  })
})

describe('MorphToMany renders mixed members, each with its own type', () => {
  const items = ['tracks 1', 'tracks 5', 'albums 2', 'artists 3']

  test('on the related read, in the order of the declared types', async () => {
    const { resources } = await get('/libraries/1/items?fields[tracks]=title&fields[albums]=title&fields[artists]=name')
    expect(shown(resources)).toEqual(items)
    expect(resources.map(({ attributes }) => attributes)).toEqual([
      { title: 'Airbag' },
      { title: 'So What' },
      { title: 'Kid A' },
      { name: 'Miles Davis' },
    ])
    expect(resources.map(({ links }) => links?.['self'])).toEqual([
      'http://localhost/tracks/1',
      'http://localhost/tracks/5',
      'http://localhost/albums/2',
      'http://localhost/artists/3',
    ])
  })

  test('in linkage and included', async () => {
    const { document, resource } = await get('/libraries/1?include=items')
    expect(shown(resource.relationships?.['items']?.data)).toEqual(items)
    expect(shown(document?.included)).toEqual(items)
  })

  test('the related read takes include paths that any of the types has', async () => {
    const { document } = await get('/libraries/1/items?include=artist,album')
    expect(shown(document?.included)).toEqual(['albums 1', 'albums 4', 'artists 1'])
    expectErrors(await get('/libraries/1/items?include=owner'), [
      { status: 400, code: 'INCLUSION_UNRECOGNIZED', parameter: 'include' },
    ])
  })
})

describe('on a polymorphic to-many', () => {
  test.each(['/libraries/1/items', '/libraries/2/items'])(
    'filter or sort is QUERY_PARAM_UNRECOGNIZED naming the offending parameter: %s',
    async (path) => {
      const api = linkageWriter(catalogueServer())
      expect((await api.create('/libraries', {})).resource.id).toBe('2')
      for (const [query, parameter] of [
        ['filter[title]=x', 'filter'],
        ['filter[nonsense]=x', 'filter'],
        ['sort=title', 'sort'],
        ['page[size]=1&sort=-id', 'sort'],
      ]) {
        expectErrors(await api.get(`${path}?${query}`), [
          { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: String(parameter) },
        ])
      }
    },
  )

  test('page slices the mixed list', async () => {
    const pages = await Promise.all(
      [1, 2, 3].map((number) => get(`/libraries/1/items?page[size]=2&page[number]=${number}`)),
    )
    expect(pages.map(({ resources }) => shown(resources))).toEqual([
      ['tracks 1', 'tracks 5'],
      ['albums 2', 'artists 3'],
      [],
    ])
    const [first, second] = [1, 2].map(
      (number) => `http://localhost/libraries/1/items?page%5Bsize%5D=2&page%5Bnumber%5D=${number}`,
    )
    expect(pages[0]?.document?.links).toEqual({ self: first, first, next: second })
    expect(pages[1]?.document?.links).toEqual({ self: second, first, prev: first })
    expect(pages[1]?.document?.meta).toEqual({ page: { currentPage: 2, perPage: 2, from: 3, to: 4 } })
  })

  test('the paginator is that of the relation, else that of the server', async () => {
    const { document } = await client(catalogueServer({ pagination: numberPage({ size: 3 }).withCount() })).get(
      '/libraries/1/items',
    )
    expect(document?.data).toHaveLength(3)
    expect(document?.meta).toMatchObject({ total: 4 })
  })
})

interface RecordRow {
  id: number
  title: string
  kind: string
}

const singles = defineResource('singles', {
  model: model<RecordRow>('records'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  objectType: ({ kind }) => (kind === 'single' ? 'singles' : null),
})
const longplays = defineResource('longplays', {
  model: model<RecordRow>('records'),
  id: id(),
  attributes: (a) => ({ title: a.string(), kind: a.string() }),
  objectType: ({ kind }) => (kind === 'longplay' ? 'longplays' : null),
})
const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})
const shelves = defineResource('shelves', {
  model: model<{ id: number; bestId: number; bestType: string }>('shelves'),
  id: id(),
  relations: {
    best: morphTo(['singles', 'longplays']),
    records: morphToMany(['singles', 'longplays', 'artists']).through('shelf_records', {
      owner: 'shelfId',
      member: 'recordId',
      memberType: 'recordType',
    }),
  },
})

function shelfServer(records: readonly { readonly recordId: number; readonly recordType: string }[], best = 'singles') {
  const data = storedData({
    records: [
      { id: 1, title: 'Creep', kind: 'single' },
      { id: 2, title: 'Kid A', kind: 'longplay' },
      { id: 3, title: 'Airbag / How Am I Driving?', kind: 'ep' },
    ],
    artists: [{ id: 2, name: 'Björk' }],
    shelves: [1, 2, 3].map((key) => ({ id: key, bestId: key, bestType: best })),
    shelf_records: records.map((record, index) => ({ id: index, shelfId: 1, ...record })),
  })
  return client(createServer({ resources: [singles, longplays, artists, shelves], data }))
}

describe('two types over one model are distinguished by the object', () => {
  test('to one: in linkage, related and included', async () => {
    for (const best of ['singles', 'longplays']) {
      const api = shelfServer([], best)
      const { document, resources } = await api.get('/shelves?include=best')
      expect(resources.map(({ relationships }) => relationships?.['best']?.data)).toEqual([
        { type: 'singles', id: '1' },
        { type: 'longplays', id: '2' },
        null,
      ])
      expect(document?.included?.map(({ type, attributes }) => [type, attributes])).toEqual([
        ['singles', { title: 'Creep' }],
        ['longplays', { title: 'Kid A', kind: 'longplay' }],
      ])
      expect(shown((await api.get('/shelves/2/best')).resource)).toEqual(['longplays 2'])
      expect((await api.get('/shelves/2/relationships/best')).document?.data).toEqual({ type: 'longplays', id: '2' })
    }
  })

  test('also if only the linkage is shown', async () => {
    const { resources } = await shelfServer([]).get('/shelves')
    expect(resources.map(({ relationships }) => relationships?.['best']?.data)).toEqual([
      { type: 'singles', id: '1' },
      { type: 'longplays', id: '2' },
      null,
    ])
  })

  test('to many, together with types that have their own models', async () => {
    const api = shelfServer([
      { recordId: 2, recordType: 'longplays' },
      { recordId: 1, recordType: 'singles' },
      { recordId: 2, recordType: 'artists' },
    ])
    const { document } = await api.get('/shelves/1?include=records')
    expect(document?.included?.map(({ type, id: key, attributes }) => [type, key, attributes])).toEqual([
      ['singles', '1', { title: 'Creep' }],
      ['longplays', '2', { title: 'Kid A', kind: 'longplay' }],
      ['artists', '2', { name: 'Björk' }],
    ])
    const related = await api.get('/shelves/1/records')
    expect(related.resources.map(({ type, attributes }) => [type, attributes])).toEqual([
      ['singles', { title: 'Creep' }],
      ['longplays', { title: 'Kid A', kind: 'longplay' }],
      ['artists', { name: 'Björk' }],
    ])
    const linkage = await api.get('/shelves/1/relationships/records')
    expect(shown(linkage.document?.data)).toEqual(['singles 1', 'longplays 2', 'artists 2'])
  })

  test('a row that is stored under both types is one member', async () => {
    const api = shelfServer([
      { recordId: 2, recordType: 'singles' },
      { recordId: 2, recordType: 'longplays' },
    ])
    expect(shown((await api.get('/shelves/1/records')).resources)).toEqual(['longplays 2'])
    expect(shown((await api.get('/shelves/1/relationships/records')).document?.data)).toEqual(['longplays 2'])
  })

  test('a row that belongs to neither is no member', async () => {
    const api = shelfServer([
      { recordId: 3, recordType: 'singles' },
      { recordId: 1, recordType: 'singles' },
    ])
    expect(shown((await api.get('/shelves/1/relationships/records')).document?.data)).toEqual(['singles 1'])
    expect((await api.get('/shelves/3/best')).document?.data).toBeNull()
  })
})

describe('rows of types that the relation does not name', () => {
  test('are no members, to one and to many', async () => {
    const api = shelfServer(
      [
        { recordId: 1, recordType: 'devices' },
        { recordId: 1, recordType: 'shelves' },
        { recordId: 1, recordType: 'singles' },
        { recordId: 1, recordType: 'constructor' },
      ],
      'artists',
    )
    expect((await api.get('/shelves/2')).resource.relationships?.['best']?.data).toBeNull()
    expect((await api.get('/shelves/2/best')).document?.data).toBeNull()
    expect(shown((await api.get('/shelves/1/relationships/records')).document?.data)).toEqual(['singles 1'])
    expect(shown((await api.get('/shelves/1/records')).resources)).toEqual(['singles 1'])
  })
})
