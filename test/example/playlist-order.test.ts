import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const ordered = `/playlists/${roadTrip}/relationships/orderedTracks`

/** An identifier of a track, with the fields of the join row. */
const member = (id: string, pivot: object) => ({ type: 'tracks', id, meta: { pivot } })

/** Where each track is: `{ '5': { position: 1, … } }`. */
const positionsIn = ({ document }: TestResponse) => {
  const identifiers = Array.isArray(document?.data) ? document.data : []
  return Object.fromEntries(identifiers.map(({ id, meta }) => [id, meta?.['pivot']]))
}

describe.each(musicServices)('the order of a playlist on %s', (_engine, open) => {
  const music = musicClient(open)

  test('is that of the positions, which are in the meta of identifiers', async () => {
    const { document } = await music.get(ordered)
    const addedAt = '2026-01-02T00:00:00+00:00'
    expect(document?.data).toEqual([
      { type: 'tracks', id: '5', meta: { served_by: 'music', pivot: { position: 1, weight: 3, addedAt } } },
      { type: 'tracks', id: '1', meta: { served_by: 'music', pivot: { position: 2, weight: 2, addedAt } } },
      { type: 'tracks', id: '3', meta: { served_by: 'music', pivot: { position: 3, weight: 9, addedAt } } },
    ])
  })

  test('is that of included tracks too', async () => {
    const { resource } = await music.get(`/playlists/${roadTrip}?include=orderedTracks`)
    expect(resource.relationships?.['orderedTracks']?.data).toMatchObject([{ id: '5' }, { id: '1' }, { id: '3' }])
  })

  test('shows the position in the meta of related tracks', async () => {
    const { resources } = await music.get(`/playlists/${roadTrip}/orderedTracks`)
    expect(resources.map(({ id, meta }) => [id, meta?.['pivot']])).toMatchObject([
      ['5', { position: 1 }],
      ['1', { position: 2 }],
      ['3', { position: 3 }],
    ])
  })

  test('can be reversed', async () => {
    const { resources } = await music.get(`/playlists/${roadTrip}/orderedTracks?sort=-position`)
    expect(resources.map(({ id }) => id)).toEqual(['3', '1', '5'])
  })

  test('takes a new track at its position, with its weight, added now', async () => {
    const before = Date.now()
    const response = await music.post(ordered, { data: [member('8', { position: 4, weight: 6 })] })
    expect(response.status).toBe(200)
    expect(positionsIn(response)['8']).toMatchObject({ position: 4, weight: 6 })
    const { addedAt } = positionsIn(response)['8'] as { addedAt: string }
    expect(Date.parse(addedAt)).toBeGreaterThanOrEqual(before - 1000)
    expect(Date.parse(addedAt)).toBeLessThanOrEqual(Date.now() + 1000)
  })

  test('sets a missing weight to the position of the track', async () => {
    const response = await music.post(ordered, { data: [member('8', { position: 4 })] })
    expect(positionsIn(response)['8']).toMatchObject({ position: 4, weight: 4 })
  })

  test('needs a position', async () => {
    expectErrors(await music.post(ordered, { data: [member('8', { weight: 6 })] }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/0/meta/pivot/position' },
    ])
  })

  test('begins with position 1, and no weight is less than its position', async () => {
    expectErrors(await music.post(ordered, { data: [member('8', { position: 0, weight: 0 })] }), [
      { status: 422, pointer: '/data/0/meta/pivot/position' },
    ])
    expectErrors(await music.post(ordered, { data: [member('8', { position: 4, weight: 3 })] }), [
      { status: 422, pointer: '/data/0/meta/pivot/weight' },
    ])
  })

  test('does not take the moment of addition from clients', async () => {
    const response = await music.post(ordered, {
      data: [member('8', { position: 4, addedAt: '2001-01-01T00:00:00Z' })],
    })
    expect(response.status).toBe(200)
    expect(positionsIn(response)['8']).not.toMatchObject({ addedAt: '2001-01-01T00:00:00+00:00' })
  })

  test('puts tracks that are added without a position last, one after the other', async () => {
    await music.post(`/playlists/${roadTrip}/relationships/tracks`, {
      data: [
        { type: 'tracks', id: '9' },
        { type: 'tracks', id: '8' },
      ],
    })
    expect(positionsIn(await music.get(ordered))).toMatchObject({
      5: { position: 1 },
      1: { position: 2 },
      3: { position: 3 },
      9: { position: 4, weight: 4 },
      8: { position: 5, weight: 5 },
    })
  })

  test('puts a track last that is added from its own side', async () => {
    const playlists = { data: [{ type: 'playlists', id: roadTrip }] }
    expect((await music.post('/tracks/9/relationships/playlists', playlists)).status).toBe(204)
    const { resource } = await music.post('/tracks', {
      data: { type: 'tracks', attributes: { title: 'Lucky' }, relationships: { playlists } },
    })
    expect(positionsIn(await music.get(ordered))).toMatchObject({
      9: { position: 4, weight: 4 },
      [resource.id]: { position: 5, weight: 5 },
    })
  })

  test('counts positions that are given in the same request', async () => {
    const playlist = { type: 'playlists', lid: 'new', attributes: { title: 'Way Home' } }
    const [inOrder, atTheEnd] = ['orderedTracks', 'tracks'].map((relationship) => ({
      type: 'playlists',
      lid: 'new',
      relationship,
    }))
    const { status, results } = await music.batch([
      { op: 'add', data: playlist },
      { op: 'add', ref: inOrder, data: [member('8', { position: 7 }), member('9', { position: 4 })] },
      { op: 'add', ref: atTheEnd, data: [{ type: 'tracks', id: '1' }] },
    ])
    expect(status).toBe(200)
    const made = (results[0] as { data: { id: string } }).data.id
    expect(positionsIn(await music.get(`/playlists/${made}/relationships/orderedTracks`))).toMatchObject({
      9: { position: 4 },
      8: { position: 7 },
      1: { position: 8 },
    })
  })

  test('has a position for each of the tracks that are added concurrently, from either side', async () => {
    const playlists = { data: [{ type: 'playlists', id: roadTrip }] }
    const fromTracks = ['2', '4', '6', '7'].map((id) => music.post(`/tracks/${id}/relationships/playlists`, playlists))
    const fromPlaylist = ['8', '9', '10', '11'].map((id) =>
      music.post(`/playlists/${roadTrip}/relationships/tracks`, { data: [{ type: 'tracks', id }] }),
    )
    for (const { status } of await Promise.all([...fromTracks, ...fromPlaylist])) expect(status).toBe(204)
    const { resources } = await music.get(`/playlists/${roadTrip}/orderedTracks?page[size]=20`)
    const positions = resources.map(({ meta }) => meta?.['pivot'])
    expect(positions).toMatchObject(Array.from({ length: 11 }, (_, index) => ({ position: index + 1 })))
  })

  test('refuses positions and weights that one of the databases could not store', async () => {
    const largest = { position: 2_147_483_647, weight: 2_147_483_647 }
    expect(positionsIn(await music.post(ordered, { data: [member('8', largest)] }))['8']).toMatchObject(largest)
    expectErrors(await music.post(ordered, { data: [member('9', { position: 2_147_483_648 })] }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/0/meta/pivot/position' },
    ])
    expectErrors(await music.post(ordered, { data: [member('9', { position: 4, weight: 2_147_483_648 })] }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/0/meta/pivot/weight' },
    ])
  })

  test('does not change when tracks are added that it has already', async () => {
    const before = positionsIn(await music.get(ordered))
    const { status } = await music.post(`/playlists/${roadTrip}/relationships/tracks`, {
      data: [{ type: 'tracks', id: '5' }],
    })
    expect(status).toBe(204)
    expect(positionsIn(await music.get(ordered))).toEqual(before)
  })

  test('does not change for the remaining tracks when others are replaced', async () => {
    await music.patch(`/playlists/${roadTrip}/relationships/tracks`, {
      data: [
        { type: 'tracks', id: '8' },
        { type: 'tracks', id: '3' },
        { type: 'tracks', id: '5' },
      ],
    })
    const { resources } = await music.get(`/playlists/${roadTrip}/orderedTracks`)
    expect(resources.map(({ id }) => id)).toEqual(['5', '3', '8'])
  })

  test('changes when the tracks are replaced', async () => {
    await music.patch(ordered, { data: [member('3', { position: 1 }), member('5', { position: 2 })] })
    const response = await music.get(ordered)
    expect(positionsIn(response)).toMatchObject({ 3: { position: 1 }, 5: { position: 2 } })
    expect(Object.keys(positionsIn(response))).toHaveLength(2)
    const { resources } = await music.get(`/playlists/${roadTrip}/orderedTracks`)
    expect(resources.map(({ id }) => id)).toEqual(['3', '5'])
  })

  test('allows tracks to be removed', async () => {
    expect((await music.delete(ordered, { data: [{ type: 'tracks', id: '1' }] })).status).toBe(204)
    const response = await music.get(ordered)
    expect(positionsIn(response)).toMatchObject({ 5: { position: 1 }, 3: { position: 3 } })
    expect(positionsIn(response)).not.toHaveProperty('1')
  })
})
