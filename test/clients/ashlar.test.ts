import type { ApiOf } from 'ashlar'
import { type Client, ClientError, createClient, raw } from 'ashlar/client'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { musicServer } from '../../examples/music/src/service.js'
import { type MusicService, musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'

interface Api extends ApiOf<ReturnType<typeof musicServer>> {}

const [onSqlite] = musicServices

/** Returns what a call throws, which must be a `ClientError`. */
async function refusal(call: Promise<unknown>): Promise<ClientError> {
  const thrown: unknown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  if (!(thrown instanceof ClientError)) throw new Error(`There was no ClientError, but ${String(thrown)}`)
  return thrown
}

describe.each(onSqlite === undefined ? [] : [onSqlite])('The client of ashlar/client on %s', (_engine, open) => {
  let service: MusicService | undefined
  const music = observedMusic(() => {
    service = open()
    return service
  })
  const client = (): Client<Api> => createClient<Api>({ url: music.url })

  describe('reads', () => {
    it('a list with include, fields, filter, sort, page and counts', async () => {
      const page = await client().types.albums.list({
        include: ['artist', 'tracks.playlists'],
        fields: { artists: ['name'], playlists: ['title'] },
        filter: { title: 'k', releasedAt: { min: '1990-01-01' } },
        sort: ['-releasedAt'],
        page: { number: 1, size: 2 },
        count: ['tracks', '_self_'],
      })
      expect(page.data.map(({ title }) => title)).toEqual(['Kid A', 'OK Computer'])
      const [album] = page.data
      expect(album?.artist).toEqual({ type: 'artists', id: '1', name: 'Radiohead' })
      expect(album?.tracks.map(({ title }) => title)).toEqual(['Everything in Its Right Place', 'Idioteque'])
      expect(album?.$counts).toEqual({ tracks: 2 })
      expect(page.total).toBeGreaterThan(1)
      expectTypeOf(album?.tracks[0]?.playlists[0]).toExtend<{ readonly title: string } | undefined>()
      expect(music.last().line).toBe(
        'GET /albums?include=artist,tracks.playlists&fields[artists]=name&fields[playlists]=title' +
          '&filter[title]=k&filter[releasedAt][min]=1990-01-01&sort=-releasedAt&page[number]=1&page[size]=2&withCount=tracks,_self_',
      )
    })

    it('lists of values, values with commas, and filters without a value', async () => {
      const { albums, tracks } = client().types
      await albums.list({ filter: { id: ['1', '2'], tracks: true } })
      expect(music.last().line).toBe('GET /albums?filter[id][]=1&filter[id][]=2&filter[tracks]=true')
      await tracks.list({ filter: { genres: ['art rock, slow', 'jazz'], explicit: false } })
      expect(music.last().line).toBe(
        'GET /tracks?filter[genres][]=art+rock,+slow&filter[genres][]=jazz&filter[explicit]=false',
      )
    })

    it('one resource, with identifiers where nothing is included', async () => {
      const { data, etag, links } = await client().types.albums.get('1')
      expect(data).toMatchObject({
        type: 'albums',
        id: '1',
        title: 'OK Computer',
        artist: { type: 'artists', id: '1' },
      })
      expect(data).not.toHaveProperty('tracks')
      expect(etag).toMatch(/^"/)
      expect(links).toHaveProperty('self')
      expect(raw(data)?.links).toHaveProperty('self')
      expect(raw({})).toBeUndefined()
    })

    it('nothing of what the client has already', async () => {
      const { albums } = client().types
      const { etag } = await albums.get('1')
      expect(await albums.getIfChanged('1', etag ?? '')).toBeNull()
      expect((await albums.getIfChanged('1', '"old"'))?.data.title).toBe('OK Computer')
    })

    it('the one that a singular filter finds, or null', async () => {
      const { artists } = client().types
      expect((await artists.first({ filter: { slug: 'bjork' } }))?.name).toBe('Björk')
      expect(await artists.first({ filter: { slug: 'nobody' } })).toBeNull()
    })

    it('a tree that can be cloned and converted, in which a resource at one place is one object', async () => {
      const { data } = await client().types.albums.list({ include: ['artist.albums'], filter: { id: ['1', '2'] } })
      expect(structuredClone(data)).toEqual(data)
      expect(JSON.parse(JSON.stringify(data))).toEqual(data)
      expect(data[0]?.artist).toBe(data[1]?.artist)
    })

    it.each(['page', 'cursor', 'offset'] as const)('all rows over all pages of the strategy %s', async (kind) => {
      const { tracks } = client().types
      const all = (await tracks.list({ page: { size: 100 } })).data.map(({ id }) => id)
      const rows: string[] = []
      const page = kind === 'offset' ? { kind, limit: 4 } : { kind, size: 4 }
      for await (const { id } of tracks.each({ page, sort: ['id'] })) rows.push(id)
      expect(rows.toSorted()).toEqual(all.toSorted())
      let pages = 0
      for await (const { data } of tracks.pages({ page, sort: ['id'] })) pages += Math.min(1, data.length)
      expect(pages).toBe(Math.ceil(all.length / 4))
    })

    it('the next page and the previous one', async () => {
      const first = await client().types.albums.list({ page: { size: 2 }, sort: ['title'], include: ['artist'] })
      const second = await first.next()
      expect(second?.data[0]?.artist?.name).toEqual(expect.any(String))
      expect((await second?.previous())?.data.map(({ id }) => id)).toEqual(first.data.map(({ id }) => id))
      expect(await first.previous()).toBeNull()
    })

    it('members of relations, with the fields of their join rows', async () => {
      const { playlists, albums } = client().types
      const ordered = await playlists.related(roadTrip, 'orderedTracks', {
        include: ['album.artist'],
        sort: ['-position'],
      })
      const [last] = ordered.data
      expect(last?.$pivot.position).toBe(ordered.data.length)
      expect(last?.album?.artist?.name).toEqual(expect.any(String))
      const artist = await albums.related('1', 'artist')
      expect(artist.data?.name).toBe('Radiohead')
      expect((await albums.linkage('1', 'artist')).data).toEqual({ type: 'artists', id: '1' })
      const included = await playlists.get(roadTrip, { include: ['orderedTracks'] })
      expect(included.data.orderedTracks[0]?.$pivot.position).toBe(1)
    })

    it('members of several types', async () => {
      const { data } = await client().types.favorites.list({ include: ['favoritable'] })
      for (const { favoritable } of data) {
        if (favoritable?.type === 'artists') expectTypeOf(favoritable.slug).toEqualTypeOf<string>()
        if (favoritable?.type === 'tracks') expectTypeOf(favoritable.trackNumber).toEqualTypeOf<number>()
      }
      expect(data.length).toBeGreaterThan(0)
    })
  })

  describe('writes', () => {
    it('a new resource, a change with its version, and a deletion', async () => {
      const { albums } = client().types
      const made = await albums.create(
        { attributes: { title: 'Amnesiac' }, relationships: { artist: { type: 'artists', id: '1' } } },
        { include: ['artist'] },
      )
      expect([made.status, made.data.artist?.name]).toEqual([201, 'Radiohead'])
      const changed = await albums.update(
        made.data.id,
        { attributes: { explicit: true } },
        { ifMatch: made.etag ?? '' },
      )
      expect(changed.data.explicit).toBe(true)
      const stale = await refusal(
        albums.update(made.data.id, { attributes: { title: 'x' } }, { ifMatch: made.etag ?? '' }),
      )
      expect(stale.status).toBe(412)
      expect((await albums.delete(made.data.id, { ifMatch: changed.etag ?? '' })).status).toBe(204)
      expect((await refusal(albums.get(made.data.id))).has('RESOURCE_NOT_FOUND')).toBe(true)
    })

    it('errors by the fields that they are about', async () => {
      const { albums } = client().types
      const error = await refusal(
        albums.create({
          attributes: { title: '', releaseInfo: { label: 'x'.repeat(121) } },
          relationships: { artist: { type: 'artists', id: '999' } },
        }),
      )
      expect(error.status).toBe(422)
      expect(Object.keys(error.at)).toEqual(expect.arrayContaining(['title', 'releaseInfo.label']))
      expect(error.at['releaseInfo.label']?.[0]?.detail).toContain('120')
      expect(error.message).toBe(error.errors[0]?.detail)
      const query = await refusal(client().types.tracks.list({ page: { kind: 'cursor', after: 'nowhere' } }))
      expect([query.status, Object.keys(query.at)]).toEqual([400, ['page[after]']])
    })

    it('members of relationships', async () => {
      const { playlists } = client().types
      const members = async () => (await playlists.linkage(roadTrip, 'orderedTracks')).data
      const before = await members()
      await playlists.add(roadTrip, 'orderedTracks', [{ type: 'tracks', id: '8', $pivot: { position: 9 } }])
      expect(await members()).toContainEqual({
        type: 'tracks',
        id: '8',
        $pivot: expect.objectContaining({ position: 9 }),
      })
      await playlists.remove(roadTrip, 'orderedTracks', [{ type: 'tracks', id: '8' }])
      expect(await members()).toEqual(before)
      const replaced = await client().types.albums.replace('1', 'artist', { type: 'artists', id: '2' })
      expect([200, 204]).toContain(replaced.status)
      expect((await client().types.albums.get('1')).data.artist).toEqual({ type: 'artists', id: '2' })
    })

    it('actions with a document, with bytes, and on the collection', async () => {
      const { albums, devices } = client().types
      const reissued = await albums.act('1', 'reissue', { attributes: { title: 'OKNOTOK' } })
      expect(reissued.data).toMatchObject({ type: 'albums', title: 'OKNOTOK' })
      expect((await albums.act('1', 'artwork', { body: 'x', contentType: 'image/png' })).status).toBe(204)
      expect(music.last().contentType).toBe('image/png')
      expect((await albums.run('summary')).meta).toHaveProperty('byStatus')
      const { data: device } = await devices.create({ attributes: { label: 'Radio' } })
      await devices.delete(device.id)
      expect((await devices.act(device.id, 'restore')).data).toMatchObject({ label: 'Radio' })
    })

    it('a batch whose later steps use the resources of earlier ones', async () => {
      const [artist, album, gone] = await client().atomic((batch) => {
        const who = batch.create('artists', { attributes: { name: 'Thom Yorke' } })
        const what = batch.create('albums', { attributes: { title: 'The Eraser' }, relationships: { artist: who } })
        return [who, what, batch.delete('genres', 'jazz')] as const
      })
      expect(artist.name).toBe('Thom Yorke')
      expect(album.artist).toEqual({ type: 'artists', id: artist.id })
      expect(gone).toBeNull()
      const error = await refusal(
        client().atomic((batch) => [
          batch.create('artists', { attributes: { name: 'A' } }),
          batch.create('albums', { attributes: { title: '' } }),
        ]),
      )
      expect(Object.keys(error.at)).toEqual(['1.title'])
    })

    it('an import, whose job leads to its result', async () => {
      const { imports, jobs } = client().types
      const started = await imports.create({ attributes: { source: 'songs.csv' } })
      expect([started.status, started.retryAfter]).toEqual([202, 1])
      expectTypeOf(started.job.progress).toEqualTypeOf<number>()
      const seen: string[] = []
      const waiting = jobs.wait(started.job, {
        interval: 10,
        onProgress: ({ status }) => {
          if (seen.push(status) === 1) void service?.work(Number(started.job.id))
        },
      })
      const { data } = await waiting
      expect(data.type).toBe('imports')
      expect(seen.length).toBeGreaterThan(0)
    })

    it('once, if it is repeated with the same key', async () => {
      const { artists } = client().types
      const [first, second] = [
        await artists.create({ attributes: { name: 'Once' } }, { idempotencyKey: 'key-1' }),
        await artists.create({ attributes: { name: 'Once' } }, { idempotencyKey: 'key-1' }),
      ]
      expect(second.data.id).toBe(first.data.id)
    })
  })
})
