import type { DataTag, InfiniteData } from '@tanstack/query-core'
import type { Page } from '../results.js'
import type { Invalidating } from './invalidation.js'

/**
 * A page of a collection in the cache: the page of the client without its functions, so that the cache can be serialized, and so that equal
 * parts of two responses remain the same objects.
 */
export interface CachedPage<Item, Parameters = unknown> extends Omit<Page<Item, Parameters>, 'next' | 'previous'> {}

/** The options of a query. Spread them to add others: `{ ...albums.list(), staleTime: 60_000 }`. */
export interface ReadOptions<Data> {
  readonly queryKey: DataTag<readonly unknown[], Data>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>
}

/** The `page` of a query: `{ after: 'Mw', size: 20 }`. */
export type PageParam = Readonly<Record<string, unknown>>

/** The options of an infinite query. It follows the links of the pages, in both directions. */
export interface InfiniteOptions<Item> {
  readonly queryKey: DataTag<readonly unknown[], InfiniteData<CachedPage<Item>, PageParam>>
  readonly queryFn: (context: {
    readonly signal: AbortSignal
    readonly pageParam: PageParam
  }) => Promise<CachedPage<Item>>
  readonly initialPageParam: PageParam
  readonly getNextPageParam: (page: CachedPage<Item>) => PageParam | null
  readonly getPreviousPageParam: (page: CachedPage<Item>) => PageParam | null
}

/** The options of a mutation. Its function invalidates the queries that the write affects, independent of added callbacks. */
export interface WriteMutation<Variables, Data> {
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (variables: Variables, context: { readonly client: Invalidating }) => Promise<Data>
}
