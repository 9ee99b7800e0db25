import { type CallOptions, callServer, type ClientContext } from './call-server.js'
import { queryString } from './query-string.js'
import type { RawDocument } from './read-document.js'
import type { EstimatedTotal } from './results.js'
import type { SuccessResponse } from './send-request.js'
import { queryOf } from './type-address.js'

/** A page at run time. */
export interface AnyPage {
  readonly status: number
  readonly data: readonly unknown[]
  readonly meta: RawDocument['meta']
  readonly links: RawDocument['links']
  readonly etag: string | null
  readonly total: number | null
  readonly estimatedTotal: EstimatedTotal | null
  readonly nextPage: PageData | null
  readonly previousPage: PageData | null
  next(): Promise<AnyPage | null>
  previous(): Promise<AnyPage | null>
}

/** The members of `meta.page` that the client uses. */
interface PageMeta {
  readonly total?: unknown
  readonly estimatedTotal?: EstimatedTotal
  readonly unlinked?: Readonly<Partial<Record<string, Record<string, string>>>>
}

/** The `page` of a query. */
type PageData = Readonly<Record<string, string | number>>

/** A request for a page, and how its document is read. */
export interface PageRequest {
  readonly context: ClientContext
  /** Without a query string. */
  readonly url: string
  readonly query: CallOptions
  readonly read: (document: RawDocument) => unknown
}

/** Reads the page that the query names. */
export async function readPage(request: PageRequest, search: string = queryString(request.query)): Promise<AnyPage> {
  return pageOf(request, await callServer(request.context, 'GET', `${request.url}${search}`, request.query))
}

/** Reads the page that the query names, and all that follow. */
export async function* readPages(request: PageRequest): AsyncGenerator<AnyPage> {
  for (let page: AnyPage | null = await readPage(request); page !== null; page = await page.next()) yield page
}

/** Reads the members of the page that the query names, and of all that follow. */
export async function* readItems(request: PageRequest): AsyncGenerator {
  for await (const page of readPages(request)) yield* page.data
}

/** Returns the page in a response. */
export function pageOf(request: PageRequest, { status, headers, document }: SuccessResponse): AnyPage {
  const { meta = {}, links = {} } = document
  const page = (meta['page'] ?? {}) as PageMeta
  const total = meta['total'] ?? page.total
  // A page that has no URL, or one that would be too long, has no link. Its query is that of this page, with other parameters of the page.
  const parametersTo = (name: 'next' | 'prev'): PageData | null => {
    const search = page.unlinked?.[name] ?? queryOf(links[name])
    return search === null ? null : parametersOf(search)
  }
  const [nextPage, previousPage] = [parametersTo('next'), parametersTo('prev')]
  // Only the query of a link is used: the address of the server in its links may differ.
  const follow = async (name: 'next' | 'prev', parameters: PageData | null): Promise<AnyPage | null> => {
    if (parameters === null) return null
    const isLinked = page.unlinked?.[name] === undefined
    return isLinked
      ? readPage(request, queryOf(links[name]) ?? '')
      : readPage({ ...request, query: { ...request.query, page: parameters } })
  }
  return {
    status,
    // After a singular filter, the document has one resource or `null`.
    data: [request.read(document) ?? []].flat(),
    meta,
    links,
    etag: headers.get('ETag'),
    total: typeof total === 'number' ? total : null,
    estimatedTotal: page.estimatedTotal ?? null,
    nextPage,
    previousPage,
    next: () => follow('next', nextPage),
    previous: () => follow('prev', previousPage),
  }
}

/**
 * Returns the `page` of the parameters of a page. Paginators have no other parameters.
 * https://jsonapi.org/format/1.1/#fetching-pagination
 */
function parametersOf(search: string | Record<string, string>): PageData {
  const parameters = [...new URLSearchParams(search)].flatMap(([name, value]) => {
    const key = /^page\[(.+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, isNumber(key, value) ? Number(value) : value] as const]
  })
  return Object.fromEntries(parameters)
}

/** All parameters except cursors are numbers. A cursor with another name is sent with the same characters, even if it was converted to a number. */
function isNumber(key: string, value: string): boolean {
  return key !== 'after' && key !== 'before' && /^(?:0|[1-9]\d{0,14})$/.test(value)
}
