import {
  dehydrate,
  type DehydratedState,
  hydrate,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import type { ApiOf } from 'ashlar'
import { createClient } from '@ashlar/client'
import { createQueries, type Queries } from '@ashlar/client/tanstack-query'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import type { musicServer } from '../../examples/music/src/service.js'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'

interface Api extends ApiOf<ReturnType<typeof musicServer>> {}

/** The options of a query, infinite or not. */
interface Cacheable {
  readonly queryKey: readonly unknown[]
}

/** Queries stay fresh until they are invalidated. */
const newQueryClient = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })

describe.each(musicServices)('@ashlar/client/tanstack-query on %s', (_engine, open) => {
  const music = observedMusic(open)
  let queryClient: QueryClient
  let queries: Queries<Api>
  let types: Queries<Api>['types']
  const endings: (() => void)[] = []

  beforeEach(() => {
    queryClient = newQueryClient()
    queries = createQueries(createClient<Api>({ url: music.url }))
    types = queries.types
  })
  afterEach(() => {
    for (const end of endings.splice(0)) end()
    queryClient.clear()
  })

  /** Uses a query as a component does, and returns its data. */
  async function use<Data>(options: {
    readonly queryKey: readonly unknown[]
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
  }): Promise<() => Data | undefined> {
    const observer = new QueryObserver<Data>(queryClient, options)
    endings.push(observer.subscribe(() => undefined))
    await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true)
    return () => observer.getCurrentResult().data
  }

  /** Reads queries into the cache, does some work, and returns the names of the queries that are stale then. */
  async function staleAfter(
    cached: Readonly<Record<string, Cacheable>>,
    work: () => Promise<unknown>,
  ): Promise<readonly string[]> {
    for (const options of Object.values(cached)) {
      if ('initialPageParam' in options) await queryClient.fetchInfiniteQuery(options)
      else await queryClient.fetchQuery(options)
    }
    await work()
    return Object.keys(cached).filter((name) => {
      const state = queryClient.getQueryState(cached[name]?.queryKey ?? [])
      return state === undefined || state.isInvalidated
    })
  }

  /** Queries that show an album, and some that do not. */
  const someQueries = (): Readonly<Record<string, Cacheable>> => ({
    'this album': types.albums.get('1'),
    'tracks of this album': types.albums.related('1', 'tracks'),
    'artist of this album': types.albums.linkage('1', 'artist'),
    'another album': types.albums.get('3'),
    'another album with its tracks': types.albums.get('3', { include: ['tracks'] }),
    albums: types.albums.list({ filter: { title: 'kind' } }),
    'pages of albums': types.albums.infinite({ filter: { title: 'kind' } }),
    'the artist with albums': types.artists.get('1', { include: ['albums'] }),
    'only the artist': types.artists.get('1'),
    'another artist with albums': types.artists.get('2', { include: ['albums'] }),
    'albums of another artist': types.artists.infiniteRelated('2', 'albums'),
    'a track of the album': types.tracks.get('1'),
    'a track of another album': types.tracks.get('4'),
    genres: types.genres.list(),
  })

  /** Sends a write as a component does. */
  const mutate = <Variables, Data>(
    options: {
      readonly mutationFn: (variables: Variables, context: { readonly client: QueryClient }) => Promise<Data>
    },
    variables: Variables,
  ): Promise<Data> => new MutationObserver<Data, Error, Variables>(queryClient, options).mutate(variables)

  describe('reads', () => {
    it('a list into the cache, whose data is typed by its key', async () => {
      const options = types.albums.list({ include: ['artist'], sort: ['title'], timeout: 60_000 })
      const page = await queryClient.fetchQuery(options)
      expect(page.data[0]?.artist?.name).toBe('Björk')
      const cached = queryClient.getQueryData(options.queryKey)
      expect(cached).toBe(page)
      expectTypeOf(cached).toEqualTypeOf<typeof page | undefined>()
      expectTypeOf(page.data[0]?.artist?.name).toEqualTypeOf<string | undefined>()
      expect(options.queryKey).toEqual(['ashlar', 'albums', 'list', { include: ['artist'], sort: ['title'] }])
      expect(music.seen.map(({ line }) => line)).toEqual(['GET /albums?include=artist&sort=title'])
    })

    it('one resource, one by a filter, members and linkage', async () => {
      const album = await queryClient.fetchQuery(types.albums.get('1', { fields: { albums: ['title'] } }))
      expect([album.data.title, album.etag]).toEqual(['OK Computer', expect.stringMatching(/^"/)])
      expectTypeOf(album.data).not.toHaveProperty('status')
      const artist = await queryClient.fetchQuery(types.artists.first({ filter: { slug: 'bjork' } }))
      expect(artist?.name).toBe('Björk')
      expect(await queryClient.fetchQuery(types.artists.first({ filter: { slug: 'nobody' } }))).toBeNull()
      const ordered = await queryClient.fetchQuery(types.playlists.related(roadTrip, 'orderedTracks'))
      expect(ordered.data.map(({ $pivot }) => $pivot.position)).toEqual([1, 2, 3])
      expect((await queryClient.fetchQuery(types.albums.related('1', 'artist'))).data?.name).toBe('Radiohead')
      expect((await queryClient.fetchQuery(types.albums.linkage('1', 'artist'))).data).toEqual({
        type: 'artists',
        id: '1',
      })
    })

    it('into data, with the options of TanStack Query', async () => {
      const observer = new QueryObserver(queryClient, {
        ...types.albums.list({ sort: ['title'] }),
        select: (page) => page.data.map(({ title }) => title),
      })
      endings.push(observer.subscribe(() => undefined))
      await expect.poll(() => observer.getCurrentResult().data).toHaveLength(4)
      expectTypeOf(observer.getCurrentResult().data).toEqualTypeOf<string[] | undefined>()
    })

    it.each([
      ['page', { kind: 'page', size: 5 }],
      ['cursor', { kind: 'cursor', size: 5 }],
      ['offset', { kind: 'offset', limit: 5 }],
    ] as const)('all pages of the strategy %s, forward and backward', async (_kind, page) => {
      const all = (await queryClient.fetchQuery(types.tracks.list({ page: { size: 100 }, sort: ['title'] }))).data
      const options = types.tracks.infinite({ page, sort: ['title'], fields: { tracks: ['title'] } })
      const observer = new InfiniteQueryObserver(queryClient, { ...options, maxPages: 2 })
      endings.push(observer.subscribe(() => undefined))
      const shown = (): readonly string[] =>
        observer.getCurrentResult().data?.pages.flatMap(({ data }) => data.map(({ title }) => title)) ?? []
      const titles = all.map(({ title }) => title)
      await expect.poll(shown).toEqual(titles.slice(0, 5))
      expect(observer.getCurrentResult().hasPreviousPage).toBe(false)
      await observer.fetchNextPage()
      expect(shown()).toEqual(titles.slice(0, 10))
      await observer.fetchNextPage()
      expect(shown()).toEqual(titles.slice(5))
      expect(observer.getCurrentResult().hasNextPage).toBe(false)
      await observer.fetchPreviousPage()
      expect(shown()).toEqual(titles.slice(0, 10))
      await observer.refetch()
      expect(shown()).toEqual(titles.slice(0, 10))
    })

    it('all pages of a relation', async () => {
      const options = types.playlists.infiniteRelated(roadTrip, 'orderedTracks', {
        page: { size: 2 },
        include: ['album'],
      })
      const { pages, pageParams } = await queryClient.fetchInfiniteQuery({ ...options, pages: 9 })
      expect(pages.map(({ data }) => data.map(({ $pivot }) => $pivot.position))).toEqual([[1, 2], [3]])
      expect(pages[1]?.data[0]?.album?.title).toEqual(expect.any(String))
      expect(pageParams).toEqual([{ size: 2 }, { number: 2, size: 2 }])
    })
  })

  describe('the cache', () => {
    it('retains the objects of unchanged resources', async () => {
      const options = types.albums.list({ include: ['artist'], sort: ['id'] })
      const before = await queryClient.fetchQuery(options)
      await queryClient.refetchQueries({ queryKey: options.queryKey })
      expect(queryClient.getQueryData(options.queryKey)).toBe(before)
      await createClient<Api>({ url: music.url }).types.albums.update('2', { attributes: { title: 'Kid B' } })
      await queryClient.refetchQueries({ queryKey: options.queryKey })
      const after = queryClient.getQueryData(options.queryKey)
      expect(after?.data[1]?.title).toBe('Kid B')
      expect(after?.data.map((album, index) => album === before.data[index])).toEqual([true, false, true, true])
    })

    it('survives serialization, and infinite queries continue after it', async () => {
      const list = types.albums.list({ include: ['tracks.playlists'], count: ['tracks'] })
      const infinite = types.tracks.infinite({ page: { kind: 'cursor', size: 4 } })
      await queryClient.prefetchQuery(list)
      await queryClient.prefetchInfiniteQuery(infinite)
      const text = JSON.stringify(dehydrate(queryClient))
      const browser = newQueryClient()
      hydrate(browser, JSON.parse(text) as DehydratedState)
      expect(browser.getQueryData(list.queryKey)).toStrictEqual(queryClient.getQueryData(list.queryKey))
      const requests = music.seen.length
      const observer = new InfiniteQueryObserver(browser, infinite)
      endings.push(observer.subscribe(() => undefined))
      expect(observer.getCurrentResult().data?.pages[0]?.data).toHaveLength(4)
      expect(music.seen.length).toBe(requests)
      const { data } = await observer.fetchNextPage()
      expect(data?.pages.map((page) => page.data.length)).toEqual([4, 4])
      browser.clear()
    })
  })

  describe('invalidation', () => {
    it('of a resource reaches its queries, its collections, and all that shows it', async () => {
      expect(
        await staleAfter(someQueries(), () => queries.invalidate(queryClient, { type: 'albums', id: '1' })),
      ).toEqual([
        'this album',
        'tracks of this album',
        'artist of this album',
        'albums',
        'pages of albums',
        'the artist with albums',
        'albums of another artist',
        'a track of the album',
      ])
    })

    it('of a type reaches all that shows any of it', async () => {
      expect(await staleAfter(someQueries(), () => queries.invalidate(queryClient, { type: 'tracks' }))).toEqual([
        'tracks of this album',
        'another album with its tracks',
        'a track of the album',
        'a track of another album',
      ])
    })

    it('reaches nothing for a resource that no query shows, and everything of the API without one', async () => {
      expect(
        await staleAfter(someQueries(), () => queries.invalidate(queryClient, [{ type: 'devices', id: '1' }])),
      ).toEqual([])
      const other = createQueries(createClient<Api>({ url: music.url }), { key: 'other' })
      expect(await staleAfter(someQueries(), () => other.invalidate(queryClient))).toEqual([])
      expect(await staleAfter(someQueries(), () => queries.invalidate(queryClient))).toEqual(Object.keys(someQueries()))
    })

    it('reaches empty relations, since their members may be of any type', async () => {
      const empty = types.playlists.related(roadTrip, 'orderedTracks', { filter: { position: 77 } })
      const stale = await staleAfter({ empty }, () => queries.invalidate(queryClient, { type: 'tracks', id: '9' }))
      expect(stale).toEqual(['empty'])
    })
  })

  describe('mutations', () => {
    it('update a resource by its version, and refresh what is in use before they return', async () => {
      const album = await use(types.albums.get('1'))
      const artist = await use(types.artists.get('1', { include: ['albums'] }))
      const { etag = null } = album() ?? {}
      // Callbacks that the application adds do not affect the invalidation.
      const callbacks = { onSuccess: () => undefined, onSettled: () => undefined }
      const updated = await mutate(
        { ...types.albums.update({ include: ['artist'] }), ...callbacks },
        { id: '1', attributes: { title: 'OK' }, ifMatch: etag },
      )
      expectTypeOf(updated.data.artist?.name).toEqualTypeOf<string | undefined>()
      expect(album()?.data.title).toBe('OK')
      expect(artist()?.data.albums?.map(({ title }) => title)).toContain('OK')
      expect(album()?.etag).not.toBe(etag)
    })

    it('refresh what a conflict shows to be old, and nothing after wrong input', async () => {
      const cached = { album: types.albums.get('1'), genres: types.genres.list() }
      const wrong = async () =>
        expect(mutate(types.albums.update(), { id: '1', attributes: { title: '' } })).rejects.toMatchObject({
          status: 422,
        })
      expect(await staleAfter(cached, wrong)).toEqual([])
      const conflict = async () =>
        expect(
          mutate(types.albums.update(), { id: '1', attributes: { title: 'x' }, ifMatch: '"0"' }),
        ).rejects.toMatchObject({ status: 412 })
      expect(await staleAfter(cached, conflict)).toEqual(['album'])
    })

    it('create a resource, which touches the ones that it is related to', async () => {
      const cached = {
        albums: types.albums.list(),
        album: types.albums.get('1'),
        'its artist': types.artists.get('2'),
        'its albums': types.artists.related('2', 'albums'),
        'another artist': types.artists.get('3'),
      }
      const made = {
        attributes: { title: 'Vespertine' },
        relationships: { artist: { type: 'artists', id: '2' } },
      } as const
      const stale = await staleAfter(cached, () => mutate(types.albums.create(), made))
      expect(stale).toEqual(['albums', 'its artist', 'its albums'])
    })

    it('delete a resource, whose own queries are not read again', async () => {
      const track = await use(types.tracks.get('12'))
      let before = 0
      const stale = await staleAfter(
        {
          'with its album': types.tracks.get('12', { include: ['album'] }),
          tracks: types.tracks.list(),
          'its album': types.albums.get('4', { include: ['tracks'] }),
          'another track': types.tracks.get('1'),
        },
        async () => {
          before = music.seen.length
          await mutate(types.tracks.delete(), { id: '12' })
        },
      )
      expect(stale).toEqual(['with its album', 'tracks', 'its album'])
      expect(queryClient.getQueryState(types.tracks.get('12', { include: ['album'] }).queryKey)).toBeUndefined()
      expect(track()?.data.title).toBe('All Blues')
      expect(music.seen.slice(before).map(({ line }) => line)).toEqual(['DELETE /tracks/12'])
    })

    it('change relationships, which touches both sides', async () => {
      const cached = {
        members: types.playlists.related(roadTrip, 'orderedTracks'),
        track: types.tracks.get('8'),
        'another track': types.tracks.get('12'),
      }
      const members = [{ type: 'tracks', id: '8', $pivot: { position: 9 } }] as const
      const added = () => mutate(types.playlists.add('orderedTracks'), { id: roadTrip, members })
      expect(await staleAfter(cached, added)).toEqual(['members', 'track'])
      const removed = () => mutate(types.playlists.remove('orderedTracks'), { id: roadTrip, members })
      expect(await staleAfter(cached, removed)).toEqual(['members', 'track'])
      const moved = { id: '12', members: { type: 'albums', id: '1' } } as const
      expect(await staleAfter(cached, () => mutate(types.tracks.replace('album'), moved))).toEqual([
        'members',
        'another track',
      ])
    })

    it('call actions', async () => {
      const cached = { album: types.albums.get('1'), another: types.albums.get('2'), artist: types.artists.get('1') }
      const reissue = { id: '1', input: { attributes: { title: 'OKNOTOK' } } }
      expect(await staleAfter(cached, () => mutate(types.albums.act('reissue'), reissue))).toEqual(['album'])
      expect(await staleAfter(cached, () => mutate(types.albums.run('summary'), undefined))).toEqual([
        'album',
        'another',
      ])
    })

    it('send a batch, which touches what its operations do', async () => {
      const cached = {
        artists: types.artists.list(),
        albums: types.albums.list(),
        album: types.albums.get('3'),
        genre: types.genres.get('jazz'),
        playlist: types.playlists.get(roadTrip),
        'another album': types.albums.get('1'),
      }
      const batch = queries.atomic((operations, { name }: { readonly name: string }) => {
        const artist = operations.create('artists', { attributes: { name } })
        operations.delete('genres', 'jazz')
        operations.add('playlists', roadTrip, 'orderedTracks', [{ type: 'tracks', id: '8', $pivot: { position: 9 } }])
        return [artist, operations.update('albums', '3', { relationships: { artist } })] as const
      })
      const stale = await staleAfter(cached, async () => {
        const [artist] = await mutate(batch, { name: 'Thom Yorke' })
        expect(artist.name).toBe('Thom Yorke')
      })
      expect(stale).toEqual(['artists', 'albums', 'album', 'genre', 'playlist'])
    })
  })
})
