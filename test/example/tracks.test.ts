import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, rainyDay, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

const track = (attributes: object, relationships: object = {}) => ({
  data: { type: 'tracks', attributes, relationships },
})
const airbag = (attributes: object) => ({ data: { type: 'tracks', id: '1', attributes } })
const onAlbum = (id: string) => ({ album: { data: { type: 'albums', id } } })

describe.each(musicServices)('tracks on %s', (_engine, open) => {
  const music = musicClient(open)
  const withGenres = (genres: unknown) => music.patch('/tracks/1', airbag({ genres }))

  test('show these attributes, in this order', async () => {
    const { resource } = await music.get('/tracks/2')
    expect(Object.entries(resource.attributes ?? {})).toEqual([
      ['title', 'Paranoid Android'],
      ['trackNumber', 2],
      ['durationSeconds', 383],
      ['explicit', false],
      ['genres', ['rock', 'art-rock']],
      ['previewOffset', null],
      ['displayTitle', '2. Paranoid Android'],
    ])
  })

  test('show the linkage of their album and, by default, all playlists they are in', async () => {
    const { resource } = await music.get('/tracks/1')
    expect(Object.keys(resource.relationships ?? {})).toEqual(['album', 'playlists'])
    expect(resource.relationships?.['album']?.data).toEqual({ type: 'albums', id: '1' })
    expect(shown(resource.relationships?.['playlists']?.data)).toEqual([
      `playlists ${rainyDay}`,
      `playlists ${roadTrip}`,
    ])
    const { resources } = await music.get('/tracks')
    expect(resources.every(({ relationships }) => Array.isArray(relationships?.['playlists']?.data))).toBe(true)
  })

  test('have the name of their server in meta', async () => {
    expect((await music.get('/tracks/1')).resource.meta).toEqual({ served_by: 'music' })
  })

  describe('when created with a title only', () => {
    test('are number 1 of no album, 0 seconds long, not explicit, and of an unknown genre', async () => {
      const { status, resource } = await music.post('/tracks', track({ title: 'Man of War' }))
      expect(status).toBe(201)
      expect(resource.id).toBe('13')
      expect(resource.attributes).toEqual({
        title: 'Man of War',
        trackNumber: 1,
        durationSeconds: 0,
        explicit: false,
        genres: ['unknown'],
        previewOffset: null,
        displayTitle: '1. Man of War',
      })
      expect(resource.relationships?.['album']?.data).toBeNull()
    })

    test('follow the last track of their album', async () => {
      const { resource } = await music.post('/tracks', track({ title: 'Lucky' }, onAlbum('1')))
      expect(resource.attributes).toMatchObject({ trackNumber: 7, displayTitle: '7. Lucky' })
    })

    test('are the first track of an empty album', async () => {
      const { resource: album } = await music.post('/albums', {
        data: { type: 'albums', attributes: { title: 'Amnesiac' } },
      })
      const { resource } = await music.post('/tracks', track({ title: 'Packt Like Sardines' }, onAlbum(album.id)))
      expect(resource.attributes?.['trackNumber']).toBe(1)
    })
  })

  test('that are created concurrently on one album have a number each', async () => {
    const titles = ['Lucky', 'The Tourist', 'Electioneering', 'No Surprises', 'Let Down', 'Exit Music']
    const responses = await Promise.all(titles.map((title) => music.post('/tracks', track({ title }, onAlbum('1')))))
    const numbers = responses.map(({ resource }) => Number(resource.attributes?.['trackNumber']))
    expect(numbers.toSorted((a, b) => a - b)).toEqual([7, 8, 9, 10, 11, 12])
  })

  test('are created with everything that a client may send', async () => {
    const attributes = {
      title: 'Lucky',
      trackNumber: 11,
      durationSeconds: 259,
      explicit: true,
      genres: ['rock', 'art-rock'],
      previewOffset: '00:01:30',
    }
    const { resource } = await music.post('/tracks', track(attributes, onAlbum('1')))
    const { resource: stored } = await music.get(`/tracks/${resource.id}`)
    expect(stored.attributes).toEqual({ ...attributes, displayTitle: '11. Lucky' })
    expect(stored.relationships?.['album']?.data).toEqual({ type: 'albums', id: '1' })
  })

  test('compute their display title from their current values', async () => {
    const { resource } = await music.patch('/tracks/1', airbag({ trackNumber: 3, displayTitle: 'Mine' }))
    expect(resource.attributes?.['displayTitle']).toBe('3. Airbag')
  })

  test('need a title', async () => {
    expectErrors(await music.post('/tracks', track({})), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title', detail: 'This is required.' },
    ])
  })

  test('have whole numbers from 1 on', async () => {
    for (const trackNumber of [0, -1, 1.5, '1', null]) {
      expectErrors(await music.patch('/tracks/1', airbag({ trackNumber })), [
        { status: 422, pointer: '/data/attributes/trackNumber' },
      ])
    }
  })

  test('last a whole number of seconds', async () => {
    for (const durationSeconds of [0.5, -1, '4:44']) {
      expectErrors(await music.patch('/tracks/1', airbag({ durationSeconds })), [
        { status: 422, pointer: '/data/attributes/durationSeconds' },
      ])
    }
  })

  test('refuse numbers that one of the databases could not store', async () => {
    for (const name of ['trackNumber', 'durationSeconds']) {
      const largest = await music.patch('/tracks/1', airbag({ [name]: 2_147_483_647 }))
      expect(largest.resource.attributes?.[name]).toBe(2_147_483_647)
      const tooLarge = { status: 422, code: 'VALIDATION_FAILED', pointer: `/data/attributes/${name}` }
      expectErrors(await music.patch('/tracks/1', airbag({ [name]: 2_147_483_648 })), [tooLarge])
      expectErrors(await music.post('/tracks', track({ title: 'Lucky', [name]: 2_147_483_648 })), [tooLarge])
    }
  })

  test('have at least one genre, none of them empty, none of them twice', async () => {
    expectErrors(await withGenres([]), [{ status: 422, pointer: '/data/attributes/genres' }])
    expectErrors(await withGenres(['rock', 'rock']), [{ status: 422, pointer: '/data/attributes/genres' }])
    expectErrors(await withGenres(['rock', '']), [{ status: 422, pointer: '/data/attributes/genres/1' }])
    expectErrors(await withGenres('rock'), [{ status: 422, pointer: '/data/attributes/genres' }])
    expectErrors(await withGenres([1]), [{ status: 422, pointer: '/data/attributes/genres/0' }])
  })

  test('have a preview that begins at a time, or none', async () => {
    const begins = async (previewOffset: unknown) =>
      (await music.patch('/tracks/1', airbag({ previewOffset }))).resource.attributes?.['previewOffset']
    expect(await begins('00:01:30')).toBe('00:01:30')
    expect(await begins(null)).toBeNull()
    expectErrors(await music.patch('/tracks/1', airbag({ previewOffset: '25:00:00' })), [
      { status: 422, pointer: '/data/attributes/previewOffset' },
    ])
  })

  test('can be removed from their album', async () => {
    const { resource } = await music.patch('/tracks/1', {
      data: { type: 'tracks', id: '1', relationships: { album: { data: null } } },
    })
    expect(resource.relationships?.['album']?.data).toBeNull()
  })
})
