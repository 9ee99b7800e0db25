import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** The requests of one connection that have arrived and are not answered yet. */
interface ConnectionQueue {
  isServing: boolean
  isPausing: boolean
  readonly waiting: (readonly [incoming: IncomingMessage, outgoing: ServerResponse])[]
}

/**
 * Passes the requests of a connection to the listener one at a time, in their order. A client may send many requests
 * without waiting for the responses (pipelining). `node:http` emits all of them at once, and would hold all their
 * responses in memory until the client reads them. Here, the next request begins when the response before it was handed
 * to the operating system, and the connection is not read while a request waits. So at most one response and one network
 * read (64 KiB) are held for a connection.
 */
export function inTurn(listener: Listener): Listener {
  const queues = new WeakMap<Socket, ConnectionQueue>()
  const queueOf = (socket: Socket): ConnectionQueue => {
    const found = queues.get(socket)
    if (found !== undefined) return found
    const queue: ConnectionQueue = { isServing: false, isPausing: false, waiting: [] }
    queues.set(socket, queue)
    return queue
  }
  const serve = (queue: ConnectionQueue, incoming: IncomingMessage, outgoing: ServerResponse): void => {
    queue.isServing = true
    outgoing.once('close', () => serveNext(queue, incoming.socket))
    listener(incoming, outgoing)
  }
  const serveNext = (queue: ConnectionQueue, socket: Socket): void => {
    queue.isServing = false
    // The responses of the waiting requests get no `close` event when the connection is lost.
    if (socket.destroyed) queue.waiting.length = 0
    const next = queue.waiting.shift()
    if (next === undefined) return
    // The body of the last request may not be read yet.
    if (queue.waiting.length === 0) socket.resume()
    // Other connections get a turn first: a store that needs no I/O would let this one have all of them.
    queue.isServing = true
    setImmediate(() => serve(queue, ...next))
  }
  return (incoming, outgoing) => {
    // Requests of HTTP/2 share a connection, and have their own flow control.
    if (incoming.httpVersionMajor > 1 || outgoing.destroyed) return listener(incoming, outgoing)
    const { socket } = incoming
    const queue = queueOf(socket)
    if (!queue.isServing) return serve(queue, incoming, outgoing)
    queue.waiting.push([incoming, outgoing])
    pauseSoon(queue, socket)
  }
}

/** Stops reading after the current chunk. `node:http` resumes the connection at the end of each request in the chunk. */
function pauseSoon(queue: ConnectionQueue, socket: Socket): void {
  if (queue.isPausing) return
  queue.isPausing = true
  queueMicrotask(() => {
    queue.isPausing = false
    if (queue.waiting.length > 0) socket.pause()
  })
}
