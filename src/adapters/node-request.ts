import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { HttpError } from '../errors/http-error.js'
import type { HttpRequest } from '../http/request.js'
import { firstForwarded, isAuthority } from './origin.js'

/**
 * The request of `node:http`. A class, against the house's habit, because one is made for every request: its methods live
 * on the prototype, so a request costs one object and no closures, and what is not asked for is not computed.
 */
export class NodeRequest implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly #incoming: IncomingMessage
  readonly #authority: string | undefined
  readonly #trustProxy: boolean
  readonly #outgoing: ServerResponse
  #origin: string | undefined
  #body: ReturnType<HttpRequest['body']> | undefined

  constructor(incoming: IncomingMessage, target: NodeTarget, { trustProxy, outgoing }: NodeRequestOptions) {
    const { text } = target
    const mark = text.indexOf('?')
    this.method = incoming.method ?? 'GET'
    this.path = mark === -1 ? text : text.slice(0, mark)
    this.query = mark === -1 ? '' : text.slice(mark + 1)
    this.#incoming = incoming
    this.#authority = target.authority
    this.#trustProxy = trustProxy
    this.#outgoing = outgoing
  }

  get origin(): string {
    this.#origin ??= `${this.#scheme()}://${this.#host()}`
    return this.#origin
  }

  get hasBody(): boolean {
    const { headers } = this.#incoming
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name]
    return typeof value === 'object' ? value.join(', ') : value
  }

  body(limit: number): ReturnType<HttpRequest['body']> {
    this.#body ??= this.hasBody ? readBody(this.#incoming, limit) : Promise.resolve(null)
    return this.#body
  }

  whenGone(listener: () => void): () => void {
    const outgoing = this.#outgoing
    const onClose = (): void => {
      // An answer that was sent closes too. The request itself closes as soon as its body is read.
      if (!outgoing.writableFinished) listener()
    }
    if (outgoing.destroyed) {
      onClose()
      return () => undefined
    }
    outgoing.once('close', onClose)
    return () => {
      outgoing.off('close', onClose)
    }
  }

  #scheme(): string {
    const forwarded = this.#trustProxy ? firstForwarded(this.header('x-forwarded-proto'))?.toLowerCase() : undefined
    if (forwarded === 'http' || forwarded === 'https') return forwarded
    return (this.#incoming.socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http'
  }

  #host(): string {
    const forwarded = this.#trustProxy ? firstForwarded(this.header('x-forwarded-host')) : undefined
    if (forwarded !== undefined && isAuthority(forwarded)) return forwarded
    const host = this.#authority ?? this.#incoming.headers.host
    if (host !== undefined && isAuthority(host)) return host
    const { localAddress, localPort } = this.#incoming.socket
    if (localAddress === undefined || localPort === undefined) return 'localhost'
    return localAddress.includes(':') ? `[${localAddress}]:${localPort}` : `${localAddress}:${localPort}`
  }
}

export interface NodeRequestOptions {
  readonly trustProxy: boolean
  /** What the request is answered with: only that tells when the client goes away. */
  readonly outgoing: ServerResponse
}

/** Path and query as one text that starts with `/`; the authority is there for a target in absolute form. */
export interface NodeTarget {
  readonly text: string
  readonly authority: string | undefined
}

/** `null` for a target that addresses nothing here (RFC 9112, section 3.2): another scheme, or no path at all. */
export function parseTarget(url: string): NodeTarget | null {
  if (url.startsWith('/')) return { text: url, authority: undefined }
  const [, authority, text = ''] = /^https?:\/\/([^/?]+)(.*)$/i.exec(url) ?? []
  if (authority === undefined) return null
  return { text: text.startsWith('/') ? text : `/${text}`, authority }
}

/**
 * Collects the body, and stops reading the moment it grows past the limit; the stream is then left paused, for the answer
 * to close the connection.
 */
function readBody(incoming: IncomingMessage, limit: number): ReturnType<HttpRequest['body']> {
  if (Number(incoming.headers['content-length'] ?? 0) > limit) return Promise.resolve('too-large')
  if (incoming.readableEnded) return Promise.resolve(null)
  if (incoming.destroyed) return handled(Promise.reject(abandoned()))
  const reading = new Promise<Uint8Array | 'too-large' | null>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose)
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= limit) return
      settle()
      incoming.pause()
      resolve('too-large')
    }
    const onEnd = (): void => {
      settle()
      const [first] = chunks
      resolve(first === undefined ? null : chunks.length === 1 ? first : Buffer.concat(chunks, size))
    }
    const onClose = (): void => {
      settle()
      reject(abandoned())
    }
    incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose)
  })
  return handled(reading)
}

/** Nobody may be waiting any more when the client goes away; that is no reason to end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** The client's doing and not a fault of ours, so it is not the kind of error that gets logged. */
function abandoned(): HttpError {
  return new HttpError(400, 'The connection closed before the request body was complete.')
}
