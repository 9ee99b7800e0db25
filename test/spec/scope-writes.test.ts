import {
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  defineType,
  hasMany,
  id,
  model,
  type RequestContext,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { headers } from './atomic/batch-world.js'
import { one, linkageWriter, some, type LinkageWriter } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

/** Labels see their own artists and albums only. A track belongs to the label of its album. */

const asLabel = (label: string) => ({ headers: { 'X-Label': label } })
const staff = { headers: {} }
const labelOf = ({ request }: RequestContext): string | null => request?.header('x-label') ?? null

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; label: string | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required(), label: a.string().nullable() }),
  relations: { albums: hasMany('albums') },
  scope: (context, f) => {
    const label = labelOf(context)
    return label === null ? null : f.where('label').fixed(label)
  },
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number | null; deletedAt: Date | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: {
    artist: belongsTo('artists'),
    playlists: belongsToMany('playlists').through('entries', { owner: 'albumId', member: 'playlistId' }),
  },
  softDeletes: true,
  scope: (context, f) => {
    const label = labelOf(context)
    return label === null ? null : f.through('artist.label').fixed(label)
  },
})

const playlists = defineResource('playlists', {
  model: model<{ id: number; title: string; label: string }>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { albums: belongsToMany('albums').through('entries', { owner: 'playlistId', member: 'albumId' }) },
  // A track without an album is visible to staff only.
  scope: (context, f) => (labelOf(context) === null ? null : f.has('albums')),
})

function music(): LinkageWriter {
  const data = storedData({
    artists: [
      { id: 1, name: 'Radiohead', label: 'XL' },
      { id: 2, name: 'Burial', label: 'Hyperdub' },
      { id: 3, name: 'Björk', label: 'XL' },
    ],
    albums: [
      { id: 1, title: 'Kid A', artistId: 1, deletedAt: null },
      { id: 2, title: 'Untrue', artistId: 2, deletedAt: null },
      { id: 3, title: 'Homogenic', artistId: 3, deletedAt: null },
    ],
    playlists: [{ id: 1, title: 'Road Trip', label: 'XL' }],
    entries: [{ id: 1, playlistId: 1, albumId: 1 }],
  })
  const server = createServer({ resources: [artists, albums, playlists], data, extensions: [atomic()] })
  return linkageWriter(server)
}

const outOfScope = (pointer: string) => [{ status: 403, code: 'RESOURCE_OUT_OF_SCOPE', pointer }]

async function texts(api: LinkageWriter): Promise<readonly string[]> {
  const targets = ['/artists', '/albums', '/playlists', '/artists/1/relationships/albums', '/playlists/1/albums']
  return Promise.all(targets.map(async (target) => (await api.get(target, staff)).text))
}

/** Sends a write that is refused, and checks that it has written nothing. */
async function refused(write: (api: LinkageWriter) => Promise<unknown>, pointer: string): Promise<void> {
  const api = music()
  const before = await texts(api)
  expectErrors((await write(api)) as never, outOfScope(pointer))
  expect(await texts(api)).toEqual(before)
}

const artist = (attributes: object, key?: string) => ({
  body: { data: { type: 'artists', ...(key === undefined ? {} : { id: key }), attributes } },
})

