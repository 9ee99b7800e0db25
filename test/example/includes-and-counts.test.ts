import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { counting, musicClient } from './music-client.js'

const tooDeep = [{ status: 400, code: 'INCLUSION_DEPTH_EXCEEDED', parameter: 'include' }]

describe.each(musicServices)('on %s', (_engine, open) => {
  const music = musicClient(open)
  const included = async (path: string) => shown((await music.get(path)).document?.included)
  const total = async (path: string, relation: string) =>
    (await music.get(`${path}?withCount=${relation}`, counting)).resource.relationships?.[relation]?.meta

  describe('include', () => {
    test('adds related resources, each resource once', async () => {
      expect(await included('/albums/1?include=artist,tracks')).toEqual([
        'artists 1',
        'tracks 1',
        'tracks 2',
        'tracks 6',
      ])
      expect(await included('/albums?include=artist')).toEqual(['artists 1', 'artists 2', 'artists 3'])
    })

    test('follows two relationships from albums and artists', async () => {
      expect(await included('/albums/3?include=tracks.playlists')).toHaveLength(4)
      expect(await included('/artists/2?include=albums.tracks')).toHaveLength(4)
      expectErrors(await music.get('/albums?include=tracks.playlists.tracks'), tooDeep)
      expectErrors(await music.get('/artists?include=albums.tracks.playlists'), tooDeep)
    })

    test('follows three relationships from other types', async () => {
      expect(await included('/tracks/1?include=album.artist.albums')).toEqual(['albums 1', 'artists 1', 'albums 2'])
      expectErrors(await music.get('/tracks?include=album.artist.albums.tracks'), tooDeep)
      expectErrors(await music.get('/playlists?include=tracks.album.artist.albums'), tooDeep)
      expectErrors(await music.get('/libraries?include=items.album.artist.albums'), tooDeep)
    })

    test('does not include the owner of a playlist, but the public profile', async () => {
      expectErrors(await music.get('/playlists?include=owner'), [
        { status: 400, code: 'INCLUSION_NOT_ALLOWED', parameter: 'include' },
      ])
      expect(await included(`/playlists/${roadTrip}?include=publicOwner`)).toEqual(['public-profiles 1'])
    })

    test('is applied by default for favorites', async () => {
      expect(await included('/favorites')).toEqual(['albums 4', 'artists 2', 'tracks 5'])
      expect(await included('/favorites?include=')).toEqual([])
    })
  })

  describe('counts', () => {
    test('of the tracks of albums and playlists, and of the playlists of tracks, are in the meta of the relationship', async () => {
      expect(await total('/albums/4', 'tracks')).toEqual({ total: 4 })
      expect(await total(`/playlists/${roadTrip}`, 'tracks')).toEqual({ total: 3 })
      expect(await total('/tracks/1', 'playlists')).toEqual({ total: 2 })
    })

    test('of a related list are in its meta', async () => {
      const { document } = await music.get('/albums/4/tracks?withCount=_self_&page[size]=3', counting)
      expect(document?.meta).toMatchObject({ total: 4, page: { total: 4, lastPage: 2 } })
    })

    test('of other relationships are not offered', async () => {
      for (const path of [
        '/artists?withCount=albums',
        '/playlists?withCount=orderedTracks',
        '/albums?withCount=artist',
      ]) {
        expectErrors(await music.get(path, counting), [
          { status: 400, code: 'RELATIONSHIP_COUNT_NOT_ALLOWED', parameter: 'withCount' },
        ])
      }
    })
  })
})
