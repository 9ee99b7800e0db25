import type { PageParam } from './options.js'

/** A query at run time. The types of `Queries` define its members. */
export interface AnyQuery extends Readonly<Record<string, unknown>> {
  readonly page?: PageParam
}

/** Sends a read, with a query and the signal of TanStack Query. */
type SendRead = (query: AnyQuery) => Promise<object | null>

/** The argument that TanStack Query passes to the function of a query. */
interface ReadContext {
  readonly signal: AbortSignal
  readonly pageParam: PageParam
}

interface AnyPage {
  readonly nextPage: PageParam | null
  readonly previousPage: PageParam | null
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
    getNextPageParam: ({ nextPage }: AnyPage) => nextPage,
    getPreviousPageParam: ({ previousPage }: AnyPage) => previousPage,
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
