import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { adapterErrorResponse } from '../../adapters/adapter-error-response.js'
import { sendResponse } from '../../adapters/node-response.js'

/**
 * The address that clients know. It stays the same while one process after the other serves: a connection belongs to the process that
 * served when it came.
 */
export interface ConnectionProxy {
  readonly port: number
  /** Passes new connections on to a port of this machine, and those that were held. */
  pass(port: number): void
  /** Lets new connections wait. */
  hold(): void
  /** Answers requests of new connections with 503, and those that were held. */
  refuse(detail: string): void
  /** Accepts no more connections. */
  close(): void
}

type Treatment = (client: Socket) => void

/** Listens, and holds connections. Rejects with the error of the operating system. */
export async function openProxy(host: string, port: number): Promise<ConnectionProxy> {
  const held = new Set<Socket>()
  const hold: Treatment = (client) => {
    held.add(client)
    client.once('close', () => held.delete(client))
  }
  let treatment = hold
  const treat = (next: Treatment): void => {
    treatment = next
    const waiting = [...held]
    held.clear()
    for (const client of waiting) next(client)
  }
  // Paused, so that nothing is read before it is known who reads it.
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy())
    treatment(client)
  })
  await listening(server, { host, port })
  return {
    port: (server.address() as AddressInfo).port,
    pass: (to) => treat((client) => passOn(client, to)),
    hold: () => treat(hold),
    refuse: (detail) => treat(refusal(detail)),
    close() {
      server.close()
      for (const client of held) client.destroy()
    },
  }
}

const TRIED_PORTS = 20

/** Listens at the first port that is free, from one on. */
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

function refusal(detail: string): Treatment {
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
