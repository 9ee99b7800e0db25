import {
  reply,
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  HttpError,
  id,
  metaResult,
  model,
} from 'ashlar'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { memoryData } from 'ashlar/memory'
import type { ObservableStore, Persister, StoreEvent } from 'ashlar/store'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; plays: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: {
    tracks: hasMany('tracks').via('albumId'),
    genres: belongsToMany('genres')
      .through('album_genres', { owner: 'albumId', member: 'genreId' })
      .fields((f) => ({ note: f.string().nullable() })),
  },
  actions: (a) => ({
    play: a.resource({
      responds: metaResult(),
      handle: async ({ entity, context }) => {
        await context.rows(albums).update(entity.id, { plays: entity.plays + 1 })
        return reply.meta({})
      },
    }),
  }),
})
const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
})
const genres = defineResource('genres', { model: model<{ id: number }>('genres'), id: id() })

interface World {
  readonly data: ObservableStore
  readonly api: TestClient
  /** The events of the store, without the request. */
  readonly seen: unknown[]
}

function world(): World {
  const data = storedData({
    albums: [
      { id: 1, title: 'OK Computer', plays: 0 },
      { id: 2, title: 'Kid A', plays: 0 },
    ],
    tracks: [
      { id: 1, title: 'Airbag', albumId: 1 },
      { id: 2, title: 'Idioteque', albumId: 2 },
    ],
    genres: [{ id: 1 }, { id: 2 }, { id: 3 }],
    album_genres: [
      { id: 1, albumId: 1, genreId: 1, note: null },
      { id: 2, albumId: 1, genreId: 2, note: 'a' },
    ],
  })
  const seen: unknown[] = []
  const note = ({ event, table, before, after }: StoreEvent): void => void seen.push([event, table, before, after])
  for (const event of ['saving', 'saved', 'deleting', 'deleted'] as const) data.on(event, note)
  const server = createServer({ resources: [albums, tracks, genres], data, extensions: [atomic()] })
  return { data, api: client(server), seen }
}

const stored = { id: 1, title: 'OK Computer', plays: 0 }
const airbag = { id: 1, title: 'Airbag', albumId: 1 }
const like = (row: RowObject | null): unknown => (row === null ? null : expect.objectContaining(row))

const genre = (key: string, note?: string) => ({
  type: 'genres',
  id: key,
  ...(note === undefined ? {} : { meta: { pivot: { note } } }),
})
const atomicType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const atomicHeaders = { 'Content-Type': atomicType, Accept: atomicType }
const adding = (title: string) => ({ op: 'add', data: { type: 'albums', attributes: { title } } })

test('a create, an update and a delete fire around their row', async () => {
  const { api, seen } = world()
  await api.post('/albums', { body: resourceBody('albums', { title: 'x' }) })
  await api.patch('/albums/1', { body: resourceBody('albums', { title: 'y' }, '1') })
  await api.delete('/tracks/2')
  expect(seen).toEqual([
    ['saving', 'albums', null, like({ title: 'x' })],
    ['saved', 'albums', null, like({ id: 3, title: 'x' })],
    ['saving', 'albums', stored, { ...stored, title: 'y' }],
    ['saved', 'albums', stored, { ...stored, title: 'y' }],
    ['deleting', 'tracks', like({ id: 2 }), null],
    ['deleted', 'tracks', like({ id: 2 }), null],
  ])
})

test('rows of a persister that is made of the functions of the store fire too', async () => {
  const rows = {
    artists: [{ id: 1 }, { id: 2 }],
    singles: [{ id: 1, title: 'Creep', artistId: 1 }],
    labels: [{ id: 1 }],
    single_labels: [],
  }
  const data = storedData(rows)
  const seen: unknown[] = []
  for (const event of ['saving', 'deleting'] as const) data.on(event, ({ table }) => void seen.push([event, table]))
  const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
  const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id() })
  const singles = defineResource('singles', {
    model: model<{ id: number; title: string; artistId: number | null }>('singles'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      artist: belongsTo('artists'),
      labels: belongsToMany('labels').through('single_labels', { owner: 'singleId', member: 'labelId' }),
    },
    persister: ({ create, update, delete: remove, mutateRelationship, shortcuts }: Persister) => ({
      create,
      update,
      delete: remove,
      ...(mutateRelationship && { mutateRelationship }),
      ...(shortcuts && { shortcuts }),
    }),
  })
  const api = client(createServer({ resources: [artists, labels, singles], data, extensions: [atomic()] }))
  const one = { data: [{ type: 'labels', id: '1' }] }
  await api.patch('/singles/1', { body: resourceBody('singles', { title: 'x' }, '1') })
  await api.patch('/singles/1/relationships/artist', { body: { data: { type: 'artists', id: '2' } } })
  await api.post('/singles/1/relationships/labels', { body: one })
  await api.delete('/singles/1/relationships/labels', { body: one })
  await api.post('/singles', { body: resourceBody('singles', { title: 'y' }) })
  const many = ['z', 'w'].map((title) => ({ op: 'add', data: { type: 'singles', attributes: { title } } }))
  await api.post('/operations', { headers: atomicHeaders, body: { 'atomic:operations': many } })
  await api.delete('/singles/1')
  expect(seen).toEqual([
    ['saving', 'singles'],
    ['saving', 'singles'],
    ['saving', 'single_labels'],
    ['deleting', 'single_labels'],
    ['saving', 'singles'],
    ['saving', 'singles'],
    ['saving', 'singles'],
    ['deleting', 'singles'],
  ])
})

