import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A proxy between a pool and its server, so that a test can simulate networks and restarts. */
export interface Relay {
  /** The address of the server, through this proxy. */
  readonly url: string
  /** The text that clients have sent, since the last call. */
  sent(): string
  /** How often clients have waited for a response before they sent more, since the last call. For one connection. */
  roundTrips(): number
  /** Holds back all data of the server until `thaw`. */
  freeze(): void
  thaw(): void
  /** Ends the connection of the next response that contains the text, in the middle of the text. */
  cutIn(text: string): void
  /** Ends all connections, and refuses new ones until `open`. */
  close(): Promise<void>
  open(): Promise<void>
}

/** @param delay milliseconds by which each response is delayed */
export async function relayTo(databaseUrl: string, delay = 0): Promise<Relay> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  let heard = ''
  let isFrozen = false
  let trips = 0
  let hasResponse = true
  let mark: string | null = null
  const server = createServer((client) => {
    const upstream = connect(Number(target.port === '' ? 5432 : target.port), target.hostname)
    sockets.add(client).add(upstream)
    upstreams.add(upstream)
    client.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      if (hasResponse) trips += 1
      hasResponse = false
      upstream.write(chunk)
    })
    const response = (chunk: Buffer): void => {
      hasResponse = true
      client.write(chunk)
    }
    upstream.on('data', (chunk) => {
      const cut = mark === null ? -1 : chunk.indexOf(mark)
      if (mark !== null && cut !== -1) {
        client.end(chunk.subarray(0, cut + Math.floor(mark.length / 2)))
        mark = null
        upstream.destroy()
        return
      }
      if (delay === 0) response(chunk)
      else setTimeout(() => response(chunk), delay)
    })
    if (isFrozen) upstream.pause()
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(socket)
          upstreams.delete(socket)
          other.destroy()
        })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const here = new URL(databaseUrl)
  here.host = `127.0.0.1:${port}`
  return {
    url: here.href,
    sent() {
      const text = heard
      heard = ''
      return text
    },
    roundTrips() {
      const made = trips
      trips = 0
      return made
    },
    freeze() {
      isFrozen = true
      for (const upstream of upstreams) upstream.pause()
    },
    thaw() {
      isFrozen = false
      for (const upstream of upstreams) upstream.resume()
    },
    cutIn(text) {
      mark = text
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    async open() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}
