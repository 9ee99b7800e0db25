import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { counting, musicClient } from './music-client.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const page = (number: number) => `http://localhost/albums?sort=title&page%5Bnumber%5D=${number}&page%5Bsize%5D=1`
const cursorProfile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'

describe.each(musicServices)('on %s', (_engine, open) => {
  const music = musicClient(open)
  const pageOf = async (path: string) => (await music.get(path)).document?.meta?.['page']
  const listed = async (path: string) => (await music.get(path)).resources.map(({ id }) => id)

  describe('sorts', () => {
    test('albums by title, releasedAt and status, each in both directions', async () => {
      await music.patch('/albums/4', { data: { type: 'albums', id: '4', attributes: { status: 'withdrawn' } } })
      await music.patch('/albums/2', { data: { type: 'albums', id: '2', attributes: { status: 'upcoming' } } })
      expect(await listed('/albums?sort=title')).toEqual(['3', '2', '4', '1'])
      expect(await listed('/albums?sort=-title')).toEqual(['1', '4', '2', '3'])
      expect(await listed('/albums?sort=releasedAt')).toEqual(['4', '1', '3', '2'])
      expect(await listed('/albums?sort=-releasedAt')).toEqual(['2', '3', '1', '4'])
      expect(await listed('/albums?sort=status')).toEqual(['1', '3', '2', '4'])
      expect(await listed('/albums?sort=-status')).toEqual(['4', '2', '3', '1'])
    })

    test('albums by the name of their artist', async () => {
      expect(await listed('/albums?sort=artist.name,-releasedAt')).toEqual(['3', '4', '2', '1'])
    })

    test('artists by name, slug and createdAt', async () => {
      expect(await listed('/artists?sort=name')).toEqual(['2', '3', '1'])
      expect(await listed('/artists?sort=-slug')).toEqual(['1', '3', '2'])
      expect(await listed('/artists?sort=createdAt')).toEqual(['3', '1', '2'])
    })

    test('tracks by title and trackNumber, by the second where the first is equal', async () => {
      expect(await listed('/tracks?sort=title&page[size]=3')).toEqual(['1', '12', '9'])
      expect(await listed('/tracks?sort=-trackNumber,title&page[size]=5')).toEqual(['7', '6', '9', '12', '11'])
    })

    test('public profiles by displayName', async () => {
      expect(await listed('/public-profiles?sort=-displayName')).toEqual(['2', '1', '3'])
    })

    test('the tracks of an album by duration, which other tracks do not support', async () => {
      expect(await listed('/albums/4/tracks?sort=duration')).toEqual(['11', '5', '10', '12'])
      expect(await listed('/albums/4/tracks?sort=-duration')).toEqual(['12', '10', '5', '11'])
      expectErrors(await music.get('/tracks?sort=duration'), [
        { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
      ])
    })

    test('by nothing else', async () => {
      const others = ['/albums?sort=explicit', '/artists?sort=bio', '/tracks?sort=durationSeconds', '/genres?sort=name']
      for (const path of others) expectErrors(await music.get(path), [{ status: 400, code: 'SORTING_UNRECOGNIZED' }])
    })
  })

  describe('pages', () => {
    test('have numbers unless a type declares otherwise, 15 resources each, and are not counted', async () => {
      const { document } = await music.get('/albums')
      expect(document?.meta).toEqual({ page: { currentPage: 1, perPage: 15, from: 1, to: 4 } })
      expect(document?.links).not.toHaveProperty('last')
    })

    test('link to the pages before and after', async () => {
      const { document, resources } = await music.get('/albums?sort=title&page[number]=2&page[size]=1')
      expect(shown(resources)).toEqual(['albums 2'])
      expect(document?.links).toEqual({
        self: page(2),
        first: page(1),
        prev: page(1),
        next: page(3),
        describedby: 'http://localhost/docs.json',
      })
    })

    test('are counted on request: albums, artists, tracks and playlists', async () => {
      for (const [path, total] of [
        ['/albums', 4],
        ['/artists', 3],
        ['/tracks', 12],
        ['/playlists', 2],
      ] as const) {
        const { document } = await music.get(`${path}?withCount=_self_&page[size]=2`, counting)
        expect(document?.meta).toMatchObject({ total, page: { perPage: 2, total, lastPage: Math.ceil(total / 2) } })
        expect(document?.links).toHaveProperty('last')
      }
    })

    test('are counted nowhere else', async () => {
      expectErrors(await music.get('/genres?withCount=_self_', counting), [{ status: 400, parameter: 'withCount' }])
    })

    test('of tracks are chosen from a menu: numbers, cursors or offsets', async () => {
      expect(await pageOf('/tracks')).toEqual({ currentPage: 1, perPage: 15, from: 1, to: 12 })
      expect(await pageOf('/tracks?page[size]=5&page[number]=2')).toEqual({
        currentPage: 2,
        perPage: 5,
        from: 6,
        to: 10,
      })
      expect(await pageOf('/tracks?page[kind]=cursor&page[size]=5')).toEqual({
        perPage: 5,
        hasMore: true,
        from: '1',
        to: '5',
      })
      expect(await pageOf('/tracks?page[offset]=3&page[limit]=5')).toEqual({ offset: 3, limit: 5, from: 4, to: 8 })
      expectErrors(await music.get('/tracks?page[kind]=fixed'), [
        {
          status: 400,
          code: 'PAGINATION_KIND_UNKNOWN',
          parameter: 'page[kind]',
          detail: "The pagination kind 'fixed' is not offered here. Offered: page, cursor, offset.",
        },
      ])
    })

    test('of the tracks of albums and playlists are chosen from that menu too', async () => {
      expect(await pageOf('/albums/1/tracks?page[limit]=2')).toEqual({ offset: 0, limit: 2, from: 1, to: 2 })
      expect(await pageOf(`/playlists/${roadTrip}/orderedTracks?page[offset]=1`)).toMatchObject({ from: 2, to: 3 })
    })

    test('of public profiles have cursors, which the response advertises', async () => {
      const first = await music.get('/public-profiles?page[size]=2')
      expect(first.document?.meta).toEqual({ page: { perPage: 2, hasMore: true, from: '1', to: '2' } })
      expect(first.document?.jsonapi).toEqual({ version: '1.1', profile: [cursorProfile] })
      expect(first.headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${cursorProfile}"`)
      const next = await music.get(String(first.document?.links?.['next']).replace('http://localhost', ''))
      expect(shown(next.resources)).toEqual(['public-profiles 3'])
      expect(next.document?.links).not.toHaveProperty('next')
    })

    test('of albums go by cursors on request, in the order of their artists too', async () => {
      const first = await music.get('/albums?page[kind]=cursor&page[size]=3&sort=artist.name')
      expect(shown(first.resources)).toEqual(['albums 3', 'albums 4', 'albums 1'])
      const next = await music.get(String(first.document?.links?.['next']).replace('http://localhost', ''))
      expect(shown(next.resources)).toEqual(['albums 2'])
      expect(next.document?.links).toHaveProperty('prev')
    })

    test('of the albums of an artist go by cursors', async () => {
      const { document } = await music.get('/artists/1/albums?page[size]=1')
      expect(document?.meta).toEqual({ page: { perPage: 1, hasMore: true, from: '1', to: '1' } })
      expect(document?.links?.['next']).toContain('page%5Bafter%5D=')
    })

    test('of countries have a size that clients cannot choose', async () => {
      exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
      const { document, resources } = await music.get('/countries?page[size]=2')
      expect(resources).toHaveLength(5)
      expect(document?.meta).toEqual({ page: { currentPage: 1 } })
      expect((await music.get('/countries?page[number]=2')).resources).toEqual([])
    })
  })
})
