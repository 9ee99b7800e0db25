import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, rainyDay, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

const artist = (id: string) => ({ type: 'artists', id })
const track = (id: string) => ({ type: 'tracks', id })
const playlist = (id: string) => ({ type: 'playlists', id })

describe.each(musicServices)('relationships on %s', (_engine, open) => {
  const music = musicClient(open)
  const members = async (path: string) => shown((await music.get(path)).document?.data)

  describe('to one', () => {
    test('are read as an identifier, and as a resource', async () => {
      const { document } = await music.get('/albums/1/relationships/artist')
      expect(document).toMatchObject({
        data: { type: 'artists', id: '1' },
        links: {
          self: 'http://localhost/albums/1/relationships/artist',
          related: 'http://localhost/albums/1/artist',
        },
      })
      expect((await music.get('/albums/1/artist')).resource.attributes?.['name']).toBe('Radiohead')
    })

    test('are set, and emptied: the artist of an album, the album of a track, the parent of a product', async () => {
      for (const [path, data] of [
        ['/albums/1/relationships/artist', artist('2')],
        ['/tracks/1/relationships/album', { type: 'albums', id: '4' }],
        ['/products/prod-a0/relationships/parent', { type: 'products', id: 'prod-b1' }],
      ] as const) {
        expect((await music.patch(path, { data })).status).toBe(204)
        expect((await music.get(path)).document?.data).toEqual(data)
        expect((await music.patch(path, { data: null })).status).toBe(204)
        expect((await music.get(path)).document?.data).toBeNull()
      }
    })

    test('are null if there is no member', async () => {
      await music.patch('/albums/1/relationships/artist', { data: null })
      const { status, document } = await music.get('/albums/1/artist')
      expect(status).toBe(200)
      expect(document?.data).toBeNull()
    })

    test('cannot refer to missing resources', async () => {
      expectErrors(await music.patch('/albums/1/relationships/artist', { data: artist('99') }), [
        { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
      ])
    })

    test('cannot refer to other types', async () => {
      expectErrors(await music.patch('/albums/1/relationships/artist', { data: track('1') }), [
        { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE' },
      ])
    })
  })

  describe('to many', () => {
    test('are read in whole as identifiers, and by pages as resources', async () => {
      expect(await members('/albums/1/relationships/tracks')).toEqual(['tracks 1', 'tracks 2', 'tracks 6'])
      const { document } = await music.get('/albums/1/tracks?page[size]=2')
      expect(shown(document?.data)).toEqual(['tracks 1', 'tracks 2'])
      expect(document?.links?.['next']).toBe('http://localhost/albums/1/tracks?page%5Bsize%5D=2&page%5Bnumber%5D=2')
    })

    test('add and remove members: the tracks of an album move between albums', async () => {
      await music.post('/albums/1/relationships/tracks', { data: [track('5')] })
      expect(await members('/albums/1/relationships/tracks')).toEqual(['tracks 1', 'tracks 2', 'tracks 5', 'tracks 6'])
      expect(await members('/albums/4/relationships/tracks')).not.toContain('tracks 5')
      await music.delete('/albums/1/relationships/tracks', { data: [track('5')] })
      expect((await music.get('/tracks/5')).resource.relationships?.['album']?.data).toBeNull()
    })

    test('are replaced: the albums of an artist', async () => {
      const { status } = await music.patch('/artists/3/relationships/albums', { data: [{ type: 'albums', id: '2' }] })
      expect(status).toBe(204)
      expect(await members('/artists/3/relationships/albums')).toEqual(['albums 2'])
      expect((await music.get('/albums/4')).resource.relationships?.['artist']?.data).toBeNull()
    })
  })

  describe('of a track to its playlists', () => {
    const path = '/tracks/6/relationships/playlists'

    test('add and remove playlists', async () => {
      const { status } = await music.post(path, { data: [playlist(roadTrip), playlist(rainyDay)] })
      expect(status).toBe(204)
      expect(await members(path)).toEqual([`playlists ${rainyDay}`, `playlists ${roadTrip}`])
      expect(await members(`/playlists/${roadTrip}/tracks`)).toContain('tracks 6')
      await music.delete(path, { data: [playlist(roadTrip)] })
      expect(await members(path)).toEqual([`playlists ${rainyDay}`])
      expect(await members(`/playlists/${roadTrip}/tracks`)).not.toContain('tracks 6')
    })

    test('cannot be replaced, neither here nor in the track', async () => {
      expectErrors(await music.patch(path, { data: [playlist(roadTrip)] }), [
        { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED' },
      ])
      const relationships = { playlists: { data: [playlist(roadTrip)] } }
      expectErrors(await music.patch('/tracks/6', { data: { type: 'tracks', id: '6', relationships } }), [
        { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED', pointer: '/data/relationships/playlists/data' },
      ])
    })
  })

  test('that are not declared do not exist', async () => {
    for (const path of ['/albums/1/producer', '/albums/1/relationships/producer']) {
      expectErrors(await music.get(path), [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }])
    }
  })
})
