import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The limits of responses that clients do not read. 0 for no limit. */
export interface UnreadLimits {
  /** In milliseconds; it may be exceeded by an eighth, and by a second. */
  readonly time: number
  /** The bytes that all connections hold together. */
  readonly memory: number
}

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
 * A request of 60 bytes may have a response of 16 MiB. So the memory of all responses is limited, too: beyond it, the clients that have
 * read nothing for the longest time lose their connections.
 */
export function unreadListener({ time, memory }: UnreadLimits): (this: ServerResponse) => void {
  const unread = new Map<Socket, UnreadConnection>()
  const period = Math.min(1000, Math.max(10, time / 8))
  let timer: NodeJS.Timeout | null = null

  function measure(now: number): void {
    for (const [socket, connection] of unread) {
      const left = unsentBytes(socket)
      if (left !== connection.left) Object.assign(connection, { left, since: now })
    }
  }

  function check(): void {
    const now = performance.now()
    measure(now)
    for (const [socket, { since }] of unread) if (now - since >= time) socket.destroy()
    timer = null
    start()
  }

  /** One timer is enough for all connections. */
  function start(): void {
    if (timer === null && unread.size > 0 && time > 0) timer = setTimeout(check, period).unref()
  }

  /** The latest response may be larger than the limit, and its client may be fast. */
  function freeMemoryBut(latest: Socket): void {
    let held = 0
    for (const socket of unread.keys()) held += socket.writableLength
    if (memory === 0 || held <= memory) return
    measure(performance.now())
    const oldestFirst = [...unread].toSorted(([, one], [, other]) => one.since - other.since)
    for (const [socket] of oldestFirst) {
      if (held <= memory) return
      if (socket === latest) continue
      held -= socket.writableLength
      unread.delete(socket)
      socket.destroy()
    }
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
    freeMemoryBut(socket)
  }
}

/** Returns how many bytes the operating system has not taken yet. `writableLength` counts a chunk until all of it is taken. */
function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: { readonly writeQueueSize?: unknown } | null }
  return typeof handle?.writeQueueSize === 'number' ? handle.writeQueueSize : socket.writableLength
}