describe('a write cannot leave a row outside the scope of the caller', () => {
  test('a create outside the scope is 403, and stores nothing', async () => {
    await refused(
      (api) => api.post('/artists', { ...artist({ name: 'Kode9', label: 'Hyperdub' }), ...asLabel('XL') }),
      '/data',
    )
    await refused((api) => api.post('/artists', { ...artist({ name: 'Kode9' }), ...asLabel('XL') }), '/data')
  })

  test('a create inside the scope is stored', async () => {
    const api = music()
    const created = await api.post('/artists', { ...artist({ name: 'Thom Yorke', label: 'XL' }), ...asLabel('XL') })
    expect(created.status).toBe(201)
    expect((await api.get(`/artists/${created.resource.id}`, asLabel('XL'))).status).toBe(200)
  })

  test('callers without a scope write anything', async () => {
    const api = music()
    expect((await api.post('/artists', artist({ name: 'Kode9', label: 'Hyperdub' }))).status).toBe(201)
    expect((await api.patch('/artists/1', artist({ label: 'Hyperdub' }, '1'))).status).toBe(200)
  })

  test('an update that moves the row out of the scope is 403', async () => {
    await refused(
      (api) => api.patch('/artists/1', { ...artist({ label: 'Hyperdub' }, '1'), ...asLabel('XL') }),
      '/data',
    )
    await refused((api) => api.patch('/artists/1', { ...artist({ label: null }, '1'), ...asLabel('XL') }), '/data')
  })

  test('an update inside the scope is stored', async () => {
    const api = music()
    const renamed = await api.patch('/artists/1', { ...artist({ name: 'On a Friday' }, '1'), ...asLabel('XL') })
    expect(renamed.resource.attributes).toEqual({ name: 'On a Friday', label: 'XL' })
  })

  test('a scope that follows relations applies too', async () => {
    const album = { data: { type: 'albums', attributes: { title: 'Demos' } } }
    await refused((api) => api.post('/albums', { body: album, ...asLabel('XL') }), '/data')
    const emptied = { data: { type: 'albums', id: '1', relationships: { artist: { data: null } } } }
    await refused((api) => api.patch('/albums/1', { body: emptied, ...asLabel('XL') }), '/data')
    const api = music()
    const moved = { data: { type: 'albums', id: '1', relationships: { artist: { data: one('artists', '3') } } } }
    expect((await api.patch('/albums/1', { body: moved, ...asLabel('XL') })).status).toBe(200)
  })
})

const emptiedArtist = { data: { type: 'artists', id: '1', relationships: { albums: { data: [] } } } }

describe('a relationship write cannot leave a row outside the scope of the caller', () => {
  test('a key in the row of the owner', async () => {
    await refused((api) => api.replace('/albums/1/artist', null, asLabel('XL')), '/data')
    const api = music()
    expect((await api.replace('/albums/1/artist', one('artists', '3'), asLabel('XL'))).status).toBeLessThan(300)
  })

  test('keys in the rows of the members: at the identifier, or at the linkage that leaves them out', async () => {
    await refused((api) => api.remove('/artists/1/albums', some('albums', '1'), asLabel('XL')), '/data/0')
    await refused((api) => api.replace('/artists/1/albums', [], asLabel('XL')), '/data')
    await refused(
      (api) => api.patch('/artists/1', { body: emptiedArtist, ...asLabel('XL') }),
      '/data/relationships/albums/data',
    )
    const api = music()
    expect((await api.add('/artists/1/albums', some('albums', '3'), asLabel('XL'))).status).toBeLessThan(300)
  })

  test('join rows that the scope of the owner tests', async () => {
    await refused((api) => api.remove('/playlists/1/albums', some('albums', '1'), asLabel('XL')), '/data')
    await refused((api) => api.replace('/playlists/1/albums', [], asLabel('XL')), '/data')
    const api = music()
    expect((await api.add('/playlists/1/albums', some('albums', '3'), asLabel('XL'))).status).toBeLessThan(300)
    expect((await api.remove('/playlists/1/albums', some('albums', '1'), asLabel('XL'))).status).toBeLessThan(300)
  })
})

const add = (label: string) => ({ op: 'add', data: { type: 'artists', attributes: { name: 'New', label } } })
const send = (api: LinkageWriter, operations: readonly object[]) =>
  api.post('/operations', {
    body: { 'atomic:operations': operations },
    headers: { ...headers, 'X-Label': 'XL' },
  })

describe('a batch cannot leave a row outside the scope of the caller', () => {
  test('the violating operation is reported, and all of them are rolled back', async () => {
    await refused((api) => send(api, [add('XL'), add('XL'), add('Hyperdub'), add('XL')]), '/atomic:operations/2/data')
  })

  test('operations inside the scope are stored', async () => {
    const api = music()
    expect((await send(api, [add('XL'), add('XL')])).status).toBe(200)
    expect((await api.get('/artists', asLabel('XL'))).resources).toHaveLength(4)
  })
})

