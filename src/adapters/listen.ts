import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpHandle } from '../http/response.js'
import { clientErrorListener } from './client-error.js'
import { adapterErrorResponse, rawAdapterErrorResponse } from './adapter-error-response.js'
import { type NodeAdapterOptions, nodeAdapter, type NodeListener } from './node.js'
import { sendResponse } from './node-response.js'

export interface ListenOptions extends NodeAdapterOptions {
  /** Default: 0, which selects a free port. */
  readonly port?: number
  readonly host?: string
  /** The time limit for receiving a whole request, in milliseconds. */
  readonly requestTimeout?: number
  /** The time limit for receiving the headers of a request, in milliseconds. */
  readonly headersTimeout?: number
  /**
   * How long an idle connection stays open, in milliseconds. Use more than the idle timeout of a load balancer, usually
   * one minute: the load balancer must be the first to close.
   */
  readonly keepAliveTimeout?: number
  /** How long `close` waits for running requests, in milliseconds. */
  readonly grace?: number
}

export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /**
   * Stops accepting connections, waits for running requests within the grace time, and resolves when all connections
   * are closed.
   */
  close(): Promise<void>
}

/**
 * More than the maximum request target of 16 KiB, so that the response to a longer target is a JSON:API error document.
 */
const MAX_HEADER_SIZE = 32 * 1024
const SWEEP_MILLISECONDS = 20
/**
 * The delay before idle connections are closed. Requests that clients sent before the shutdown are still read in that
 * time; until then, their connections look idle.
 */
const IDLE_DELAY_MILLISECONDS = 100

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
  // A built server has its own listener with its own settings.
  const listener = typeof served === 'function' ? nodeAdapter(served, options) : served.node
  const { port = 0, host = '127.0.0.1', grace = 10_000 } = options
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  let closing: Promise<void> | undefined
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_SIZE,
      requestTimeout: options.requestTimeout ?? 60_000,
      headersTimeout: options.headersTimeout ?? 20_000,
      keepAliveTimeout: options.keepAliveTimeout ?? 65_000,
      connectionsCheckingInterval: 1000,
      // The adapter checks for a missing Host itself, and responds with an error document.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      lastResponses.set(incoming.socket, outgoing)
      if (closing !== undefined) outgoing.shouldKeepAlive = false
      listener(incoming, outgoing)
    },
  )
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('clientError', clientErrorListener())
  server.on('checkExpectation', refuseExpectation)
  server.on('connect', refuseTunnel)
  await bind(server, port, host)
  const address = server.address() as AddressInfo
  return Object.freeze({
    url: `http://${linkHost(host)}:${address.port}`,
    port: address.port,
    close(): Promise<void> {
      // Pending responses get `Connection: close`, so that clients send no more requests on these connections.
      for (const socket of sockets) {
        const outgoing = lastResponses.get(socket)
        if (outgoing !== undefined) outgoing.shouldKeepAlive = false
      }
      closing ??= drain(server, sockets, grace)
      return closing
    },
  })
}

function refuseExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  sendResponse(adapterErrorResponse(417, 'The only supported expectation is 100-continue.'), incoming, outgoing)
}

/** Without this listener, `node:http` would close the connection of a CONNECT request without a response. */
function refuseTunnel(_incoming: IncomingMessage, socket: Duplex): void {
  socket.end(rawAdapterErrorResponse(405, 'This server does not support CONNECT.'))
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Returns the host for URLs. Clients cannot connect to the addresses that mean "every interface". */
function linkHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function drain(server: Server, sockets: ReadonlySet<Socket>, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = (): void => {
      server.closeIdleConnections()
      // `node:http` does not treat a connection without received bytes as idle, but it can be closed without loss.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }
    let sweeping: NodeJS.Timeout | undefined
    const idleTimer = setTimeout(() => {
      sweeping = setInterval(sweep, SWEEP_MILLISECONDS)
      sweep()
    }, IDLE_DELAY_MILLISECONDS)
    const graceTimer = setTimeout(() => server.closeAllConnections(), grace)
    // `close` of `node:http` would close connections that look idle immediately.
    NetServer.prototype.close.call(server, () => {
      server.close()
      clearTimeout(idleTimer)
      clearInterval(sweeping)
      clearTimeout(graceTimer)
      resolve()
    })
  })
}
