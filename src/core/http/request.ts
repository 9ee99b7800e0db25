import type { BodyMeter } from './body-memory.js'

/**
 * The request that an adapter passes to the server. Each adapter creates it from the request of its host, so no other
 * module depends on `node:http` or the Web `Request`.
 *
 * @example
 * ```ts
 * const tokenOf = (request: HttpRequest) => request.header('authorization')?.replace(/^Bearer /, '')
 * ```
 */
export interface HttpRequest {
  /** The method as the client sent it: upper case by convention, never normalized. */
  readonly method: string
  /** The path of the request target, still percent-encoded, without the query. Starts with `/`. */
  readonly path: string
  /** The raw query string without its `?`; empty if there is none. */
  readonly query: string
  /** `scheme://host` of the URL that the client used, without a trailing slash. */
  readonly origin: string
  /** The path before `path` in that URL, if a proxy or a router of the host has removed it: `/api`. Default: empty. */
  readonly prefix?: string
  /** Returns the value of a header by its lower-case name. The values of a repeated header are joined with `, `. */
  header(name: string): string | undefined
  /** Whether the headers announce a body. A chunked body may still be empty. */
  readonly hasBody: boolean
  /**
   * Returns the bytes of the body, or `null` if the request has none. Returns `'too-large'` if the body has more than
   * `limit` bytes. Rejects if the client disconnects before the body is complete; no response can be sent then.
   *
   * The meter limits the memory of all bodies: an adapter reports each part to it, and stops if it says so. Without reports, a body is
   * counted when it is complete.
   */
  body(limit: number, meter?: BodyMeter): Promise<Uint8Array | 'too-large' | null>
  /**
   * Calls the listener once if the client disconnects before the response is sent; immediately if it has disconnected
   * already. Returns a function that removes the listener. Missing if the host cannot detect this.
   */
  onAbort?(listener: () => void): () => void
  /**
   * Whether the event loop has emitted the request as an event. Then the time that the loop takes for the events before it is time that the
   * client waits. A program that calls the server directly does not wait for the loop.
   */
  readonly isEvent?: boolean
  /** The address of the client, as far as proxies are trusted. Missing if the host does not know it. */
  readonly address?: string | undefined
  /** The id of the request in logs. Default: the header `X-Request-Id`, or a generated id. */
  readonly id?: string
}
