import type { InitializedRecord, RecordIdentity } from '@orbit/records'
import { beforeEach, describe, expect, it } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'
import { type Orbit, orbit } from './orbit-source.js'

describe.each(musicServices)('Orbit on %s', (_engine, open) => {
  const music = observedMusic(open)
  let client: Orbit
  let source: Orbit['source']
  let playlist: RecordIdentity

  beforeEach(() => {
    client = orbit(music.url)
    source = client.source
    playlist = client.record('playlists', roadTrip)
  })

  const remoteIds = (records: readonly RecordIdentity[]) => records.map((record) => client.remoteId(record))

  async function members(relationship: 'tracks' | 'orderedTracks') {
    const found = await source.query<InitializedRecord[]>((q) => q.findRelatedRecords(playlist, relationship))
    return remoteIds(found)
  }

  describe('queries', () => {
    it('findRecords with filter, sort, page, include and fields', async () => {
      const { data, details, transforms } = await source.query<InitializedRecord[]>(
        (q) => q.findRecords('albums').filter({ attribute: 'title', value: 'k' }).sort('-releasedAt'),
        {
          include: ['artist', 'tracks'],
          fields: { albums: ['title', 'artist', 'tracks'], artists: 'name' },
          page: { number: 1, size: 2 },
          fullResponse: true,
        },
      )
      expect(data?.map(({ attributes }) => attributes)).toEqual([{ title: 'Kid A' }, { title: 'OK Computer' }])
      expect(data?.[0]?.relationships?.['artist']?.data).toEqual(client.record('artists', '1'))
      expect(details?.[0]?.document).toMatchObject({ meta: { page: { currentPage: 1, perPage: 2 } } })
      const written = transforms?.flatMap(({ operations }) => operations) ?? []
      expect(written).toContainEqual({
        op: 'updateRecord',
        record: expect.objectContaining({ ...client.record('artists', '1'), attributes: { name: 'Radiohead' } }),
      })
      expect(music.last().line).toBe(
        'GET /albums?filter[title]=k&sort=-releasedAt&page[number]=1&page[size]=2' +
          '&include=artist,tracks&fields[albums]=title,artist,tracks&fields[artists]=name',
      )
    })

    it('findRecords by offset and limit, where one of them may be missing', async () => {
      const query = await source.query<InitializedRecord[]>((q) =>
        q.findRecords('tracks').page({ offset: 2, limit: 2 }),
      )
      expect(remoteIds(query)).toEqual(['3', '4'])
      const first = await source.query<InitializedRecord[]>((q) => q.findRecords('tracks'), {
        page: { offset: undefined, limit: 2 },
      })
      expect(remoteIds(first)).toEqual(['1', '2'])
      expect(music.last().line).toBe('GET /tracks?page[offset]=undefined&page[limit]=2')
    })

    it('findRecords with filters that are no attributes, several values joined with commas', async () => {
      const filter = { genres: 'jazz,art-rock' }
      const found = await source.query<InitializedRecord[]>((q) => q.findRecords('tracks').sort('title'), { filter })
      expect(remoteIds(found)).toEqual(['12', '11', '10', '7', '2', '5'])
      const through = { 'artist.name': 'Björk' }
      const albums = await source.query<InitializedRecord[]>((q) => q.findRecords('albums'), { filter: through })
      expect(remoteIds(albums)).toEqual(['3'])
    })

    it('findRecord by the id of the service', async () => {
      const known = client.record('albums', '1')
      const album = await source.query<InitializedRecord>((q) => q.findRecord(known), { include: 'artist' })
      expect(music.last().line).toBe('GET /albums/1?include=artist')
      expect(album).toMatchObject({
        type: 'albums',
        keys: { remoteId: '1' },
        attributes: { title: 'OK Computer', averageRating: 4.8, releasedAt: new Date('1997-05-21T00:00:00Z') },
      })
    })

    it('findRelatedRecord and findRelatedRecords', async () => {
      const album = client.record('albums', '1')
      const artist = await source.query<InitializedRecord>((q) => q.findRelatedRecord(album, 'artist'))
      expect(artist.attributes).toMatchObject({ name: 'Radiohead', slug: 'radiohead' })
      const found = await source.query<InitializedRecord[]>((q) => q.findRelatedRecords(playlist, 'orderedTracks'), {
        page: { size: 2 },
      })
      expect(remoteIds(found)).toEqual(['5', '1'])
      expect(found[0]?.meta).toMatchObject({ pivot: { position: 1, weight: 3 } })
    })

    it('several queries together', async () => {
      const [genres, artists] = await source.query<InitializedRecord[][]>((q) => [
        q.findRecords('genres'),
        q.findRecords('artists'),
      ])
      expect(genres?.map(({ id }) => id)).toEqual(['art-rock', 'electronic', 'jazz', 'rock'])
      expect(artists).toHaveLength(3)
    })
  })

  describe('updates records', () => {
    it('addRecord, whose id the service gives', async () => {
      const album = await source.update<InitializedRecord>((t) =>
        t.addRecord({
          type: 'albums',
          attributes: { title: 'Amnesiac', releasedAt: new Date('2001-05-30T00:00:00Z'), availableFrom: '2001-06-04' },
          relationships: { artist: { data: client.record('artists', '1') }, tracks: { data: [] } },
        }),
      )
      expect(client.remoteId(album)).toBe('5')
      expect(album.attributes).toMatchObject({ title: 'Amnesiac', status: 'upcoming', availableFrom: '2001-06-04' })
    })

    it('addRecord, whose id the client chooses', async () => {
      const genre = { type: 'genres', id: 'trip-hop', attributes: { name: 'Trip hop' } }
      expect(await source.update((t) => t.addRecord(genre))).toMatchObject(genre)
    })

    it('addRecord of two that belong together: the second names what the service called the first', async () => {
      const artist = { type: 'artists', id: 'new', attributes: { name: 'Portishead' } }
      const album = { type: 'albums', attributes: { title: 'Dummy' }, relationships: { artist: { data: artist } } }
      const [, added] = await source.update<InitializedRecord[]>((t) => [t.addRecord(artist), t.addRecord(album)])
      const owner = await source.query<InitializedRecord>((q) => q.findRelatedRecord(added as RecordIdentity, 'artist'))
      expect(owner).toMatchObject({ id: 'new', keys: { remoteId: '4' }, attributes: { name: 'Portishead' } })
    })

    it('updateRecord, with all that was read', async () => {
      const album = client.record('albums', '1')
      const read = await source.query<InitializedRecord>((q) => q.findRecord(album), { include: 'artist,tracks' })
      const changed = { ...read, attributes: { ...read.attributes, title: 'OKNOTOK' } }
      const written = await source.update<InitializedRecord>((t) => t.updateRecord(changed))
      expect(written.attributes).toEqual(changed.attributes)
    })

    it('replaceAttribute', async () => {
      const album = client.record('albums', '1')
      const written = await source.update<InitializedRecord>((t) => t.replaceAttribute(album, 'status', 'withdrawn'))
      expect(written.attributes).toMatchObject({ title: 'OK Computer', status: 'withdrawn' })
    })

    it('removeRecord', async () => {
      await source.update((t) => t.removeRecord(playlist))
      expect(music.last()).toMatchObject({ line: `DELETE /playlists/${roadTrip}`, hasBody: false })
      expect(await source.query((q) => q.findRecord(playlist))).toBeUndefined()
    })
  })

  describe('updates relationships', () => {
    it('addToRelatedRecords and removeFromRelatedRecords, one request for those in a row', async () => {
      const [second, seventh] = [client.record('tracks', '2'), client.record('tracks', '7')]
      await source.update((t) => [
        t.addToRelatedRecords(playlist, 'tracks', second),
        t.addToRelatedRecords(playlist, 'tracks', seventh),
      ])
      expect(music.seen.map(({ line }) => line)).toEqual([`POST /playlists/${roadTrip}/relationships/tracks`])
      expect(await members('orderedTracks')).toEqual(['5', '1', '3', '2', '7'])
      await source.update((t) => t.removeFromRelatedRecords(playlist, 'tracks', client.record('tracks', '1')))
      expect(await members('orderedTracks')).toEqual(['5', '3', '2', '7'])
    })

    it('replaceRelatedRecords, by a PATCH of the resource', async () => {
      const others = ['8', '9'].map((id) => client.record('tracks', id))
      await source.update((t) => t.replaceRelatedRecords(playlist, 'tracks', others))
      expect(music.last().line).toBe(`PATCH /playlists/${roadTrip}`)
      expect(await members('tracks')).toEqual(['8', '9'])
      await source.update((t) => t.replaceRelatedRecords(playlist, 'tracks', []))
      expect(await members('tracks')).toEqual([])
    })

    it('replaceRelatedRecord, also by nothing', async () => {
      const album = client.record('albums', '1')
      await source.update((t) => t.replaceRelatedRecord(album, 'artist', client.record('artists', '2')))
      const artist = () => source.query<InitializedRecord | null>((q) => q.findRelatedRecord(album, 'artist'))
      expect((await artist())?.attributes).toMatchObject({ name: 'Björk' })
      await source.update((t) => t.replaceRelatedRecord(album, 'artist', null))
      expect(await artist()).toBeNull()
    })
  })

  describe('shows errors', () => {
    it('of a query, with the document of the service', async () => {
      const refused = source.query((q) => q.findRecords('albums'), { filter: { colour: 'blue' } })
      await expect(refused).rejects.toMatchObject({
        response: { status: 400 },
        data: { errors: [{ code: 'FILTERING_UNRECOGNIZED', source: { parameter: 'filter[colour]' } }] },
      })
    })

    it('of an update, which stays at the head of the queue until it is skipped or tried again', async () => {
      const refused = source.update((t) => t.addRecord({ type: 'albums', attributes: { title: '' } }))
      await expect(refused).rejects.toMatchObject({
        response: { status: 422 },
        data: { errors: [{ code: 'VALIDATION_FAILED', source: { pointer: '/data/attributes/title' } }] },
      })
      await source.requestQueue.skip()
      const album = { type: 'albums', attributes: { title: 'Amnesiac' } }
      expect(await source.update((t) => t.addRecord(album))).toMatchObject(album)
    })

    it('of an id that is taken', async () => {
      const refused = source.update((t) => t.addRecord({ type: 'genres', id: 'jazz', attributes: { name: 'Jazz' } }))
      await expect(refused).rejects.toMatchObject({
        data: { errors: [{ status: '409', code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS' }] },
      })
    })

    it('of missing resources only if configured', async () => {
      const missing = client.record('albums', '999')
      expect(await source.query((q) => q.findRecord(missing))).toBeUndefined()
      const pending = source.query((q) => q.findRecord(missing), { raiseNotFoundExceptions: true })
      await expect(pending).rejects.toThrow('Record not found')
    })

    it('of a link to a missing resource in the full response only, for a 404 is no error to Orbit', async () => {
      const unknownArtist = client.record('artists', '999')
      const album = client.record('albums', '1')
      const { details } = await source.update((t) => t.replaceRelatedRecord(album, 'artist', unknownArtist), {
        fullResponse: true,
      })
      expect(details?.[0]?.response).toMatchObject({ status: 404 })
      const artist = await source.query<InitializedRecord>((q) => q.findRelatedRecord(album, 'artist'))
      expect(artist.attributes).toMatchObject({ name: 'Radiohead' })
    })
  })
})
