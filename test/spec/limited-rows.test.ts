import type { Limits } from '../../src/server/assembly/declared/server-settings.js'
import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphToMany,
  numberPage,
  reply,
} from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import type { RecordedRead } from '../support/recorded-reads.js'
import { recordedReads } from '../support/recorded-reads.js'
import { storedData } from '../support/stored-data.js'

const COUNT = 12
const keys = Array.from({ length: COUNT }, (_, index) => index + 1)

/**
 * Artist 1 has 12 albums, and 12 pictures refer to each album. Album 1 has all 12 tracks; playlists 1 to 3 share them.
 * Playlist 4 has the tracks 1 to 4, each of another artist.
 */
function music(limits: Limits): { readonly api: TestClient; readonly reads: RecordedRead[] } {
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: {
      albums: hasMany('albums').via('artistId').withoutPagination(),
    },
  })
  const pictures = defineResource('pictures', {
    model: model<{ id: number; albumId: number }>('pictures'),
    id: id(),
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      tracks: hasMany('tracks').via('albumId'),
      others: hasMany('tracks').via('albumId'),
      further: hasMany('tracks').via('albumId'),
      more: hasMany('tracks').via('albumId'),
      last: hasMany('tracks').via('albumId'),
      cover: hasOne('pictures').via('albumId'),
      pictures: hasMany('pictures')
        .via('albumId')
        .paginate(cursorPage({ size: 2 })),
    },
    actions: (a) => ({
      current: a.collection({ methods: ['GET'], handle: () => reply.resource({ id: 1, title: 'A1', artistId: 1 }) }),
    }),
  })
  const tracks = defineResource('tracks', {
    model: model<{ id: number; title: string; albumId: number; artistId: number }>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { artist: belongsTo('artists').via('artistId') },
    pagination: null,
  })
  const playlists = defineResource('playlists', {
    model: model<{ id: number; name: string }>('playlists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }) },
  })
  const { data, reads } = recordedReads({
    artists: keys.map((key) => ({ id: key, name: `N${key}` })),
    albums: keys.map((key) => ({ id: key, title: `A${key}`, artistId: 1 })),
    pictures: keys.flatMap((album) => keys.map((key) => ({ id: album * 100 + key, albumId: album }))),
    tracks: keys.map((key) => ({ id: key, title: `T${key}`, albumId: 1, artistId: key })),
    playlists: [1, 2, 3, 4].map((key) => ({ id: key, name: `P${key}` })),
    entries: [1, 2, 3, 4].flatMap((playlistId) =>
      keys.slice(0, playlistId === 4 ? 4 : COUNT).map((trackId) => ({ playlistId, trackId })),
    ),
  })
  const resources = [artists, albums, pictures, tracks, playlists] as const
  const api = client(createServer({ resources, data, limits, pagination: null }))
  return { api, reads }
}

const rowsOf = (reads: readonly RecordedRead[], name: string): readonly number[] =>
  reads.filter((read) => read.name === name).map(({ rows }) => rows)

const beyond = (parameter: string) => [{ status: 400, code: 'LIMIT_EXCEEDED', parameter }]

