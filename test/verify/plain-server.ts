import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Article {
  title: string
  words: number
  author: string | null
}

interface Reply {
  readonly status: number
  readonly document?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const mediaType = 'application/vnd.api+json'

/**
 * A small server of JSON:API 1.0 that has nothing of Ashlar: written by hand, with relative links, pages by offset, no
 * OpenAPI document, no inclusion, no addresses of relationships, and errors with hardly any members.
 */
export class PlainServer {
  readonly people = new Map([
    ['7', { name: 'Ann' }],
    ['8', { name: 'Bob' }],
  ])
  readonly articles = new Map<string, Article>([
    ['1', { title: 'First', words: 120, author: '7' }],
    ['2', { title: 'Second', words: 80, author: '8' }],
    ['3', { title: 'Third', words: 300, author: null }],
  ])
  readonly requests: string[] = []
  /** Faults: the status of responses to a request such as `GET /articles/1`. */
  readonly faults = new Map<string, number>()
  /** The `Authorization` that every request needs; `null` for none. */
  authorization: string | null = null
  /** How many requests had another one. */
  refused = 0
  #next = 4
  readonly #server: Server = createServer((request, response) => void this.#serve(request, response))

  /** Listens on a free port, and returns the URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, document, headers = {} } = await this.#reply(request)
    const type = document === undefined ? {} : { 'Content-Type': mediaType }
    response.writeHead(status, { ...type, ...headers })
    response.end(document === undefined || request.method === 'HEAD' ? '' : JSON.stringify(document))
  }

  async #reply(request: IncomingMessage): Promise<Reply> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const line = `${request.method} ${url.pathname}`
    this.requests.push(line)
    const fault = this.faults.get(line)
    if (fault !== undefined) return { status: fault, headers: { Allow: 'GET', 'Retry-After': '0' } }
    if (this.authorization !== null && request.headers.authorization !== this.authorization) {
      this.refused += 1
      return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }
    }
    if (!isAcceptable(request.headers.accept ?? '*/*')) return { status: 406 }
    const [, collection, id, relation, ...rest] = url.pathname.split('/')
    if (collection === '' || rest.length > 0) return error(404)
    if (request.method === 'GET' || request.method === 'HEAD') return this.#read(url, { collection, id, relation })
    return this.#write(request, { collection, id, relation })
  }

  #read(url: URL, { collection, id, relation }: Target): Reply {
    if (![...url.searchParams.keys()].every((name) => ['sort', 'page[offset]'].includes(name))) return error(400)
    if (collection === 'people') return this.#people(url, id, relation)
    if (collection !== 'articles') return error(404)
    if (id === undefined) return this.#page(url)
    const article = this.articles.get(id)
    if (article === undefined || url.search !== '') return error(article === undefined ? 404 : 400)
    if (relation === undefined) return ok(articleResource(id, article))
    if (relation !== 'author') return error(404)
    const { author } = article
    return ok(author === null ? null : personResource(author, this.people.get(author)?.name ?? ''))
  }

  #people(url: URL, id: string | undefined, relation: string | undefined): Reply {
    if (url.search !== '' || relation !== undefined) return error(relation === undefined ? 400 : 404)
    if (id === undefined) return ok([...this.people].map(([key, { name }]) => personResource(key, name)))
    const person = this.people.get(id)
    return person === undefined ? error(404) : ok(personResource(id, person.name))
  }

  #page(url: URL): Reply {
    const sort = url.searchParams.get('sort') ?? ''
    if (!['', 'words', '-words'].includes(sort)) return error(400)
    const rows = [...this.articles]
    if (sort !== '') rows.sort(([, a], [, b]) => (sort === 'words' ? a.words - b.words : b.words - a.words))
    const offset = Number(url.searchParams.get('page[offset]') ?? 0)
    const link = (at: number): string => `/articles?${sort === '' ? '' : `sort=${sort}&`}page[offset]=${at}`
    return {
      status: 200,
      document: {
        data: rows.slice(offset, offset + 2).map(([id, article]) => articleResource(id, article)),
        links: {
          prev: offset > 0 ? link(Math.max(0, offset - 2)) : null,
          next: offset + 2 < rows.length ? link(offset + 2) : null,
        },
      },
    }
  }

  async #write(request: IncomingMessage, { collection, id, relation }: Target): Promise<Reply> {
    if (collection !== 'articles' || relation !== undefined) return { status: 405, headers: { Allow: 'GET, HEAD' } }
    if (id !== undefined && !this.articles.has(id)) return error(404)
    if (request.method === 'DELETE' && id !== undefined) {
      this.articles.delete(id)
      return { status: 204 }
    }
    if (request.headers['content-type'] !== mediaType) return { status: 415 }
    const data = await sentData(request)
    if (data === null) return error(400)
    if (data.type !== 'articles' || data.id !== id) return error(data.id === undefined || id !== undefined ? 409 : 403)
    const author = data.relationships?.author?.data
    if (author && !this.people.has(author.id)) return error(404)
    const key = id ?? String(this.#next++)
    const before = this.articles.get(key) ?? { title: '', words: 0, author: null }
    const after = { ...before, ...data.attributes, ...(author === undefined ? {} : { author: author?.id ?? null }) }
    this.articles.set(key, after)
    const location = id === undefined ? { Location: `/articles/${key}` } : {}
    return { status: id === undefined ? 201 : 200, document: { data: articleResource(key, after) }, headers: location }
  }
}

interface Target {
  readonly collection: string | undefined
  readonly id: string | undefined
  readonly relation: string | undefined
}

interface SentResource {
  readonly type?: string
  readonly id?: string
  readonly attributes?: Partial<Article>
  readonly relationships?: { readonly author?: { readonly data?: { readonly id: string } | null } }
}

async function sentData(request: IncomingMessage): Promise<SentResource | null> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  try {
    const { data } = JSON.parse(text) as { data?: SentResource }
    return data === undefined || Array.isArray(data) || data.type === undefined ? null : data
  } catch {
    return null
  }
}

/** One instance of the media type without parameters is enough; a weight is no parameter. */
function isAcceptable(accept: string): boolean {
  const instances = accept.split(',').filter((each) => each.includes(mediaType))
  return instances.length === 0 || instances.some((each) => !each.replace(/;\s*q=[\d.]+/, '').includes(';'))
}

function articleResource(id: string, { title, words, author }: Article) {
  return {
    type: 'articles',
    id,
    attributes: { title, words },
    relationships: {
      author: {
        links: { related: `/articles/${id}/author` },
        data: author === null ? null : { type: 'people', id: author },
      },
    },
    links: { self: `/articles/${id}` },
  }
}

function personResource(id: string, name: string) {
  return { type: 'people', id, attributes: { name }, links: { self: { href: `/people/${id}` } } }
}

function ok(data: unknown): Reply {
  return { status: 200, document: { data } }
}

function error(status: number): Reply {
  return { status, document: { errors: [{ title: `Error ${status}` }] } }
}
