import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isAuthority } from '../http/authority.js'
import type { HttpRequest } from '../http/request.js'
import { type NodeRequestOptions, NodeRequest, type NodeTarget, readStream } from './node-request.js'

/** What a framework on `node:http` knows of a request. */
export interface HostedRequestOptions extends Pick<NodeRequestOptions, 'outgoing'> {
  /** The path that the router of the framework has removed: `/api/v1`. */
  readonly prefix: string
  /** `http` or `https`, as the framework trusts its proxies. */
  readonly scheme: string
  /** The host that the client has named, likewise; `undefined` if it has named none. */
  readonly host: string | undefined
  /** The body as a parser of the framework has left it; `undefined` if there was none. A stream is still to be read. */
  readonly body: unknown
}

/** A request that has passed the router of a framework, and perhaps its body parser. */
export class HostedRequest extends NodeRequest {
  readonly #incoming: IncomingMessage
  readonly #host: HostedRequestOptions
  readonly #authority: string | undefined
  readonly #isParsed: boolean
  #read: ReturnType<HttpRequest['body']> | undefined

  constructor(incoming: IncomingMessage, target: NodeTarget, options: HostedRequestOptions) {
    super(incoming, target, { trustProxy: false, outgoing: options.outgoing })
    this.#incoming = incoming
    this.#host = options
    this.#authority = target.authority ?? options.host
    this.#isParsed = options.body !== undefined && (incoming.readableEnded || options.body instanceof Readable)
  }

  override get origin(): string {
    const authority = this.#authority
    return authority !== undefined && isAuthority(authority) ? `${this.#host.scheme}://${authority}` : super.origin
  }

  override get prefix(): string {
    return this.#host.prefix
  }

  override header(name: string): string | undefined {
    // A parser has decompressed the body.
    return this.#isParsed && name === 'content-encoding' ? undefined : super.header(name)
  }

  override body(limit: number): ReturnType<HttpRequest['body']> {
    if (!this.#isParsed || !this.hasBody) return super.body(limit)
    return (this.#read ??= this.#readParsed(limit))
  }

  #readParsed(limit: number): ReturnType<HttpRequest['body']> {
    const { body } = this.#host
    if (body instanceof Readable) return readStream(body, limit)
    const { 'content-length': length, 'content-encoding': coding = 'identity' } = this.#incoming.headers
    const bytes = bytesOf(body)
    // Serialized JSON may have another length than the text that the client has sent.
    const size = coding === 'identity' && length !== undefined ? Number(length) : bytes.byteLength
    return Promise.resolve(size > limit ? 'too-large' : bytes)
  }
}

/** JSON with a number that is too large. `JSON.stringify` writes infinity as `null`, which would hide it from the checks of the body. */
const OVERFLOW = '1e999'

/** JSON that is nested too deep. */
const TOO_DEEP = '['.repeat(100_000)

/** Returns a parsed body as the bytes that it was parsed from, or as other JSON with the same value. */
function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  return Buffer.from(jsonOf(body))
}

function jsonOf(body: unknown): string {
  try {
    const text = JSON.stringify(body)
    return text.includes('null') && hasInfinity(body) ? OVERFLOW : text
  } catch {
    // `JSON.parse` can read what is nested too deep for `JSON.stringify`.
    return TOO_DEEP
  }
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}
