import { ClientError, type ErrorObject } from './client-error.js'
import type { RawDocument } from './read-document.js'

/** How often, and after which time, requests are sent again. */
export interface RetrySettings {
  /** How often a request is sent at most. Default: 3; 1 for no retries. */
  readonly attempts?: number
  /** Milliseconds before the second attempt, which double with each further one. Default: 200. */
  readonly delay?: number
  /** The longest time to wait, in milliseconds, also if `Retry-After` says so. Default: 10,000. */
  readonly maxDelay?: number
}

/** The settings of a client that each request depends on. */
export interface RequestSettings {
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  readonly headers?: HeaderSource
  readonly timeout?: number
  readonly retry?: RetrySettings
}

/** Headers, or a function that returns them for each attempt. */
export type HeaderSource =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** A request, before the headers of the client are added. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: RequestInit['body']
  readonly signal?: AbortSignal
  readonly timeout?: number
  /** Whether the same request may be sent again although the first may have been handled. */
  readonly isRepeatable: boolean
}

/** A successful response. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** Whether the response is that of another URL. */
  readonly isRedirected: boolean
  readonly document: RawDocument
}

/** A repeatable request is sent again after these. After 429 any request is, since the server has not handled it. */
const busy: readonly number[] = [408, 429, 502, 503, 504]

/** Sends a request, again if that is safe, and returns the response. Throws a `ClientError` for any that is no success. */
export async function sendRequest(request: SentRequest, settings: RequestSettings): Promise<Answer> {
  const { attempts = 3 } = settings.retry ?? {}
  for (let attempt = 1; ; attempt += 1) {
    const response = await attemptRequest(request, settings, attempt < attempts)
    const delay = attempt < attempts ? retryDelay(request, response, attempt, settings.retry ?? {}) : null
    if (delay === null) return answerOf(response as Response)
    await (response?.body?.cancel() ?? null)
    await sleep(delay, request.signal)
  }
}

/** Returns `null` if there was no response, and another attempt may be made. */
async function attemptRequest(
  request: SentRequest,
  settings: RequestSettings,
  mayFail: boolean,
): Promise<Response | null> {
  const { headers = {}, fetch: send = (url, init) => fetch(url, init) } = settings
  const given = typeof headers === 'function' ? await headers() : headers
  const { url, method, body, timeout = settings.timeout } = request
  const signals = [
    ...(request.signal === undefined ? [] : [request.signal]),
    ...(timeout === undefined ? [] : [AbortSignal.timeout(timeout)]),
  ]
  const init: RequestInit = { method, headers: { ...given, ...request.headers } }
  if (body !== undefined) init.body = body
  if (signals.length > 0) init.signal = AbortSignal.any(signals)
  try {
    return await send(url, init)
  } catch (thrown) {
    if (!mayFail || !request.isRepeatable || request.signal?.aborted === true) throw thrown
    return null
  }
}

/** Returns the milliseconds before the next attempt; `null` if there is none. */
function retryDelay(
  { isRepeatable }: SentRequest,
  response: Response | null,
  attempt: number,
  { delay = 200, maxDelay = 10_000 }: RetrySettings,
): number | null {
  const isBusy = response === null || (isRepeatable ? busy.includes(response.status) : response.status === 429)
  if (!isBusy) return null
  const wanted = response === null ? null : retryAfter(response.headers)
  if (wanted !== null) return wanted * 1000 <= maxDelay ? wanted * 1000 : null
  // Clients that failed at the same time should not come back at the same time.
  return Math.min(maxDelay, delay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

/** Returns the seconds of `Retry-After`, which may be a number or a date; `null` if there is none. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get('Retry-After')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers, redirected: isRedirected } = response
  const document = await documentOf(response)
  if (response.ok || status === 304 || status === 303) {
    return { status, headers, isRedirected, document: document as RawDocument }
  }
  const { errors } = document as { readonly errors?: unknown }
  throw new ClientError(response, Array.isArray(errors) ? (errors as ErrorObject[]) : [])
}

/** A response without JSON, such as that of a proxy, has an empty document. */
async function documentOf(response: Response): Promise<object> {
  if (!/[/+]json\b/.test(response.headers.get('Content-Type') ?? '')) {
    await response.body?.cancel()
    return {}
  }
  const document: unknown = await response.json()
  return typeof document === 'object' && document !== null ? document : {}
}
