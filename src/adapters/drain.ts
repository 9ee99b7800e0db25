import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'

const SWEEP_MILLISECONDS = 20
/**
 * The delay before idle connections are closed. In this time, requests that clients sent before the shutdown are still
 * read: until then, their connections look idle.
 */
const IDLE_DELAY_MILLISECONDS = 100

interface DrainOptions {
  /** Milliseconds. */
  readonly grace: number
  /** The number of connections that the operating system holds until they are accepted. */
  readonly backlog: number
}

/**
 * Closes a server without loss: stops accepting connections, closes idle ones, and waits for the responses of the
 * others within the grace time. In a busy process, connections and requests may have arrived that are not accepted or
 * read yet. So each step waits for some turns of the event loop.
 *
 * @param connections the open connections, each with the response to its last request
 * @returns how many connections were destroyed with a response that was not complete
 */
export function drain(
  server: Server,
  connections: ReadonlyMap<Socket, ServerResponse | null>,
  { grace, backlog }: DrainOptions,
): Promise<number> {
  return new Promise((resolve) => {
    let cutOff = 0
    let isOver = false
    const cutOffAll = (): void => {
      for (const [socket, outgoing] of connections) {
        if (outgoing !== null && !outgoing.destroyed) cutOff += 1
        socket.destroy()
      }
    }
    const sweep = (): void => {
      // `node:http` would cut off a response that the client is still reading.
      for (const outgoing of connections.values()) if (outgoing !== null && isBeingSent(outgoing)) return
      server.closeIdleConnections()
      // `node:http` does not treat a connection without received bytes as idle, but it can be closed without loss.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy()
    }
    let isAccepting = true
    // The connection that was accepted last is read within two turns.
    const sweepSoon = (): void => {
      if (!isAccepting) afterTurns(2, sweep)
    }
    let sweeping: NodeJS.Timeout | undefined
    const idleTimer = setTimeout(() => {
      sweeping = setInterval(sweepSoon, SWEEP_MILLISECONDS)
      sweepSoon()
    }, IDLE_DELAY_MILLISECONDS)
    const graceTimer = setTimeout(() => {
      isOver = true
      cutOffAll()
    }, grace)
    whenAccepted(server, backlog, () => {
      isAccepting = false
      // Connections that were accepted after the grace time would never be closed.
      if (isOver) cutOffAll()
      // `close` of `node:http` would close connections that look idle immediately.
      NetServer.prototype.close.call(server, () => {
        server.close()
        clearTimeout(idleTimer)
        clearInterval(sweeping)
        clearTimeout(graceTimer)
        resolve(cutOff)
      })
    })
  })
}

function isBeingSent(outgoing: ServerResponse): boolean {
  return outgoing.writableEnded && !outgoing.destroyed
}

/**
 * Calls the function when the connections that had arrived are accepted: after two turns of the event loop without a new
 * one. A turn accepts only one. The limit is for clients that never stop to connect.
 */
function whenAccepted(server: Server, backlog: number, callback: () => void): void {
  let [accepted, last, quietTurns] = [0, 0, 0]
  const onConnection = (): void => {
    accepted += 1
  }
  const check = (): void => {
    quietTurns = accepted === last ? quietTurns + 1 : 0
    last = accepted
    if (quietTurns < 2 && accepted < backlog) {
      setImmediate(check)
      return
    }
    server.off('connection', onConnection)
    callback()
  }
  server.on('connection', onConnection)
  setImmediate(check)
}

/** Calls the function after some turns of the event loop. Each turn accepts connections and reads received data. */
function afterTurns(turns: number, callback: () => void): void {
  setImmediate(() => (turns === 1 ? callback() : afterTurns(turns - 1, callback)))
}
