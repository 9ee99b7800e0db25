import { MEDIA_TYPE, type MediaType, parseMediaTypes } from '../../../core/document/media-type.js'
import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'

export type Method = 'GET' | 'HEAD' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as it is sent. */
export interface SentRequest {
  readonly method: Method
  /** An absolute URL. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** A response as it is received. */
export interface ReceivedResponse {
  readonly status: number
  /** By names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}

/** A request with its response. */
export interface Exchange {
  readonly request: SentRequest
  /** The response; its status is 0 if the server has not responded. */
  readonly response: ReceivedResponse
  /** The reason why there is no response; `null` if there is one. */
  readonly failure: string | null
  /** The body as JSON; `undefined` if it is none. */
  readonly document: unknown
  readonly mediaTypes: readonly MediaType[]
}

/** Creates an exchange of a request and its response. */
export function exchangeOf(request: SentRequest, response: ReceivedResponse): Exchange {
  return {
    request,
    response,
    failure: null,
    document: jsonOf(response.text),
    mediaTypes: parseMediaTypes(response.headers.get('content-type') ?? ''),
  }
}

/** Creates an exchange without a response. */
export function failedExchange(request: SentRequest, failure: string): Exchange {
  const response = { status: 0, headers: new Map<string, string>(), text: '' }
  return { request, response, failure, document: undefined, mediaTypes: [] }
}

function jsonOf(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns the query of a request: that of its URL, or of its body. */
export function sentQuery({ method, url, body }: SentRequest): URLSearchParams {
  return method === 'QUERY' ? new URLSearchParams(body ?? '') : new URL(url).searchParams
}

/** Returns whether a response has the media type of JSON:API. */
export function isJsonApi({ mediaTypes }: Exchange): boolean {
  return mediaTypes.some(({ name }) => name === MEDIA_TYPE)
}

/** Returns the document of a successful response that has primary data; `null` if it has none. */
export function dataDocument({ response, document }: Exchange): JsonObject | null {
  const isRead = response.status === 200 && isJsonObject(document) && Object.hasOwn(document, 'data')
  return isRead ? document : null
}

/** Returns whether a response is caused by the state of the server or the network, and not by the request. */
export function isInconclusive({ response: { status } }: Exchange): boolean {
  return status === 0 || status === 408 || status === 429 || status === 503
}

/** Returns whether the server has refused the caller. */
export function isRefused({ response: { status } }: Exchange): boolean {
  return status === 401 || status === 403
}

/** Describes a response in a sentence: `GET /albums responded 200`. */
export function responded({ request, response, failure }: Exchange): string {
  const { pathname, search } = new URL(request.url)
  const end = failure === null ? `responded ${response.status}` : `got no response (${failure})`
  return `${request.method} ${pathname}${search} ${end}`
}
