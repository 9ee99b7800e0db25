import type { PageParam } from './options.js'

/** A query at run time. The types of `Queries` say what it may have. */
export interface AnyQuery extends Readonly<Record<string, unknown>> {
  readonly page?: PageParam
}

/** Sends a read, with a query and the signal of TanStack Query. */
type SendRead = (query: AnyQuery) => Promise<object | null>

/** What TanStack Query calls the function of a query with. */
interface ReadContext {
  readonly signal: AbortSignal
  readonly pageParam: PageParam
}

interface LinkedPage {
  readonly links: Readonly<Record<string, unknown>>
}

/** Returns the options of a query. */
export function readOptions(key: readonly string[], query: AnyQuery, send: SendRead): object {
  return {
    queryKey: [...key, keyOf(query)],
    queryFn: async ({ signal }: ReadContext) => withoutFunctions(await send({ ...query, signal })),
  }
}

/** Returns the options of an infinite query. */
export function infiniteOptions(key: readonly string[], query: AnyQuery, send: SendRead): object {
  return {
    queryKey: [...key, keyOf(query)],
    queryFn: async ({ signal, pageParam: page }: ReadContext) =>
      withoutFunctions(await send({ ...query, page, signal })),
    initialPageParam: query.page ?? {},
    getNextPageParam: ({ links }: LinkedPage) => pageOf(links['next']),
    getPreviousPageParam: ({ links }: LinkedPage) => pageOf(links['prev']),
  }
}

/** Returns the part of a query that the response depends on. */
function keyOf(query: AnyQuery): object {
  return without(query, 'timeout')
}

/** Removes the functions of a page, which can be neither serialized nor compared. */
function withoutFunctions(result: object | null): object | null {
  return result === null ? null : without(result, 'next', 'previous')
}

function without(value: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))
}

/**
 * Returns the parameters of the page that a link leads to; `null` if there is no link. All other parameters are those of the query, whatever the
 * paginator is: the family `page` is reserved for it. https://jsonapi.org/format/1.1/#fetching-pagination
 */
function pageOf(link: unknown): PageParam | null {
  const { href = link } = (link ?? {}) as { readonly href?: unknown }
  if (typeof href !== 'string') return null
  const { searchParams } = new URL(href, 'http://localhost')
  const parameters = [...searchParams].map(([name, value]) => [/^page\[(.+)\]$/.exec(name)?.[1], value] as const)
  return Object.fromEntries(parameters.filter(([name]) => name !== undefined))
}
