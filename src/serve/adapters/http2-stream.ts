import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2'

/**
 * Returns the stream of an HTTP/2 request; `null` for HTTP/1. `node:http2` and frameworks on it pass objects with the members of
 * `node:http`, but a body needs no header that announces it, and there is no header `Connection`. The version that a request names
 * says nothing: `node:http` accepts `GET / HTTP/2.0` on a connection of HTTP/1.1.
 */
export function http2StreamOf(incoming: IncomingMessage): ServerHttp2Stream | null {
  const { stream } = incoming as Partial<Pick<Http2ServerRequest, 'stream'>>
  // Middleware of an application may have set a member of this name.
  return typeof stream === 'object' && stream !== null && 'endAfterHeaders' in stream ? stream : null
}
