import {
  type AttributeKit,
  belongsTo,
  createServer,
  defineResource,
  type FilterKit,
  hasMany,
  id,
  model,
  morphTo,
  morphToMany,
  type RequestContext,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

type Attributes = AttributeKit<{ readonly [column: string]: unknown }>

const staff = { headers: { 'x-staff': 'yes' } }
const isStranger = ({ request }: RequestContext): boolean => request?.header('x-staff') !== 'yes'

describe('the fields of an included resource', () => {
  test('are only those that it would show as primary data', async () => {
    const artists = {
      attributes: (a: Attributes) => ({
        name: a.string(),
        realName: a.string().hidden(),
        password: a.string().writeOnly(),
        fee: a
          .string()
          .computed(() => 'a fortune')
          .sparseByDefault(),
      }),
    }
    const { document } = await client(recordShop({ artists })).get('/albums/1?include=artist')
    expect(document?.included?.[0]?.attributes).toEqual({ name: 'Radiohead' })
    const named = '/albums/1?include=artist&fields[artists]=realName,password,fee'
    const { document: withFieldset } = await client(recordShop({ artists })).get(named)
    expect(withFieldset?.included?.[0]?.attributes).toEqual({ fee: 'a fortune' })
  })

  test('depend on its own row and on the request', async () => {
    const artists = {
      attributes: (a: Attributes) => ({
        name: a.string().hidden((row, context) => row['id'] === 2 && isStranger(context)),
      }),
    }
    const api = client(recordShop({ artists }))
    const { document } = await api.get('/albums?include=artist')
    expect(document?.included?.map((artist) => artist.attributes)).toEqual([
      { name: 'Radiohead' },
      undefined,
      { name: 'Burial' },
    ])
    expect((await api.get('/albums/3?include=artist', staff)).document?.included?.[0]?.attributes).toEqual({
      name: 'Björk',
    })
  })

  test('a value function that no fieldset selects does not run', async () => {
    const calls: unknown[] = []
    const artists = {
      attributes: (a: Attributes) => ({
        name: a.string(),
        shout: a.string().computed((row) => {
          calls.push(row['id'])
          return String(row['name']).toUpperCase()
        }),
      }),
    }
    const api = client(recordShop({ artists }))
    await api.get('/albums?include=artist&fields[artists]=name')
    expect(calls).toEqual([])
    const { document } = await api.get('/albums?include=artist')
    expect(document?.included?.[0]?.attributes).toEqual({ name: 'Radiohead', shout: 'RADIOHEAD' })
    expect(calls).toEqual([1, 2, 3])
  })
})

const hiding = (albums: object) =>
  client(recordShop({ artists: { relations: { label: belongsTo('labels'), albums } } }))

describe('a hidden relation', () => {
  const unrecognized = [{ status: 400, code: 'INCLUSION_UNRECOGNIZED', parameter: 'include' }]
  const missing = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }]

  test.each([
    ['hidden', hasMany('albums').hidden()],
    ['write-only', hasMany('albums').writeOnly()],
  ] as const)('that is always %s cannot be included, read, or selected by a fieldset', async (_kind, albums) => {
    const api = hiding(albums)
    expect((await api.get('/artists/1')).resource.relationships).not.toHaveProperty('albums')
    expectErrors(await api.get('/artists/1?include=albums'), unrecognized)
    expectErrors(await api.get('/albums?include=artist.albums'), unrecognized)
    expectErrors(await api.get('/artists/1/albums'), missing)
    expectErrors(await api.get('/artists/1/relationships/albums'), missing)
    expect((await api.get('/artists/1?fields[artists]=albums')).resource).not.toHaveProperty('relationships')
  })

  test('is unknown to requests from which it is hidden', async () => {
    const api = hiding(hasMany('albums').writeOnly(isStranger))
    expectErrors(await api.get('/artists/1?include=albums'), unrecognized)
    expectErrors(await api.get('/artists/1/albums'), missing)
    expectErrors(await api.get('/artists/1/relationships/albums'), missing)
    expect((await api.get('/artists/1')).resource.relationships).not.toHaveProperty('albums')
    const { document } = await api.get('/artists/1?include=albums', staff)
    expect(shown(document?.included)).toEqual(['albums 1', 'albums 2'])
    expect((await api.get('/artists/1/albums', staff)).resources).toHaveLength(2)
  })

  test('is skipped for rows that hide it', async () => {
    const api = hiding(hasMany('albums').hidden((row) => row['id'] === 1))
    const { document, resources } = await api.get('/artists?include=albums')
    expect(shown(document?.included)).toEqual(['albums 3', 'albums 4'])
    expect(resources.map(({ relationships }) => Object.keys(relationships ?? {}))).toEqual([
      ['label'],
      ['label', 'albums'],
      ['label', 'albums'],
    ])
    expectErrors(await api.get('/artists/1/albums'), missing)
    expectErrors(await api.get('/artists/1/relationships/albums'), missing)
    expect((await api.get('/artists/2/albums')).status).toBe(200)
  })

  test('is skipped within a path and in the cascade of default includes', async () => {
    const relations = { label: belongsTo('labels'), albums: hasMany('albums').hidden((row) => row['id'] === 1) }
    const api = client(recordShop({ artists: { relations, defaultIncludes: ['albums'] } }))
    expect(shown((await api.get('/albums?include=artist.albums')).document?.included)).toEqual([
      'artists 1',
      'artists 2',
      'artists 3',
    ])
    expect((await api.get('/artists/1')).document).not.toHaveProperty('included')
    expect(shown((await api.get('/artists/2')).document?.included)).toEqual(['albums 3'])
  })
})

