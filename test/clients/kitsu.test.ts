import Kitsu from 'kitsu'
import { describe, expect, it } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'

interface Identified {
  readonly id: string
}

function ids(resources: readonly Identified[]): readonly string[] {
  return resources.map(({ id }) => id)
}

describe.each(musicServices)('Kitsu on %s', (_engine, open) => {
  const music = observedMusic(open)

  /** Kitsu transforms names, for services with another spelling. Here it uses the names of the service. */
  function kitsu(): Kitsu {
    return new Kitsu({ baseURL: music.url, pluralize: false, camelCaseTypes: false, resourceCase: 'none' })
  }

  describe('reads', () => {
    it('a list with include, filter, sort, fields and page', async () => {
      const { data, meta, links, status } = await kitsu().get('albums', {
        params: {
          include: 'artist,tracks',
          filter: { title: 'k' },
          sort: '-releasedAt',
          fields: { artists: 'name', tracks: 'title' },
          page: { number: 1, size: 2 },
        },
      })
      expect(status).toBe(200)
      expect(data.map(({ title }: { title: string }) => title)).toEqual(['Kid A', 'OK Computer'])
      expect(data[0].artist.data).toMatchObject({ type: 'artists', id: '1', name: 'Radiohead' })
      expect(data[0].tracks.data).toMatchObject([{ title: 'Everything in Its Right Place' }, { title: 'Idioteque' }])
      expect(meta.page).toEqual({ currentPage: 1, perPage: 2, from: 1, to: 2 })
      expect(links.next).toContain('page%5Bnumber%5D=2')
      expect(music.last().line).toBe(
        'GET /albums?include=artist,tracks&filter[title]=k&sort=-releasedAt' +
          '&fields[artists]=name&fields[tracks]=title&page[number]=1&page[size]=2',
      )
    })

    it('the next page by the link to it', async () => {
      const api = kitsu()
      const { links } = await api.get('tracks', { params: { page: { size: 5 }, sort: 'title' } })
      const { data } = await api.request({ url: links.next, type: 'tracks' })
      expect(data).toHaveLength(5)
      expect(data[0].title).toBe('Freddie Freeloader')
    })

    it('a filter of several parts, and one through a relationship', async () => {
      const { data } = await kitsu().get('albums', {
        params: { filter: { releasedAt: { min: '1997-01-01', max: '1997-12-31' }, 'artist.name': 'Björk' } },
      })
      expect(ids(data)).toEqual(['3'])
      expect(music.last().line).toBe(
        'GET /albums?filter[releasedAt][min]=1997-01-01&filter[releasedAt][max]=1997-12-31&filter[artist.name]=Björk',
      )
    })

    it('several values of a filter, joined with commas', async () => {
      const { data } = await kitsu().get('tracks', { params: { filter: { genres: 'jazz,art-rock' }, sort: 'title' } })
      expect(ids(data)).toEqual(['12', '11', '10', '7', '2', '5'])
    })

    it('several values of a filter as an array, with the query set to modern', async () => {
      const modern = new Kitsu({ baseURL: music.url, pluralize: false, resourceCase: 'none', query: 'modern' })
      const { data } = await modern.get('tracks', { params: { filter: { genres: ['jazz', 'art-rock'] } } })
      expect(data).toHaveLength(6)
      expect(music.last().line).toBe('GET /tracks?filter[genres][]=jazz&filter[genres][]=art-rock')
    })

    it('a page whose offset was left undefined', async () => {
      const untold: { offset?: number } = {}
      const page = { offset: untold.offset as number, limit: 2 }
      const { data, meta } = await kitsu().get('tracks', { params: { page } })
      expect(ids(data)).toEqual(['1', '2'])
      expect(meta.page).toMatchObject({ offset: 0, limit: 2 })
      expect(music.last().line).toBe('GET /tracks?page[offset]=undefined&page[limit]=2')
    })

    it('one resource, with a Content-Type though there is no body', async () => {
      const { data } = await kitsu().get('albums/1', { params: { include: 'artist.albums' } })
      expect(data).toMatchObject({
        type: 'albums',
        id: '1',
        title: 'OK Computer',
        artist: { data: { name: 'Radiohead' } },
      })
      expect(data.artist.data.albums.data[1].title).toBe('Kid A')
      expect(music.last()).toMatchObject({ contentType: 'application/vnd.api+json', hasBody: false })
    })

    it('one resource by a filter that finds one or none', async () => {
      const api = kitsu()
      expect((await api.get('artists', { params: { filter: { slug: 'bjork' } } })).data).toMatchObject({
        name: 'Björk',
      })
      expect((await api.get('artists', { params: { filter: { slug: 'nobody' } } })).data).toBeNull()
    })

    it('related resources, with the fields of their join rows', async () => {
      const { data } = await kitsu().get(`playlists/${roadTrip}/orderedTracks`, { params: { page: { size: 2 } } })
      expect(data).toMatchObject([
        { id: '5', title: 'So What', meta: { pivot: { position: 1, weight: 3 } } },
        { id: '1', title: 'Airbag', meta: { pivot: { position: 2, weight: 2 } } },
      ])
    })

    it('a relationship', async () => {
      const { data } = await kitsu().get(`playlists/${roadTrip}/relationships/orderedTracks`)
      expect(ids(data)).toEqual(['5', '1', '3'])
      expect((await kitsu().get('albums/1/relationships/artist')).data).toMatchObject({ type: 'artists', id: '1' })
    })
  })

  describe('writes', () => {
    it('a new resource, with a relationship', async () => {
      const { data, status, headers } = await kitsu().create('albums', {
        title: 'Amnesiac',
        releasedAt: '2001-05-30T00:00:00Z',
        releaseInfo: { label: 'Parlophone', catalogueNumber: 'CDFHEIT 45101' },
        artist: { data: { type: 'artists', id: '1' } },
      })
      expect(status).toBe(201)
      expect(headers.location).toBe(`${music.url}/albums/5`)
      expect(data).toMatchObject({
        type: 'albums',
        id: '5',
        title: 'Amnesiac',
        status: 'upcoming',
        releaseInfo: { label: 'Parlophone' },
        artist: { data: { type: 'artists', id: '1' } },
      })
    })

    it('a new resource whose id it chooses', async () => {
      await kitsu().create('genres', { id: 'trip-hop', name: 'Trip hop' })
      expect((await kitsu().get('genres/trip-hop')).data).toMatchObject({ id: 'trip-hop', name: 'Trip hop' })
    })

    it('attributes of a resource', async () => {
      const { data, status } = await kitsu().update('albums', { id: '1', status: 'withdrawn', releaseInfo: null })
      expect(status).toBe(200)
      expect(data).toMatchObject({ title: 'OK Computer', status: 'withdrawn' })
    })

    it('a resource just as it was read, links, read-only members and included ones with it', async () => {
      const api = kitsu()
      const { data: album } = await api.get('albums/1', { params: { include: 'artist,tracks' } })
      const { data } = await api.update('albums', { ...album, title: 'OK Computer OKNOTOK' })
      expect(data).toMatchObject({ title: 'OK Computer OKNOTOK', averageRating: 4.8, artist: { data: { id: '1' } } })
      expect(JSON.parse(music.last().body ?? '')).toMatchObject({
        data: {
          links: {},
          attributes: { averageRating: 4.8 },
          relationships: { artist: { data: { attributes: {} } } },
        },
      })
      expect(ids((await api.get('albums/1/relationships/tracks')).data)).toEqual(['1', '2', '6'])
      expect((await api.get('artists/1')).data).toMatchObject({ name: 'Radiohead' })
    })

    it('a list just as it was read, in the order and with the weights it had', async () => {
      const api = kitsu()
      const read = async () => (await api.get(`playlists/${roadTrip}`, { params: { include: 'orderedTracks' } })).data
      const before = await read()
      await api.update('playlists', { ...before, title: 'Road Trip, 2' })
      expect(await read()).toEqual({ ...before, title: 'Road Trip, 2', slug: 'road-trip-2' })
    })

    it('deletes a resource, with a body that is ignored', async () => {
      const api = kitsu()
      expect(await api.delete('playlists', roadTrip)).toMatchObject({ status: 204 })
      expect(music.last()).toMatchObject({ line: `DELETE /playlists/${roadTrip}`, hasBody: true })
      await expect(api.get(`playlists/${roadTrip}`)).rejects.toMatchObject({ response: { status: 404 } })
    })
  })

  describe('writes relationships', () => {
    const tracks = `playlists/${roadTrip}/relationships/tracks`
    const orderedTracks = `playlists/${roadTrip}/relationships/orderedTracks`

    it('adds members, removes some, replaces all, and takes all away', async () => {
      const api = kitsu()
      const headers = { Prefer: 'return=representation' }
      const added = await api.create(tracks, [{ id: '2' }, { id: '7' }], { headers })
      expect(ids(added.data)).toEqual(['1', '2', '3', '5', '7'])
      await api.delete(tracks, [1, 2])
      expect(ids((await api.get(tracks)).data)).toEqual(['3', '5', '7'])
      await api.update(tracks, [{ id: '8' }, { id: '9' }])
      expect(ids((await api.get(tracks)).data)).toEqual(['8', '9'])
      await api.update(tracks, [])
      expect(ids((await api.get(tracks)).data)).toEqual([])
    })

    it('adds a member with its own pivot fields; request() takes the type, which the path does not contain', async () => {
      const body = [{ id: '12', meta: { pivot: { position: 4, weight: 7 } } }]
      const { data } = await kitsu().request({ method: 'POST', url: orderedTracks, type: 'tracks', body })
      expect(data.at(-1)).toMatchObject({ type: 'tracks', id: '12', meta: { pivot: { position: 4, weight: 7 } } })
    })

    it('replaces and empties a to-one with request(), as update() would put the id into the path', async () => {
      const api = kitsu()
      const headers = { Prefer: 'return=representation' }
      const artist = { method: 'PATCH', url: 'albums/1/relationships/artist', type: 'artists', headers }
      expect((await api.request({ ...artist, body: { id: '3' } })).data).toMatchObject({ type: 'artists', id: '3' })
      expect((await api.request({ ...artist, body: null })).data).toBeNull()
      expect((await api.get('albums/1/artist')).data).toBeNull()
    })

    it('replaces and empties a to-one with the resource', async () => {
      const api = kitsu()
      await api.update('albums', { id: '1', artist: { data: { type: 'artists', id: '2' } } })
      expect((await api.get('albums/1/artist')).data).toMatchObject({ name: 'Björk' })
      await api.update('albums', { id: '1', artist: { data: null } })
      expect((await api.get('albums/1/artist')).data).toBeNull()
    })
  })

  describe('shows errors as the service sends them', () => {
    it('every wrong attribute, by its pointer', async () => {
      const refused = kitsu().create('albums', { title: '', explicit: 'no', status: 'lost' })
      await expect(refused).rejects.toMatchObject({
        response: { status: 422 },
        errors: [
          { code: 'VALIDATION_FAILED', source: { pointer: '/data/attributes/title' } },
          { code: 'VALIDATION_FAILED', source: { pointer: '/data/attributes/explicit' } },
          { code: 'VALIDATION_FAILED', source: { pointer: '/data/attributes/status' } },
        ],
      })
    })

    it('a filter that is not offered', async () => {
      const refused = kitsu().get('albums', { params: { filter: { colour: 'blue' } } })
      await expect(refused).rejects.toMatchObject({
        errors: [{ status: '400', code: 'FILTERING_UNRECOGNIZED', source: { parameter: 'filter[colour]' } }],
      })
    })

    it('a parameter left undefined that is not a page: include=undefined names no relationship', async () => {
      const refused = kitsu().get('albums', { params: { include: ([] as string[])[0] as string } })
      await expect(refused).rejects.toMatchObject({ errors: [{ code: 'INCLUSION_UNRECOGNIZED' }] })
    })

    it('a resource that is not there, and one that others still need', async () => {
      await expect(kitsu().get('albums/999')).rejects.toMatchObject({ errors: [{ code: 'RESOURCE_NOT_FOUND' }] })
      await expect(kitsu().delete('artists', 1)).rejects.toMatchObject({
        response: { status: 409 },
        errors: [{ code: 'RESOURCE_IN_USE' }],
      })
    })

    it('a list of resources to delete together, which JSON:API does not have', async () => {
      await expect(kitsu().delete('genres', ['jazz', 'rock'] as never)).rejects.toMatchObject({
        response: { status: 405, headers: { allow: expect.stringContaining('POST') } },
        errors: [{ status: '405', title: 'Method Not Allowed' }],
      })
    })
  })

  it('needs its settings for names in camel case, which it would send with hyphens; its plurals are right', async () => {
    const guessing = new Kitsu({ baseURL: music.url })
    await expect(guessing.get(`playlists/${roadTrip}/orderedTracks`)).rejects.toMatchObject({
      errors: [{ code: 'RELATIONSHIP_NOT_EXISTS' }],
    })
    expect(music.last().line).toBe(`GET /playlists/${roadTrip}/ordered-tracks`)
    const album = { title: 'Vespertine', artist: { data: { id: '2' } } }
    expect((await guessing.create('album', album)).data).toMatchObject({ type: 'albums', title: 'Vespertine' })
  })
})
