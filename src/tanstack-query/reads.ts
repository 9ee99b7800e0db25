import type { CallOptions } from '../client/type-verbs.js'
import type { PageParam } from './options.js'

/** The options of a query at run time. */
interface AnyReadOptions {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam?: PageParam }) => Promise<unknown>
}

/** Sends a read with the options of a query. */
type SendRead = (options: CallOptions) => Promise<object | null>

/** Returns the options of a query. */
export function readOptions(key: readonly unknown[], query: CallOptions, send: SendRead): AnyReadOptions {
  return {
    queryKey: [...key, keyOf(query)],
    queryFn: async ({ signal }) => withoutFunctions(await send({ ...query, signal })),
  }
}

/** Returns the options of an infinite query. */
export function infiniteOptions(key: readonly unknown[], query: CallOptions, send: SendRead): object {
  return {
    queryKey: [...key, keyOf(query)],
    queryFn: async ({ signal, pageParam }: { readonly signal: AbortSignal; readonly pageParam: PageParam }) =>
      withoutFunctions(await send({ ...query, page: pageParam, signal })),
    initialPageParam: query.page ?? {},
    getNextPageParam: ({ links }: LinkedPage) => pageOf(links['next']),
    getPreviousPageParam: ({ links }: LinkedPage) => pageOf(links['prev']),
  }
}

interface LinkedPage {
  readonly links: Readonly<Record<string, unknown>>
}

/** The part of a query that the response depends on. */
function keyOf({ timeout: _, ...query }: CallOptions): object {
  return query
}

/** Removes the functions of a page, which can be neither serialized nor compared. */
function withoutFunctions(result: object | null): unknown {
  if (result === null) return null
  const { next: _next, previous: _previous, ...plain } = result as Record<'next' | 'previous', unknown>
  return plain
}

/**
 * Returns the parameters of the page that a link leads to; `null` if there is no link. All else of the link is in the query already, whatever
 * the paginator is: https://jsonapi.org/format/1.1/#fetching-pagination reserves the family `page` for it.
 */
function pageOf(link: unknown): PageParam | null {
  const { href = link } = (link ?? {}) as { readonly href?: unknown }
  if (typeof href !== 'string') return null
  const { searchParams } = new URL(href, 'http://localhost')
  return Object.fromEntries(
    [...searchParams].flatMap(([name, value]) => {
      const parameter = /^page\[(.+)\]$/.exec(name)?.[1]
      return parameter === undefined ? [] : [[parameter, value]]
    }),
  )
}
