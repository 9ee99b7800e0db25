import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { asksForUpgrade } from './connection-turns.js'
import { drain, type TrackedConnection } from './drain.js'
import type { HealthEndpoints } from './health-endpoints.js'
import { lingerAfterLast } from './lingering-close.js'

/**
 * How a server closes. Times are in milliseconds.
 *
 * @example
 * ```ts
 * const options = { delay: 5000, deadline: 20_000 }
 * const listening = await listen(server, { port: 3000 })
 * process.once('SIGTERM', () => listening.close(options))
 * ```
 */
export interface ShutdownOptions {
  /**
   * How long the server continues to serve, but is not ready: load balancers read the health check, and send it no more requests. Each
   * response closes its connection. Default: 0.
   */
  readonly delay?: number
  /** How long running requests may take after that. Then their connections are destroyed. Default: 10,000. */
  readonly deadline?: number
}

/** The result of closing a server. See {@link ShutdownOptions}. */
export interface Shutdown {
  /** How many connections were destroyed with a request that had no complete response. */
  readonly cutOff: number
}

/** Closes a server, once: all calls return the same promise. */
export type CloseServer = (options?: ShutdownOptions) => Promise<Shutdown>

/** The connections of a server that closes gracefully. */
export interface TrackedConnections {
  /**
   * Must be called for each request, before its listener. Returns false if the request is after the last one of its connection, and must
   * not be served.
   */
  readonly track: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
  readonly close: CloseServer
}

interface ShutdownSettings {
  readonly deadline: number
  /** The number of connections that the operating system holds until they are accepted. */
  readonly backlog: number
  /** Called when the shutdown begins. */
  readonly onShutDown: () => void
}

/** Tracks the connections of a server that has none yet. */
export function trackConnections(
  server: Server,
  { deadline, backlog, onShutDown }: ShutdownSettings,
): TrackedConnections {
  const connections = new Map<Socket, TrackedConnection>()
  let isClosing = false
  let closing: Promise<Shutdown> | undefined
  const add = (socket: Socket): TrackedConnection => {
    const connection = { since: performance.now(), response: null }
    connections.set(socket, connection)
    socket.once('close', () => connections.delete(socket))
    return connection
  }
  const close = async (options: ShutdownOptions): Promise<Shutdown> => {
    isClosing = true
    onShutDown()
    for (const [socket, { response }] of connections) {
      if (response !== null && !response.headersSent) makeLast(socket, response)
    }
    const { delay = 0 } = options
    if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
    return { cutOff: await drain(server, connections, { grace: options.deadline ?? deadline, backlog }) }
  }
  server.on('connection', add)
  return {
    track(incoming, outgoing) {
      const { socket } = incoming
      // With TLS, requests have another socket than the connection.
      const connection = connections.get(socket) ?? add(socket)
      const before = connection.response
      if (isClosing) keepOpenAfter(before)
      if (before?.shouldKeepAlive === false) return false
      if (isClosing) makeLast(socket, outgoing)
      else if (asksForUpgrade(incoming)) outgoing.shouldKeepAlive = false
      connection.response = outgoing
      return true
    },
    close(options = {}) {
      const problem = problemOf(options)
      return problem === null ? (closing ??= close(options)) : Promise.reject(problem)
    },
  }
}

/** Makes a response the last one of its connection. It has `Connection: close`, so that the client sends no more requests there. */
function makeLast(socket: Socket, outgoing: ServerResponse): void {
  outgoing.shouldKeepAlive = false
  lingerAfterLast(socket)
}

/**
 * Lets another response follow, if possible. During a shutdown, the response to the last request closes the connection: all requests
 * that arrive together get a response.
 */
function keepOpenAfter(outgoing: ServerResponse | null): void {
  if (outgoing === null || outgoing.headersSent || asksForUpgrade(outgoing.req)) return
  outgoing.shouldKeepAlive = true
}

/** The backlog of `node:net`. */
const DEFAULT_BACKLOG = 511

/** The maximum delay of a Node timer. With a longer one, it fires immediately. */
export const LONGEST_TIMER: number = 2 ** 31 - 1

function problemOf(options: ShutdownOptions): TypeError | null {
  for (const name of ['delay', 'deadline'] as const) {
    const { [name]: value = 0 } = options
    if (Number.isInteger(value) && value >= 0 && value <= LONGEST_TIMER) continue
    return new TypeError(
      `The option '${name}' of close() is ${String(value)}, and must be a whole number from 0 to ${LONGEST_TIMER}.`,
    )
  }
  return null
}

/**
 * Returns a function that closes a `node:http` or `node:https` server of the application as `listen` does: the service is not ready, no
 * connection is accepted, idle ones are closed, and running requests finish within the deadline. Call it before the server has
 * connections.
 *
 * @example
 * ```ts
 * const health = server.health()
 * const close = gracefulShutdown(http.createServer(server.node).listen(3000), { health })
 * process.once('SIGTERM', () => close({ deadline: 20_000 }))
 * ```
 */
export function gracefulShutdown(
  server: Server | HttpsServer,
  { health }: { readonly health?: Pick<HealthEndpoints, 'shutDown'> } = {},
): CloseServer {
  const tracked = trackConnections(server, {
    deadline: 10_000,
    backlog: DEFAULT_BACKLOG,
    onShutDown: () => health?.shutDown(),
  })
  server.prependListener('request', tracked.track)
  return tracked.close
}
