import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How many turns of the event loop in a row must accept nothing, and how long each may take, in milliseconds. */
const QUIET_TURNS = 10
const SHORT_TURN = 0.25

/** After this time, in milliseconds, one turn of any length is enough. */
const PATIENCE = 1000

/**
 * Accepts the connections that clients have opened to a server, and calls the function with them. The operating system resets those that
 * are not accepted when the server closes, also if their requests were sent. So the function must close the server.
 *
 * A turn of the event loop accepts one connection. Nothing is read from new connections until then: while their requests were handled,
 * more clients would connect. Sockets below TLS are read nevertheless. At the end, the operating system may hold only two connections: no
 * more are reset if this process has to wait for a core before it closes the server.
 *
 * @param backlog the number of connections that the operating system holds; at most twice as many are accepted
 */
export function acceptQueued(server: Server, backlog: number, callback: (accepted: readonly Socket[]) => void): void {
  const accepted: Socket[] = []
  const begin = performance.now()
  let [quietTurns, limit, isLimited] = [0, backlog, false]
  const hold = (socket: Socket): void => {
    accepted.push(socket)
    // `node:http` starts to read in the next tick.
    process.nextTick(() => socket.pause())
  }
  const turn = (count: number, since: number): void => {
    const now = performance.now()
    const isQuiet = accepted.length === count
    quietTurns = isQuiet && now - since < SHORT_TURN ? quietTurns + 1 : 0
    if (quietTurns >= QUIET_TURNS || (isQuiet && now - begin > PATIENCE) || accepted.length >= limit) {
      if (isLimited) {
        server.off('connection', hold)
        callback(accepted)
        return
      }
      limitBacklog(server)
      ;[quietTurns, limit, isLimited] = [0, limit + backlog, true]
    }
    setImmediate(turn, accepted.length, performance.now())
  }
  server.on('connection', hold)
  // The current turn may have looked for connections before.
  setImmediate(() => setImmediate(turn, accepted.length, performance.now()))
}

/** Lets the operating system complete few further connections. `node:net` has no public API for it. */
function limitBacklog(server: Server): void {
  const { _handle: handle } = server as { readonly _handle?: { listen?(backlog: number): unknown } | null }
  handle?.listen?.(1)
}
