import type { HttpRequest } from './request.js'

/**
 * A body that is sent while it is made. It is read once, and only as fast as the client takes it; `return` of its iterator ends it early.
 * If it throws, the connection is cut, so that the client does not take the part that it has received for the whole.
 *
 * @example
 * ```ts
 * const lines: BodyStream = new Blob(['Dummy', 'Third']).stream()
 * ```
 */
export type BodyStream = AsyncIterable<Uint8Array>

/**
 * The response that the server passes to an adapter.
 *
 * @example
 * ```ts
 * const notFound: HttpResponse = { status: 404, headers: ['Content-Type', 'text/plain'], body: 'No such page.' }
 * ```
 */
export interface HttpResponse {
  readonly status: number
  /** Alternating names and values, the form that `writeHead` takes. Names have their usual spelling. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | BodyStream | null
}

/** Handles a request. This is all that an adapter needs of a server. It never rejects. */
export type HttpHandle = (request: HttpRequest) => Promise<HttpResponse>
