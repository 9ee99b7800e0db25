import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { acceptQueued } from './accept-queue.js'

const SWEEP_MILLISECONDS = 20
/**
 * The delay before idle connections are closed. In this time, requests that clients sent before the shutdown are still
 * read: until then, their connections look idle.
 */
const IDLE_DELAY_MILLISECONDS = 100
/** How long a new connection may be open before its first byte arrives: the request of a distant client is still on its way. */
const SILENT_MILLISECONDS = 1000

/** An open connection. */
export interface TrackedConnection {
  /** When it was accepted, as `performance.now()`. */
  readonly since: number
  /** The response to its last request. */
  response: ServerResponse | null
}

interface DrainOptions {
  /** Milliseconds. */
  readonly grace: number
  /** The number of connections that the operating system holds until they are accepted. */
  readonly backlog: number
}

/**
 * Closes a server without loss: accepts the connections that have arrived, and no more, closes idle ones, and waits for the responses of
 * the others within the grace time. In a busy process, requests may have arrived that are not read yet. So each step waits for some turns
 * of the event loop.
 *
 * @returns how many connections were destroyed with a response that was not complete
 */
export function drain(
  server: Server,
  connections: ReadonlyMap<Socket, TrackedConnection>,
  { grace, backlog }: DrainOptions,
): Promise<number> {
  return new Promise((resolve) => {
    let cutOff = 0
    let isOver = false
    let sweeping: NodeJS.Timeout | undefined
    const cutOffAll = (): void => {
      isOver = true
      for (const [socket, { response }] of connections) {
        if (response !== null && !response.destroyed) cutOff += 1
        socket.destroy()
      }
    }
    const graceTimer = setTimeout(cutOffAll, grace)
    acceptQueued(server, backlog, (accepted) => {
      // `close` of `node:http` would close connections that look idle immediately.
      NetServer.prototype.close.call(server, () => {
        server.close()
        clearTimeout(sweeping)
        clearTimeout(graceTimer)
        resolve(cutOff)
      })
      // Connections that were accepted after the grace time would never be closed.
      if (isOver) cutOffAll()
      for (const socket of accepted) socket.resume()
      const sweepLater = (delay: number): void => {
        sweeping = setTimeout(() => {
          // Timers run before what has arrived is read.
          afterTurns(2, () => closeIdle(server, connections))
          sweepLater(SWEEP_MILLISECONDS)
        }, delay)
      }
      sweepLater(IDLE_DELAY_MILLISECONDS)
    })
  })
}

/** Closes the connections on which nothing is sent or received. */
function closeIdle(server: Server, connections: ReadonlyMap<Socket, TrackedConnection>): void {
  const now = performance.now()
  let isExpecting = false
  for (const [socket, { since }] of connections) {
    if (socket.bytesRead > 0) continue
    // `node:http` before Node 26 does not treat a connection without received bytes as idle, but it can be closed without loss.
    if (now - since >= SILENT_MILLISECONDS) socket.destroy()
    else isExpecting = true
  }
  // `node:http` of Node 26 would close such a connection immediately.
  if (isExpecting) return
  // `node:http` would also cut off a response that the client is still reading, and a connection that waits for the client to close it.
  for (const [socket, { response }] of connections) {
    if (socket.writableEnded || (response !== null && isBeingSent(response))) return
  }
  server.closeIdleConnections()
}

function isBeingSent(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded && !outgoing.destroyed
}

/** Calls the function after some turns of the event loop. Each turn accepts connections and reads received data. */
function afterTurns(turns: number, callback: () => void): void {
  setImmediate(() => (turns === 1 ? callback() : afterTurns(turns - 1, callback)))
}
