import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { collectBody } from './body-parts.js'

/** A request that must wait. */
interface Waiting {
  readonly outgoing: ServerResponse
  /** Starts the request. */
  readonly begin: () => void
}

/** The requests of one connection. */
interface ConnectionQueue {
  /** The response to the current request. */
  current: ServerResponse
  isPausing: boolean
  /** How many requests have not begun: `node:http` holds them until the connection is closed, also those that are never served. */
  held: number
  /** Whether the end of the connection is noticed. */
  isCounted: boolean
  /** Later requests, which wait until the current response is closed. */
  readonly waiting: Waiting[]
}

/**
 * How many requests of all connections may wait behind another one of their connection. Each takes more than a kilobyte of memory, and
 * 25 bytes of what a client sends.
 */
const MOST_HELD = 20_000

/**
 * Starts to collect the body of a request. Returns a promise that is fulfilled when the request may start; `null` if it may start
 * immediately. The promise of a request after the last one of its connection is never fulfilled.
 */
export type Turn = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | null

/**
 * Runs the requests of a connection one at a time, in their order. A client may send many requests without waiting for the
 * responses (pipelining). `node:http` emits all of them immediately, and would hold all their responses in memory until the
 * client reads them. Here, the next request starts when the previous response was passed to the operating system, and the
 * connection is not read while a request waits. So at most one response and one network read (64 KiB) are held for a connection. If too
 * many requests wait on all connections together, the connection of the next one is closed.
 */
export function connectionTurns(): Turn {
  const queues = new WeakMap<Socket, ConnectionQueue>()
  let allHeld = 0

  function hold(queue: ConnectionQueue, socket: Socket): void {
    if (!queue.isCounted) {
      queue.isCounted = true
      socket.once('close', () => release(queue, queue.held))
    }
    queue.held += 1
    allHeld += 1
    if (allHeld > MOST_HELD) socket.destroy()
  }

  function release(queue: ConnectionQueue, count: number): void {
    queue.held -= count
    allHeld -= count
  }

  return (incoming, outgoing) => {
    const stream = http2StreamOf(incoming)
    collectBody(incoming, outgoing, stream)
    // HTTP/2 has its own flow control.
    if (stream !== null || outgoing.destroyed) return null
    const { socket } = incoming
    const queue = queues.get(socket)
    if (queue !== undefined && (socket.destroyed || isLast(queue.waiting.at(-1)?.outgoing ?? queue.current))) {
      if (!socket.destroyed) hold(queue, socket)
      return never()
    }
    if (asksForUpgrade(incoming)) outgoing.shouldKeepAlive = false
    if (queue === undefined) {
      queues.set(socket, { current: outgoing, isPausing: false, held: 0, isCounted: false, waiting: [] })
      return null
    }
    if (queue.current.closed) {
      queue.current = outgoing
      return null
    }
    // A listener is added only now, because most clients wait for each response.
    if (queue.waiting.length === 0) queue.current.once('close', () => beginNext(queue, socket))
    hold(queue, socket)
    return new Promise((resolve) => {
      const begin = (): void => {
        // The connection may have been closed since.
        release(queue, Math.min(1, queue.held))
        resolve()
      }
      queue.waiting.push({ outgoing, begin })
      pauseSoon(queue, socket)
    })
  }
}

/**
 * Whether a request asks for another protocol on its connection. The server ignores that (RFC 9110, section 7.8), but the request is the
 * last one of its connection: `node:http` drops the bytes that arrived together with it, and would parse those that arrive later as a
 * new request. The client must send later requests again (RFC 9112, section 9.6).
 */
export function asksForUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined
}

/** Whether a response closes its connection. Imitations of `node:http` may not have the member. */
function isLast({ shouldKeepAlive }: Partial<Pick<ServerResponse, 'shouldKeepAlive'>>): boolean {
  return shouldKeepAlive === false
}

/** Creates a promise for each request, because a shared one would hold all of them in memory. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}

function beginNext(queue: ConnectionQueue, socket: Socket): void {
  // The responses of the waiting requests get no `close` event when the connection is lost. After a response that closes it, none can
  // be sent.
  if (socket.destroyed || isLast(queue.current)) queue.waiting.length = 0
  const next = queue.waiting.shift()
  if (next === undefined) return
  queue.current = next.outgoing
  if (queue.waiting.length > 0) queue.current.once('close', () => beginNext(queue, socket))
  // The body of the last request may not be read yet.
  else socket.resume()
  // Other connections run first: with a store without I/O, this connection would block them.
  setImmediate(next.begin)
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

/**
 * Returns the stream of an HTTP/2 request; `null` for HTTP/1. `node:http2` and frameworks on it pass objects with the members of
 * `node:http`, but a body needs no header that announces it, and there is no header `Connection`. The version that a request names
 * says nothing: `node:http` accepts `GET / HTTP/2.0` on a connection of HTTP/1.1.
 */
export function http2StreamOf(incoming: IncomingMessage): ServerHttp2Stream | null {
  const { stream } = incoming as Partial<Pick<Http2ServerRequest, 'stream'>>
  // Middleware of an application may have set a member of this name.
  return typeof stream === 'object' && stream !== null && 'endAfterHeaders' in stream ? stream : null
}
