import { type AnyQuery, queryString } from './query-string.js'
import { type RawDocument, readData, readLinkage } from './read-document.js'
import { type Answer, type RequestSettings, retryAfter, sendRequest, sleep } from './send-request.js'
import { linkageData, resourceObject, type SentLinkage, type SentResource } from './write-document.js'

/** The settings of a client at run time. */
export interface ClientContext extends RequestSettings {
  /** Without a slash at its end. */
  readonly url: string
  /** Path segments that differ from the names: of types by `type`, of relations by `type.relation`. */
  readonly paths: Readonly<Record<string, string>>
}

/** The options of a request at run time. */
export interface CallOptions extends AnyQuery {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly timeout?: number
  readonly ifMatch?: string
  readonly ifNoneMatch?: string
  readonly idempotencyKey?: string | true
  readonly prefer?: string
  readonly dryRun?: boolean
  readonly method?: string
}

const mediaType = 'application/vnd.api+json'
const countProfile = 'https://haddowg.github.io/json-api/profiles/countable/'

/** Sends a request of the JSON:API, and returns the response. */
export function call(
  context: ClientContext,
  method: string,
  url: string,
  options: CallOptions = {},
  body?: { readonly content: RequestInit['body']; readonly type: string },
): Promise<Answer> {
  const { ifMatch, ifNoneMatch, idempotencyKey, prefer, dryRun = false, count, headers, signal, timeout } = options
  const preferences = [...(prefer === undefined ? [] : [prefer]), ...(dryRun ? ['tx=rollback'] : [])]
  const key = idempotencyKey === true ? crypto.randomUUID() : idempotencyKey
  return sendRequest(
    {
      method,
      url,
      headers: {
        Accept: count === undefined ? mediaType : `${mediaType}; profile="${countProfile}"`,
        ...(body === undefined ? {} : { 'Content-Type': body.type }),
        ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { 'If-None-Match': ifNoneMatch }),
        ...(key === undefined ? {} : { 'Idempotency-Key': JSON.stringify(key) }),
        ...(preferences.length === 0 ? {} : { Prefer: preferences.join(', ') }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: body.content }),
      ...(signal === undefined ? {} : { signal }),
      ...(timeout === undefined ? {} : { timeout }),
      isRepeatable: method === 'GET' || key !== undefined,
    },
    context,
  )
}

/** A document as the body of a request. */
function documentBody(data: unknown): { readonly content: string; readonly type: string } {
  return { content: JSON.stringify({ data }), type: mediaType }
}

/** The verbs of one type. The types of the client say which of them it has. */
export class TypeVerbs {
  readonly #context: ClientContext
  readonly #type: string
  readonly #path: string

  constructor(context: ClientContext, type: string) {
    this.#context = context
    this.#type = type
    this.#path = `${context.url}/${encodeURIComponent(context.paths[type] ?? type)}`
  }

  list(query: CallOptions = {}): Promise<AnyPage> {
    return this.#page(`${this.#path}${queryString(query)}`, query)
  }

  async *pages(query: CallOptions = {}): AsyncGenerator<AnyPage> {
    for (let page: AnyPage | null = await this.list(query); page !== null; page = await page.next()) yield page
  }

  async *each(query: CallOptions = {}): AsyncGenerator<unknown> {
    for await (const page of this.pages(query)) yield* page.data
  }

  async first(query: CallOptions): Promise<unknown> {
    const { document } = await call(this.#context, 'GET', `${this.#path}${queryString(query)}`, query)
    return readData(document, query.include)
  }

  async get(id: string, query: CallOptions = {}): Promise<object> {
    return this.#outcome(await call(this.#context, 'GET', `${this.#at(id)}${queryString(query)}`, query), query)
  }

  async getIfChanged(id: string, etag: string, query: CallOptions = {}): Promise<object | null> {
    const answer = await call(this.#context, 'GET', `${this.#at(id)}${queryString(query)}`, {
      ...query,
      ifNoneMatch: etag,
    })
    return answer.status === 304 ? null : this.#outcome(answer, query)
  }

