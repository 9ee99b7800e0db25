import { belongsTo, createServer, cursorPage, defineResource, hasMany, hasOne, id, model, morphToMany } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { expectLinear, type Sized } from '../support/growth.js'
import { storedData } from '../support/stored-data.js'

const negotiated = {
  headers: {
    Accept: `application/vnd.api+json; profile="${countableProfile.uri} ${relationshipQueriesProfile.uri}"`,
  },
}

describe('a relation that a caller may not see', () => {
  const notes = defineResource('notes', {
    model: model<{ id: number; text: string; trackId: number | null; albumId: number | null }>('notes'),
    id: id(),
    attributes: (a) => ({ text: a.string().sortable() }),
    filters: (f) => ({ text: f.where() }),
  })
  const tracks = defineResource('tracks', {
    model: model<{ id: number }>('tracks'),
    id: id(),
    relations: { notes: hasMany('notes').via('trackId') },
  })
  const libraries = defineResource('libraries', {
    model: model<{ id: number }>('libraries'),
    id: id(),
    relations: {
      items: morphToMany(['tracks', 'albums']).through('items', { owner: 'l', member: 'i', memberType: 't' }),
    },
  })
  const seeds = {
    notes: [
      { id: 1, text: 'for all', trackId: 1, albumId: null },
      { id: 2, text: 'for nobody', trackId: null, albumId: 1 },
    ],
    tracks: [{ id: 1 }],
    albums: [{ id: 1 }],
    libraries: [{ id: 1 }],
    items: [
      { id: 1, l: 1, i: 1, t: 'tracks' },
      { id: 2, l: 1, i: 1, t: 'albums' },
    ],
  }
  const hiding = {
    always: hasMany('notes').via('albumId').hidden(),
    'in this request': hasMany('notes')
      .via('albumId')
      .writeOnly(() => true),
    'in this request, by a predicate that is shown rows': hasMany('notes')
      .via('albumId')
      .countable()
      .hidden((_row, context) => context.request !== null),
  }

  for (const [when, relation] of Object.entries(hiding)) {
    const albums = defineResource('albums', {
      model: model<{ id: number }>('albums'),
      id: id(),
      relations: { notes: relation },
    })
    const api = client(createServer({ resources: [notes, tracks, albums, libraries], data: storedData(seeds) }))

    test(`${when} is not followed behind a relation to several types`, async () => {
      for (const path of ['/libraries/1/items?include=notes', '/libraries/1?include=items.notes']) {
        const { document } = await api.get(path)
        const ids = document?.included?.filter(({ type }) => type === 'notes').map((note) => note.id)
        expect(ids).toEqual(['1'])
      }
    })

    test(`${when} is as unknown as one that does not exist`, async () => {
      for (const name of ['notes', 'nothing']) {
        expect((await api.get(`/albums/1?include=${name}`)).errors).toMatchObject([{ status: '400' }])
        expect((await api.get(`/albums/1/${name}?sort=x`)).errors).toMatchObject([{ code: 'RELATIONSHIP_NOT_EXISTS' }])
        const linkage = await api.get(`/albums/1/relationships/${name}?filter[x]=1`)
        expect(linkage.errors).toMatchObject([{ code: 'RELATIONSHIP_NOT_EXISTS' }])
        const counted = await api.get(`/albums/1?withCount=${name}`, negotiated)
        expect(counted.errors).toMatchObject([{ code: 'RELATIONSHIP_COUNT_NOT_ALLOWED' }])
        const queried = await api.get(`/albums/1?rQ[${name}][filter][x]=1`, negotiated)
        expect(queried.errors).toMatchObject([{ code: 'QUERY_PARAM_UNRECOGNIZED' }])
      }
    })
  }
})

test('a walk by cursor is complete if ids decode to texts and keys are numbers', async () => {
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id()
      .sortable()
      .encodeUsing<string>({ encode: (key) => `art_${key}`, decode: (wireId) => wireId.slice(4) }),
    attributes: (a) => ({ name: a.string().sortable() }),
    pagination: cursorPage({ size: 2 }),
  })
  const rows = Array.from({ length: 13 }, (_, index) => ({ id: index + 1, name: 'same' }))
  const api = client(createServer({ resources: [artists], data: storedData({ artists: rows }) }))
  const whole = rows.map((row) => `art_${row.id}`)
  for (const [sort, expected] of [
    ['', whole],
    ['?sort=name', whole],
    ['?sort=-id', whole.toReversed()],
    ['?sort=-name', whole.toReversed()],
  ] as const) {
    const seen: string[] = []
    let next: string | undefined = `/artists${sort}`
    while (next !== undefined && seen.length < 30) {
      const { resources, document } = await api.get(next)
      seen.push(...resources.map((resource) => resource.id))
      const { links } = document as { readonly links: { readonly next?: string } }
      next = links.next?.slice('http://localhost'.length)
    }
    expect(seen).toEqual(expected)
  }
})