const scope = (context: RequestContext, f: FilterKit<string>) =>
  isStranger(context) ? f.where('title', '!=').fixed('Kid A') : null

/** Staff see all albums, strangers all but one. */
const api = () =>
  client(
    recordShop({
      albums: { scope },
      artists: { relations: { label: belongsTo('labels'), albums: hasMany('albums').withData().countable() } },
    }),
  )

describe('a row outside the scope of its type does not exist', () => {
  test('in included, nor in linkage to it', async () => {
    const { document, resource } = await api().get('/artists/1?include=albums')
    expect(shown(resource.relationships?.['albums']?.data)).toEqual(['albums 1'])
    expect(shown(document?.included)).toEqual(['albums 1'])
    expect(shown((await api().get('/artists/1?include=albums', staff)).document?.included)).toEqual([
      'albums 1',
      'albums 2',
    ])
  })

  test('in always-shown linkage, to many and to one', async () => {
    expect(shown((await api().get('/artists/1')).resource.relationships?.['albums']?.data)).toEqual(['albums 1'])
    expect((await api().get('/tracks/3')).resource.relationships?.['album']).toEqual({
      links: relationshipLinks('/tracks/3', 'album'),
      data: null,
    })
    expect((await api().get('/tracks/3', staff)).resource.relationships?.['album']?.data).toEqual({
      type: 'albums',
      id: '2',
    })
  })

  test('on related and relationship reads', async () => {
    expect(shown((await api().get('/artists/1/albums')).resources)).toEqual(['albums 1'])
    expect(shown((await api().get('/artists/1/relationships/albums')).document?.data)).toEqual(['albums 1'])
    expect((await api().get('/tracks/3/album')).document?.data).toBeNull()
    expect((await api().get('/tracks/3/relationships/album')).document?.data).toBeNull()
  })

  test('as the owner of relationships', async () => {
    for (const path of ['/albums/2/tracks', '/albums/2/relationships/tracks']) {
      expectErrors(await api().get(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      expect((await api().get(path, staff)).status).toBe(200)
    }
  })

  test('in counts', async () => {
    const accept = 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"'
    const stranger = await api().get('/artists/1?withCount=albums', { headers: { accept } })
    expect(stranger.resource.relationships?.['albums']?.meta).toEqual({ total: 1 })
    const known = await api().get('/artists/1?withCount=albums', { headers: { accept, ...staff.headers } })
    expect(known.resource.relationships?.['albums']?.meta).toEqual({ total: 2 })
  })

  test('as a member of a relation to several types', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string }>('albums'),
      id: id(),
      scope: (_context, f) => f.where('title', '!=').fixed('Kid A'),
    })
    const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
    const shelves = defineResource('shelves', {
      model: model<{ id: number; bestId: number; bestType: string }>('shelves'),
      id: id(),
      relations: {
        best: morphTo(['albums', 'artists']),
        items: morphToMany(['albums', 'artists'])
          .through('items', { owner: 'shelfId', member: 'itemId', memberType: 'itemType' })
          .countable(),
      },
    })
    const data = storedData({
      albums: [{ id: 1, title: 'Kid A' }],
      artists: [{ id: 1 }],
      shelves: [{ id: 1, bestId: 1, bestType: 'albums' }],
      items: ['albums', 'artists'].map((itemType, index) => ({ id: index, shelfId: 1, itemId: 1, itemType })),
    })
    const shelf = client(createServer({ resources: [albums, artists, shelves], data }))
    const { document, resource } = await shelf.get('/shelves/1?include=best,items')
    expect(resource.relationships?.['best']?.data).toBeNull()
    expect(shown(resource.relationships?.['items']?.data)).toEqual(['artists 1'])
    expect(shown(document?.included)).toEqual(['artists 1'])
    expect((await shelf.get('/shelves/1')).resource.relationships?.['best']?.data).toBeNull()
    expect((await shelf.get('/shelves/1/best')).document?.data).toBeNull()
    expect(shown((await shelf.get('/shelves/1/items')).resources)).toEqual(['artists 1'])
  })
})
