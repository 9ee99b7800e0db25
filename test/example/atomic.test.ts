import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { musicServices, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

/** An artist, an album of theirs and a track on it, which know each other by local ids. */
const released = (trackTitle: string | null) => [
  { op: 'add', data: { type: 'artists', lid: 'who', attributes: { name: 'Portishead' } } },
  {
    op: 'add',
    data: {
      type: 'albums',
      lid: 'what',
      attributes: { title: 'Dummy' },
      relationships: { artist: { data: { type: 'artists', lid: 'who' } } },
    },
  },
  {
    op: 'add',
    data: {
      type: 'tracks',
      attributes: { title: trackTitle },
      relationships: { album: { data: { type: 'albums', lid: 'what' } } },
    },
  },
]

describe.each(musicServices)('batches at /operations on %s', (_engine, open) => {
  const music = musicClient(open)

  test('create resources of several types that refer to each other by local ids', async () => {
    const { status, results } = await music.batch(released('Mysterons'))
    expect(status).toBe(200)
    expect(results).toMatchObject([
      { data: { type: 'artists', id: '4', attributes: { slug: 'portishead' } } },
      { data: { type: 'albums', id: '5', relationships: { artist: { data: { type: 'artists', id: '4' } } } } },
      {
        data: {
          type: 'tracks',
          id: '13',
          attributes: { displayTitle: '1. Mysterons' },
          relationships: { album: { data: { type: 'albums', id: '5' } } },
        },
      },
    ])
    expect((await music.get('/artists/4')).resource.attributes?.['trackCount']).toBe(1)
  })

  test('change, relate and delete too, each operation after the one before', async () => {
    const { status } = await music.batch([
      { op: 'update', data: { type: 'albums', id: '1', attributes: { status: 'withdrawn' } } },
      { op: 'add', data: { type: 'tracks', lid: 'new', attributes: { title: 'Lucky' } } },
      {
        op: 'add',
        ref: { type: 'playlists', id: roadTrip, relationship: 'tracks' },
        data: [{ type: 'tracks', lid: 'new' }],
      },
      { op: 'remove', ref: { type: 'tracks', id: '5' } },
    ])
    expect(status).toBe(200)
    expect((await music.get('/albums/1')).resource.attributes?.['status']).toBe('withdrawn')
    expect(shown((await music.get(`/playlists/${roadTrip}/orderedTracks`)).resources)).toEqual([
      'tracks 1',
      'tracks 3',
      'tracks 13',
    ])
  })

  test('respond with 204 if no operation has a result', async () => {
    const { status } = await music.batch([
      { op: 'remove', ref: { type: 'tracks', id: '5' } },
      { op: 'remove', ref: { type: 'playlists', id: roadTrip } },
    ])
    expect(status).toBe(204)
  })

  test('store nothing if one operation is refused, and report which', async () => {
    expectErrors(await music.batch(released(null)), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/2/data/attributes/title' },
    ])
    expect((await music.get('/artists')).resources).toHaveLength(3)
    expect((await music.get('/albums')).resources).toHaveLength(4)
  })

  test('leave nothing behind when the database refuses', async () => {
    const response = await music.batch([
      { op: 'update', data: { type: 'albums', id: '1', attributes: { title: 'Changed' } } },
      { op: 'remove', ref: { type: 'artists', id: '1' } },
    ])
    expectErrors(response, [{ status: 409, code: 'RESOURCE_IN_USE', pointer: '/atomic:operations/1' }])
    expect((await music.get('/albums/1')).resource.attributes?.['title']).toBe('OK Computer')
  })

  test('run only operations that a type offers', async () => {
    expectErrors(await music.batch([{ op: 'remove', ref: { type: 'public-profiles', id: '1' } }]), [
      { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED' },
    ])
  })

  test('have their own media type', async () => {
    const { status, headers } = await music.batch(released('Mysterons'))
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"')
    expect((await music.post('/operations', { 'atomic:operations': [] })).status).toBe(415)
  })

  const count = async () => (await music.get('/artists?page[size]=100')).resources.length

  test('and single writes can be repeated with their Idempotency-Key', async () => {
    const sent = {
      headers: { ...batchHeaders, 'Idempotency-Key': '"a"' },
      body: { 'atomic:operations': released('Mysterons') },
    }
    const artist = {
      headers: { 'Idempotency-Key': '"b"' },
      body: { data: { type: 'artists', attributes: { name: 'Can' } } },
    }
    const before = await count()
    for (const isRepeated of [false, true]) {
      const batch = await music.request('POST', '/operations', sent)
      const created = await music.request('POST', '/artists', artist)
      expect([batch.status, created.status]).toEqual([200, 201])
      expect([batch, created].map(({ headers }) => headers.has('Idempotency-Replayed'))).toEqual([
        isRepeated,
        isRepeated,
      ])
    }
    expect(await count()).toBe(before + 2)
  })
})
