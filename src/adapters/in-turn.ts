import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request, its response, and what a host passes to the listener besides. */
type Exchange<Rest extends readonly unknown[]> = readonly [
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  ...rest: Rest,
]

type Listener<Rest extends readonly unknown[]> = (...exchange: Exchange<Rest>) => void

/** The requests of one connection. */
interface ConnectionQueue<Rest extends readonly unknown[]> {
  /** The response to the request that the listener got last. */
  current: ServerResponse
  isPausing: boolean
  /** The requests that have arrived since, and must wait until that response is closed. */
  readonly waiting: Exchange<Rest>[]
}

/**
 * Passes the requests of a connection to the listener one at a time, in their order. A client may send many requests
 * without waiting for the responses (pipelining). `node:http` emits all of them at once, and would hold all their
 * responses in memory until the client reads them. Here, the next request begins when the response before it was handed
 * to the operating system, and the connection is not read while a request waits. So at most one response and one network
 * read (64 KiB) are held for a connection.
 */
export function inTurn<Rest extends readonly unknown[] = []>(listener: Listener<Rest>): Listener<Rest> {
  const queues = new WeakMap<Socket, ConnectionQueue<Rest>>()
  const serveNext = (queue: ConnectionQueue<Rest>, socket: Socket): void => {
    // The responses of the waiting requests get no `close` event when the connection is lost.
    if (socket.destroyed) queue.waiting.length = 0
    const next = queue.waiting.shift()
    if (next === undefined) return
    queue.current = next[1]
    if (queue.waiting.length > 0) queue.current.once('close', () => serveNext(queue, socket))
    // The body of the last request may not be read yet.
    else socket.resume()
    // Other connections get a turn first: a store that needs no I/O would let this one have all of them.
    setImmediate(() => listener(...next))
  }
  return (incoming, outgoing, ...rest) => {
    // Requests of HTTP/2 share a connection, and have their own flow control.
    if (incoming.httpVersionMajor > 1 || outgoing.destroyed) return listener(incoming, outgoing, ...rest)
    const { socket } = incoming
    const queue = queues.get(socket)
    if (queue === undefined) queues.set(socket, { current: outgoing, isPausing: false, waiting: [] })
    else if (queue.current.closed) queue.current = outgoing
    else {
      // Only now is a listener added: most clients wait for each response.
      if (queue.waiting.length === 0) queue.current.once('close', () => serveNext(queue, socket))
      queue.waiting.push([incoming, outgoing, ...rest])
      pauseSoon(queue, socket)
      return
    }
    listener(incoming, outgoing, ...rest)
  }
}

/** Stops reading after the current chunk. `node:http` resumes the connection at the end of each request in the chunk. */
function pauseSoon(queue: ConnectionQueue<readonly unknown[]>, socket: Socket): void {
  if (queue.isPausing) return
  queue.isPausing = true
  queueMicrotask(() => {
    queue.isPausing = false
    if (queue.waiting.length > 0) socket.pause()
  })
}
