import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../../src/serve/adapters/listen.js'
import type { ListenOptions } from '../../src/serve/adapters/listen-options.js'
import { nodeAdapter } from '../../src/serve/adapters/node.js'
import type { HttpHandle } from '../../src/core/http/response.js'
import { patience } from '../support/patience.js'
import { signal } from '../support/signal.js'
import { exchange, open } from './raw-connection.js'

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')

/** A handle that counts the requests it serves at the same time, and in which order they began. */
function counted(body: string) {
  const paths: string[] = []
  let [now, most] = [0, 0]
  const handle: HttpHandle = async ({ path }) => {
    paths.push(path)
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return { status: 200, headers: ['Content-Type', 'text/plain'], body: `${path} ${body}` }
  }
  return { handle, paths, most: () => most }
}

const opened: Listening[] = []

async function listening(handle: HttpHandle, options: ListenOptions = {}): Promise<Listening> {
  const server = await listen(handle, { grace: 100, ...options })
  opened.push(server)
  return server
}

afterEach(() => Promise.all(opened.splice(0).map((server) => server.close())))

describe('Requests that a client sends without waiting for responses', () => {
  it('are served one at a time, in their order', async () => {
    const { handle, paths, most } = counted('')
    const server = await listening(handle)
    const sent = Array.from({ length: 2000 }, (_, index) => `/${index}`)
    const last = get('/last', 'Connection: close')
    const { text } = await exchange(server.port, sent.map((path) => get(path)).join('') + last)
    expect(most()).toBe(1)
    expect(paths).toEqual([...sent, '/last'])
    expect(Array.from(text.matchAll(/\r\n\r\n(\/\w+) /g), ([, path]) => path)).toEqual(paths)
  })

  it('let a request on another connection be served in between, though the handler needs no I/O', async () => {
    const paths: string[] = []
    const server = await listening(({ path }) => {
      paths.push(path)
      // The other client sends its request while many of this connection wait.
      if (path === '/10') other.write(get('/other', 'Connection: close'))
      return Promise.resolve({ status: 200, headers: [], body: path })
    })
    const other = await open(server.port)
    const closed = once(other.resume(), 'close')
    const sent = Array.from({ length: 500 }, (_, index) => get(`/${index}`))
    await exchange(server.port, sent.join('') + get('/last', 'Connection: close'))
    await closed
    expect(paths).toHaveLength(502)
    expect(paths.indexOf('/other')).toBeLessThan(100)
  })

  it('are served one at a time by a server of the application, too', async () => {
    const { handle, most } = counted('')
    const server = createServer(nodeAdapter(handle)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { text } = await exchange(port, get('/1').repeat(50) + get('/last', 'Connection: close'))
    expect(text).toContain('/last')
    expect(most()).toBe(1)
    server.close()
  })

  it('have their bodies, with any requests before and after them', async () => {
    const bodies: (string | null)[] = []
    const server = await listening(async (request) => {
      const bytes = await request.body(1_000_000)
      bodies.push(bytes === null ? null : Buffer.from(bytes as Uint8Array).toString())
      return { status: 204, headers: [], body: null }
    })
    const large = 'x'.repeat(300_000)
    const post = (body: string): string => get('/', `Content-Length: ${body.length}`).replace('GET', 'POST') + body
    const { text } = await exchange(
      server.port,
      post('a') + post(large) + get('/') + post(large) + post('b') + get('/last', 'Connection: close'),
    )
    expect(text.match(/204 No Content/g)).toHaveLength(6)
    expect(bodies).toEqual(['a', large, null, large, 'b', null])
  })

  it('are not served while the client does not read, and not read beyond one chunk', async () => {
    const { handle, paths, most } = counted('x'.repeat(1_000_000))
    const server = createServer(nodeAdapter(handle))
    const accepted: Socket[] = []
    server.on('connection', (socket: Socket) => accepted.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const hostile = await open(port)
    hostile.on('error', () => undefined)
    hostile.pause()
    hostile.write(get('/flood').repeat(20_000))
    // Others are served in the meantime.
    for (let index = 0; index < 20; index += 1) {
      expect((await exchange(port, get('/other', 'Connection: close'))).text).toContain('/other')
    }
    // The operating system takes some megabytes, then nothing more is served.
    expect(paths.filter((path) => path === '/flood').length).toBeLessThan(50)
    expect(most()).toBeLessThanOrEqual(2)
    expect(accepted[0]?.bytesRead).toBeLessThanOrEqual(2 * 65_536)
    hostile.destroy()
    server.close()
  })
})

describe('A client that does not read', () => {
  it('loses its connection after the write timeout, even if it sends more', async () => {
    const { handle } = counted('x'.repeat(20_000_000))
    const server = await listening(handle, { writeTimeout: 100 })
    const deaf = await open(server.port)
    deaf.on('error', () => undefined)
    deaf.pause()
    deaf.write(get('/1'))
    const drip = setInterval(() => deaf.write('G'), 10)
    await new Promise((resolve) => deaf.once('close', resolve))
    clearInterval(drip)
  })

  it('keeps its connection as long as it reads something', async () => {
    const size = 30_000_000
    const { handle } = counted('x'.repeat(size))
    const server = await listening(handle, { writeTimeout: patience(300) })
    const slow = await open(server.port)
    slow.write(get('/1', 'Connection: close'))
    let received = 0
    slow.on('data', (chunk: Buffer) => {
      received += chunk.length
      slow.pause()
      setTimeout(() => slow.resume(), 2)
    })
    await once(slow, 'close')
    expect(received).toBeGreaterThan(size)
  })

  it('does not stop the timeout of a handler', async () => {
    const done = signal()
    const server = await listening(
      async () => {
        await done.given
        return { status: 200, headers: [], body: 'late' }
      },
      { writeTimeout: 20 },
    )
    const response = fetch(server.url)
    await new Promise((resolve) => setTimeout(resolve, 100))
    done.give()
    expect(await (await response).text()).toBe('late')
  })

  it('close their connection if too many wait on all connections together', async () => {
    const gate = signal()
    const held = new Map<Socket, number>()
    const adapter = nodeAdapter(async () => {
      await gate.given
      return { status: 204, headers: [], body: null }
    })
    const server = createServer((incoming, outgoing) => {
      held.set(incoming.socket, (held.get(incoming.socket) ?? -1) + 1)
      adapter(incoming, outgoing)
    })
    // Clients keep their connections.
    server.keepAliveTimeout = patience(60_000)
    const sockets: Socket[] = []
    server.on('connection', (socket: Socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const clients: Socket[] = []
    const received: string[] = []
    const heldByOpen = (): number =>
      sockets.reduce((sum, socket) => sum + (socket.destroyed ? 0 : (held.get(socket) ?? 0)), 0)
    for (let count = 0; sockets.every(({ destroyed }) => !destroyed); count += 1) {
      expect(count).toBeLessThan(100)
      const client = await open(port)
      client.on('error', () => undefined).on('data', (chunk: Buffer) => received.push(chunk.toString()))
      clients.push(client)
      client.write(get('/').repeat(2000))
      await expect.poll(() => held.get(sockets[count]!) ?? 0, { timeout: patience(20_000) }).toBeGreaterThan(100)
      expect(heldByOpen()).toBeLessThanOrEqual(20_000)
    }
    expect(heldByOpen()).toBeGreaterThan(15_000)
    gate.give()
    const responses = (): number => (received.join('').match(/ 204 No Content/g) ?? []).length
    await expect.poll(responses, { timeout: patience(30_000) }).toBeGreaterThan(15_000)
    // They do not wait any more, so another client may send as many.
    const { text } = await exchange(port, get('/').repeat(1000) + get('/last', 'Connection: close'))
    expect(text.match(/204 No Content/g)).toHaveLength(1001)
    for (const client of clients) client.destroy()
    server.close()
  })
})
