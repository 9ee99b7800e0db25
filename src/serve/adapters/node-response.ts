import type { IncomingMessage, ServerResponse } from 'node:http'
import { byteLength, discardBody, isBodyStream } from '../../core/http/body-stream.js'
import type { HttpResponse } from '../../core/http/response.js'
import { combinedHeaders } from './combined-headers.js'
import { dropCollected } from './body-parts.js'
import { http2StreamOf } from './connection-turns.js'
import { sendStream } from './send-stream.js'

/** Reading an unread body of up to this size is cheaper than a new connection. `node:http` does it by itself. */
const SMALL_BODY = 64 * 1024

/** How long, and how many bytes, to read from a client that is still sending after the response. */
const LINGER_MILLISECONDS = 1000
const LINGER_BYTES = 256 * 1024

/** Writes status and headers to a response. */
type WriteHead = (outgoing: ServerResponse, status: number, headers: string[]) => void

const writeHead: WriteHead = (outgoing, status, headers) => {
  outgoing.writeHead(status, headers)
}

const setHead: WriteHead = (outgoing, status, headers) => {
  outgoing.statusCode = status
  outgoing.removeHeader('X-Powered-By')
  for (const [name, value] of combinedHeaders(headers, (key) => outgoing.getHeader(key)))
    outgoing.setHeader(name, value)
}

/** Writes the response with one `writeHead` and one `end`; `HEAD` gets the headers that `GET` would. */
export function sendResponse(
  response: HttpResponse,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  write: WriteHead = writeHead,
): void {
  // The client has disconnected, or another layer of the host has sent a response.
  if (outgoing.destroyed || outgoing.headersSent) return discardBody(response.body)
  const { status, body } = response
  const head = incoming.method === 'HEAD'
  const hasNoBody = status === 204 || status === 304
  const isStream = isBodyStream(body)
  const hasLength = !hasNoBody && !(head && body === null) && !isStream
  const headers = hasLength ? [...response.headers, 'Content-Length', String(byteLength(body))] : [...response.headers]
  const payload = head || hasNoBody || isStream ? null : body
  const parts = isStream && !head && !hasNoBody ? body : null
  if (isStream && parts === null) discardBody(body)
  const stream = http2StreamOf(incoming)
  const isRefusal = !incoming.complete && leavesMuchUnread(incoming)
  if (isRefusal && stream === null) {
    outgoing.shouldKeepAlive = false
    write(outgoing, status, [...headers, 'Connection', 'close'])
    if (parts !== null) return void sendStream(parts, outgoing, null)
    sendAndClose(outgoing, payload, incoming)
    return
  }
  // `writeHead` of HTTP/2 would send only the last of several headers with the same name.
  if (stream === null) write(outgoing, status, headers)
  else setHead(outgoing, status, headers)
  if (parts !== null) return void sendStream(parts, outgoing, stream)
  if (payload === null) outgoing.end()
  else outgoing.end(payload)
  if (isRefusal) stream?.close()
}

/** Does the same for a host whose middleware may have set headers, or may wait for the response to change them. */
export function sendHosted(response: HttpResponse, incoming: IncomingMessage, outgoing: ServerResponse): void {
  sendResponse(response, incoming, outgoing, setHead)
}

/** Whether a client is still sending a body that is too large to be read to its end. HTTP/2 can end any body without its connection. */
export function leavesMuchUnread(incoming: IncomingMessage): boolean {
  if (incoming.complete) return false
  const stream = http2StreamOf(incoming)
  if (stream !== null) return !stream.endAfterHeaders
  const { headers } = incoming
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BODY
}

/**
 * Sends a response to a client that is still sending, and then closes the connection. Closing it immediately would
 * reset the connection, and many clients would report the reset and never see the 413. So the whole response is sent,
 * some more bytes are read and discarded, and the connection is closed when the client has finished or the time is
 * over.
 */
function sendAndClose(outgoing: ServerResponse, payload: string | Uint8Array | null, incoming: IncomingMessage): void {
  if (payload === null) outgoing.flushHeaders()
  else outgoing.write(payload)
  let left = LINGER_BYTES
  const discard = (chunk: Buffer): void => {
    left -= chunk.length
    if (left >= 0) return
    incoming.pause()
    // `node:http` would hold the next parts.
    incoming.socket.pause()
  }
  const finish = (): void => {
    clearTimeout(timer)
    incoming.off('data', discard).off('end', finish).off('close', finish)
    outgoing.end()
  }
  const timer = setTimeout(finish, LINGER_MILLISECONDS)
  dropCollected(incoming)
  incoming.on('data', discard).on('end', finish).on('close', finish).resume()
}