  async related(id: string, relation: string, query: CallOptions = {}): Promise<object> {
    const url = `${this.#at(id)}/${this.#segment(relation)}${queryString(query)}`
    const answer = await call(this.#context, 'GET', url, query)
    return Array.isArray(answer.document.data) ? this.#pageOf(answer, url, query) : this.#outcome(answer, query)
  }

  async linkage(id: string, relation: string, options: CallOptions = {}): Promise<object> {
    return linkageOutcome(await call(this.#context, 'GET', this.#relationship(id, relation), options))
  }

  async create(resource: SentResource, options: CallOptions = {}): Promise<object> {
    const body = documentBody(resourceObject(this.#type, resource))
    return this.#outcome(
      await call(this.#context, 'POST', `${this.#path}${queryString(options)}`, options, body),
      options,
    )
  }

  async update(id: string, changes: SentResource, options: CallOptions = {}): Promise<object> {
    const body = documentBody(resourceObject(this.#type, { ...changes, id }))
    return this.#outcome(
      await call(this.#context, 'PATCH', `${this.#at(id)}${queryString(options)}`, options, body),
      options,
    )
  }

  async delete(id: string, options: CallOptions = {}): Promise<object> {
    return this.#outcome(await call(this.#context, 'DELETE', this.#at(id), options), options)
  }

  add(id: string, relation: string, members: SentLinkage, options?: CallOptions): Promise<object> {
    return this.#change('POST', id, relation, { members, options })
  }

  remove(id: string, relation: string, members: SentLinkage, options?: CallOptions): Promise<object> {
    return this.#change('DELETE', id, relation, { members, options })
  }

  replace(id: string, relation: string, members: SentLinkage, options?: CallOptions): Promise<object> {
    return this.#change('PATCH', id, relation, { members, options })
  }

  act(id: string, action: string, input?: ActionInput | null, options?: CallOptions): Promise<object> {
    return this.#run(`${this.#at(id)}/-actions/${encodeURIComponent(action)}`, input, options)
  }

  run(action: string, input?: ActionInput | null, options?: CallOptions): Promise<object> {
    return this.#run(`${this.#path}/-actions/${encodeURIComponent(action)}`, input, options)
  }

  /** A finished job redirects to its result. `fetch` follows that; one that does not has the status 303. */
  async wait(job: { readonly id: string }, options: WaitOptions = {}): Promise<object> {
    for (;;) {
      const answer = await call(this.#context, 'GET', this.#at(job.id), options)
      const location = answer.status === 303 ? answer.headers.get('Location') : null
      if (location !== null)
        return this.#outcome(await call(this.#context, 'GET', this.#sameServer(location), options), {})
      if (answer.isRedirected) return this.#outcome(answer, {})
      options.onProgress?.(readData(answer.document))
      const seconds = retryAfter(answer.headers)
      await sleep(seconds === null ? (options.interval ?? 1000) : seconds * 1000, options.signal)
    }
  }

  #at(id: string): string {
    return `${this.#path}/${encodeURIComponent(id)}`
  }

  #segment(relation: string): string {
    return encodeURIComponent(this.#context.paths[`${this.#type}.${relation}`] ?? relation)
  }

  #relationship(id: string, relation: string): string {
    return `${this.#at(id)}/relationships/${this.#segment(relation)}`
  }

  /** Returns the URL of the same path at the server of the client, so that no other server gets its headers. */
  #sameServer(location: string): string {
    const { pathname, search } = new URL(location, this.#path)
    return new URL(pathname + search, this.#path).href
  }

  async #change(
    method: string,
    id: string,
    relation: string,
    { members, options = {} }: { readonly members: SentLinkage; readonly options: CallOptions | undefined },
  ): Promise<object> {
    const body = documentBody(linkageData(members))
    return linkageOutcome(await call(this.#context, method, this.#relationship(id, relation), options, body))
  }

  async #run(url: string, input: ActionInput | null | undefined, options: CallOptions = {}): Promise<object> {
    const body = input === null || input === undefined ? undefined : inputBody(this.#type, input)
    return this.#outcome(
      await call(this.#context, options.method ?? 'POST', `${url}${queryString(options)}`, options, body),
      options,
    )
  }

  async #page(url: string, query: CallOptions): Promise<AnyPage> {
    return this.#pageOf(await call(this.#context, 'GET', url, query), url, query)
  }

  #pageOf({ document, status, headers }: Answer, url: string, query: CallOptions): AnyPage {
    const { meta = {}, links = {} } = document
    const total = meta['total'] ?? (meta['page'] as { readonly total?: unknown } | undefined)?.total
    const follow = (link: unknown): Promise<AnyPage | null> => {
      const target = hrefOf(link)
      // Only the query is taken over: the server may know itself by another address.
      if (target === null) return Promise.resolve(null)
      return this.#page(`${url.split('?')[0]}${new URL(target, url).search}`, query)
    }
    return {
      status,
      data: readData(document, query.include) as readonly unknown[],
      meta,
      links,
      etag: headers.get('ETag'),
      total: typeof total === 'number' ? total : null,
      next: () => follow(links['next']),
      previous: () => follow(links['prev']),
    }
  }

  #outcome({ status, headers, document }: Answer, { include }: AnyQuery): object {
    const { meta = {}, links = {} } = document
    const parts = { status, meta, links, etag: headers.get('ETag') }
    const data = document.data === undefined ? null : readData(document, include)
    return status === 202 ? { ...parts, job: data, retryAfter: retryAfter(headers) } : { ...parts, data }
  }
}

/** A page at run time. */
export interface AnyPage {
  readonly status: number
  readonly data: readonly unknown[]
  readonly meta: RawDocument['meta']
  readonly links: RawDocument['links']
  readonly etag: string | null
  readonly total: number | null
  next(): Promise<AnyPage | null>
  previous(): Promise<AnyPage | null>
}

interface WaitOptions extends CallOptions {
  readonly interval?: number
  readonly onProgress?: (job: unknown) => void
}

/** The input of an action: bytes with their type, or a resource. */
type ActionInput = SentResource & { readonly body?: RequestInit['body']; readonly contentType?: string }

function inputBody(type: string, input: ActionInput): { readonly content: RequestInit['body']; readonly type: string } {
  const { body, contentType } = input
  return contentType === undefined ? documentBody(resourceObject(type, input)) : { content: body, type: contentType }
}

function linkageOutcome({ status, headers, document }: Answer): object {
  const { meta = {}, links = {}, data } = document
  return { status, meta, links, etag: headers.get('ETag'), data: data === undefined ? null : readLinkage(document) }
}

/** A link is a URL, or an object with one. */
function hrefOf(link: unknown): string | null {
  if (typeof link === 'string') return link
  const { href } = (link ?? {}) as { readonly href?: unknown }
  return typeof href === 'string' ? href : null
}
