import type { HttpRequest } from '../../src/core/http/request.js'

interface Stub {
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A request without an adapter: the part that negotiation and parsing use. */
export function stubRequest({ path = '/albums', query = '', headers = {}, body }: Stub): HttpRequest {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? null)
  return {
    method: 'POST',
    path,
    query,
    origin: 'http://music.example',
    header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined),
    hasBody: bytes !== null && bytes.byteLength > 0,
    body: async (limit) => (bytes !== null && bytes.byteLength > limit ? 'too-large' : bytes),
  }
}
