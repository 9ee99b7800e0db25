import { cacheKeyFor } from '@warp-drive/core'
import { checkout } from '@warp-drive/core/reactive'
import { findRecord, query, updateRecord } from '@warp-drive/utilities/json-api'
import { beforeEach, describe, expect, it } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'
import { create, remove, replaceOne, type Store, update, warpDriveStore, writeMembers } from './warp-drive-store.js'

interface Track {
  readonly id: string
  readonly title: string
}

interface Album {
  readonly id: string
  title: string
  status: string
  readonly artist: { readonly id: string; readonly name: string } | null
  readonly tracks: Track[]
}

interface Playlist {
  title: string
  readonly slug: string
  readonly tracks: Track[]
}

interface Reply<Type> {
  readonly data: Type
  readonly meta?: object
  readonly links?: Readonly<Record<string, string>>
}

describe.each(musicServices)('WarpDrive on %s', (_engine, open) => {
  const music = observedMusic(open)
  let store: Store

  beforeEach(() => {
    store = warpDriveStore(music.url)
  })

  const sent = () => JSON.parse(music.last().body ?? '')

  async function read<Type>(request: object, from = store): Promise<Reply<Type>> {
    const { content } = await from.request(request)
    return content as Reply<Type>
  }

  /** `findRecord` has no parameters except `include`, so that others are written into an address. */
  const playlist = (params = '') => read<Playlist>({ url: `${music.url}/playlists/${roadTrip}${params}` })

  const readTrack = async (id: string) => (await read<Track>(findRecord('tracks', id))).data

  /** The tracks of a playlist in their order, as the service has them. */
  async function members(): Promise<readonly string[]> {
    const url = `${music.url}/playlists/${roadTrip}/orderedTracks`
    const { data } = await read<Track[]>({ url }, warpDriveStore(music.url))
    return data.map(({ id }) => id)
  }

  describe('reads', () => {
    it('a list with include, filter, sort, fields and page', async () => {
      const { data, meta, links } = await read<Album[]>(
        query('albums', {
          include: ['artist', 'tracks'],
          'filter[title]': 'k',
          sort: '-releasedAt',
          'fields[artists]': 'name',
          'page[number]': 1,
          'page[size]': 2,
        }),
      )
      expect(data.map(({ title }) => title)).toEqual(['Kid A', 'OK Computer'])
      expect(data[0]?.artist?.name).toBe('Radiohead')
      expect(data[0]?.tracks.map(({ title }) => title)).toEqual(['Everything in Its Right Place', 'Idioteque'])
      expect(meta).toMatchObject({ page: { currentPage: 1, perPage: 2 } })
      expect(links?.['next']).toContain('page%5Bnumber%5D=2')
      expect(music.last().line).toBe(
        'GET /albums?fields[artists]=name&filter[title]=k&include=artist,tracks' +
          '&page[number]=1&page[size]=2&sort=-releasedAt',
      )
    })

    it('parameters as flat names only: a nested object becomes [object Object]', async () => {
      const refused = read(query('albums', { filter: { title: 'k' } } as never))
      await expect(refused).rejects.toMatchObject({ status: 400, errors: [{ code: 'QUERY_PARAM_MALFORMED' }] })
    })

    it('the next page by the link to it', async () => {
      const { links } = await read<Track[]>(query('tracks', { 'page[size]': 5, sort: 'title' }))
      const { data } = await read<Track[]>({ url: links?.['next'] })
      expect(data.map(({ title }) => title)).toContain('Freddie Freeloader')
    })

    it('several values of a filter, as an array', async () => {
      const { data } = await read<Track[]>(query('tracks', { 'filter[genres]': ['jazz', 'art-rock'] }))
      expect(data).toHaveLength(6)
      expect(music.last().line).toBe('GET /tracks?filter[genres]=art-rock,jazz')
    })

    it('one resource', async () => {
      const { data } = await read<Album>(findRecord('albums', '1', { include: 'artist' }))
      expect(data.title).toBe('OK Computer')
      expect(data.artist?.name).toBe('Radiohead')
      expect(music.last()).toMatchObject({ line: 'GET /albums/1?include=artist', hasBody: false })
    })

    it('related resources', async () => {
      expect(await members()).toEqual(['5', '1', '3'])
    })
  })

  describe('writes', () => {
    it('a new resource, with a local id, an id that is null, and a relationship', async () => {
      const { data: artist } = await read<object>(findRecord('artists', '1'))
      const draft = store.createRecord<Album>('albums' as never, { title: 'Amnesiac', artist } as never)
      await create(store, draft)
      expect(sent().data).toMatchObject({ type: 'albums', id: null, lid: expect.any(String) })
      expect(draft.id).toBe('5')
      expect(draft.status).toBe('upcoming')
      expect(draft.artist?.name).toBe('Radiohead')
    })

    it('a new resource whose id it chooses', async () => {
      const draft = store.createRecord<object>('genres' as never, { id: 'trip-hop', name: 'Trip hop' } as never)
      await create(store, draft)
      const { data } = await read<{ name: string }>(findRecord('genres', 'trip-hop'), warpDriveStore(music.url))
      expect(data.name).toBe('Trip hop')
    })

    it('changed attributes, and a to-one, also empty', async () => {
      const { data: album } = await read<Album>(findRecord('albums', '1', { include: 'artist' }))
      const { data: artist } = await read<Album['artist']>(findRecord('artists', '2'))
      const editable = await checkout<Album>(album)
      editable.status = 'withdrawn'
      replaceOne(store, { record: editable, field: 'artist', value: artist })
      await update(store, editable)
      expect(sent().data).toEqual({
        type: 'albums',
        id: '1',
        attributes: { status: 'withdrawn' },
        relationships: { artist: { data: { type: 'artists', id: '2' } } },
      })
      expect(album.artist?.name).toBe('Björk')
      replaceOne(store, { record: editable, field: 'artist', value: null })
      await update(store, editable)
      expect(album.status).toBe('withdrawn')
      expect(album.artist).toBeNull()
    })

    it('deletes a resource', async () => {
      await remove(store, (await playlist()).data)
      expect(music.last()).toMatchObject({ line: `DELETE /playlists/${roadTrip}`, hasBody: false })
      await expect(members()).rejects.toMatchObject({ status: 404 })
    })
  })

  describe('writes relationships', () => {
    it('by a PATCH of the resource with the whole list, which the playlist must be read with', async () => {
      const { data } = await playlist('?include=tracks')
      const editable = await checkout<Playlist>(data)
      editable.tracks.push(await readTrack('2'))
      await update(store, editable)
      expect(await members()).toEqual(['5', '1', '3', '2'])
      editable.tracks.splice(0, 1)
      await update(store, editable)
      expect(await members()).toEqual(['5', '3', '2'])
      editable.tracks.splice(0, 3, await readTrack('8'), await readTrack('9'))
      await update(store, editable)
      expect(await members()).toEqual(['8', '9'])
    })

    it('to a list without linkage: it is empty to WarpDrive, so that an addition replaces all members', async () => {
      const editable = await checkout<Playlist>((await playlist()).data)
      editable.tracks.push(await readTrack('2'))
      await update(store, editable)
      expect(await members()).toEqual(['2'])
    })

    it('to a list that was read with withLinkage', async () => {
      await read(query('tracks'))
      const editable = await checkout<Playlist>((await playlist('?withLinkage[playlists]=tracks')).data)
      editable.tracks.push(await readTrack('2'))
      await update(store, editable)
      expect(await members()).toEqual(['5', '1', '3', '2'])
    })

    it('not by a change of attributes: only what has changed is sent', async () => {
      const { data } = await playlist()
      const editable = await checkout<Playlist>(data)
      editable.title = 'Road Trip, 2'
      await update(store, editable)
      expect(data.slug).toBe('road-trip-2')
      expect(await members()).toEqual(['5', '1', '3'])
    })

    it('at their own path, by requests that the application writes', async () => {
      const url = `${music.url}/playlists/${roadTrip}/relationships/tracks`
      await writeMembers(store, 'POST', url, ['2', '7'])
      await writeMembers(store, 'DELETE', url, ['1'])
      expect(await members()).toEqual(['5', '3', '2', '7'])
    })
  })

  describe('shows errors', () => {
    it('of a save: in the error, and in the cache for the record', async () => {
      const draft = store.createRecord<Album>('albums' as never, { title: '', explicit: 'no' } as never)
      const errors = [
        { code: 'VALIDATION_FAILED', source: { pointer: '/data/attributes/title' } },
        { code: 'VALIDATION_FAILED', source: { pointer: '/data/attributes/explicit' } },
      ]
      await expect(create(store, draft)).rejects.toMatchObject({ status: 422, errors, content: { errors } })
      expect(store.cache.getErrors(cacheKeyFor(draft))).toMatchObject(errors)
    })

    it('of a read', async () => {
      const refused = read(query('albums', { 'filter[colour]': 'blue' }))
      await expect(refused).rejects.toMatchObject({
        errors: [{ status: '400', code: 'FILTERING_UNRECOGNIZED', source: { parameter: 'filter[colour]' } }],
      })
    })

    it('of a resource that others still need', async () => {
      const { data } = await read<object>(findRecord('artists', '1'))
      await expect(remove(store, data)).rejects.toMatchObject({ status: 409, errors: [{ code: 'RESOURCE_IN_USE' }] })
    })

    it('of its own defaults for updates: a PUT, and a body of text/plain', async () => {
      const { data } = await read<Album>(findRecord('albums', '1'))
      const put = updateRecord(await checkout(data))
      await expect(store.request(put as never)).rejects.toMatchObject({ status: 405 })
      const patch = { ...updateRecord(await checkout(data), { patch: true }), body: '{}' }
      await expect(store.request(patch as never)).rejects.toMatchObject({
        errors: [{ status: '415', code: 'MEDIA_TYPE_UNSUPPORTED' }],
      })
    })
  })
})
