import { ClientError, type ErrorObject } from './client-error.js'
import { exportedRows, type StreamedLines } from './exported-rows.js'
import type { RawDocument } from './read-document.js'

/** How often, and after which delay, requests are retried. See {@link createClient}. */
export interface RetrySettings {
  /** The maximum number of attempts. Default: 3; 1 for no retries. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt, which double with each further one. Default: 200. */
  readonly delay?: number | undefined
  /** The maximum delay, in milliseconds. If `Retry-After` is longer, the request is not retried. Default: 10,000. */
  readonly maxDelay?: number | undefined
}

/** Headers by their names, which are not case-sensitive. See {@link createClient}. */
export type HeaderValues = Readonly<Record<string, string>> | Headers

/** Headers, or a function that returns them for each attempt. See {@link createClient}. */
export type HeaderSource = HeaderValues | (() => HeaderValues | Promise<HeaderValues>)

/** The settings of a client that each request depends on. */
export interface RequestSettings {
  /** Sends the requests. Default: `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** Headers of all requests, such as `Authorization`. If the function throws, the call rejects with its error. */
  readonly headers?: HeaderSource | undefined
  /** Milliseconds after which an attempt is aborted with a `TimeoutError`. Default: never. */
  readonly timeout?: number | undefined
  readonly retry?: RetrySettings | undefined
  /**
   * Which reads are QUERY requests, with their parameters in the body: those whose URL would have more than 8,000 characters, all, or none.
   * Default: `whenLong`.
   */
  readonly queryMethod?: 'whenLong' | 'always' | 'never' | undefined
}

/** A request, before the headers of the client are added. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Later headers override earlier ones, and all of them those of the client. */
  readonly headers: readonly (HeaderValues | undefined)[]
  readonly body: Exclude<RequestInit['body'], undefined>
  readonly signal?: AbortSignal | undefined
  readonly timeout?: number | undefined
  /** Whether the request may be retried even if the server may have handled the first attempt. */
  readonly isRepeatable: boolean
  /** Whether a success may be bytes instead of a document. */
  readonly mayBeBytes?: boolean
  /** Whether a success is lines of JSON instead of a document. */
  readonly isExport?: boolean
}

/** A successful response. Its document is empty if it has none. */
export interface SuccessResponse {
  readonly status: number
  readonly headers: Headers
  readonly document: RawDocument
  /** `null` if the response is a document, or empty. */
  readonly bytes: Blob | null
  /** The rows of an export; `null` for any other request. */
  readonly rows: AsyncIterable<object> | null
}

/** A response whose body was read. */
interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `null` if the body is not a JSON object. */
  readonly content: RawDocument | null
  readonly bytes: Blob | null
  readonly lines: StreamedLines | null
}

/** The statuses after which a repeatable request is retried. After 429 any request is retried, because the server has not handled it. */
const busy: readonly number[] = [408, 429, 502, 503, 504]

/**
 * Sends a request, with retries if they are safe, and returns the response. Throws a `ClientError` for a response that is not a success, and the
 * error of `fetch` if there is no response.
 */
export async function sendRequest(request: SentRequest, settings: RequestSettings): Promise<SuccessResponse> {
  const { attempts = 3 } = settings.retry ?? {}
  for (let attempt = 1; ; attempt += 1) {
    const mayRetry = attempt < attempts
    const headers = await headersOf(request, settings)
    const response = await attemptRequest(request, settings, headers).catch((thrown: unknown) => {
      if (!mayRetry || !request.isRepeatable || request.signal?.aborted === true) throw thrown
      return null
    })
    const delay = mayRetry ? retryDelay(request, response, attempt, settings.retry ?? {}) : null
    if (delay === null) return successOf(request, response as ReceivedResponse)
    await sleep(delay, request.signal)
  }
}

async function headersOf({ headers, signal }: SentRequest, settings: RequestSettings): Promise<Headers> {
  signal?.throwIfAborted()
  const source = settings.headers
  const merged = new Headers(typeof source === 'function' ? await source() : source)
  for (const each of headers) new Headers(each).forEach((value, name) => merged.set(name, value))
  return merged
}

