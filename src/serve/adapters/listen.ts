import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo, ListenOptions as NetListenOptions, Socket } from 'node:net'
import type { HttpHandle } from '../../core/http/response.js'
import { clientErrorListener, connectListener } from './client-error.js'
import { adapterErrorResponse } from './adapter-error-response.js'
import { type CloseServer, trackConnections } from './graceful-shutdown.js'
import { withHealthEndpoints } from './health-endpoints.js'
import { type ListenLimits, listenLimits, type ListenOptions } from './listen-options.js'
import { nodeAdapter, type NodeListener } from './node.js'
import { sendResponse } from './node-response.js'
import { unreadListener } from './unread-responses.js'

export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /**
   * Makes the service not ready, stops accepting connections, closes idle ones, waits for running requests within the deadline, and
   * resolves when all connections are closed.
   */
  readonly close: CloseServer
}

/**
 * Starts a `node:http` server for a built server, or for any function that handles requests.
 *
 * @example
 * ```ts
 * const listening = await listen(server, { port: 3000 })
 * process.once('SIGTERM', () => listening.close())
 * ```
 */
export async function listen(
  served: HttpHandle | { readonly node: NodeListener },
  options: ListenOptions = {},
): Promise<Listening> {
  const limits = listenLimits(options)
  const { host = '127.0.0.1', health } = options
  // A built server has its own listener with its own settings.
  const own = typeof served === 'function' ? nodeAdapter(served, options) : served.node
  const listener = health === undefined ? own : withHealthEndpoints(health, own)
  const onPrefinish = unreadListener({ time: limits.writeTimeout, memory: limits.responseMemory })
  const isBeyondLast = requestCounter(limits.maxRequestsPerSocket)
  const tracked = (serve: NodeListener): NodeListener => {
    return (incoming, outgoing) => {
      if (isBeyondLast?.(incoming.socket, outgoing) === true || !connections.track(incoming, outgoing)) return
      outgoing.on('prefinish', onPrefinish)
      serve(incoming, outgoing)
    }
  }
  const server = createServer(serverOptions(limits), tracked(listener))
  if (limits.maxConnections > 0) server.maxConnections = limits.maxConnections
  const connections = trackConnections(server, {
    deadline: limits.grace,
    backlog: limits.backlog,
    onShutDown: () => health?.shutDown(),
  })
  server.on('clientError', clientErrorListener())
  server.on('checkExpectation', tracked(refuseExpectation))
  server.on('connect', connectListener())
  await bind(server, { port: options.port ?? 0, host, backlog: limits.backlog })
  const { port } = server.address() as AddressInfo
  return Object.freeze({ url: `http://${linkHost(host)}:${port}`, port, close: connections.close })
}

function serverOptions(limits: ListenLimits): ServerOptions {
  const { maxHeaderSize, requestTimeout, headersTimeout, keepAliveTimeout } = limits
  return {
    maxHeaderSize,
    requestTimeout,
    headersTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: 1000,
    // The adapter checks for a missing Host itself, and responds with an error document.
    requireHostHeader: false,
  }
}

/**
 * Returns a function that counts the requests of connections; `null` if there is no limit. The response to the last one closes the
 * connection. The function returns true for requests that a client has sent after it without waiting: they get no response, and
 * the client must send them again (RFC 9112, section 9.6). The limit of `node:http` would leave the connection open.
 */
function requestCounter(limit: number): ((socket: Socket, outgoing: ServerResponse) => boolean) | null {
  if (limit === 0) return null
  const counts = new WeakMap<Socket, number>()
  return (socket, outgoing) => {
    const count = (counts.get(socket) ?? 0) + 1
    counts.set(socket, count)
    if (count === limit) outgoing.shouldKeepAlive = false
    return count > limit
  }
}

function refuseExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  sendResponse(adapterErrorResponse(417, 'The only supported expectation is 100-continue.'), incoming, outgoing)
}

function bind(server: Server, options: NetListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Returns the host for URLs. Clients cannot connect to the addresses that mean "every interface". */
export function linkHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
