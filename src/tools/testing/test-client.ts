import { FORM, MEDIA_TYPE } from '../../core/document/media-type.js'
import { isBodyStream, wholeBody } from '../../core/http/body-stream.js'
import type { HttpRequest } from '../../core/http/request.js'
import { QUERY } from '../../core/http/request-method.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Caller } from '../../declare/resource/request/registered.js'
import type { ServerHandle } from '../../server/journey/create-server.js'
import { formatProblems } from './document-problems.js'
import { type RequestFacts, responseProblems } from './response-problems.js'
import type { TestResponse } from './test-response.js'
import { testResponse } from './test-response.js'

/** The headers, body and caller of a request. */
export interface TestRequestOptions {
  /** Overrides headers of the client; `null` removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** A body that is sent unchanged, instead of JSON. */
  readonly raw?: string | Uint8Array
  /** The caller of the request, instead of the caller of the client. */
  readonly caller?: Caller
}

export interface TestClientOptions {
  /** The scheme and host of every request. Default: `http://localhost`. */
  readonly origin?: string
  /** Headers of every request; `null` removes a default header. */
  readonly headers?: Readonly<Record<string, string | null>>
  /**
   * The caller of the requests; `null` for anonymous requests. Middleware of `authenticate()`, `jwtBearer()` and `apiKeys()` uses it
   * without checking credentials; all other middleware runs as usual. Default: the credentials of each request.
   */
  readonly caller?: Caller
  /** Whether every response is checked against JSON:API. Default: true. */
  readonly validate?: boolean
  /** Called with every response, valid or not. */
  readonly onResponse?: (response: TestResponse, request: HttpRequest) => void
}

/** Sends requests to a server without a socket. */
export interface TestClient {
  get(path: string, options?: TestRequestOptions): Promise<TestResponse>
  /** Sends a QUERY request with a query string as its body: `client.query('/albums', 'filter[id]=1,2')`. */
  query(path: string, query: string, options?: TestRequestOptions): Promise<TestResponse>
  post(path: string, options?: TestRequestOptions): Promise<TestResponse>
  patch(path: string, options?: TestRequestOptions): Promise<TestResponse>
  put(path: string, options?: TestRequestOptions): Promise<TestResponse>
  delete(path: string, options?: TestRequestOptions): Promise<TestResponse>
  request(method: string, path: string, options?: TestRequestOptions): Promise<TestResponse>
}

/**
 * Creates a client for tests. It calls the server in the same process, sends the JSON:API media type by default, and
 * throws if a response violates JSON:API.
 *
 * @example
 * ```ts
 * const client = testClient(server)
 * const response = await client.post('/albums', { body: { data: { type: 'albums', attributes: { title: 'Kid A' } } } })
 * response.status // 201
 * response.resource.attributes // { title: 'Kid A' }
 * ```
 */
export function testClient(server: { readonly handle: ServerHandle }, options: TestClientOptions = {}): TestClient {
  const request: TestClient['request'] = async (method, path, sent = {}) => {
    const outgoing = httpRequest(method, path, sent, options)
    const { caller } = 'caller' in sent ? sent : options
    const handled = server.handle(outgoing, caller === undefined ? {} : { caller })
    const response = testResponse(await withWholeBody(await handled), method)
    options.onResponse?.(response, outgoing)
    if (options.validate !== false) assertResponse(response, { method, path, accept: outgoing.header('accept') })
    return response
  }
  return Object.freeze({
    request,
    get: (path: string, sent?: TestRequestOptions) => request('GET', path, sent),
    query: (path: string, query: string, sent?: TestRequestOptions) => request(...queryRequest(path, query, sent)),
    post: (path: string, sent?: TestRequestOptions) => request('POST', path, sent),
    patch: (path: string, sent?: TestRequestOptions) => request('PATCH', path, sent),
    put: (path: string, sent?: TestRequestOptions) => request('PUT', path, sent),
    delete: (path: string, sent?: TestRequestOptions) => request('DELETE', path, sent),
  })
}

/** Rejects if a streamed body fails: its client gets an error, too. */
async function withWholeBody(response: HttpResponse): Promise<HttpResponse> {
  const { body } = response
  return isBodyStream(body) ? { ...response, body: await wholeBody(body, Number.POSITIVE_INFINITY) } : response
}

/** Returns the arguments of `request()` for a QUERY request. */
export function queryRequest(
  path: string,
  query: string,
  sent: TestRequestOptions = {},
): [method: string, path: string, sent: TestRequestOptions] {
  return [QUERY, path, { ...sent, headers: { 'Content-Type': FORM, ...sent.headers }, raw: query }]
}

function assertResponse(response: TestResponse, request: RequestFacts): void {
  const problems = responseProblems(response, request)
  const { method, path } = request
  if (problems.length === 0) return
  throw new Error(
    `The response ${response.status} to ${method} ${path} violates JSON:API:\n${formatProblems(problems)}`,
  )
}

function httpRequest(
  method: string,
  target: string,
  sent: TestRequestOptions,
  { origin = 'http://localhost', headers = {} }: TestClientOptions,
): HttpRequest {
  const bytes = bodyOf(sent)
  const all = headersOf(
    { Accept: MEDIA_TYPE, ...(bytes === null ? {} : { 'Content-Type': MEDIA_TYPE }) },
    headers,
    sent.headers ?? {},
  )
  const mark = target.indexOf('?')
  return Object.freeze({
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    origin,
    header: (name: string) => all.get(name.toLowerCase()),
    hasBody: bytes !== null,
    body: async (limit: number) => (bytes !== null && bytes.byteLength > limit ? ('too-large' as const) : bytes),
  })
}

function bodyOf({ body, raw }: TestRequestOptions): Uint8Array | null {
  const content = raw ?? (body === undefined ? null : JSON.stringify(body))
  if (content === null || content.length === 0) return null
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}

function headersOf(...layers: readonly Readonly<Record<string, string | null>>[]): ReadonlyMap<string, string> {
  const all = new Map<string, string>()
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === null) all.delete(name.toLowerCase())
      else all.set(name.toLowerCase(), value)
    }
  }
  return all
}
