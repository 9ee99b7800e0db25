/**
 * The one request shape between the adapters and the journey. An adapter makes it from whatever its host hands over;
 * nothing behind the adapters knows `node:http` or the Web `Request`.
 */
export interface HttpRequest {
  /** As the client sent it, upper case by convention, never normalised. */
  readonly method: string
  /** The path of the request target, still percent-encoded, without the query. Starts with `/`. */
  readonly path: string
  /** The raw query string without its `?`; empty when there is none. */
  readonly query: string
  /** `scheme://host` of the request as the client addressed it, without a trailing slash. */
  readonly origin: string
  /** The value of a header by its lower-case name; repeated headers come joined with `, `. */
  header(name: string): string | undefined
  /** Whether the request announces a body. A chunked one may still turn out to be empty. */
  readonly hasBody: boolean
  /**
   * The body's bytes, `null` when the request has none. Reads at most `limit` bytes and answers `'too-large'` past that.
   * Rejects when the client goes away before the body is complete; there is nobody left to answer then.
   */
  body(limit: number): Promise<Uint8Array | 'too-large' | null>
  /**
   * Calls the listener once when the client goes away before it was answered, at once if it has gone already. Answers how
   * to stop listening. Hosts that cannot tell have no such function.
   */
  whenGone?(listener: () => void): () => void
}
