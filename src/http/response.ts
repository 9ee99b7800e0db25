import type { HttpRequest } from './request.js'

/** The one response shape between the journey and the adapters. */
export interface HttpResponse {
  readonly status: number
  /** Name and value by turns, names in their usual spelling: ready for `writeHead`. */
  readonly headers: readonly string[]
  readonly body: string | Uint8Array | null
}

/** What an adapter needs of a server: one function that never rejects. */
export type HttpHandle = (request: HttpRequest) => Promise<HttpResponse>
