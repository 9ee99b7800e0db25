import { type CallOptions, callServer, type ClientContext } from './call-server.js'
import { type AnyPage, pageOf, type PageRequest, readItems, readPage, readPages } from './page-reads.js'
import { queryString } from './query-string.js'
import { type RawDocument, type RawResource, readData, readLinkage } from './read-document.js'
import { linkageResult, resourceResult } from './read-result.js'
import { type SuccessResponse, retryAfter, sleep } from './send-request.js'
import type { TypeAddress } from './type-address.js'

interface WaitOptions extends CallOptions {
  readonly interval?: number
  readonly onProgress?: (job: unknown) => void
}

/** The reads of a collection. */
export function collectionReads(context: ClientContext, { collection: url }: TypeAddress): object {
  const request = (query: CallOptions = {}): PageRequest => resourcePages(context, url, query)
  return {
    list: (query?: CallOptions): Promise<AnyPage> => readPage(request(query)),
    pages: (query?: CallOptions): AsyncIterable<AnyPage> => readPages(request(query)),
    each: (query?: CallOptions): AsyncIterable<unknown> => readItems(request(query)),
    first: async (query?: CallOptions): Promise<unknown> => (await readPage(request(query))).data[0] ?? null,
    async *export(query: CallOptions = {}): AsyncGenerator<object> {
      const search = queryString(query)
      yield* (await callServer(context, 'GET', `${url}${search}`, { ...query, isExport: true })).rows ?? []
    },
  }
}

/** The reads of aggregates. */
export function aggregateReads(context: ClientContext, { aggregate }: TypeAddress): object {
  const request = (name: string, query: CallOptions = {}): PageRequest => resourcePages(context, aggregate(name), query)
  return {
    aggregate: (name: string, query?: CallOptions): Promise<AnyPage> => readPage(request(name, query)),
    eachGroup: (name: string, query?: CallOptions): AsyncIterable<unknown> => readItems(request(name, query)),
  }
}

/** The reads of one resource. */
export function resourceReads(context: ClientContext, address: TypeAddress): object {
  const read = (id: string, query: CallOptions): Promise<SuccessResponse> => readResource(context, address, id, query)
  return {
    get: async (id: string, query: CallOptions = {}): Promise<object> => resourceResult(await read(id, query), query),
    async getIfChanged(id: string, etag: string | null, query: CallOptions = {}): Promise<object | null> {
      const success = await read(id, { ...query, ifNoneMatch: etag })
      return success.status === 304 ? null : resourceResult(success, query)
    },
  }
}

/** The reads of the members of relations. */
export function relationReads(context: ClientContext, { related, relationship }: TypeAddress): object {
  const members = (id: string, relation: string, query: CallOptions = {}): PageRequest =>
    resourcePages(context, related(id, relation), query)
  const identifiers = (id: string, relation: string, query: CallOptions = {}): PageRequest => ({
    context,
    url: relationship(id, relation),
    query,
    read: readLinkage,
  })
  /** Only the response shows whether the relation is to-many. */
  const read = async (request: PageRequest, toOne: (success: SuccessResponse) => object): Promise<object> => {
    const { query, url } = request
    const success = await callServer(context, 'GET', `${url}${queryString(query)}`, query)
    return Array.isArray(success.document.data) ? pageOf(request, success) : toOne(success)
  }
  return {
    related: async (id: string, relation: string, query: CallOptions = {}): Promise<object> =>
      read(members(id, relation, query), (success) => resourceResult(success, query)),
    relatedPages: (id: string, relation: string, query?: CallOptions): AsyncIterable<AnyPage> =>
      readPages(members(id, relation, query)),
    eachRelated: (id: string, relation: string, query?: CallOptions): AsyncIterable<unknown> =>
      readItems(members(id, relation, query)),
    linkage: async (id: string, relation: string, query?: CallOptions): Promise<object> =>
      read(identifiers(id, relation, query), linkageResult),
    eachLinked: (id: string, relation: string, query?: CallOptions): AsyncIterable<unknown> =>
      readItems(identifiers(id, relation, query)),
  }
}

/** Reads a resource, or the result of a job that is finished: `fetch` follows the redirect, or returns the status 303. */
async function readResource(
  context: ClientContext,
  { resource, sameServer }: TypeAddress,
  id: string,
  query: CallOptions,
): Promise<SuccessResponse> {
  const success = await callServer(context, 'GET', `${resource(id)}${queryString(query)}`, query)
  const location = success.status === 303 ? success.headers.get('Location') : null
  return location === null ? success : callServer(context, 'GET', sameServer(location), query)
}

/** The wait for a job. */
export function jobReads(context: ClientContext, address: TypeAddress, type: string): object {
  const isJob = (id: string, { data }: RawDocument): boolean => {
    const found = data as Partial<RawResource> | null | undefined
    return found?.type === type && found.id === id
  }
  return {
    async wait({ id }: { readonly id: string }, options: WaitOptions = {}): Promise<object> {
      for (;;) {
        const success = await readResource(context, address, id, options)
        if (!isJob(id, success.document)) return resourceResult(success, {})
        options.onProgress?.(readData(success.document))
        const seconds = retryAfter(success.headers) ?? 0
        await sleep(seconds > 0 ? seconds * 1000 : (options.interval ?? 1000), options.signal)
      }
    },
  }
}

function resourcePages(context: ClientContext, url: string, query: CallOptions): PageRequest {
  return { context, url, query, read: (document) => readData(document, query.include) }
}
