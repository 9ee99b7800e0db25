import JsonApi from 'devour-client'
import { describe, expect, it } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'

interface Identified {
  readonly id: string
}

function ids(resources: readonly Identified[]): readonly string[] {
  return resources.map(({ id }) => id)
}

/** Devour gives only title and detail of an error by default. */
const errorBuilder = (error: object) => error

const toOne = (type: string) => ({ jsonApi: 'hasOne', type })
const toMany = (type: string) => ({ jsonApi: 'hasMany', type })

describe.each(musicServices)('Devour on %s', (_engine, open) => {
  const music = observedMusic(open)

  /** With `pluralize: false` models, types and paths have the same names. */
  function devour(): JsonApi {
    const api = new JsonApi({ apiUrl: music.url, pluralize: false, logger: false, errorBuilder })
    api.define('artists', { name: '', slug: '', albums: toMany('albums') })
    api.define(
      'albums',
      {
        title: '',
        averageRating: '',
        releasedAt: '',
        explicit: '',
        status: '',
        releaseInfo: '',
        artist: toOne('artists'),
        tracks: toMany('tracks'),
      },
      { readOnly: ['averageRating'] },
    )
    api.define('tracks', { title: '', genres: '', album: toOne('albums') })
    api.define('genres', { name: '' })
    api.define('playlists', { title: '', slug: '', tracks: toMany('tracks') })
    return api
  }

  /** The order of a playlist, as the service has it. */
  async function members(): Promise<readonly string[]> {
    const { data } = await devour().one('playlists', roadTrip).all('orderedTracks').get()
    return ids(data)
  }

  const tracks = () => devour().one('playlists', roadTrip).relationships('tracks')

  describe('reads', () => {
    it('a list with include, filter, sort, fields and page', async () => {
      const { data, meta, links } = await devour().findAll('albums', {
        include: 'artist,tracks',
        filter: { title: 'k' },
        sort: '-releasedAt',
        fields: { artists: 'name', tracks: 'title' },
        page: { number: 1, size: 2 },
      })
      expect(data).toMatchObject([{ title: 'Kid A' }, { title: 'OK Computer' }])
      expect(data[0].artist).toMatchObject({ type: 'artists', id: '1', name: 'Radiohead' })
      expect(data[0].tracks).toMatchObject([{ title: 'Everything in Its Right Place' }, { title: 'Idioteque' }])
      expect(meta?.['page']).toEqual({ currentPage: 1, perPage: 2, from: 1, to: 2 })
      expect(links?.['next']).toContain('page%5Bnumber%5D=2')
      expect(music.last().line).toBe(
        'GET /albums?include=artist,tracks&filter[title]=k&sort=-releasedAt' +
          '&fields[artists]=name&fields[tracks]=title&page[number]=1&page[size]=2',
      )
    })

    it('the next page by the link to it', async () => {
      const api = devour()
      const { links } = await api.findAll('tracks', { page: { size: 5 }, sort: 'title' })
      const { data } = await api.request(links?.['next'] ?? '')
      expect(data).toHaveLength(5)
      expect(data[0].title).toBe('Freddie Freeloader')
    })

    it('several values of a filter, as an array or joined with commas', async () => {
      const { data } = await devour().findAll('tracks', { filter: { genres: ['jazz', 'art-rock'] }, sort: 'title' })
      expect(ids(data)).toEqual(['12', '11', '10', '7', '2', '5'])
      expect(music.last().line).toBe('GET /tracks?filter[genres][]=jazz&filter[genres][]=art-rock&sort=title')
      const joined = await devour().findAll('tracks', { filter: { genres: 'jazz,art-rock' }, sort: 'title' })
      expect(ids(joined.data)).toEqual(ids(data))
    })

    it('one resource, with a Content-Type though there is no body', async () => {
      const { data } = await devour().find('albums', '1', { include: 'artist' })
      expect(data).toMatchObject({ type: 'albums', id: '1', title: 'OK Computer', artist: { name: 'Radiohead' } })
      expect(music.last()).toMatchObject({ hasBody: false })
    })

    it('related resources from included only: a path back to the resource itself ends before it', async () => {
      const { data } = await devour().find('albums', '1', { include: 'artist.albums' })
      expect(data.artist.albums).toMatchObject([{ title: 'Kid A' }])
    })

    it('related resources by their path, and a relationship', async () => {
      const related = await devour()
        .one('playlists', roadTrip)
        .all('orderedTracks')
        .get({ page: { size: 2 } })
      expect(related.data).toMatchObject([{ title: 'So What', meta: { pivot: { position: 1 } } }, { title: 'Airbag' }])
      const { data } = await tracks().get()
      expect(ids(data)).toEqual(['1', '3', '5'])
    })
  })

  describe('writes', () => {
    it('a new resource, with a relationship', async () => {
      const { data } = await devour().create('albums', {
        title: 'Amnesiac',
        releasedAt: '2001-05-30T00:00:00Z',
        releaseInfo: { label: 'Parlophone', catalogueNumber: 'CDFHEIT 45101' },
        artist: { id: '1' },
      })
      expect(data).toMatchObject({
        type: 'albums',
        id: '5',
        title: 'Amnesiac',
        status: 'upcoming',
        artist: { id: '1' },
      })
    })

    it('a new resource whose id it chooses', async () => {
      await devour().create('genres', { id: 'trip-hop', name: 'Trip hop' })
      expect((await devour().find('genres', 'trip-hop')).data).toMatchObject({ id: 'trip-hop', name: 'Trip hop' })
    })

    it('attributes of a resource', async () => {
      const { data } = await devour().update('albums', { id: '1', status: 'withdrawn' })
      expect(data).toMatchObject({ title: 'OK Computer', status: 'withdrawn' })
    })

    it('deletes a resource', async () => {
      await devour().destroy('playlists', roadTrip)
      expect(music.last()).toMatchObject({ line: `DELETE /playlists/${roadTrip}`, hasBody: false })
      await expect(devour().find('playlists', roadTrip)).rejects.toMatchObject({ 0: { code: 'RESOURCE_NOT_FOUND' } })
    })
  })

  describe('takes missing linkage for an empty relationship', () => {
    it('and empties it when it writes back what it read', async () => {
      const { data: playlist } = await devour().find('playlists', roadTrip)
      expect(playlist.tracks).toEqual([])
      await devour().update('playlists', { ...playlist, title: 'Road Trip, 2' })
      expect(await members()).toEqual([])
    })

    it('which withLinkage in the request prevents', async () => {
      const params = { withLinkage: { playlists: 'tracks' } }
      const { data: playlist } = await devour().find('playlists', roadTrip, params)
      expect(ids(playlist.tracks)).toEqual(['1', '3', '5'])
      const { data } = await devour().update('playlists', { ...playlist, title: 'Road Trip, 2' })
      expect(data).toMatchObject({ title: 'Road Trip, 2', slug: 'road-trip-2' })
      expect(await members()).toEqual(['5', '1', '3'])
    })

    it('which an update of only the changed members prevents too', async () => {
      await devour().update('playlists', { id: roadTrip, title: 'Road Trip, 2' })
      expect(await members()).toEqual(['5', '1', '3'])
    })
  })

  describe('writes relationships', () => {
    it('adds members, removes some, replaces all, and takes all away', async () => {
      await tracks().post([{ id: '2' }, { id: '7' }])
      expect(await members()).toEqual(['5', '1', '3', '2', '7'])
      await tracks().destroy([
        { type: 'tracks', id: '1' },
        { type: 'tracks', id: '2' },
      ])
      expect(await members()).toEqual(['5', '3', '7'])
      await tracks().patch([{ id: '8' }, { id: '9' }])
      expect(await members()).toEqual(['8', '9'])
      await tracks().patch([])
      expect(await members()).toEqual([])
    })

    it('replaces a to-many with the resource', async () => {
      await devour().update('playlists', { id: roadTrip, tracks: [{ id: '8' }, { id: '9' }] })
      expect(await members()).toEqual(['8', '9'])
    })

    it('replaces and empties a to-one, at its own path or with the resource', async () => {
      const api = devour()
      const artist = async () => (await api.find('albums', '1')).data.artist
      await api.one('albums', '1').relationships('artist').patch({ id: '3' })
      expect(await artist()).toMatchObject({ id: '3' })
      await api.one('albums', '1').relationships('artist').patch(null)
      expect(await artist()).toBeNull()
      await api.update('albums', { id: '1', artist: { id: '2' } })
      expect(await artist()).toMatchObject({ id: '2' })
    })
  })

  describe('shows errors', () => {
    it('of attributes and relationships by their names', async () => {
      const refused = devour().create('albums', { title: '', explicit: 'no', status: 'lost' })
      await expect(refused).rejects.toMatchObject({
        title: { code: 'VALIDATION_FAILED', detail: 'This must not be empty.' },
        explicit: { code: 'VALIDATION_FAILED' },
        status: { source: { pointer: '/data/attributes/status' } },
      })
    })

    it('of parameters by their numbers', async () => {
      const refused = devour().findAll('albums', { filter: { colour: 'blue' } })
      await expect(refused).rejects.toMatchObject({
        0: { status: '400', code: 'FILTERING_UNRECOGNIZED', source: { parameter: 'filter[colour]' } },
      })
    })

    it('of a resource that others still need', async () => {
      await expect(devour().destroy('artists', '1')).rejects.toMatchObject({
        0: { status: '409', code: 'RESOURCE_IN_USE' },
      })
    })

    it('with title and detail only, unless it has an errorBuilder', async () => {
      const api = new JsonApi({ apiUrl: music.url, pluralize: false, logger: false })
      await expect(api.destroy('artists', '1')).rejects.toEqual({
        0: { title: expect.any(String), detail: expect.any(String) },
      })
    })
  })

  it('guesses at plurals by default, and then finds no model for the type of a relationship', async () => {
    const guessing = new JsonApi({ apiUrl: music.url, logger: false })
    guessing.define('album', { title: '', artist: toOne('artists') })
    guessing.define('artist', { name: '' })
    const { data } = await guessing.create('album', { title: 'Vespertine', artist: { id: '2' } })
    expect(data).toMatchObject({ type: 'albums', title: 'Vespertine' })
    const refused = guessing.one('album', data.id).relationships('artist').patch({ id: '3' })
    await expect(refused).rejects.toThrow('API resource definition for model "artists" not found')
  })
})
