import { belongsTo, hasOne } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one, relationshipPath, some } from '../support/linkage-writer.js'
import { linkedMusic, linkedRows } from '../support/linked-music.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'

type Rows = Partial<ReturnType<typeof linkedRows>>

/** The fixture over rows that no write of this service would have left. */
function odd(rows: Rows, over: Parameters<typeof linkedMusic>[0] = {}) {
  const data = storedData({ ...linkedRows(), ...rows })
  const stored = async (): Promise<string> => JSON.stringify(await storedRows(data, Object.keys(linkedRows())))
  return { api: linkageWriter(linkedMusic({ ...over, data })), stored }
}

describe('several rows that match a to-one', () => {
  const portraits = [1, 2, 3].map((key) => ({ id: key, title: '', artistId: key === 3 ? null : 1 }))
  const gated = { over: { artists: { portrait: hasOne('portraits').cannotReplace().cannotRemove() } } }

  test('do not change if the shown one is repeated', async () => {
    const { api, stored } = odd({ portraits }, gated)
    const before = await stored()
    expect((await api.get('/artists/1/relationships/portrait')).document?.data).toEqual(one('portraits', '1'))
    expect((await api.replace('/artists/1/portrait', one('portraits', '1'))).status).toBe(200)
    expect((await api.update('/artists/1', { portrait: one('portraits', '1') })).status).toBe(200)
    expect(await stored()).toBe(before)
  })

  test('are replaced by any other', async () => {
    for (const [data, others] of [
      [one('portraits', '2'), ['1', '3']],
      [one('portraits', '3'), ['1', '2']],
      [null, ['1', '2', '3']],
    ] as const) {
      const { api } = odd({ portraits })
      expect((await api.replace('/artists/1/portrait', data)).document?.data).toEqual(data)
      expect(await api.members('/artists/1/portrait')).toEqual(data === null ? [] : shown(data))
      for (const key of others) expect(await api.members(`/portraits/${key}/artist`)).toEqual([])
    }
  })
})

describe('a dangling key', () => {
  const albums = [{ id: 1, title: 'OK Computer', artistId: 99 }]

  test('is linkage that can be repeated, and cleared', async () => {
    const { api, stored } = odd({ albums })
    const before = await stored()
    expect((await api.get('/albums/1/relationships/artist')).document?.data).toEqual(one('artists', '99'))
    expect((await api.replace('/albums/1/artist', one('artists', '99'))).status).toBe(200)
    expect((await api.update('/albums/1', { artist: one('artists', '99') })).status).toBe(200)
    expect(await stored()).toBe(before)
    expect((await api.replace('/albums/1/artist', null)).document?.data).toBeNull()
    expect((await api.get('/albums/1/relationships/artist')).document?.data).toBeNull()
  })

  test('is no member if related rows must be read, and is replaced', async () => {
    const over = { albums: { artist: belongsTo('artists').identifierMeta(() => ({ seen: true })) } }
    const { api } = odd({ albums }, { over })
    expect((await api.get('/albums/1/relationships/artist')).document?.data).toBeNull()
    expect((await api.replace('/albums/1/artist', one('artists', '2'))).document?.data).toEqual({
      ...one('artists', '2'),
      meta: { seen: true },
    })
  })

  test('in a join row is no member, and is not removed', async () => {
    const entries = [
      { id: 1, playlistId: 1, trackId: 99, position: 1, weight: null, addedBy: '', note: '' },
      { id: 2, playlistId: 1, trackId: 1, position: 2, weight: null, addedBy: '', note: '' },
    ]
    const { api, stored } = odd({ entries })
    expect((await api.replace('/playlists/1/tracks', [])).document?.data).toEqual([])
    expect(await stored()).toContain('trackId: 99')
    expect(await stored()).not.toContain('trackId: 1,')
  })
})

describe('several join rows of one member', () => {
  const entries = [1, 2].map((key) => {
    return { id: key, playlistId: 1, trackId: 1, position: key, weight: null, addedBy: 'bob', note: '' }
  })

  test('are one member, which is repeated as it is shown', async () => {
    const { api, stored } = odd({ entries })
    const before = await stored()
    const { document } = await api.get(relationshipPath('/playlists/1/orderedTracks'))
    expect(document?.data).toEqual([one('tracks', '1', { position: 1, weight: null, addedBy: 'bob' })])
    expect((await api.replace('/playlists/1/orderedTracks', document?.data)).status).toBe(200)
    expect((await api.add('/playlists/1/tracks', some('tracks', '1'))).status).toBe(200)
    expect(await stored()).toBe(before)
  })

  test('are removed together', async () => {
    const { api } = odd({ entries })
    expect((await api.remove('/playlists/1/tracks', some('tracks', '1'))).document?.data).toEqual([])
    expect(await api.members('/playlists/1/orderedTracks')).toEqual([])
  })
})

test('keys are stored as text or as numbers, and are one key', async () => {
  const rows = linkedRows()
  const tracks = rows.tracks.map((track) => ({ ...track, albumId: String(track.albumId) }))
  const entries = rows.entries.map((entry) => ({ ...entry, trackId: String(entry.trackId) }))
  const data = storedData({ ...rows, tracks, entries })
  const api = linkageWriter(linkedMusic({ data }))
  expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
  await api.remove('/albums/1/tracks', some('tracks', '1'))
  expect(await api.members('/albums/1/tracks')).toEqual(['tracks 2'])
  await api.replace('/playlists/1/tracks', some('tracks', '2', '3'))
  expect(await api.members('/playlists/1/tracks')).toEqual(['tracks 2', 'tracks 3'])
})
