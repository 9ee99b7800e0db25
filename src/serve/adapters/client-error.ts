import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type AdapterErrorStatus, rawAdapterErrorResponse } from './adapter-error-response.js'
import { endAndLinger } from './lingering-close.js'

const FAULTS: Readonly<Record<string, readonly [status: AdapterErrorStatus, detail: string]>> = Object.freeze({
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
})
const MALFORMED = [400, 'The request is not well-formed HTTP.'] as const

/**
 * Creates the listener for the `clientError` event of a `node:http` server. It responds to malformed HTTP with an error
 * document and closes the connection. Responses to earlier, pipelined requests are sent first.
 */
export function clientErrorListener(): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  // The parser reports an error again for every packet after the malformed one.
  const seen = new WeakSet<Duplex>()
  return (error, socket) => {
    if (seen.has(socket)) return
    seen.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, detail] = FAULTS[error.code ?? ''] ?? MALFORMED
    respondInOrder(socket, rawAdapterErrorResponse(status, detail))
  }
}

/**
 * Creates the listener for the `connect` event of a `node:http` server, which has no other listeners on the socket any more. Without it,
 * `node:http` would close the connection of a CONNECT request without a response.
 */
export function connectListener(): (incoming: IncomingMessage, socket: Duplex) => void {
  const response = rawAdapterErrorResponse(405, 'This server does not support CONNECT.')
  return (_incoming, socket) => {
    // The client may reset the connection, or close it. Data that it sends is dropped.
    socket.on('error', () => undefined).resume()
    respondInOrder(socket, response)
  }
}

function respondInOrder(socket: Duplex, response: string): void {
  const current = pendingResponse(socket)
  if (current === undefined) {
    endAndLinger(socket, response)
  } else if (current.req.complete) {
    // The error is in the data after this request, whose response is still to be sent.
    current.once('close', () => respondInOrder(socket, response))
  } else if (current.headersSent) {
    socket.destroy()
  } else {
    endAndLinger(socket, response)
  }
}

/**
 * Returns the response that `node:http` is sending on a socket. Node itself checks this property and has no public API
 * for it.
 */
function pendingResponse(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage } = socket as { _httpMessage?: ServerResponse | null }
  return _httpMessage ?? undefined
}
