import type { IncomingMessage } from 'node:http'

/**
 * Whether a request asks for another protocol on its connection. The server ignores that (RFC 9110, section 7.8), but the request is the
 * last one of its connection: `node:http` drops the bytes that arrived together with it, and would parse those that arrive later as a
 * new request. The client must send later requests again (RFC 9112, section 9.6).
 */
export function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined
}
