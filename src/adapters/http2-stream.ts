import type { IncomingMessage } from 'node:http'
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2'

/**
 * Returns the stream of an HTTP/2 request; `null` for HTTP/1. `node:http2` and frameworks on it pass objects with the members of
 * `node:http`, but a body needs no header that announces it, and there is no header `Connection`.
 */
export function http2StreamOf(incoming: IncomingMessage): ServerHttp2Stream | null {
  if (incoming.httpVersionMajor < 2) return null
  return (incoming as unknown as Http2ServerRequest).stream
}
