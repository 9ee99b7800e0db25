import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import { fencesIn } from '../docs/fences.js'
import { musicServices, rainyDay, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'

interface Result {
  // oxlint-disable-next-line typescript/no-explicit-any -- A data provider returns records of any type.
  readonly data: any
  readonly total?: number
  readonly pageInfo?: object
  readonly meta?: object
}

/** The methods that react-admin calls: `DataProvider` of ra-core 5. */
const methods = [
  'getList',
  'getOne',
  'getMany',
  'getManyReference',
  'create',
  'update',
  'updateMany',
  'delete',
  'deleteMany',
] as const

type DataProvider = Readonly<Record<(typeof methods)[number], (type: string, params: object) => Promise<Result>>>

interface PageModule {
  readonly dataProvider: (url: string, relationships: object) => DataProvider
}

/** The data provider that docs/guide/other-clients.md shows. */
async function shownProvider(): Promise<PageModule> {
  const page = readFileSync(new URL('../../docs/guide/other-clients.md', import.meta.url), 'utf8')
  const block = fencesIn(page, 'docs/guide/other-clients.md').find(({ info }) => info['file'] === 'data-provider.ts')
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
  const { outputText } = ts.transpileModule(block?.text ?? '', { compilerOptions })
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as PageModule
}

function ids({ data }: Result): readonly string[] {
  return data.map(({ id }: { readonly id: string }) => id)
}

describe.each(musicServices)('The data provider for react-admin on %s', (_engine, open) => {
  const music = observedMusic(open)
  let provider: DataProvider

  beforeAll(async () => {
    const { dataProvider } = await shownProvider()
    provider = dataProvider(music.url, {
      albums: { artist: 'artists', tracks: ['tracks'] },
      playlists: { tracks: ['tracks'] },
    })
  })

  const sent = () => JSON.parse(music.last().body ?? '').data

  /** The tracks of a playlist in their order, as the service has them. */
  const members = async () =>
    ids(await provider.getManyReference('tracks', { target: 'playlists/orderedTracks', id: roadTrip }))

  const setTracks = (tracks: readonly string[]) => provider.update('playlists', { id: roadTrip, data: { tracks } })
  const setArtist = (artist: string | null) => provider.update('albums', { id: '1', data: { artist } })

  it('has the methods that react-admin calls, and records that have an id', async () => {
    expect(methods.filter((name) => typeof provider[name] !== 'function')).toEqual([])
    const lists = [
      await provider.getList('genres', {}),
      await provider.getMany('genres', { ids: ['jazz'] }),
      await provider.getManyReference('tracks', { target: 'albums/tracks', id: '1' }),
    ]
    for (const { data, pageInfo } of lists) {
      expect(data[0]).toHaveProperty('id')
      expect(pageInfo).toEqual({ hasNextPage: expect.any(Boolean), hasPreviousPage: false })
    }
  })

  describe('reads', () => {
    it('a list with include, filter, sort and page', async () => {
      const { data, pageInfo, meta } = await provider.getList('albums', {
        filter: { title: 'k' },
        sort: { field: 'releasedAt', order: 'DESC' },
        pagination: { page: 1, perPage: 2 },
        meta: { include: 'artist' },
      })
      expect(data).toMatchObject([
        { id: '2', title: 'Kid A', artist: '1', tracks: expect.any(Array) },
        { id: '1', title: 'OK Computer', artist: '1', tracks: ['1', '2', '6'] },
      ])
      expect(pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false })
      expect(meta).toMatchObject({ prefetched: { artists: [{ id: '1', name: 'Radiohead' }] } })
      expect(music.last().line).toBe(
        'GET /albums?filter[title]=k&page[number]=1&page[size]=2&sort=-releasedAt&include=artist' +
          '&withLinkage[albums]=tracks&withLinkage[playlists]=tracks',
      )
    })

    it('a list in the default order of react-admin', async () => {
      const sort = { field: 'id', order: 'ASC' }
      expect(ids(await provider.getList('artists', { sort, pagination: { page: 1, perPage: 25 } }))).toEqual([
        '1',
        '2',
        '3',
      ])
    })

    it('a filter of several parts, as forms have them', async () => {
      const filter = { releasedAt: { min: '1997-01-01', max: '1997-12-31' }, 'artist.name': 'Björk' }
      expect(ids(await provider.getList('albums', { filter }))).toEqual(['3'])
    })

    it('one resource, and several by their ids', async () => {
      expect((await provider.getOne('albums', { id: '1' })).data).toMatchObject({ title: 'OK Computer', artist: '1' })
      const several = await provider.getMany('tracks', { ids: ['1', '12', '7'] })
      expect(ids(several)).toEqual(['1', '7', '12'])
      expect(music.last().line).toContain('GET /tracks?filter[id]=1,12,7&page[number]=1&page[size]=3')
    })

    it('related resources, with a filter and a page', async () => {
      const params = { pagination: { page: 1, perPage: 2 }, sort: { field: 'title', order: 'ASC' }, filter: {} }
      const related = await provider.getManyReference('tracks', { target: 'albums/tracks', id: '1', ...params })
      expect(related.data).toMatchObject([{ title: 'Airbag' }, { title: expect.any(String) }])
      expect(related.pageInfo).toEqual({ hasNextPage: true, hasPreviousPage: false })
    })
  })

  describe('writes', () => {
    it('a new resource, with relationships', async () => {
      const { data } = await provider.create('albums', { data: { title: 'Amnesiac', artist: '1', tracks: ['12'] } })
      expect(data).toMatchObject({ id: '5', title: 'Amnesiac', status: 'upcoming', artist: '1', tracks: ['12'] })
    })

    it('a new resource whose id it chooses', async () => {
      const { data } = await provider.create('genres', { data: { id: 'trip-hop', name: 'Trip hop' } })
      expect(data).toEqual({ id: 'trip-hop', name: 'Trip hop' })
    })

    it('changed fields only: a playlist has its tracks after it was renamed', async () => {
      const { data: previousData } = await provider.getOne('playlists', { id: roadTrip })
      expect(previousData.tracks).toEqual(['1', '3', '5'])
      const data = { ...previousData, title: 'Road Trip, 2' }
      const written = await provider.update('playlists', { id: roadTrip, data, previousData })
      expect(sent()).toEqual({
        type: 'playlists',
        id: roadTrip,
        attributes: { title: 'Road Trip, 2' },
        relationships: {},
      })
      expect(written.data).toMatchObject({ slug: 'road-trip-2', tracks: ['1', '3', '5'] })
      expect(await members()).toEqual(['5', '1', '3'])
    })

    it('adds, removes and replaces members of a to-many, and empties it', async () => {
      await setTracks(['1', '3', '5', '2'])
      expect(await members()).toEqual(['5', '1', '3', '2'])
      await setTracks(['3', '5', '2'])
      expect(await members()).toEqual(['5', '3', '2'])
      await setTracks(['8', '9'])
      expect(await members()).toEqual(['8', '9'])
      expect((await setTracks([])).data.tracks).toEqual([])
    })

    it('replaces and empties a to-one', async () => {
      expect((await setArtist('2')).data.artist).toBe('2')
      expect((await setArtist(null)).data.artist).toBeNull()
    })

    it('several resources, one after the other', async () => {
      const both = { ids: [roadTrip, rainyDay] }
      expect(await provider.updateMany('playlists', { ...both, data: { public: false } })).toEqual({ data: both.ids })
      expect((await provider.getMany('playlists', both)).data).toMatchObject([{ public: false }, { public: false }])
      expect(await provider.deleteMany('playlists', both)).toEqual({ data: both.ids })
      expect((await provider.getMany('playlists', both)).data).toEqual([])
    })

    it('deletes a resource, and returns what it was', async () => {
      const previousData = { id: roadTrip, title: 'Road Trip' }
      expect(await provider.delete('playlists', { id: roadTrip, previousData })).toEqual({ data: previousData })
      await expect(provider.getOne('playlists', { id: roadTrip })).rejects.toMatchObject({ status: 404 })
    })
  })

  describe('shows errors', () => {
    it('at the inputs of a form', async () => {
      const refused = provider.create('albums', { data: { title: '', explicit: 'no', artist: '999' } })
      await expect(refused).rejects.toMatchObject({
        status: 422,
        body: { errors: { title: 'This must not be empty.', explicit: expect.any(String) } },
      })
      const unknown = provider.update('albums', { id: '1', data: { artist: '999' } })
      await expect(unknown).rejects.toMatchObject({ status: 404, body: { errors: { artist: expect.any(String) } } })
    })

    it('in a notification, if the error is about no field', async () => {
      const refused = provider.delete('artists', { id: '1' })
      await expect(refused).rejects.toThrow('Other resources still refer to this resource, so it cannot be deleted.')
      const filtered = provider.getList('albums', { filter: { colour: 'blue' } })
      await expect(filtered).rejects.toMatchObject({ status: 400, message: expect.stringContaining("filter 'colour'") })
      await expect(filtered).rejects.not.toHaveProperty('body')
    })
  })
})
