import { createServer, fail, hasMany } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, one, some } from '../support/linkage-writer.js'
import { linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedRows } from '../support/stored-rows.js'

/** A store that writes a relation, and fails then. */
function failingAt(name: string, failure: () => unknown): DataSource {
  const data = memoryData(linkedRows())
  return {
    ...data,
    persister(type) {
      const persister = data.persister(type)
      if (persister === null) return null
      return {
        ...persister,
        async mutateRelationship(relation, ...rest) {
          await persister.mutateRelationship?.(relation, ...rest)
          if (relation.name === name) failure()
        },
      }
    },
  }
}

function broken(): never {
  throw new Error('The disk is full.')
}

const stored = (data: DataSource) => storedRows(data, Object.keys(linkedRows()))
const quiet = { logger: { error: () => undefined } }

describe('a write and all that is embedded in it is one transaction', () => {
  const linkages = {
    tracks: some('tracks', '3'),
    dedicatedTo: one('albums', '1'),
    items: [one('albums', '4')],
  }

  test('if a later relation fails in the store, nothing of a PATCH is stored', async () => {
    const data = failingAt('items', broken)
    const before = await stored(data)
    const api = linkageWriter(linkedMusic({ data, ...quiet }))
    expectErrors(await api.update('/playlists/1', linkages, { title: 'Renamed' }), [{ status: 500 }])
    expect(await stored(data)).toEqual(before)
  })

  test('nor of a POST', async () => {
    const data = failingAt('items', broken)
    const before = await stored(data)
    const api = linkageWriter(linkedMusic({ data, ...quiet }))
    expectErrors(await api.create('/playlists', linkages, { title: 'New' }), [{ status: 500 }])
    expect(await stored(data)).toEqual(before)
  })

  test.each(['replace', 'add', 'remove'] as const)('nor of a write of linkage: %s', async (verb) => {
    const data = failingAt('tracks', broken)
    const before = await stored(data)
    const api = linkageWriter(linkedMusic({ data, ...quiet }))
    expectErrors(await api[verb]('/playlists/1/tracks', some('tracks', verb === 'remove' ? '1' : '3')), [
      { status: 500 },
    ])
    expect(await stored(data)).toEqual(before)
  })

  test('a conflict of the store is reported at its member', async () => {
    const refusal = { source: { pointer: '/data' } }
    const data = failingAt('tracks', () => fail('VALIDATION_FAILED', { message: 'The shelf is full.' }, refusal))
    const before = await stored(data)
    const api = linkageWriter(linkedMusic({ data }))
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '3')), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data', detail: 'The shelf is full.' },
    ])
    expect(await stored(data)).toEqual(before)
  })

  test('the same is stored if nothing fails', async () => {
    const data = failingAt('nothing', broken)
    const api = linkageWriter(linkedMusic({ data }))
    expect((await api.update('/playlists/1', linkages, { title: 'Renamed' })).status).toBe(200)
    expect(await api.members('/playlists/1/tracks')).toEqual(['tracks 3'])
    expect(await api.members('/playlists/1/dedicatedTo')).toEqual(['albums 1'])
    expect(await api.members('/playlists/1/items')).toEqual(['albums 4'])
  })
})

describe('concurrent writes', () => {
  const keys = Array.from({ length: 30 }, (_, index) => String(index + 1))

  function shelf() {
    const data = memoryData({
      albums: [{ id: 1 }, { id: 2 }],
      tracks: keys.map((key) => ({ id: Number(key), albumId: Number(key) % 2 === 0 ? 2 : null })),
    })
    const resources = [typeWith('albums', { tracks: hasMany('tracks').via('albumId') }), typeWith('tracks')]
    return linkageWriter(createServer({ resources, data }))
  }

  test('lose no member of join rows', async () => {
    const rows = linkedRows()
    const data = memoryData({ ...rows, tracks: keys.map((key) => ({ id: Number(key), title: key, albumId: null })) })
    const api = linkageWriter(linkedMusic({ data }))
    const responses = await Promise.all(keys.map((key) => api.add('/playlists/2/tracks', some('tracks', key))))
    expect(responses.every(({ status }) => status === 200)).toBe(true)
    const { document } = await api.get('/playlists/2/relationships/tracks')
    expect(document?.data).toEqual(some('tracks', ...keys))
    await Promise.all(keys.map((key) => api.remove('/playlists/2/tracks', some('tracks', key))))
    expect((await api.get('/playlists/2/relationships/tracks')).document?.data).toEqual([])
  })

  test('of one member add it once', async () => {
    const data = memoryData(linkedRows())
    const api = linkageWriter(linkedMusic({ data }))
    await Promise.all(keys.map(() => api.add('/playlists/2/tracks', some('tracks', '3'))))
    expect((await stored(data))['entries']).toHaveLength(4)
  })

  test('lose no key in related rows', async () => {
    const api = shelf()
    await Promise.all(keys.map((key) => api.add('/albums/1/tracks', some('tracks', key))))
    expect((await api.get('/albums/1/relationships/tracks')).document?.data).toEqual(some('tracks', ...keys))
    expect((await api.get('/albums/2/relationships/tracks')).document?.data).toEqual([])
  })

  test('store the set of one of them', async () => {
    const api = shelf()
    const sets = [keys.slice(0, 10), keys.slice(5, 20), keys.slice(20)]
    await Promise.all(sets.map((set) => api.replace('/albums/1/tracks', some('tracks', ...set))))
    const { document } = await api.get('/albums/1/relationships/tracks')
    expect(sets.map((set) => some('tracks', ...set))).toContainEqual(document?.data)
  })
})
