import type { HttpRequest } from './request.js'

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
  readonly body: string | Uint8Array | null
}

/** Handles a request. This is all that an adapter needs of a server. It never rejects. */
export type HttpHandle = (request: HttpRequest) => Promise<HttpResponse>
