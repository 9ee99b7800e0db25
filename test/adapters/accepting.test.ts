import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { suiteServer } from './hosts/server.js'
import { open } from './raw-connection.js'

const REQUESTS = 40
const CONNECTIONS = 10

/** Takes longer than a slice of requests. */
function busy(): void {
  const end = performance.now() + 3
  while (performance.now() < end);
}

it('accepts new connections before it has handled all requests that had arrived', async () => {
  const { server } = suiteServer()
  const events: ('accepted' | 'handled')[] = []
  server.on('Serving', () => {
    busy()
    events.push('handled')
  })
  const http = createServer(server.node).listen(0, '127.0.0.1')
  await once(http, 'listening')
  const { port } = http.address() as AddressInfo
  const sockets: Socket[] = []
  try {
    for (let count = 0; count < REQUESTS; count += 1) sockets.push(await open(port))
    let responses = 0
    const complete = new Promise<void>((resolve) => {
      for (const socket of sockets) socket.once('data', () => void ((responses += 1) === REQUESTS && resolve()))
    })
    http.on('connection', () => events.push('accepted'))
    for (const socket of sockets) socket.write('GET /artists/1 HTTP/1.1\r\nHost: a\r\n\r\n')
    // The operating system completes them; the server must accept them.
    for (let count = 0; count < CONNECTIONS; count += 1) sockets.push(connect(port, '127.0.0.1'))
    await complete
    expect(events.filter((event) => event === 'handled')).toHaveLength(REQUESTS)
    expect(events.filter((event) => event === 'accepted')).toHaveLength(CONNECTIONS)
    const lastAccepted = events.lastIndexOf('accepted')
    // A turn of the event loop accepts one connection, and there are two turns for each request.
    expect(lastAccepted).toBeLessThan(2 * CONNECTIONS + 5)
  } finally {
    for (const socket of sockets) socket.destroy()
    http.close()
  }
})
