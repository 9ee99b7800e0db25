import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { callers, musicServices, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { musicClient } from './music-client.js'

describe.each(musicServices)('filters on %s', (_engine, open) => {
  const music = musicClient(open)
  const found = async (path: string) => shown((await music.get(path)).document?.data)

  describe('of albums', () => {
    test('title finds a part of it, in letters of any size', async () => {
      expect(await found('/albums?filter[title]=KI')).toEqual(['albums 2', 'albums 4'])
    })

    test('q searches the titles too', async () => {
      expect(await found('/albums?filter[q]=computer')).toEqual(['albums 1'])
    })

    test('status is unknown to everybody but the admin', async () => {
      const path = '/albums?filter[status]=withdrawn'
      expectErrors(await music.request('GET', path, { caller: callers.alice }), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[status]' },
      ])
      expect(await found(path)).toEqual([])
      await music.patch('/albums/2', { data: { type: 'albums', id: '2', attributes: { status: 'withdrawn' } } })
      expect(await found(path)).toEqual(['albums 2'])
    })

    test('artist is the id of the artist', async () => {
      expect(await found('/albums?filter[artist]=1')).toEqual(['albums 1', 'albums 2'])
      expect(await found('/albums?filter[artist]=99')).toEqual([])
    })

    test('artist.name is the whole name of the artist', async () => {
      expect(await found('/albums?filter[artist.name]=Radiohead')).toEqual(['albums 1', 'albums 2'])
      expect(await found('/albums?filter[artist.name]=Radio')).toEqual([])
    })

    test('tracks finds those that have any', async () => {
      const { resource } = await music.post('/albums', { data: { type: 'albums', attributes: { title: 'Silence' } } })
      expect(await found('/albums?filter[tracks]=true')).toEqual(['albums 1', 'albums 2', 'albums 3', 'albums 4'])
      await music.post('/tracks', {
        data: {
          type: 'tracks',
          attributes: { title: 'Still' },
          relationships: { album: { data: { type: 'albums', id: resource.id } } },
        },
      })
      expect(await found('/albums?filter[tracks]=true')).toContain(`albums ${resource.id}`)
    })

    test('rating is a range, with one bound or both; an album without a rating is in none', async () => {
      expect(await found('/albums?filter[rating][min]=4.7')).toEqual(['albums 1'])
      expect(await found('/albums?filter[rating][max]=4.7')).toEqual(['albums 2'])
      expect(await found('/albums?filter[rating][min]=4.6&filter[rating][max]=4.8')).toEqual(['albums 1', 'albums 2'])
    })

    test('releasedAt is a range of days or moments', async () => {
      expect(await found('/albums?filter[releasedAt][min]=1997-05-21&filter[releasedAt][max]=1997-12-31')).toEqual([
        'albums 1',
        'albums 3',
      ])
      expect(await found('/albums?filter[releasedAt][min]=1997-09-22T00:00:01Z')).toEqual(['albums 2'])
    })

    test('several must all be met', async () => {
      expect(await found('/albums?filter[artist.name]=Radiohead&filter[rating][min]=4.7')).toEqual(['albums 1'])
    })
  })

  describe('of artists', () => {
    test('slug finds one artist or none: the response is no list', async () => {
      const { document } = await music.get('/artists?filter[slug]=bjork')
      expect(document?.data).toMatchObject({ type: 'artists', id: '2' })
      expect((await music.get('/artists?filter[slug]=nobody')).document?.data).toBeNull()
    })

    test('q searches the names', async () => {
      expect(await found('/artists?filter[q]=DAV')).toEqual(['artists 3'])
    })

    test('name is for artists that are reached through an album', async () => {
      expect((await music.get('/albums/1/artist?filter[name]=Radiohead')).resource.id).toBe('1')
      expect((await music.get('/albums/1/artist?filter[name]=Radio')).document?.data).toBeNull()
      expectErrors(await music.get('/artists?filter[name]=Radiohead'), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[name]' },
      ])
    })
  })

  describe('of tracks', () => {
    test('title finds a part of it', async () => {
      expect(await found('/tracks?filter[title]=blue')).toEqual(['tracks 11', 'tracks 12'])
    })

    test('q searches the titles too', async () => {
      expect(await found('/tracks?filter[q]=police')).toEqual(['tracks 6'])
    })

    test('explicit is true or false', async () => {
      await music.patch('/tracks/7', { data: { type: 'tracks', id: '7', attributes: { explicit: true } } })
      expect(await found('/tracks?filter[explicit]=true')).toEqual(['tracks 7'])
      expect(await found('/tracks?filter[explicit]=false&page[size]=100')).toHaveLength(11)
      expectErrors(await music.get('/tracks?filter[explicit]=maybe'), [
        { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'filter[explicit]' },
      ])
    })

    test('genres finds those that are of any of them', async () => {
      expect(await found('/tracks?filter[genres]=art-rock')).toEqual(['tracks 2', 'tracks 7'])
      expect(await found('/tracks?filter[genres]=art-rock,jazz')).toEqual([
        'tracks 2',
        'tracks 5',
        'tracks 7',
        'tracks 10',
        'tracks 11',
        'tracks 12',
      ])
      expect(await found('/tracks?filter[genres]=art')).toEqual([])
    })
  })

  describe('of the tracks of an album', () => {
    test('longerThan is a number of seconds', async () => {
      expect(await found('/albums/1/tracks?filter[longerThan]=283')).toEqual(['tracks 1', 'tracks 2'])
      expect(await found('/albums/1/tracks?filter[longerThan]=284')).toEqual(['tracks 2'])
    })

    test('those of tracks work here as well', async () => {
      expect(await found('/albums/1/tracks?filter[genres]=art-rock')).toEqual(['tracks 2'])
    })

    test('longerThan is not for all tracks', async () => {
      expectErrors(await music.get('/tracks?filter[longerThan]=283'), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[longerThan]' },
      ])
    })
  })

  test('there are none of playlists', async () => {
    expectErrors(await music.get('/playlists?filter[title]=Road Trip'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[title]' },
    ])
  })

  test('of ordered tracks are their position and their weight in the playlist', async () => {
    expect(await found(`/playlists/${roadTrip}/orderedTracks?filter[position]=2`)).toEqual(['tracks 1'])
    expect(await found(`/playlists/${roadTrip}/orderedTracks?filter[weight]=9`)).toEqual(['tracks 3'])
  })
})
