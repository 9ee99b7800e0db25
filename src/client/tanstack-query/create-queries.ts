import type { Batch, BatchStep, Results } from '../atomic.js'
import type { Contract, TypeName } from '../contract.js'
import type { Client } from '../create-client.js'
import type { BatchOptions } from '../writes.js'
import { batchMutation, type SendAnyBatch } from './batch-mutation.js'
import { type Invalidating, invalidateTouched, type Touched } from './invalidation.js'
import type { WriteMutation } from './options.js'
import { queriesOfType, type Verbs } from './queries-of-type.js'
import type { TypeQueries } from './type-queries.js'

/** The queries and mutations of an API, as {@link createQueries} returns them. */
export interface Queries<Api extends Contract> {
  /** The types of the server, each with its queries and mutations. See `Types` about `-?`. */
  readonly types: { readonly [T in TypeName<Api>]-?: TypeQueries<Api, T> }
  /** A batch as a mutation. It needs the Atomic Operations extension. */
  readonly atomic: Api['atomic'] extends string ? BatchMutation<Api> : null
  /**
   * Marks the queries that depend on a resource, or on any of a type, as stale, and refetches those in use. Without a resource, it does so for all
   * queries of the API.
   */
  invalidate(
    queryClient: Invalidating,
    touched?: Touched<TypeName<Api>> | readonly Touched<TypeName<Api>>[],
  ): Promise<void>
}

/** Returns the options of a mutation that sends a batch. See {@link createQueries}. */
export type BatchMutation<Api extends Contract> = <const Steps extends readonly BatchStep<unknown>[], Variables = void>(
  build: (batch: Batch<Api>, variables: Variables) => Steps,
  options?: BatchOptions<Api>,
) => WriteMutation<Variables, Results<Steps>>

/** The settings of {@link createQueries}. */
export interface QueriesSettings {
  /** The first part of all query keys. Each API that shares a `QueryClient` with another needs its own. Default: `ashlar`. */
  readonly key?: string | undefined
}

/**
 * Returns the queries and mutations of an API as options for TanStack Query, with any of its adapters.
 *
 * @example
 * ```ts
 * interface Api extends ApiOf<typeof server> {}
 * const queries = createQueries(createClient<Api>({ url: 'https://music.example' }))
 *
 * // In a component: useQuery(albumsWithArtists), useQuery({ ...albumsWithArtists, staleTime: 60_000 })
 * const albumsWithArtists = queries.types.albums.list({ include: ['artist'] })
 * // In a component: useMutation(renameAlbum).mutate({ id: '1', attributes: { title: 'Kid A' } })
 * const renameAlbum = queries.types.albums.update()
 *
 * const artistChanged = (queryClient: Parameters<typeof queries.invalidate>[0], id: string) =>
 *   queries.invalidate(queryClient, { type: 'artists', id })
 * ```
 */
export function createQueries<Api extends Contract>(
  client: Client<Api>,
  { key = 'ashlar' }: QueriesSettings = {},
): Queries<Api> {
  const { types: verbs, atomic } = client as unknown as {
    readonly types: Readonly<Record<string, Verbs>>
    readonly atomic: SendAnyBatch
  }
  const known = new Map<string, object>()
  const types = new Proxy(Object.freeze({}), {
    get(_types, name) {
      if (typeof name !== 'string') return undefined
      const queries = known.get(name) ?? queriesOfType(key, name, verbs[name] as Verbs)
      known.set(name, queries)
      return queries
    },
  })
  return Object.freeze({
    types: types as Queries<Api>['types'],
    atomic: ((build: never, options = {}) =>
      batchMutation(key, atomic, { build, options })) as unknown as Queries<Api>['atomic'],
    invalidate: (queryClient: Invalidating, touched?: Touched | readonly Touched[]) =>
      touched === undefined
        ? queryClient.invalidateQueries({ queryKey: [key] })
        : invalidateTouched(queryClient, key, [touched].flat()),
  })
}