async function attemptRequest(
  request: SentRequest,
  settings: RequestSettings,
  headers: Headers,
): Promise<ReceivedResponse> {
  const { fetch: send = (url: string, init: RequestInit) => fetch(url, init) } = settings
  const { url, method, body, signal, timeout = settings.timeout } = request
  // Not `AbortSignal.any` and `AbortSignal.timeout`, which only recent browsers have.
  const controller = new AbortController()
  const abort = (): void => controller.abort(signal?.reason)
  const timeOut = (): void =>
    controller.abort(new DOMException(`There was no response within ${timeout} ms.`, 'TimeoutError'))
  const timer = timeout === undefined ? undefined : setTimeout(timeOut, timeout)
  signal?.throwIfAborted()
  signal?.addEventListener('abort', abort)
  const end = (): void => signal?.removeEventListener('abort', abort)
  let isOpen = false
  try {
    const response = await send(url, { method, headers, body, signal: controller.signal })
    const lines = request.isExport === true ? linesOf(response) : null
    isOpen = lines !== null
    if (lines !== null) return { ...emptyResponse(response), lines: { body: lines, end } }
    return await (request.mayBeBytes === true && isBytes(response) ? receivedBytes(response) : receivedText(response))
  } finally {
    clearTimeout(timer)
    if (!isOpen) end()
  }
}

function linesOf({ ok, headers, body }: Response): ReadableStream<Uint8Array> | null {
  return ok && /ndjson/.test(headers.get('Content-Type') ?? '') ? body : null
}

function emptyResponse({ status, headers }: Response): ReceivedResponse {
  return { status, headers, text: '', content: null, bytes: null, lines: null }
}

/** Pages are not bytes: those of a proxy may be a success, too. */
function isBytes({ status, headers }: Response): boolean {
  const type = headers.get('Content-Type')
  return status === 200 && type !== null && !/^(?:application\/vnd\.api\+json|text\/html)\b/.test(type)
}

async function receivedBytes(response: Response): Promise<ReceivedResponse> {
  return { ...emptyResponse(response), bytes: await response.blob() }
}

async function receivedText(response: Response): Promise<ReceivedResponse> {
  const text = await response.text()
  const content = /[/+]json\b/.test(response.headers.get('Content-Type') ?? '') ? parsed(text) : null
  return { ...emptyResponse(response), text, content }
}

function parsed(text: string): RawDocument | null {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' ? content : null
  } catch {
    return null
  }
}

/** Returns the milliseconds before the next attempt; `null` if there is none. There is no response if the connection was lost. */
function retryDelay(
  { isRepeatable }: SentRequest,
  response: ReceivedResponse | null,
  attempt: number,
  { delay = 200, maxDelay = 10_000 }: RetrySettings,
): number | null {
  if (response !== null && (isRepeatable ? !isBusy(response) : response.status !== 429)) return null
  const wanted = response === null ? null : retryAfter(response.headers)
  if (wanted !== null) return wanted * 1000 <= maxDelay ? wanted * 1000 : null
  // Random, so that clients that failed at the same time do not retry at the same time.
  return Math.min(maxDelay, delay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}

/** An idempotency key is in use while the server still handles an attempt whose response was lost. */
function isBusy(response: ReceivedResponse): boolean {
  return busy.includes(response.status) || errorsOf(response).some(({ code }) => code === 'IDEMPOTENCY_KEY_IN_USE')
}

/** Returns the seconds of `Retry-After`, which may be a number or a date; `null` if there is none. */
export function retryAfter(headers: Headers): number | null {
  const text = headers.get('Retry-After')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}

/** Waits, unless the signal is aborted: then it throws the reason. */
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

function successOf(request: SentRequest, response: ReceivedResponse): SuccessResponse {
  const { status, headers, text, content, bytes, lines } = response
  const isSuccess = (status >= 200 && status < 300) || status === 303 || status === 304
  if (!isSuccess) throw new ClientError(request, response, errorsOf(response))
  // A page of a proxy or of another server may be a success too.
  const isExpected = request.isExport === true ? lines !== null : status >= 300 || text === '' || isDocument(content)
  if (!isExpected) throw new ClientError(request, response, [])
  const rows = lines === null ? null : exportedRows(lines, (errors) => new ClientError(request, response, errors))
  return { status, headers, document: content ?? {}, bytes, rows }
}

/** https://jsonapi.org/format/1.1/#document-top-level */
function isDocument(content: RawDocument | null): boolean {
  return content !== null && ['data', 'meta', 'atomic:results'].some((member) => member in content)
}

function errorsOf({ content }: ReceivedResponse): readonly ErrorObject[] {
  const { errors } = (content ?? {}) as { readonly errors?: unknown }
  return Array.isArray(errors) ? (errors as ErrorObject[]) : []
}