test('join rows and rows that hold the key of an owner fire too', async () => {
  const { api, seen } = world()
  const replaced = await api.patch('/albums/1/relationships/genres', { body: { data: [genre('2', 'b'), genre('3')] } })
  expect(replaced.status).toBeLessThan(300)
  expect(seen).toHaveLength(6)
  const [one, two] = [like({ albumId: 1, genreId: 1 }), like({ albumId: 1, genreId: 2, note: 'a' })]
  expect(seen).toEqual(
    expect.arrayContaining([
      ['deleting', 'album_genres', one, null],
      ['deleted', 'album_genres', one, null],
      ['saving', 'album_genres', two, like({ genreId: 2, note: 'b' })],
      ['saved', 'album_genres', two, like({ genreId: 2, note: 'b' })],
      ['saving', 'album_genres', null, like({ albumId: 1, genreId: 3 })],
      ['saved', 'album_genres', null, like({ albumId: 1, genreId: 3 })],
    ]),
  )
  expect(seen.findIndex((each) => (each as readonly unknown[])[0] === 'saved')).toBeGreaterThan(2)
  seen.length = 0
  await api.post('/albums/1/relationships/genres', { body: { data: [genre('3')] } })
  expect(seen).toEqual([])
  await api.patch('/albums/1/relationships/tracks', { body: { data: [{ type: 'tracks', id: '2' }] } })
  const idioteque = { id: 2, title: 'Idioteque', albumId: 2 }
  expect(seen).toEqual([
    ['saving', 'tracks', airbag, { ...airbag, albumId: null }],
    ['saving', 'tracks', idioteque, { ...idioteque, albumId: 1 }],
    ['saved', 'tracks', airbag, { ...airbag, albumId: null }],
    ['saved', 'tracks', idioteque, { ...idioteque, albumId: 1 }],
  ])
})

test('writes of functions of the application fire', async () => {
  const { api, seen } = world()
  await api.post('/albums/1/-actions/play')
  expect(seen).toEqual([
    ['saving', 'albums', stored, { ...stored, plays: 1 }],
    ['saved', 'albums', stored, { ...stored, plays: 1 }],
  ])
})

test('they fire inside the transaction: a listener writes in it, and its error rolls it back', async () => {
  const { data, api } = world()
  const remove = data.on('saved', 'albums', async ({ after, context }) => {
    await context.rows(tracks).create({ title: `of ${String(after?.['title'])}` })
  })
  const removeRefusal = data.on<{ title: string }>('saved', 'tracks', ({ after }) => {
    if (after?.title === 'of bad') throw new HttpError(409)
  })
  expect((await api.post('/albums', { body: resourceBody('albums', { title: 'good' }) })).status).toBe(201)
  expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'bad' }) }), [{ status: 409 }])
  const titles = async (type: string) =>
    (await api.get(`/${type}`)).resources.map(({ attributes }) => attributes?.['title'])
  expect(await titles('albums')).toEqual(['OK Computer', 'Kid A', 'good'])
  expect(await titles('tracks')).toEqual(['Airbag', 'Idioteque', 'of good'])
  remove()
  removeRefusal()
  expect((await api.post('/albums', { body: resourceBody('albums', { title: 'bad' }) })).status).toBe(201)
})

test('in a batch each row fires immediately, before the commit', async () => {
  const { api, seen } = world()
  const operations = [adding('a'), adding('b'), { op: 'remove', ref: { type: 'albums', id: '99' } }]
  const response = await api.post('/operations', {
    headers: atomicHeaders,
    body: { 'atomic:operations': operations },
  })
  expectErrors(response, [{ status: 404, pointer: '/atomic:operations/2' }])
  expect(seen).toEqual([
    ['saving', 'albums', null, like({ title: 'a' })],
    ['saved', 'albums', null, like({ id: 3, title: 'a' })],
    ['saving', 'albums', null, like({ title: 'b' })],
    ['saved', 'albums', null, like({ id: 4, title: 'b' })],
  ])
  expect((await api.get('/albums')).resources).toHaveLength(2)
})

test('an event that a store does not have is refused', () => {
  const { data } = world()
  const untyped = data as unknown as { on(...given: readonly unknown[]): unknown }
  expect(() => untyped.on('save', () => null)).toThrow(
    "A store has no event 'save': use saving, saved, deleting, deleted.",
  )
  expect(() => untyped.on('saved', albums, () => null)).toThrow('must be its name')
  expect(() => untyped.on('saved', 'albums')).toThrow('must be a function')
})

const listener = (): void => undefined

test('a listener of a table that no type uses is refused, by the build or after it', () => {
  const { data } = world()
  expect(() => data.on('saved', 'album', listener)).toThrow(
    new TypeError("No type uses the table 'album'. Did you mean 'albums'?"),
  )
  expect(() => data.on('saved', 'invoices', listener)).toThrow(
    new TypeError("No type uses the table 'invoices'. Tables: albums, album_genres, tracks, genres"),
  )
  for (const table of ['albums', 'album_genres']) expect(() => data.on('saved', table, listener)()).not.toThrow()

  const fresh = storedData({ genres: [] })
  const remove = fresh.on('saved', 'genre', listener)
  const build = () => createServer({ resources: [genres], data: fresh })
  expect(build).toThrow("has a listener of the table 'genre', which no type uses. Did you mean 'genres'?")
  remove()
  expect(build).not.toThrow()
})

test('servers that share a store may have listeners of each other', () => {
  const data = memoryData({ genres: [], labels: [] })
  const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id() })
  createServer({ resources: [genres], data })
  createServer({ resources: [labels], data })
  for (const table of ['genres', 'labels']) expect(() => data.on('saved', table, () => undefined)).not.toThrow()
})
