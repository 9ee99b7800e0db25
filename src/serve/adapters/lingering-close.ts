import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** How long a client may take to read the response and close the connection. */
const LINGER_MILLISECONDS = 1000

/**
 * Ends a connection with a last text, and destroys it when the client has closed it, too, or after a second. Destroying it immediately
 * would reset it if the client still sends something, and a reset discards what the client has not read yet.
 */
export function endAndLinger(socket: Duplex, text = ''): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS)
  socket.once('close', () => clearTimeout(timer))
  socket.end(text)
}

/**
 * Lets `node:http` end a connection in this way after its last response: it calls `destroySoon`. What the client sends after that is read
 * and dropped.
 */
export function lingerAfterLast(socket: Socket): void {
  socket.destroySoon = () => {
    // The parser would emit further requests, and nobody could respond to them.
    socket.removeAllListeners('data').on('data', () => undefined)
    endAndLinger(socket)
    socket.resume()
  }
}
