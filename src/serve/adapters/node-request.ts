import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { BodyMeter } from '../../core/http/body-memory.js'
import type { HttpRequest } from '../../core/http/request.js'
import { isAuthority } from '../../core/http/authority.js'
import type { ForwardedUrl } from '../../core/http/forwarded.js'
import { forwardedAddress, forwardedUrl } from '../../core/http/forwarded.js'
import { BodyParts, takeCollected } from './body-parts.js'
import { http2StreamOf } from './connection-turns.js'
import { abandonedBody } from './lost-body.js'

/**
 * The request of the `node:http` adapter. It is a class, unlike most of this codebase, because one is created for every
 * request: methods on the prototype need no closures, and unused members are not computed.
 */
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly hasBody: boolean
  readonly #incoming: IncomingMessage
  readonly #authority: string | undefined
  readonly #urls: ClientUrls
  readonly #trustProxy: boolean
  readonly #outgoing: ServerResponse
  #clientUrl: ForwardedUrl | undefined
  #body: ReturnType<HttpRequest['body']> | undefined

  constructor(incoming: IncomingMessage, target: NodeTarget, { trustProxy, outgoing, urls }: NodeRequestOptions) {
    const { text } = target
    const mark = text.indexOf('?')
    this.method = incoming.method ?? 'GET'
    this.path = mark === -1 ? text : text.slice(0, mark)
    this.query = mark === -1 ? '' : text.slice(mark + 1)
    const stream = http2StreamOf(incoming)
    const { headers } = incoming
    this.hasBody =
      stream === null
        ? headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
        : !stream.endAfterHeaders
    this.#incoming = incoming
    this.#authority = target.authority
    this.#urls = urls
    this.#trustProxy = trustProxy
    this.#outgoing = outgoing
  }

  get origin(): string {
    return (this.#clientUrl ??= this.#url()).origin
  }

  get prefix(): string {
    return (this.#clientUrl ??= this.#url()).prefix
  }

  get address(): string | undefined {
    const forwarded = this.#trustProxy ? forwardedAddress((name) => this.header(name)) : undefined
    return forwarded ?? this.#incoming.socket.remoteAddress
  }

  get isEvent(): boolean {
    return true
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  body(limit: number, meter?: BodyMeter): ReturnType<HttpRequest['body']> {
    this.#body ??= this.hasBody ? readIncoming(this.#incoming, limit, meter) : Promise.resolve(null)
    return this.#body
  }

  onAbort(listener: () => void): () => void {
    const outgoing = this.#outgoing
    const stream = http2StreamOf(this.#incoming)
    const onClose = (): void => {
      // A response also closes after it was sent. The request cannot be used here: it closes as soon as its body is read. HTTP/2 finishes
      // the response of a client that has disconnected.
      if (!(stream === null ? outgoing.writableFinished : outgoing.writableEnded)) listener()
    }
    if (stream === null ? outgoing.destroyed : stream.destroyed) {
      onClose()
      return () => undefined
    }
    outgoing.once('close', onClose)
    return () => {
      outgoing.off('close', onClose)
    }
  }

  #url(): ForwardedUrl {
    const { headers, socket } = this.#incoming
    const { host, ':authority': authority = host } = headers
    const scheme = (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http'
    const url = this.#urls(scheme, this.#authority ?? authority, socket)
    return this.#trustProxy ? forwardedUrl((name) => this.header(name), url.origin) : url
  }
}

/** Returns the URL of a request without a prefix. The origin of the same host is the same object, so it is fast to compare. */
export type ClientUrls = (scheme: string, named: unknown, socket: Socket) => ForwardedUrl

/** Creates the function for an adapter. It caches the last URL, because most requests to a server have the same. */
export function clientUrls(): ClientUrls {
  let last: { readonly scheme: string; readonly named: unknown; readonly url: ForwardedUrl } | null = null
  return (scheme, named, socket) => {
    if (last !== null && last.named === named && last.scheme === scheme) return last.url
    const url = clientUrl(scheme, named, socket)
    // The address of a socket differs between connections.
    if (isNamed(named)) last = { scheme, named, url }
    return url
  }
}

/** The plain form of `clientUrls()`, without a cache. */
export function clientUrl(scheme: string, named: unknown, socket: Socket): ForwardedUrl {
  return Object.freeze({ origin: `${scheme}://${isNamed(named) ? named : addressOf(socket)}`, prefix: '' })
}

function isNamed(named: unknown): named is string {
  return typeof named === 'string' && isAuthority(named)
}

function addressOf({ localAddress, localPort }: Socket): string {
  if (localAddress === undefined || localPort === undefined) return 'localhost'
  return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`
}

export interface NodeRequestOptions {
  readonly trustProxy: boolean
  /** The response object. Only its `close` event shows that the client has disconnected. */
  readonly outgoing: ServerResponse
  readonly urls: ClientUrls
}

/** The target of a request. */
export interface NodeTarget {
  /** Path and query; starts with `/`. */
  readonly text: string
  /** The authority of a target in absolute form. */
  readonly authority: string | undefined
}

/**
 * Parses a request target (RFC 9112, section 3.2). Returns `null` for another scheme than HTTP, or if it has no path.
 */
export function parseTarget(url: string): NodeTarget | null {
  if (url.startsWith('/')) return { text: url, authority: undefined }
  const [, authority, text = ''] = /^https?:\/\/([^/?]+)(.*)$/i.exec(url) ?? []
  if (authority === undefined) return null
  return { text: text.startsWith('/') ? text : `/${text}`, authority }
}

function readIncoming(
  incoming: IncomingMessage,
  limit: number,
  meter: BodyMeter | undefined,
): ReturnType<HttpRequest['body']> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.resolve('too-large')
  return readStream(incoming, limit, meter)
}

/**
 * Reads a body. If it exceeds the limit, or the meter ends it, stops reading and leaves the stream paused. The response then closes the
 * connection. Listeners of a body that was read to its end stay: to remove them takes 1 % of the time of a create (W5 on
 * SQLite).
 */
export function readStream(
  incoming: Readable,
  limit: number,
  meter: BodyMeter | undefined,
): ReturnType<HttpRequest['body']> {
  const early = takeCollected(incoming)
  if (incoming.readableEnded) return Promise.resolve(early === null ? null : withinLimit(early, limit))
  if (incoming.destroyed) return rejected()
  const parts = early ?? new BodyParts()
  if (parts.size > limit) return Promise.resolve('too-large')
  const reading = new Promise<Uint8Array | 'too-large' | null>((resolve, reject) => {
    const removeListeners = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
    }
    const stop = (): void => {
      removeListeners()
      incoming.pause()
      parts.clear()
    }
    const onData = (chunk: Buffer): void => {
      parts.add(chunk)
      if (parts.size <= limit) {
        meter?.add(chunk.length)
        return
      }
      stop()
      resolve('too-large')
    }
    const onEnd = (): void => resolve(parts.joined())
    const onClose = (): void => {
      if (incoming.readableEnded) return
      removeListeners()
      markHandled(reading)
      reject(abandonedBody())
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
    if (early !== null) incoming.resume()
    if (meter === undefined) return
    meter.onEnd = (reason) => {
      stop()
      markHandled(reading)
      reject(reason)
    }
  })
  if (parts.size > 0) meter?.add(parts.size)
  return reading
}

function withinLimit(parts: BodyParts, limit: number): ReturnType<BodyParts['joined']> | 'too-large' {
  return parts.size > limit ? 'too-large' : parts.joined()
}

/** Returns a rejected promise, for a client that has disconnected. */
function rejected(): Promise<never> {
  const promise = Promise.reject(abandonedBody())
  markHandled(promise)
  return promise
}

/**
 * Marks a promise that is rejected as handled. Its caller may be gone when the client disconnects, and an unhandled
 * rejection ends the process.
 */
function markHandled(promise: Promise<unknown>): void {
  promise.catch(() => undefined)
}
