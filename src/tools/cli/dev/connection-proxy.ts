import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { adapterErrorResponse } from '../../../serve/adapters/adapter-error-response.js'
import { sendResponse } from '../../../serve/adapters/node-response.js'

/**
 * The address for clients. It stays the same when a new process replaces the old one: each connection belongs to the process that
 * served when it was opened.
 */
export interface ConnectionProxy {
  readonly port: number
  /** Forwards new connections, and those that were held, to a local port. */
  pass(port: number): void
  /** Makes new connections wait. */
  hold(): void
  /** Responds with 503 to requests of new connections, and of those that were held. */
  refuse(detail: string): void
  /** Accepts no more connections. */
  close(): void
}

type ConnectionHandler = (client: Socket) => void

/** Listens, and holds connections. Rejects with the error of the operating system. */
export async function openProxy(host: string, port: number): Promise<ConnectionProxy> {
  const held = new Set<Socket>()
  const hold: ConnectionHandler = (client) => {
    held.add(client)
    client.once('close', () => held.delete(client))
  }
  let handler = hold
  const handleBy = (next: ConnectionHandler): void => {
    handler = next
    const waiting = [...held]
    held.clear()
    for (const client of waiting) next(client)
  }
  // Paused, so that nothing is read before the reader is known.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy())
    handler(client)
  })
  await listening(server, { host, port })
  return {
    port: (server.address() as AddressInfo).port,
    pass: (to) => handleBy((client) => passOn(client, to)),
    hold: () => handleBy(hold),
    refuse: (detail) => handleBy(refusal(detail)),
    close() {
      server.close()
      for (const client of held) client.destroy()
    },
  }
}

const TRIED_PORTS = 20

/** Listens on the first free port, starting at the given one. */
export async function openFreeProxy(host: string, first: number): Promise<ConnectionProxy> {
  for (let port = first; ; port++) {
    try {
      return await openProxy(host, port)
    } catch (thrown) {
      const isTaken = (thrown as { readonly code?: unknown }).code === 'EADDRINUSE'
      if (!isTaken || port === first + TRIED_PORTS) throw thrown
    }
  }
}

function listening(server: Server, address: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function passOn(client: Socket, port: number): void {
  const served = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  served.on('error', () => client.destroy())
  served.on('close', () => {
    if (!client.writableEnded) client.destroy()
  })
  client.on('close', () => served.destroy())
  client.pipe(served)
  served.pipe(client)
}

function refusal(detail: string): ConnectionHandler {
  const server = createHttpServer((incoming, outgoing) => {
    // The next request of the client may be served.
    outgoing.shouldKeepAlive = false
    sendResponse(adapterErrorResponse(503, detail), incoming, outgoing)
  })
  return (client) => {
    server.emit('connection', client)
    client.resume()
  }
}
