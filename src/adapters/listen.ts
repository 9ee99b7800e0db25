import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HttpHandle } from '../http/response.js'
import { clientErrorListener } from './client-error.js'
import { edgeDocument, rawEdgeDocument } from './edge-document.js'
import { type NodeAdapterOptions, nodeAdapter, type NodeListener } from './node.js'
import { sendResponse } from './node-response.js'

export interface ListenOptions extends NodeAdapterOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  /** Milliseconds for a whole request to arrive. */
  readonly requestTimeout?: number
  /** Milliseconds for its headers to arrive. */
  readonly headersTimeout?: number
  /** Milliseconds an idle connection is kept. Longer than the usual minute of a load balancer, which must be first to close. */
  readonly keepAliveTimeout?: number
  /** Milliseconds that `close` waits for requests under way. */
  readonly grace?: number
}

export interface Listening {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Accepts nothing more, lets requests under way finish within the grace time, and resolves when every connection is closed. */
  close(): Promise<void>
}

/** Room for a request target of 16 KiB and then some, so that the answer to one that is too long is a document of ours. */
const MAX_HEADER_SIZE = 32 * 1024
const SWEEP_MILLISECONDS = 20
/** What clients had sent when the end began is still read: a connection looks idle until then. */
const LULL_MILLISECONDS = 100

/**
 * Starts an HTTP server of its own for a built server, or for anything that handles requests.
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
  // A built server brings its own listener, with its own settings.
  const listener = typeof served === 'function' ? nodeAdapter(served, options) : served.node
  const { port = 0, host = '127.0.0.1', grace = 10_000 } = options
  const lastAnswers = new WeakMap<Socket, ServerResponse>()
  let closing: Promise<void> | undefined
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_SIZE,
      requestTimeout: options.requestTimeout ?? 60_000,
      headersTimeout: options.headersTimeout ?? 20_000,
      keepAliveTimeout: options.keepAliveTimeout ?? 65_000,
      connectionsCheckingInterval: 1000,
      // The adapter refuses a missing Host itself, with a document.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      lastAnswers.set(incoming.socket, outgoing)
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
      // Clients are told that nothing more is answered here, so that they send nothing more.
      for (const socket of sockets) {
        const outgoing = lastAnswers.get(socket)
        if (outgoing !== undefined) outgoing.shouldKeepAlive = false
      }
      closing ??= drain(server, sockets, grace)
      return closing
    },
  })
}

function refuseExpectation(incoming: IncomingMessage, outgoing: ServerResponse): void {
  sendResponse(edgeDocument(417, 'The only expectation met here is 100-continue.'), incoming, outgoing)
}

/** Without a listener, `node:http` closes a CONNECT without a word. */
function refuseTunnel(_incoming: IncomingMessage, socket: Duplex): void {
  socket.end(rawEdgeDocument(405, 'This server opens no tunnels.'))
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

/** The addresses that mean "every interface" are none that a client could open. */
function linkHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function drain(server: Server, sockets: ReadonlySet<Socket>, grace: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = (): void => {
      server.closeIdleConnections()
      // A connection that never sent a byte is not idle in the eyes of `node:http`, but nothing is lost with it.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }
    let sweeping: NodeJS.Timeout | undefined
    const lull = setTimeout(() => {
      sweeping = setInterval(sweep, SWEEP_MILLISECONDS)
      sweep()
    }, LULL_MILLISECONDS)
    const lastCall = setTimeout(() => server.closeAllConnections(), grace)
    // That of `node:http` would end what looks idle at once.
    NetServer.prototype.close.call(server, () => {
      server.close()
      clearTimeout(lull)
      clearInterval(sweeping)
      clearTimeout(lastCall)
      resolve()
    })
  })
}
