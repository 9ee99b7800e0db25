import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type EdgeStatus, rawEdgeDocument } from './edge-document.js'

/** How long a client may take to read the answer and close its side. */
const LINGER_MILLISECONDS = 1000

const FAULTS: Readonly<Record<string, readonly [status: EdgeStatus, detail: string]>> = Object.freeze({
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive.'],
})
const MALFORMED = [400, 'The request is not well-formed HTTP.'] as const

/**
 * Makes the listener for the `clientError` event of a `node:http` server: what could not be read as HTTP is answered with an
 * error document, and the connection ends. Responses to earlier, pipelined requests go out first.
 */
export function clientErrorListener(): (error: NodeJS.ErrnoException, socket: Duplex) => void {
  // The parser reports again for every packet that follows the faulty one.
  const seen = new WeakSet<Duplex>()
  return (error, socket) => {
    if (seen.has(socket)) return
    seen.add(socket)
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, detail] = FAULTS[error.code ?? ''] ?? MALFORMED
    answerInTurn(socket, rawEdgeDocument(status, detail))
  }
}

function answerInTurn(socket: Duplex, answer: string): void {
  const current = responseUnderWay(socket)
  if (current === undefined) {
    endWith(socket, answer)
  } else if (current.req.complete) {
    // The fault lies in what follows this request, whose own answer is still to come.
    current.once('close', () => answerInTurn(socket, answer))
  } else if (current.headersSent) {
    socket.destroy()
  } else {
    endWith(socket, answer)
  }
}

/** `node:http` keeps the response that owns a socket here, asks the same question of it, and offers no public name for it. */
function responseUnderWay(socket: Duplex): ServerResponse | undefined {
  const { _httpMessage } = socket as { _httpMessage?: ServerResponse | null }
  return _httpMessage ?? undefined
}

function endWith(socket: Duplex, answer: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(answer)
}
