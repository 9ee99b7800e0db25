import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../../src/serve/adapters/listen.js'
import { unreadListener } from '../../src/serve/adapters/unread-responses.js'
import { patience } from '../support/patience.js'

/** The operating system takes some megabytes of it. */
const size = 30_000_000
const limit = 60_000

const closings: (() => void)[] = []

afterEach(() => {
  vi.useRealTimers()
  for (const close of closings.splice(0)) close()
})

/** A connection whose client has asked for a large response, and reads nothing of it. Time is virtual. */
async function unread(): Promise<{ readonly client: Socket; readonly socket: Socket }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const onPrefinish = unreadListener({ time: limit, memory: 0 })
  const responses: ServerResponse[] = []
  const server = createServer((_incoming, outgoing) => {
    responses.push(outgoing)
    outgoing.on('prefinish', onPrefinish)
    outgoing.end('x'.repeat(size))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => undefined).pause()
  closings.push(() => {
    client.destroy()
    server.close()
  })
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => responses[0]?.socket?.writableLength ?? 0).toBeGreaterThan(0)
  const socket = responses[0]?.socket
  if (socket === null || socket === undefined) throw new Error('The response has no connection.')
  await untilFull(socket)
  return { client, socket }
}

/** The bytes that the operating system has not taken yet. */
function unsent(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { readonly _handle: { readonly writeQueueSize: number } }
  return handle.writeQueueSize
}

/** Waits until the operating system takes nothing more. */
async function untilFull(socket: Socket): Promise<void> {
  let last = -1
  await expect
    .poll(
      () => {
        const isSame = unsent(socket) === last
        last = unsent(socket)
        return isSame
      },
      { interval: 100 },
    )
    .toBe(true)
}

/** Reads a third of the response: more than the operating system needs to take something new. */
async function readSome(client: Socket): Promise<void> {
  let received = 0
  const paused = new Promise<void>((resolve) => {
    client.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received < size / 3) return
      client.pause()
      resolve()
    })
  })
  client.resume()
  await paused
}

describe('A client that does not read', () => {
  it('loses its connection after the limit, not after twice the limit', async () => {
    const { socket } = await unread()
    await vi.advanceTimersByTimeAsync(limit - 1000)
    expect(socket.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(3000)
    expect(socket.destroyed).toBe(true)
  })

  it('has the whole limit again after it has read something', async () => {
    const { client, socket } = await unread()
    await vi.advanceTimersByTimeAsync(limit - 2000)
    const before = unsent(socket)
    await readSome(client)
    await expect.poll(() => unsent(socket)).toBeLessThan(before)
    await untilFull(socket)
    expect(unsent(socket)).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(limit - 2000)
    expect(socket.destroyed).toBe(false)
    await vi.advanceTimersByTimeAsync(4000)
    expect(socket.destroyed).toBe(true)
  })

  it('loses nothing if it reads all of it in the end', async () => {
    const { client, socket } = await unread()
    await vi.advanceTimersByTimeAsync(limit - 2000)
    let received = 0
    client.on('data', (chunk: Buffer) => (received += chunk.length))
    client.resume()
    await expect.poll(() => received).toBeGreaterThan(size)
    await vi.advanceTimersByTimeAsync(2 * limit)
    expect(socket.destroyed).toBe(false)
  })
})

describe('Clients that do not read', () => {
  const timeout = patience(20_000)

  /** Two responses fit, three do not. */
  const memory = 2.5 * size

  /** Each client asks for a large response and reads nothing, after the response of the one before it was written. */
  async function unreadClients(count: number, between: (clients: readonly Socket[]) => Promise<void>) {
    const sockets: Socket[] = []
    const listening = await listen(async () => ({ status: 200, headers: [], body: 'x'.repeat(size) }), {
      responseMemory: memory,
      grace: 0,
    })
    const onAccept = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', onAccept)
    const clients: Socket[] = []
    closings.push(() => {
      unsubscribe('net.server.socket', onAccept)
      for (const client of clients) client.destroy()
      void listening.close()
    })
    for (let index = 0; index < count; index += 1) {
      const client = connect(listening.port, '127.0.0.1')
      client.on('error', () => undefined).pause()
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
      clients.push(client)
      await expect.poll(() => sockets[index]?.writableLength ?? 0, { timeout }).toBeGreaterThan(0)
      await untilFull(sockets[index] as Socket)
      await between(clients)
    }
    return { sockets, held: () => sockets.reduce((sum, socket) => sum + socket.writableLength, 0) }
  }

  it('hold no more memory together than allowed, and the ones that wait longest are closed', async () => {
    const { sockets, held } = await unreadClients(5, async () => undefined)
    await expect
      .poll(() => sockets.map(({ destroyed }) => destroyed), { timeout })
      .toEqual([true, true, true, false, false])
    expect(held()).toBeLessThanOrEqual(memory)
  })

  it('get a response that is larger than that, if they read it', async () => {
    const body = 'x'.repeat(size)
    const { url, close } = await listen(async () => ({ status: 200, headers: [], body }), { responseMemory: 1000 })
    closings.push(() => void close())
    for (let count = 0; count < 3; count += 1) expect((await (await fetch(url)).text()).length).toBe(size)
  })

  it('stay connected if others have read nothing for longer', async () => {
    const { sockets } = await unreadClients(3, async (clients) => {
      const [first] = clients
      if (first !== undefined && clients.length === 2) await readSome(first)
    })
    await expect.poll(() => sockets.map(({ destroyed }) => destroyed), { timeout }).toEqual([false, true, false])
  })
})