test('functions that read relations see the whole row of every parent, on every path to it', async () => {
  const tags = defineResource('tags', { model: model<{ id: number }>('tags'), id: id() })
  const songs = defineResource('songs', {
    model: model<{ id: number; extra?: string; firstOf?: number; secondOf?: number }>('songs'),
    id: id(),
    relations: { tags: hasMany('tags').extractUsing((row) => (row['extra'] === undefined ? [] : [{ id: 7 }])) },
  })
  const albums = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id(),
    relations: { first: hasMany('songs').via('firstOf'), second: hasMany('songs').via('secondOf') },
  })
  const data = storedData({
    tags: [{ id: 7 }],
    albums: [{ id: 1 }],
    songs: [
      { id: 1, firstOf: 1 },
      { id: 2, extra: 'x', secondOf: 1 },
    ],
  })
  const api = client(createServer({ resources: [tags, songs, albums], data }))
  const { document } = await api.get('/albums/1?include=first.tags,second.tags')
  const second = document?.included?.find(({ type, id: key }) => type === 'songs' && key === '2')
  expect(second?.relationships?.['tags']).toMatchObject({ data: [{ type: 'tags', id: '7' }] })
})

function asList(data: unknown): readonly { readonly id: string }[] {
  return Array.isArray(data) ? (data as readonly { readonly id: string }[]) : []
}

test('the first page of a cursor include and its next page belong to one set', async () => {
  const albums = defineResource('albums', {
    model: model<{ id: number; ok: boolean; artistId: number }>('albums'),
    id: id(),
    filters: (f) => ({ ok: f.where('ok').default(true) }),
  })
  const artists = defineResource('artists', {
    model: model<{ id: number }>('artists'),
    id: id(),
    relations: {
      albums: hasMany('albums')
        .via('artistId')
        .paginate(cursorPage({ size: 2 })),
    },
  })
  const rows = Array.from({ length: 6 }, (_, index) => ({ id: index + 1, ok: index % 2 === 1, artistId: 1 }))
  const data = storedData({ artists: [{ id: 1 }], albums: rows })
  const api = client(createServer({ resources: [albums, artists], data }))
  const { resource } = await api.get('/artists/1?include=albums')
  const albumsOf = resource.relationships?.['albums']
  const first = albumsOf?.data as readonly { readonly id: string }[]
  const further = await api.get(String(albumsOf?.links?.['next']).slice('http://localhost'.length))
  const rest = asList(further.document?.data).map((each) => each.id)
  expect([...first.map((each) => each.id), ...rest]).toEqual(['2', '4', '6'])
})

test('a relation to several types with cursor pages is included with its first page', async () => {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
  const libraries = defineResource('libraries', {
    model: model<{ id: number }>('libraries'),
    id: id(),
    relations: {
      items: morphToMany(['tracks', 'albums'])
        .through('items', { owner: 'l', member: 'i', memberType: 't' })
        .paginate(cursorPage({ size: 1 })),
    },
  })
  const data = storedData({
    tracks: [{ id: 1 }],
    albums: [{ id: 1 }],
    libraries: [{ id: 1 }],
    items: [
      { id: 1, l: 1, i: 1, t: 'tracks' },
      { id: 2, l: 1, i: 1, t: 'albums' },
    ],
  })
  const api = client(createServer({ resources: [tracks, albums, libraries], data }))
  const { resource, document } = await api.get('/libraries/1?include=items')
  const items = resource?.relationships?.['items'] as {
    readonly data: readonly object[]
    readonly links: { readonly next: string }
  }
  expect(items.data).toEqual([{ type: 'tracks', id: '1' }])
  expect(document?.included).toMatchObject([{ type: 'tracks', id: '1' }])
  expect(document?.jsonapi).toHaveProperty('profile')
  const { resources } = await api.get(items.links.next.slice('http://localhost'.length))
  expect(resources).toMatchObject([{ type: 'albums', id: '1' }])
})

test('a to-one with several matching rows is the shown one, for filters too', async () => {
  const libraries = defineResource('libraries', {
    model: model<{ id: number; name: string; userId: number }>('libraries'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { user: belongsTo('users') },
    filters: (f) => ({ name: f.where() }),
  })
  const users = defineResource('users', {
    model: model<{ id: number }>('users'),
    id: id(),
    relations: { library: hasOne('libraries') },
    filters: (f) => ({ library: f.through('library.name') }),
  })
  const data = storedData({
    users: [{ id: 1 }],
    libraries: [
      { id: 1, name: 'a', userId: 1 },
      { id: 2, name: 'b', userId: 1 },
    ],
  })
  const api = client(createServer({ resources: [libraries, users], data }))
  expect((await api.get('/users/1/library')).resource?.id).toBe('1')
  expect((await api.get('/users/1/library?filter[name]=b')).document?.data).toBeNull()
  expect((await api.get('/users/1/relationships/library?filter[name]=b')).document?.data).toBeNull()
  expect((await api.get('/users?filter[library]=b')).resources).toEqual([])
})

test('one very long include path is refused in linear time', async () => {
  const products = defineResource('products', {
    model: model<{ id: number; parentId: number | null }>('products'),
    id: id(),
    relations: { parent: belongsTo('products') },
  })
  const server = createServer({ resources: [products], data: storedData({}), limits: { uriLength: 2_000_000 } })
  const reading: Sized = (size) => {
    const path = Array.from({ length: size }, () => 'parent').join('.')
    return async () => {
      const { errors } = await client(server).get(`/products?include=${path}`)
      expect(errors).toMatchObject([{ code: 'LIMIT_EXCEEDED' }])
    }
  }
  await expectLinear(reading, { small: 10_000 })
})
