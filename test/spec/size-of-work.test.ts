import type { Limits } from '../../src/server/assembly/declared/server-settings.js'
import { atomic, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const band = (type: string, length: number) => Array.from({ length }, (_, index) => ({ type, id: String(index + 1) }))
const data = (length: number) => ({ body: { data: band('albums', length) } })
const resource = (length: number, rest: object) => ({
  body: { data: { type: 'playlists', ...rest, relationships: { albums: { data: band('albums', length) } } } },
})

/** Runs a request, and counts the turns of the event loop in the meantime: in each of them, others are served. */
async function turnsDuring(request: Promise<{ readonly status: number }>): Promise<number> {
  let [turns, isRunning] = [0, true]
  const count = (): void => {
    turns += 1
    if (isRunning) setImmediate(count)
  }
  setImmediate(count)
  const { status } = await request
  isRunning = false
  expect(status).toBeLessThan(300)
  return turns
}

describe('the size of work', () => {
  const [rows, perArtist] = [5, 4]

  /** Artists with albums, and playlists with albums, many of them. */
  function shop(limits: Limits) {
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
    })
    const artists = defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: { albums: hasMany('albums').via('artistId') },
    })
    const playlists = defineResource('playlists', {
      model: model<{ id: number; name: string }>('playlists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: { albums: belongsToMany('albums').through('entries', { owner: 'playlistId', member: 'albumId' }) },
    })
    const seeds = {
      artists: Array.from({ length: rows }, (_, index) => ({ id: index + 1, name: `A${index}` })),
      albums: Array.from({ length: rows * perArtist }, (_, index) => {
        return { id: index + 1, title: 'å'.repeat(50), artistId: (index % rows) + 1 }
      }),
      playlists: [{ id: 1, name: 'P' }],
      entries: [],
    }
    return client(createServer({ resources: [albums, artists, playlists], data: storedData(seeds), limits }))
  }

  test('a document includes at most as many resources as the limit allows', async () => {
    const api = shop({ includedResources: rows * perArtist })
    expect((await api.get('/artists?include=albums')).status).toBe(200)
    const tight = shop({ includedResources: rows * perArtist - 1 })
    const [error] = expectErrors(await tight.get('/artists?include=albums'), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'include' },
    ])
    expect(error?.detail).toBe('A request may have at most 19 included resources.')
    expect((await tight.get('/artists/1?include=albums')).status).toBe(200)
    expect((await tight.get('/artists')).status).toBe(200)
  })

  test('a document has at most as many bytes as the limit allows', async () => {
    const whole = await shop({}).get('/artists?include=albums')
    const bytes = Buffer.byteLength(whole.text)
    expect((await shop({ documentBytes: bytes }).get('/artists?include=albums')).text).toBe(whole.text)
    const tight = shop({ documentBytes: bytes - 1 })
    expectErrors(await tight.get('/artists?include=albums'), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'include' },
    ])
    const list = await tight.get('/albums')
    expect(list.status).toBe(200)
    expectErrors(await shop({ documentBytes: 1000 }).get('/albums'), [{ code: 'LIMIT_EXCEEDED', parameter: 'page' }])
    expectErrors(await shop({ documentBytes: 100 }).get('/albums/1'), [{ code: 'LIMIT_EXCEEDED', parameter: null }])
    expectErrors(await shop({ documentBytes: 200 }).get('/artists/1/relationships/albums'), [
      { code: 'LIMIT_EXCEEDED', parameter: 'page' },
    ])
  })

  test('a write is never refused because its document is too large: nothing is included then', async () => {
    const api = shop({ documentBytes: 10, includedResources: perArtist - 1 })
    const body = { data: { type: 'artists', id: '1', attributes: { name: 'B' } } }
    const written = await api.patch('/artists/1?include=albums', { body })
    expect(written.status).toBe(200)
    expect(written.document).toMatchObject({ data: { attributes: { name: 'B' } }, included: [] })
    // There is no linkage either, which a client could mistake for the members.
    expect(written.resource?.relationships?.['albums']).not.toHaveProperty('data')
    const within = shop({ documentBytes: 10, includedResources: perArtist })
    expect((await within.patch('/artists/1?include=albums', { body })).document?.included).toHaveLength(perArtist)
  })

  test('a relationship of a body has at most as many identifiers as the limit allows', async () => {
    const api = shop({ identifiers: 3 })
    const at = '/playlists/1/relationships/albums'
    expect((await api.patch(at, data(3))).status).toBeLessThan(300)
    for (const method of ['patch', 'post', 'delete'] as const) {
      const [error] = expectErrors(await api[method](at, data(4)), [
        { status: 400, code: 'LIMIT_EXCEEDED', pointer: '/data' },
      ])
      expect(error?.detail).toBe('A request may have at most 3 identifiers in one relationship.')
    }
    const pointer = '/data/relationships/albums/data'
    expectErrors(await api.patch('/playlists/1', resource(4, { id: '1' })), [{ code: 'LIMIT_EXCEEDED', pointer }])
    expectErrors(await api.post('/playlists', resource(4, { attributes: { name: 'Q' } })), [
      { code: 'LIMIT_EXCEEDED', pointer },
    ])
    expect((await api.post('/playlists', resource(3, { attributes: { name: 'Q' } }))).status).toBe(201)
  })
})

