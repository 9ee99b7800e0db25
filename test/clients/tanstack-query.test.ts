import {
  dehydrate,
  hydrate,
  InfiniteQueryObserver,
  MutationObserver,
  QueryClient,
  QueryObserver,
} from '@tanstack/query-core'
import type { ApiOf } from 'ashlar'
import { type ClientError, createClient } from 'ashlar/client'
import { createQueries, type Queries } from 'ashlar/tanstack-query'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import type { musicServer } from '../../examples/music/src/service.js'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'

interface Api extends ApiOf<ReturnType<typeof musicServer>> {}

describe.each(musicServices)('ashlar/tanstack-query on %s', (_engine, open) => {
  const music = observedMusic(open)
  let queryClient: QueryClient
  let queries: Queries<Api>
  let types: Queries<Api>['types']
  const ends: (() => void)[] = []

  beforeEach(() => {
    queryClient = new QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
    })
    queries = createQueries(createClient<Api>({ url: music.url }))
    types = queries.types
  })
  afterEach(() => {
    for (const end of ends.splice(0)) end()
    queryClient.clear()
  })

  /** Reads queries into the cache, and returns which of them are stale after some work. */
  async function staleAfter(
    cached: Readonly<Record<string, Readable>>,
    work: () => Promise<unknown>,
  ): Promise<string[]> {
    for (const options of Object.values(cached)) {
      if ('initialPageParam' in options) await queryClient.fetchInfiniteQuery(options as never)
      else await queryClient.fetchQuery(options as never)
    }
    await work()
    return Object.entries(cached)
      .filter(([, { queryKey }]) => queryClient.getQueryState(queryKey)?.isInvalidated === true)
      .map(([name]) => name)
  }
  type Readable = { readonly queryKey: readonly unknown[] }

  describe('reads', () => {
    it('a list into the cache, whose data is typed by its key', async () => {
      const options = types.albums.list({ include: ['artist'], sort: ['title'] })
      const page = await queryClient.fetchQuery(options)
      expect(page.data[0]?.artist?.name).toEqual(expect.any(String))
      const cached = queryClient.getQueryData(options.queryKey)
      expect(cached).toBe(page)
      expectTypeOf(cached).toEqualTypeOf<typeof page | undefined>()
      expectTypeOf(page.data[0]?.artist?.name).toEqualTypeOf<string | undefined>()
      expect(options.queryKey).toEqual(['ashlar', 'albums', 'list', { include: ['artist'], sort: ['title'] }])
      expect(music.seen.map(({ line }) => line)).toEqual(['GET /albums?include=artist&sort=title'])
    })
  })
})
