import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isAuthority } from '../../core/http/authority.js'
import type { BodyMeter } from '../../core/http/body-memory.js'
import type { HttpRequest } from '../../core/http/request.js'
import { lostBody } from './lost-body.js'
import { clientUrl, type NodeRequestOptions, NodeRequest, type NodeTarget, readStream } from './node-request.js'

/** A request of a framework on `node:http`: the members that Express and Fastify have in common. */
export interface FrameworkRequest {
  /** `http` or `https`, with the proxy settings of the framework. */
  readonly protocol: string
  /** The host of the request, with the same settings; `undefined` if there is none. */
  readonly host: string | undefined
  /** The address of the client, with the same settings. */
  readonly ip?: string | undefined
  /** The body after a parser of the framework; `undefined` without a parser. A stream is not read yet. */
  readonly body?: unknown
  /** The bytes of the body, if the parser stores them. */
  readonly rawBody?: unknown
}

export interface HostedRequestOptions extends Pick<NodeRequestOptions, 'outgoing'> {
  /** The path that the router of the framework has removed: `/api/v1`. */
  readonly prefix: string
  readonly original: FrameworkRequest
}

/** A request that has passed the router of a framework, and perhaps its body parser. */
export class HostedRequest extends NodeRequest {
  readonly #incoming: IncomingMessage
  readonly #original: FrameworkRequest
  readonly #prefix: string
  /** Whether the framework has read the body from the request of `node:http`. */
  readonly #isTaken: boolean
  #read: ReturnType<HttpRequest['body']> | undefined

  constructor(incoming: IncomingMessage, target: NodeTarget, { outgoing, prefix, original }: HostedRequestOptions) {
    super(incoming, target, { trustProxy: false, outgoing, urls: clientUrl })
    this.#incoming = incoming
    this.#original = original
    this.#prefix = prefix
    this.#isTaken = incoming.readableEnded || original.body instanceof Readable
  }

  override get origin(): string {
    // The middleware of the application uses this host, not the host of a target in absolute form.
    const { protocol, host } = this.#original
    return host !== undefined && isAuthority(host) ? `${protocol}://${host}` : super.origin
  }

  override get prefix(): string {
    return this.#prefix
  }

  override get address(): string | undefined {
    return this.#original.ip ?? super.address
  }

  override header(name: string): string | undefined {
    // A parser has decompressed the body.
    return this.#isTaken && name === 'content-encoding' ? undefined : super.header(name)
  }

  override body(limit: number, meter?: BodyMeter): ReturnType<HttpRequest['body']> {
    if (!this.#isTaken || !this.hasBody) return super.body(limit, meter)
    return (this.#read ??= this.#readTaken(limit, meter))
  }

  async #readTaken(limit: number, meter: BodyMeter | undefined): ReturnType<HttpRequest['body']> {
    const { body, rawBody = body } = this.#original
    if (rawBody instanceof Readable) return readStream(rawBody, limit, meter)
    const { 'content-length': length, 'content-encoding': coding = 'identity' } = this.#incoming.headers
    const bytes = bytesOf(rawBody, this.#incoming.headers['content-type'])
    // Serialized JSON may have another length than the text that the client has sent.
    const size = coding === 'identity' && length !== undefined ? Number(length) : bytes.byteLength
    return size > limit ? 'too-large' : bytes
  }
}

/** JSON with a number that is too large. `JSON.stringify` writes infinity as `null`, which would hide it from the checks of the body. */
const OVERFLOW = '1e999'

/** JSON that is nested too deep. */
const TOO_DEEP = '['.repeat(100_000)

/** Returns the original bytes of a parsed body, or other JSON with the same value. Throws if neither is possible. */
function bytesOf(body: unknown, contentType: string | undefined): Uint8Array {
  if (body instanceof Uint8Array) return body
  if (typeof body === 'string') return Buffer.from(body)
  if (body === undefined || !isJson.test(contentType ?? '')) throw lostBody(contentType)
  return Buffer.from(jsonOf(body))
}

/** Matches `application/json` and `application/vnd.api+json`, with or without parameters. */
const isJson = /^[^;]*[/+]json *(?:;|$)/i

function jsonOf(body: unknown): string {
  try {
    const text = JSON.stringify(body)
    return text.includes('null') && hasInfinity(body) ? OVERFLOW : text
  } catch {
    // `JSON.parse` can read deeper nesting than `JSON.stringify` can write.
    return TOO_DEEP
  }
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}