test('a restore cannot leave a row outside the scope of the caller', async () => {
  const data = storedData({
    albums: [{ id: 1, title: 'Kid A', deletedAt: new Date('2026-01-31T12:00:00Z') }],
  })
  const trash = defineResource('albums', {
    model: model<{ id: number; title: string; deletedAt: Date | null }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), deletedAt: a.dateTime().nullable().readOnly() }),
    softDeletes: true,
    scope: (context, f) => (labelOf(context) === null ? null : f.isNotNull('deletedAt')),
  })
  const api = linkageWriter(createServer({ resources: [trash], data }))
  expectErrors(await api.post('/albums/1/-actions/restore', asLabel('XL')), [
    { status: 403, code: 'RESOURCE_OUT_OF_SCOPE' },
  ])
  expect((await api.get('/albums/1')).status).toBe(404)
  expect((await api.post('/albums/1/-actions/restore')).status).toBe(200)
})

const country = (key: string, continent: string) => ({
  body: { data: { type: 'countries', id: key, attributes: { name: 'x', continent } } },
})

test('a store without transactions does not get such a write', async () => {
  const rows = new Map([['is', { code: 'is', name: 'Iceland', continent: 'Europe' }]])
  const countries = defineType('countries', {
    fields: (a) => ({ code: id().allowClientId(), name: a.string(), continent: a.string() }),
    serializer: {
      members: ['name', 'continent'],
      serialize: ({ code, name, continent }) => ({ id: String(code), attributes: { name, continent } }),
    },
    hydrator: { hydrate: ({ id: code, attributes }) => ({ ...attributes, ...(code === null ? {} : { code }) }) },
    provider: {
      fetchOne: (_type, key) => rows.get(key) ?? null,
      fetchCollection: () => [...rows.values()],
    },
    persister: {
      create(_type, values) {
        const row = values as { code: string; name: string; continent: string }
        rows.set(row.code, row)
        return row
      },
      update(_type, key, values) {
        const row = { ...rows.get(String(key)), ...values } as { code: string; name: string; continent: string }
        rows.set(row.code, row)
        return row
      },
      delete: (_type, key) => rows.delete(String(key)),
    },
    operations: ['FetchCollection', 'FetchOne', 'Create', 'Update'],
    scope: (_context, f) => f.where('continent').fixed('Europe'),
  })
  const api = linkageWriter(createServer({ resources: [countries] }))
  expectErrors(await api.post('/countries', country('jp', 'Asia')), outOfScope('/data'))
  expectErrors(await api.patch('/countries/is', country('is', 'Asia')), outOfScope('/data'))
  expect([...rows.values()]).toEqual([{ code: 'is', name: 'Iceland', continent: 'Europe' }])
  expect((await api.post('/countries', country('no', 'Europe'))).status).toBe(201)
})

const rowOf = (key: string, v: number) => ({ type: 'rows', id: key, attributes: { v } })

describe('a scope of a type with a composite id', () => {
  const rows = defineResource('rows', {
    model: model<{ a: number; b: number; v: number }>('rows'),
    id: id(['a', 'b']).requireClientId(),
    attributes: (kit) => ({ v: kit.integer() }),
    scope: (_context, f) => f.where('v').fixed(1),
  })
  const denied = [{ status: 403, code: 'RESOURCE_OUT_OF_SCOPE' }]
  const open = () => {
    const data = storedData({ rows: [{ a: 1, b: 1, v: 1 }] })
    return linkageWriter(createServer({ resources: [rows], data, extensions: [atomic()] }))
  }

  test('allows writes inside of it, and no others', async () => {
    const api = open()
    expect((await api.post('/rows', { body: { data: rowOf('2-2', 1) } })).status).toBe(201)
    expect((await api.patch('/rows/1-1', { body: { data: rowOf('1-1', 1) } })).status).toBe(200)
    expectErrors(await api.post('/rows', { body: { data: rowOf('3-3', 2) } }), denied)
    expectErrors(await api.patch('/rows/1-1', { body: { data: rowOf('1-1', 2) } }), denied)
    expect((await api.get('/rows')).resources.map((each) => each.id)).toEqual(['1-1', '2-2'])
  })

  test('applies in batches', async () => {
    const api = open()
    const addAll = (...all: readonly object[]) =>
      api.post('/operations', { headers, body: { 'atomic:operations': all.map((data) => ({ op: 'add', data })) } })
    expect((await addAll(rowOf('2-1', 1), rowOf('2-2', 1), rowOf('2-3', 1))).status).toBe(200)
    expectErrors(await addAll(rowOf('4-1', 1), rowOf('4-2', 2)), denied)
    expect((await api.get('/rows')).resources.map((each) => each.id)).toEqual(['1-1', '2-1', '2-2', '2-3'])
  })
})
