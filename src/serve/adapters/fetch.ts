import type { BodyMeter } from '../../core/http/body-memory.js'
import type { HttpRequest } from '../../core/http/request.js'
import { discardBody, isBodyStream } from '../../core/http/body-stream.js'
import type { BodyStream, HttpHandle, HttpResponse } from '../../core/http/response.js'
import { adapterErrorResponse } from './adapter-error-response.js'
import { forwardedUrl } from '../../core/http/forwarded.js'
import { BodyParts } from './body-parts.js'
import { abandonedBody } from './lost-body.js'

/**
 * Handles a Web `Request`: the type of `server.fetch`.
 *
 * @example
 * ```ts
 * const handler: FetchHandler = server.fetch
 * const found = await handler(new Request('https://music.example/albums'))
 * ```
 */
export type FetchHandler = (request: Request) => Promise<Response>

export interface FetchAdapterOptions {
  /** Whether to trust the headers of a proxy, as in the `node:http` adapter. Default: false. */
  readonly trustProxy?: boolean
}

const INTERNAL_ERROR = adapterErrorResponse(500)

/**
 * Serves a handle with Web `Request` and `Response`: for Deno, Bun, Hono, or a test without a socket.
 *
 * @example
 * ```ts
 * const fetch = fetchAdapter(handle)
 * const response = await fetch(new Request('https://music.example/albums'))
 * ```
 */
export function fetchAdapter(handle: HttpHandle, { trustProxy = false }: FetchAdapterOptions = {}): FetchHandler {
  return async (request) => {
    try {
      return toWebResponse(await handle(toHttpRequest(request, trustProxy)), request.method)
    } catch {
      return toWebResponse(INTERNAL_ERROR, request.method)
    }
  }
}

/** Creates the request of the server from a Web `Request`. */
export function toHttpRequest(request: Request, trustProxy: boolean): HttpRequest {
  const { url } = request
  // The URL of a Request is absolute and normalized, so slicing it is safe and saves a second parse.
  const pathStart = url.indexOf('/', url.indexOf('://') + 3)
  const fragment = url.indexOf('#')
  const target = url.slice(pathStart, fragment === -1 ? undefined : fragment)
  const mark = target.indexOf('?')
  let body: ReturnType<HttpRequest['body']> | undefined
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined
  const origin = url.slice(0, pathStart)
  return {
    method: request.method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    ...(trustProxy ? forwardedUrl(header, origin) : { origin }),
    header,
    hasBody: announcesBody(request),
    body(limit, meter) {
      body ??= readBody(request, limit, meter)
      return body
    },
    onAbort: (listener) => whenAborted(request.signal, listener),
  }
}

/**
 * Whether the headers announce a body. On some hosts, every request but GET and HEAD has a stream, which is empty if the client has sent
 * no headers of a body.
 */
function announcesBody({ body, headers }: Request): boolean {
  if (body === null || headers.get('content-length') === '0') return false
  return headers.has('content-length') || headers.has('transfer-encoding') || headers.has('content-type')
}

function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => undefined
  }
  // Some hosts abort the signal after the response was sent, too. The caller has removed its listener by then.
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

async function readBody(
  request: Request,
  limit: number,
  meter: BodyMeter | undefined,
): ReturnType<HttpRequest['body']> {
  if (request.body === null) return null
  if (Number(request.headers.get('content-length') ?? 0) > limit) {
    await request.body.cancel()
    return 'too-large'
  }
  const parts = new BodyParts()
  const reader = request.body.getReader()
  const ended = meter === undefined ? null : whenEnded(meter, reader, parts)
  for (;;) {
    const { done, value } = await reader.read().catch(abandon)
    if (ended?.isEnded === true) throw ended.reason
    if (done) break
    parts.add(value)
    if (parts.size > limit) {
      await reader.cancel()
      return 'too-large'
    }
    meter?.add(value.byteLength)
  }
  return parts.joined()
}

/** A stream of a request fails if the client disconnects. */
function abandon(): never {
  throw abandonedBody()
}

/** Stops to read when the meter ends a body: a pending `read` then returns, and the host ends the connection. */
function whenEnded(
  meter: BodyMeter,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  parts: BodyParts,
): { readonly isEnded: boolean; readonly reason: unknown } {
  const ended: { isEnded: boolean; reason: unknown } = { isEnded: false, reason: undefined }
  meter.onEnd = (reason) => {
    ended.isEnded = true
    ended.reason = reason
    parts.clear()
    void reader.cancel().catch(() => undefined)
  }
  return ended
}

/** Creates a Web `Response`; `HEAD` gets the headers that `GET` would. */
export function toWebResponse(response: HttpResponse, method: string): Response {
  const { status } = response
  const headers = new Headers()
  for (let index = 0; index < response.headers.length; index += 2) {
    headers.append(response.headers[index] ?? '', response.headers[index + 1] ?? '')
  }
  // Pass bytes, not a string: a Response with a string body adds `text/plain;charset=UTF-8` if there is no
  // Content-Type.
  const hasNoBody = status === 204 || status === 304
  const isSent = method !== 'HEAD' && !hasNoBody
  if (isBodyStream(response.body)) {
    if (!isSent) discardBody(response.body)
    return new Response(isSent ? webStream(response.body) : null, { status, headers })
  }
  const bytes = typeof response.body === 'string' ? new TextEncoder().encode(response.body) : response.body
  if (bytes !== null && !hasNoBody) headers.set('Content-Length', String(bytes.byteLength))
  return new Response(isSent ? bytes : null, { status, headers })
}

/** Makes each part when the client wants it. A body that fails fails for the client, too. */
function webStream(body: BodyStream): ReadableStream<Uint8Array> {
  const parts = body[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await parts.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