describe('a store reads one row more than a limit permits', () => {
  test('of an included relation', async () => {
    const { api, reads } = music({ includedResources: 4 })
    expectErrors(await api.get('/albums/1?include=tracks'), beyond('include'))
    expect(rowsOf(reads, 'albums.tracks')).toEqual([5])
    expect((await music({ includedResources: COUNT }).api.get('/albums/1?include=tracks')).status).toBe(200)
  })

  test('of an included relation of several resources', async () => {
    const { api, reads } = music({ includedResources: 4 })
    expectErrors(await api.get('/albums?include=tracks'), beyond('include'))
    expect(rowsOf(reads, 'albums.tracks')).toEqual([5])
  })

  test('of a join table, and of several resources the identifiers that linkage may repeat', async () => {
    const { api, reads } = music({ includedResources: 4, linkage: 3 })
    expectErrors(await api.get('/playlists/1?include=tracks'), beyond('include'))
    expectErrors(await api.get('/playlists?include=tracks'), beyond('include'))
    expect(rowsOf(reads, 'playlists.tracks')).toEqual([5, 8])
  })

  test('of a join table whose rows repeat members', async () => {
    const repeated = 2 * COUNT + 4
    const path = '/playlists?include=tracks'
    const within = await music({ includedResources: COUNT, linkage: repeated }).api.get(path)
    expect(within.document?.included).toHaveLength(COUNT)
    const { api, reads } = music({ includedResources: COUNT, linkage: repeated - 1 })
    const [error] = expectErrors(await api.get(path), beyond('include'))
    expect(error?.detail).toBe(`A request may have at most ${repeated - 1} identifiers in linkage.`)
    expect(rowsOf(reads, 'playlists.tracks')).toEqual([COUNT + repeated])
    const tight = music({ includedResources: COUNT, linkage: 5 })
    expectErrors(await tight.api.get(path), beyond('include'))
    expect(rowsOf(tight.reads, 'playlists.tracks')).toEqual([COUNT + 5 + 1])
  })

  test('of the next level, as many as the document has left', async () => {
    for (const [left, read] of [
      [0, 1],
      [2, 3],
    ] as const) {
      const { api, reads } = music({ includedResources: 4 + left })
      expectErrors(await api.get('/playlists/4?include=tracks.artist'), beyond('include'))
      expect(rowsOf(reads, 'tracks.artist')).toEqual([read])
    }
    expect((await music({ includedResources: 8 }).api.get('/playlists/4?include=tracks.artist')).status).toBe(200)
  })

  test('of several relations, and not of those after the first that exceeds it', async () => {
    const { api, reads } = music({ includedResources: 4 })
    expectErrors(await api.get('/albums/1?include=tracks,others,further,more,last'), beyond('include'))
    expect(reads.filter(({ name }) => name.startsWith('albums.')).map(({ rows }) => rows)).toEqual([5, 5, 5, 5])
  })

  test('of the first pages of an included relation, one more for each resource that has more', async () => {
    const { api, reads } = music({ includedResources: 4 })
    const one = await api.get('/albums/1?include=pictures')
    expect(one.document?.included).toMatchObject([{ id: '101' }, { id: '102' }])
    expectErrors(await api.get('/albums?include=pictures'), beyond('include'))
    const [rowsOfOne, rowsOfAll = 0] = rowsOf(reads, 'albums.pictures')
    expect(rowsOfOne).toBe(3)
    // Without the limit, three rows of each album.
    expect(rowsOfAll).toBeLessThanOrEqual(4 + 1 + COUNT)
  })

  test('of linkage at its own address, which has pages', async () => {
    const { api, reads } = music({ linkage: 3 })
    for (const path of ['/albums/1/relationships/tracks', '/playlists/1/relationships/tracks']) {
      const [error] = expectErrors(await api.get(path), beyond('page'))
      expect(error?.detail).toBe('A request may have at most 3 identifiers in linkage.')
    }
    expect(rowsOf(reads, 'albums.tracks')).toEqual([4])
    expect(rowsOf(reads, 'playlists.tracks')).toEqual([4])
    expect((await music({ linkage: COUNT }).api.get('/albums/1/relationships/tracks')).document?.meta).toEqual({
      total: COUNT,
    })
  })

  test('of a list without pages', async () => {
    const { api, reads } = music({ resources: 5 })
    const [error] = expectErrors(await api.get('/tracks'), beyond('page'))
    expect(error?.detail).toBe('A request may have at most 5 resources in a list.')
    expectErrors(await api.get('/artists/1/albums'), beyond('page'))
    expect(rowsOf(reads, 'tracks')).toEqual([6])
    expect(rowsOf(reads, 'artists.albums')).toEqual([6])
    const whole = await music({ resources: COUNT }).api.get('/tracks')
    expect(whole.document?.meta).toEqual({ total: COUNT })
    expect(whole.document?.data).toHaveLength(COUNT)
  })

  test('of a to-one relation that many rows refer to', async () => {
    const { api, reads } = music({})
    const one = await api.get('/albums/1?include=cover')
    expect(one.document?.included).toMatchObject([{ id: '101' }])
    expect((await api.get('/albums/1/cover')).document?.data).toMatchObject({ id: '101' })
    const all = await api.get('/albums?include=cover')
    expect(all.document?.included).toHaveLength(COUNT)
    for (const rows of rowsOf(reads, 'albums.cover').slice(0, 2)) expect(rows).toBeLessThanOrEqual(2)
    expect(rowsOf(reads, 'albums.cover')[2]).toBeLessThanOrEqual(2 * COUNT)
  })

  test('of the resource that an action returns', async () => {
    const { api, reads } = music({ includedResources: 4 })
    expectErrors(await api.get('/albums/-actions/current?include=tracks'), beyond('include'))
    expect(rowsOf(reads, 'albums.tracks')).toEqual([5])
  })

  test('of the response to a write, which then shows less', async () => {
    const { api, reads } = music({ includedResources: 4, linkage: 3 })
    const body = { data: { type: 'albums', id: '1', attributes: { title: 'B' } } }
    const written = await api.patch('/albums/1?include=tracks', { body })
    expect(written.document).toMatchObject({ data: { attributes: { title: 'B' } }, included: [] })
    expect(rowsOf(reads, 'albums.tracks')).toEqual([5])
    const headers = { prefer: 'return=representation' }
    const data = [{ type: 'tracks', id: '1' }]
    const added = await api.post('/playlists/1/relationships/tracks', { body: { data }, headers })
    expect(added.status).toBe(204)
    expect(added.headers.get('preference-applied')).toBeNull()
    expect(Math.max(...rowsOf(reads, 'playlists.tracks'))).toBe(4)
  })

  test('of the members that a write replaces', async () => {
    const { api, reads } = music({ identifiers: 5 })
    const body = { data: [{ type: 'tracks', id: '1' }] }
    const [error] = expectErrors(await api.patch('/playlists/1/relationships/tracks', { body }), [
      { status: 400, code: 'LIMIT_EXCEEDED', pointer: '/data' },
    ])
    expect(error?.detail).toBe('A request may have at most 5 members that it removes.')
    expect(rowsOf(reads, 'playlists.tracks')).toEqual([5 + 1 + 1])
    const resource = { type: 'playlists', id: '1', relationships: { tracks: { data: [] } } }
    expectErrors(await api.patch('/playlists/1', { body: { data: resource } }), [
      { status: 400, code: 'LIMIT_EXCEEDED', pointer: '/data/relationships/tracks/data' },
    ])
    expect((await api.patch('/playlists/4/relationships/tracks', { body })).status).toBe(204)
    expect((await api.get('/playlists/4/relationships/tracks')).document?.data).toHaveLength(1)
    // Members can be removed in parts, without reading the others.
    const removed = await api.delete('/playlists/1/relationships/tracks', { body })
    expect(removed.status).toBe(204)
    expect((await api.get('/playlists/1/relationships/tracks')).document?.data).toHaveLength(COUNT - 1)
  })

  test('with one statement, however many rows are left', async () => {
    const { api, reads } = music({ includedResources: 2 * COUNT })
    expect((await api.get('/albums?include=tracks')).status).toBe(200)
    expect((await api.get('/artists/1?include=albums.tracks')).status).toBe(200)
    const lists = reads.filter(({ name }) => name === 'albums.tracks')
    expect(lists.map(({ rows }) => rows)).toEqual([COUNT, COUNT])
    expect(new Set(lists.map(({ sql }) => sql)).size).toBe(1)
  })
})

test('a page behind as many rows of several types as a list may have is shown', async () => {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
  const libraries = defineResource('libraries', {
    model: model<{ id: number }>('libraries'),
    id: id(),
    relations: {
      items: morphToMany(['tracks', 'albums'])
        .through('items', { owner: 'l', member: 'i', memberType: 't' })
        .paginate(numberPage({ size: 2 })),
    },
  })
  const data = storedData({
    tracks: keys.map((key) => ({ id: key })),
    albums: keys.map((key) => ({ id: key })),
    libraries: [{ id: 1 }],
    items: ['tracks', 'albums'].flatMap((t, type) => keys.map((i) => ({ id: type * 100 + i, l: 1, i, t }))),
  })
  const api = client(createServer({ resources: [tracks, albums, libraries], data, limits: { resources: 3 } }))
  const page = await api.get(`/libraries/1/items?page[number]=${COUNT / 2 + 2}`)
  expect(page.resources).toMatchObject([
    { type: 'albums', id: '3' },
    { type: 'albums', id: '4' },
  ])
})
