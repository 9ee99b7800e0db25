import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpHandle } from '../http/response.js'
import { clientErrorListener } from './client-error.js'
import { adapterErrorResponse, rawAdapterErrorResponse } from './adapter-error-response.js'
import { type NodeAdapterOptions, nodeAdapter, type NodeListener } from './node.js'
import { sendResponse } from './node-response.js'
import { drain } from './drain.js'
import { afterResponse, serveWithoutUpgrade } from './upgrade.js'

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
  /**
   * How long a client may read nothing of a response before its connection is closed, in milliseconds. Default: 60,000.
   */
  readonly writeTimeout?: number
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
  const connections = new Map<Socket, ServerResponse | null>()
  const onPrefinish = unreadListener(options.writeTimeout ?? 60_000)
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
      const { socket } = incoming
      if (closing !== undefined) makeLast(outgoing, connections.get(socket))
      connections.set(socket, outgoing)
      outgoing.on('prefinish', onPrefinish)
      listener(incoming, outgoing)
    },
  )
  server.on('connection', (socket: Socket) => {
    // A connection that asked for an upgrade is emitted again.
    if (connections.has(socket)) return
    connections.set(socket, null)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', clientErrorListener())
  server.on('checkExpectation', refuseExpectation)
  server.on('connect', refuseTunnel)
  server.on('upgrade', (incoming: IncomingMessage, socket: Socket, rest: Buffer) => {
    afterResponse(connections.get(socket), () => serveWithoutUpgrade(server, incoming, socket, rest))
  })
  await bind(server, port, host)
  const address = server.address() as AddressInfo
  return Object.freeze({
    url: `http://${linkHost(host)}:${address.port}`,
    port: address.port,
    close(): Promise<void> {
      // Pending responses get `Connection: close`, so that clients send no more requests on these connections.
      for (const outgoing of connections.values()) if (outgoing !== null) outgoing.shouldKeepAlive = false
      closing ??= drain(server, connections, grace)
      return closing
    },
  })
}

/**
 * Makes a response the last one of its connection, in place of the response before it: requests that arrive together are
 * all answered.
 */
function makeLast(outgoing: ServerResponse, before: ServerResponse | null | undefined): void {
  outgoing.shouldKeepAlive = false
  if (before !== null && before !== undefined && !before.headersSent) before.shouldKeepAlive = true
}

/**
 * Creates the listener that runs when a response was passed to its connection. If the client has not read all of it, the
 * connection must make progress within the time limit. Until then nothing is read from it: data that the client sends
 * would count as progress.
 */
function unreadListener(milliseconds: number): (this: ServerResponse) => void {
  return function (this: ServerResponse) {
    const { socket } = this
    if (socket === null || socket.writableLength === 0) return
    // `node:http` sets the timeout for idle connections when the response is complete.
    socket.setTimeout(milliseconds)
    socket.pause()
    this.once('close', () => socket.resume())
  }
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
