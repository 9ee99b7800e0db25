import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { unreadListener } from '../../src/adapters/unread-responses.js'

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
  const onPrefinish = unreadListener(limit)
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
