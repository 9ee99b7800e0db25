import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection whose client has not read all of a response. */
interface UnreadConnection {
  /** The bytes that the operating system has not taken yet. */
  left: number
  /** When it was less for the last time. */
  since: number
}

/**
 * Creates the listener that runs when a response was passed to its connection. If the client has not read all of it, the client must read
 * some of it within the time limit, again and again. Until then nothing is read from the connection: data that the client sends is not
 * progress.
 *
 * The timeout of `net.Socket` is not used: it begins again each time that it sees progress since its last beginning, so that a client has
 * up to twice the time.
 *
 * @param limit in milliseconds; it may be exceeded by an eighth, and by a second. 0 for no limit
 */
export function unreadListener(limit: number): (this: ServerResponse) => void {
  const unread = new Map<Socket, UnreadConnection>()
  const period = Math.min(1000, Math.max(10, limit / 8))
  let timer: NodeJS.Timeout | null = null

  function check(): void {
    const now = performance.now()
    for (const [socket, connection] of unread) {
      const left = unsentBytes(socket)
      if (left !== connection.left) Object.assign(connection, { left, since: now })
      else if (now - connection.since >= limit) socket.destroy()
    }
    timer = null
    start()
  }

  /** One timer is enough for all connections. */
  function start(): void {
    if (timer === null && unread.size > 0 && limit > 0) timer = setTimeout(check, period).unref()
  }

  return function (this: ServerResponse) {
    const { socket } = this
    if (socket === null || socket.writableLength === 0) return
    unread.set(socket, { left: unsentBytes(socket), since: performance.now() })
    start()
    socket.pause()
    this.once('close', () => {
      unread.delete(socket)
      socket.resume()
    })
  }
}

/** Returns how many bytes the operating system has not taken yet. `writableLength` counts a chunk until all of it is taken. */
function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: unknown } | null }
  return typeof handle?.writeQueueSize === 'number' ? handle.writeQueueSize : socket.writableLength
}
