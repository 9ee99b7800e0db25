import { type AnyQuery, hasOperators, queryDocument } from './query-string.js'
import {
  type SuccessResponse,
  type HeaderValues,
  type RequestSettings,
  type SentRequest,
  sendRequest,
} from './send-request.js'

/** The settings of a client at run time. */
export interface ClientContext extends RequestSettings {
  /** Without a slash at its end. */
  readonly url: string
  /** Path segments that differ from the names, by `type` for types and by `type.relation` for relations. */
  readonly paths: ReadonlyMap<string, string>
}

/** The options of a request at run time. */
export interface CallOptions extends AnyQuery {
  readonly headers?: HeaderValues | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  readonly ifMatch?: string | null
  readonly ifNoneMatch?: string | null
  readonly idempotencyKey?: string | true
  readonly prefer?: string
  readonly dryRun?: boolean
  readonly method?: string
  /** Whether the response may be bytes. */
  readonly mayBeBytes?: boolean
  /** Whether the response is an export. */
  readonly isExport?: boolean
}

/** The body of a request. */
export interface SentBody {
  readonly content: RequestInit['body']
  readonly type: string
}

const mediaType = 'application/vnd.api+json'
const countProfile = 'https://haddowg.github.io/json-api/profiles/countable/'

/** Sends a JSON:API request, and returns the response. */
export function callServer(
  context: ClientContext,
  method: string,
  url: string,
  options: CallOptions = {},
  body?: SentBody,
): Promise<SuccessResponse> {
  const { idempotencyKey, signal, timeout, mayBeBytes = false, isExport = false } = options
  const key = idempotencyKey === true ? randomKey() : idempotencyKey
  const query = method === 'GET' ? queryRequest(url, context, options) : null
  const headers = {
    Accept: acceptedType(options, body),
    'Content-Type': query?.type ?? body?.type,
    'If-Match': options.ifMatch,
    'If-None-Match': options.ifNoneMatch,
    'Idempotency-Key': key === undefined ? null : JSON.stringify(key),
    Prefer: preferenceOf(options),
  }
  const given = Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string')
  const isRepeatable = method === 'GET' || key !== undefined
  const request = {
    method,
    url,
    headers: [Object.fromEntries(given), options.headers],
    signal,
    timeout,
    isRepeatable,
    mayBeBytes,
    isExport,
  }
  return sendRequest({ ...request, body: body?.content ?? null, ...query?.request }, context)
}

/** Many servers and proxies refuse longer URLs. */
const maxUrlLength = 8000

/** A QUERY request, and the type of its body. */
interface QueryRequest {
  readonly request: Pick<SentRequest, 'method' | 'url' | 'body'>
  readonly type: string
}

/** Returns the QUERY request that replaces a GET request; `null` if the URL may have the parameters. No URL can combine filters. */
function queryRequest(
  url: string,
  { queryMethod = 'whenLong' }: ClientContext,
  options: CallOptions,
): QueryRequest | null {
  const [path = '', body = ''] = url.split(/\?(.*)/s)
  const isQuery = queryMethod === 'always' || (queryMethod === 'whenLong' && url.length > maxUrlLength)
  const request = { method: 'QUERY', url: path }
  if (hasOperators(options)) return { request: { ...request, body: queryDocument(options) }, type: 'application/json' }
  return isQuery ? { request: { ...request, body }, type: 'application/x-www-form-urlencoded' } : null
}

/** Counts need their profile. The response to a batch has the extension of the request. */
function acceptedType({ count, mayBeBytes, isExport }: CallOptions, body: SentBody | undefined): string {
  if (isExport === true) return 'application/x-ndjson'
  if (mayBeBytes === true) return `${mediaType}, */*;q=0.1`
  if (count !== undefined) return `${mediaType}; profile="${countProfile}"`
  return body?.type.startsWith(mediaType) === true ? body.type : mediaType
}

/** A server that cannot roll back must refuse a dry run. Without `handling=strict` it would write. */
function preferenceOf({ prefer, dryRun = false }: CallOptions): string | null {
  if (!dryRun) return prefer ?? null
  return `${prefer === undefined ? '' : `${prefer}, `}handling=strict, tx=rollback`
}

/** `crypto.randomUUID` is missing on pages without HTTPS. */
function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

/** Returns a document as the body of a request. */
export function documentBody(document: object, parameters = ''): SentBody {
  return { content: JSON.stringify(document), type: `${mediaType}${parameters}` }
}
