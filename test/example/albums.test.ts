import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const album = (attributes: object, relationships: object = {}) => ({
  data: { type: 'albums', attributes, relationships },
})
const albumOne = (attributes: object) => ({ data: { type: 'albums', id: '1', attributes } })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe.each(musicServices)('albums on %s', (_engine, open) => {
  const music = musicClient(open)
  const columns = () =>
    music.service.storage.db
      .selectFrom('albums')
      .select(['label', 'catalogueNumber'])
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()

  test('show these attributes, in this order', async () => {
    const { status, resource } = await music.get('/albums/1')
    expect(status).toBe(200)
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['title', 'OK Computer'],
      ['averageRating', 4.8],
      ['artwork', null],
      ['releasedAt', '1997-05-21T00:00:00+00:00'],
      ['explicit', false],
      ['status', 'released'],
      ['availableFrom', null],
      ['availableUntil', null],
      ['releaseInfo', { label: 'Parlophone', catalogueNumber: 'NODATA 02' }],
    ])
  })

  test('have an artist, which is named, and tracks, which are linked to', async () => {
    const { resource } = await music.get('/albums/1')
    expect(Object.keys(resource.relationships ?? {})).toEqual(['artist', 'tracks'])
    expect(resource.relationships).toEqual({
      artist: {
        links: {
          self: 'http://localhost/albums/1/relationships/artist',
          related: 'http://localhost/albums/1/artist',
        },
        data: { type: 'artists', id: '1' },
      },
      tracks: {
        links: {
          self: 'http://localhost/albums/1/relationships/tracks',
          related: 'http://localhost/albums/1/tracks',
        },
      },
    })
  })

  test('have ids that the database counts, written as strings', async () => {
    const created = await music.post('/albums', album({ title: 'Amnesiac' }))
    expect(created.status).toBe(201)
    expect(created.resource.id).toBe('5')
    expect(created.headers.get('Location')).toBe('http://localhost/albums/5')
  })

  test('do not take an id from the client', async () => {
    const reply = await music.post('/albums', { data: { type: 'albums', id: '9', attributes: { title: 'Amnesiac' } } })
    expectErrors(reply, [{ status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/data/id' }])
  })

  describe('when created with a title only', () => {
    test('are by default released now, not explicit, upcoming, and without an artist', async () => {
      const before = Date.now()
      const { resource } = await music.post('/albums', album({ title: 'Amnesiac' }))
      expect(resource.attributes).toEqual({
        title: 'Amnesiac',
        averageRating: null,
        artwork: null,
        releasedAt: expect.any(String),
        explicit: false,
        status: 'upcoming',
        availableFrom: null,
        availableUntil: null,
        releaseInfo: { label: null, catalogueNumber: null },
      })
      expect(resource.relationships?.['artist']?.data).toBeNull()
      const releasedAt = Date.parse(String(resource.attributes?.['releasedAt']))
      expect(releasedAt).toBeGreaterThanOrEqual(before - 1000)
      expect(releasedAt).toBeLessThanOrEqual(Date.now() + 1000)
    })
  })

  test('are created with everything that a client may send', async () => {
    const attributes = {
      title: 'Amnesiac',
      releasedAt: '2001-06-05T12:30:00+00:00',
      explicit: true,
      status: 'withdrawn',
      availableFrom: '2001-06-05',
      availableUntil: '2031-06-05',
      releaseInfo: { label: 'Parlophone', catalogueNumber: 'FHEIT 01' },
    }
    const { resource } = await music.post(
      '/albums',
      album(attributes, { artist: { data: { type: 'artists', id: '1' } } }),
    )
    const { resource: stored } = await music.get(`/albums/${resource.id}`)
    expect(stored.attributes).toEqual({ ...attributes, averageRating: null, artwork: null })
    expect(stored.relationships?.['artist']?.data).toEqual({ type: 'artists', id: '1' })
  })

  test('do not change their rating and their artwork, whatever a client writes', async () => {
    const { status, resource } = await music.patch('/albums/1', albumOne({ averageRating: 5, artwork: '/mine.png' }))
    expect(status).toBe(200)
    expect(resource.attributes).toMatchObject({ averageRating: 4.8, artwork: null })
  })

  test('need a title', async () => {
    expectErrors(await music.post('/albums', album({ explicit: false })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title', detail: 'This is required.' },
    ])
  })

  test('have titles of 200 characters at most', async () => {
    expect((await music.post('/albums', album({ title: 'a'.repeat(200) }))).status).toBe(201)
    expectErrors(await music.post('/albums', album({ title: 'a'.repeat(201) })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' },
    ])
  })

  test('are upcoming, released or withdrawn, and nothing else', async () => {
    for (const status of ['upcoming', 'released', 'withdrawn']) {
      expect((await music.patch('/albums/1', albumOne({ status }))).resource.attributes?.['status']).toBe(status)
    }
    expectErrors(await music.patch('/albums/1', albumOne({ status: 'lost' })), [
      {
        status: 422,
        pointer: '/data/attributes/status',
        detail: 'This must be one of "upcoming", "released", "withdrawn".',
      },
    ])
  })

  test('are not released later than one year from now', async () => {
    expect((await music.patch('/albums/1', albumOne({ releasedAt: inDays(360) }))).status).toBe(200)
    expectErrors(await music.patch('/albums/1', albumOne({ releasedAt: inDays(370) })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/releasedAt' },
    ])
  })

  test('show moments with their offset, and accept any offset', async () => {
    const { resource } = await music.patch('/albums/1', albumOne({ releasedAt: '1997-05-21T02:00:00+02:00' }))
    expect(resource.attributes?.['releasedAt']).toBe('1997-05-21T00:00:00+00:00')
    expectErrors(await music.patch('/albums/1', albumOne({ releasedAt: '1997-05-21' })), [
      { status: 422, pointer: '/data/attributes/releasedAt' },
    ])
  })

  test('are available until a day after the one from which they are', async () => {
    const days = { availableFrom: '2026-01-01', availableUntil: '2026-01-02' }
    expect((await music.patch('/albums/1', albumOne(days))).resource.attributes).toMatchObject(days)
    expectErrors(await music.patch('/albums/1', albumOne({ availableUntil: '2026-01-01' })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/availableUntil' },
    ])
  })

  test('are available on days of the calendar', async () => {
    expectErrors(await music.patch('/albums/1', albumOne({ availableFrom: '2026-02-30' })), [
      { status: 422, pointer: '/data/attributes/availableFrom' },
    ])
  })

  test('refuse values of other types, each at its pointer, all of them in one response', async () => {
    const attributes = { title: 1, explicit: 'no', status: null, availableFrom: 2026, releaseInfo: { label: 7 } }
    expectErrors(await music.patch('/albums/1', albumOne(attributes)), [
      { status: 422, pointer: '/data/attributes/title' },
      { status: 422, pointer: '/data/attributes/explicit' },
      { status: 422, pointer: '/data/attributes/status' },
      { status: 422, pointer: '/data/attributes/availableFrom' },
      { status: 422, pointer: '/data/attributes/releaseInfo/label' },
    ])
  })

  describe('store their releaseInfo in two columns', () => {
    test('of which a client can write one', async () => {
      const { resource } = await music.patch('/albums/1', albumOne({ releaseInfo: { label: 'XL' } }))
      expect(resource.attributes?.['releaseInfo']).toEqual({ label: 'XL', catalogueNumber: 'NODATA 02' })
      expect(await columns()).toEqual({ label: 'XL', catalogueNumber: 'NODATA 02' })
    })

    test('which null clears', async () => {
      const { resource } = await music.patch('/albums/1', albumOne({ releaseInfo: null }))
      expect(resource.attributes?.['releaseInfo']).toEqual({ label: null, catalogueNumber: null })
      expect(await columns()).toEqual({ label: null, catalogueNumber: null })
    })
  })
})