const note = (words: unknown, extra: unknown) => ({ type: 'notes', attributes: { words, extra } })
const texts = (length: number) => Array.from({ length }, (_, index) => `w${index}`)

describe('the items of lists and objects in the attributes of a resource', () => {
  const notes = defineResource('notes', {
    model: model<{ id: number; words: readonly string[]; extra: object }>('notes'),
    id: id(),
    attributes: (a) => ({ words: a.arrayList(), extra: a.arrayHash() }),
  })
  const api = (limits: Limits) =>
    client(
      createServer({
        resources: [notes],
        data: storedData({ notes: [{ id: 1, words: [], extra: {} }] }),
        limits,
        extensions: [atomic()],
      }),
    )

  test('are at most as many as the limit allows, nested ones counted', async () => {
    const tight = api({ attributeItems: 5 })
    const create = (words: unknown, extra: unknown) => tight.post('/notes', { body: { data: note(words, extra) } })
    expect((await create(['a', 'b'], { list: ['c', 'd'] })).status).toBe(201)
    const [error] = expectErrors(await create(['a', 'b'], { list: ['c', 'd', 'e'] }), [
      { status: 400, code: 'LIMIT_EXCEEDED', pointer: '/data/attributes/extra' },
    ])
    expect(error?.detail).toBe(
      'A request may have at most 5 items of lists and objects in the attributes of a resource.',
    )
    const words = ['a', 'b', 'c', 'd', 'e', 'f']
    expectErrors(await create(words, {}), [{ code: 'LIMIT_EXCEEDED', pointer: '/data/attributes/words' }])
    expectErrors(await tight.patch('/notes/1', { body: { data: { ...note(words, {}), id: '1' } } }), [
      { code: 'LIMIT_EXCEEDED', pointer: '/data/attributes/words' },
    ])
    const operations = [
      { op: 'add', data: note([], {}) },
      { op: 'add', data: note(words, {}) },
    ]
    const batch = { headers: batchHeaders, body: { 'atomic:operations': operations } }
    expectErrors(await tight.post('/operations', batch), [
      { code: 'LIMIT_EXCEEDED', pointer: '/atomic:operations/1/data/attributes/words' },
    ])
    expect((await tight.get('/notes')).resources).toHaveLength(2)
  })

  test('are 5,000 by default', async () => {
    const wide = api({})
    expect((await wide.post('/notes', { body: { data: note(texts(5_000), {}) } })).status).toBe(201)
    expectErrors(await wide.post('/notes', { body: { data: note(texts(5_001), {}) } }), [
      { code: 'LIMIT_EXCEEDED', pointer: '/data/attributes/words' },
    ])
  })
})

const renamed = (key: number) => ({ type: 'albums', id: String(key), attributes: { title: `Renamed ${key}` } })

describe('long-running work', () => {
  test('lets others be served in between', async () => {
    const many = 5000
    const songs = defineResource('songs', {
      model: model<{ id: number; title: string; albumId: number }>('songs'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
    })
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: {
        songs: hasMany('songs').via('albumId'),
        favorites: belongsToMany('songs').through('favorites', { owner: 'ownerId', member: 'songId' }),
      },
    })
    const seeds = {
      albums: Array.from({ length: 100 }, (_, index) => ({ id: index + 1, title: `Album ${index}` })),
      songs: Array.from({ length: many }, (_, index) => {
        return { id: index + 1, title: `A song with the number ${index}`, albumId: (index % 100) + 1 }
      }),
      favorites: [],
    }
    const settings = { resources: [albums, songs], data: storedData(seeds), extensions: [atomic()] }
    const api = client(createServer({ ...settings, maxPageSize: 100 }))
    expect((await api.get('/albums/1')).status).toBe(200)
    // Each reading of the clock ends the slice, however fast the machine is.
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
    onTestFinished(() => clock.mockRestore())
    expect(await turnsDuring(api.get('/albums?include=songs&page[size]=100'))).toBeGreaterThan(3)
    const body = { data: Array.from({ length: many }, (_, index) => ({ type: 'songs', id: String(index + 1) })) }
    expect(await turnsDuring(api.patch('/albums/1/relationships/favorites', { body }))).toBeGreaterThan(3)
    const operations = Array.from({ length: 20 }, (_, index) => ({ op: 'update', data: renamed(index + 1) }))
    const batch = { headers: batchHeaders, body: { 'atomic:operations': operations } }
    expect(await turnsDuring(api.post('/operations', batch))).toBeGreaterThan(20)
  })
  test('lets others be served between the checks of a long list and its write', async () => {
    const steps: string[] = []
    const notes = defineResource('notes', {
      model: model<{ id: number; words: readonly string[] }>('notes'),
      id: id(),
      attributes: (a) => ({
        words: a
          .arrayList()
          .of('string')
          .uniqueItems()
          .readOnlyOnCreate(() => {
            setImmediate(() => void steps.push('others'))
            return false
          }),
      }),
      hooks: { beforeCreate: () => void steps.push('write') },
    })
    const api = client(createServer({ resources: [notes], data: storedData({ notes: [{ id: 1, words: [] }] }) }))
    const words = Array.from({ length: 3000 }, (_, index) => `w${index}`)
    expect((await api.post('/notes', { body: { data: { type: 'notes', attributes: { words } } } })).status).toBe(201)
    expect([steps[0], steps.includes('write')]).toEqual(['others', true])
  })
})
