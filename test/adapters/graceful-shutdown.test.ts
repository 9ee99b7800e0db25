import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer, get as httpsGet } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createServer as createAshlar, defineResource, HttpError, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { gracefulShutdown, listen } from 'ashlar/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { nodeAdapter } from '../../src/serve/adapters/node.js'
import { selfSigned } from '../support/self-signed.js'
import { patience } from '../support/patience.js'
import { signal } from '../support/signal.js'
import { echo } from './echo.js'
import { exchange, lastBody, open } from './raw-connection.js'

/** Longer than any test takes: a server that waits for its end makes the test fail. */
const endless = patience(600_000)

const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const last = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`

/** A handler that signals when it has received requests to `/slow`, and responds to them on demand. */
function gated(count = 1) {
  const [received, opened] = [signal(), signal()]
  let running = 0
  return {
    received: received.given,
    open: () => opened.give(),
    handle: async (each: Parameters<typeof echo>[0]) => {
      if (each.path === '/slow') {
        running += 1
        if (running === count) received.give()
        await opened.given
      }
      return echo({ ...each, body: () => Promise.resolve(null), header: () => undefined })
    },
  }
}

const refuseAll = () => Promise.reject(new HttpError(403))

/** A server with albums that refuses all callers, and its health checks. */
function music() {
  const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
  const server = createAshlar({ resources: [albums], data: memoryData({ albums: [] }), middleware: [refuseAll] })
  return { server, health: server.health() }
}

/** Lets the event loop read what has arrived. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/**
 * 40 clients, each of which connects again after its response, until it is refused. Reports that all have sent a request, and then how many
 * responses they got, and how many connections were closed without one.
 */
const repeatingClients = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, connected, last } } = require('node:worker_threads')
const counts = { responses: 0, lost: 0 }
let [sent, refused] = [0, 0]
function repeat() {
  const socket = connect(port, '127.0.0.1')
  let [text, isRefused] = ['', false]
  socket.on('data', (chunk) => (text += chunk))
  socket.on('error', ({ code }) => (isRefused = code === 'ECONNREFUSED'))
  socket.on('close', () => {
    if (isRefused) refused += 1
    else if (text === '') counts.lost += 1
    else counts.responses += 1
    if (!isRefused) repeat()
    else if (refused === 40) parentPort.postMessage(counts)
  })
  socket.write(last, () => {
    if (++sent !== 40) return
    Atomics.store(connected, 0, 1)
    Atomics.notify(connected, 0)
  })
}
for (let client = 0; client < 40; client += 1) repeat()
`

async function statusOf(port: number, path: string): Promise<string> {
  return (await exchange(port, last(path))).text.slice(9, 12)
}

afterEach(() => void vi.useRealTimers())

describe('Closing', () => {
  it('first reports that the server is not ready: requests and new connections are served until the delay is over, and closed', async () => {
    const { server, health } = music()
    const { port, close } = await listen(server, { health, grace: endless })
    expect(await Promise.all(['/health/ready', '/albums'].map((path) => statusOf(port, path)))).toEqual(['200', '403'])
    const idle = await open(port)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    const closing = close({ delay: 5000 })
    expect(await statusOf(port, '/health/live')).toBe('200')
    const ready = await exchange(port, last('/health/ready'))
    expect(ready.text).toMatch(/^HTTP\/1\.1 503 /)
    expect(JSON.parse(lastBody(ready.text))).toEqual({ status: 'unavailable', checks: { accepting: 'failed' } })
    expect(await statusOf(port, '/albums')).toBe('403')
    vi.advanceTimersByTime(4999)
    idle.write(request('/albums'))
    expect(String(await once(idle, 'data'))).toMatch(/403[^]*Connection: close/)
    vi.advanceTimersByTime(1)
    vi.useRealTimers()
    expect(await closing).toEqual({ cutOff: 0 })
  })

  it('counts the connections that it has cut off after the deadline, without idle ones', async () => {
    const { handle, received } = gated(2)
    const { port, close } = await listen(handle, { grace: endless })
    const sockets = await Promise.all(Array.from({ length: 4 }, () => open(port)))
    const [silent, idle, ...slow] = sockets.map((socket) => socket.on('error', () => undefined).resume())
    idle?.write(request('/'))
    if (idle !== undefined) await once(idle, 'data')
    for (const socket of slow) socket.write(request('/slow'))
    await received
    const ended = Promise.all(sockets.map((socket) => once(socket, 'close')))
    expect(silent?.destroyed).toBe(false)
    expect(await close({ deadline: 300 })).toEqual({ cutOff: 2 })
    await ended
  })

  it('responds to all clients that have connected before, although each connects again after its response', async () => {
    // More clients than a server accepted before it gave up, and fewer than the operating system holds.
    const { port, close } = await listen(echo, { grace: endless, backlog: 64 })
    const connected = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(repeatingClients, { eval: true, workerData: { port, connected, last: last('/') } })
    const counted = once(worker, 'message')
    // This thread waits, so none of them is accepted yet.
    Atomics.wait(connected, 0, 0)
    expect(await close()).toEqual({ cutOff: 0 })
    expect(await counted).toEqual([{ responses: 40, lost: 0 }])
  })

  it('waits for the first request of a new connection, and does not wait for a client that sends nothing', async () => {
    const server = createServer(nodeAdapter(echo))
    const close = gracefulShutdown(server)
    const port = await listening(server)
    const [late, silent] = await Promise.all([open(port), open(port)])
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const closing = close({ deadline: endless })
    while (server.listening) await turn()
    vi.advanceTimersByTime(900)
    for (let count = 0; count < 10; count += 1) await turn()
    late.write(request('/late'))
    expect(String(await once(late, 'data'))).toMatch(/200 OK[^]*Connection: close/)
    vi.advanceTimersByTime(200)
    await once(silent.resume(), 'close')
    expect(await closing).toEqual({ cutOff: 0 })
  })

  it('does not reset a connection whose client sends more than it gets responses to', async () => {
    const size = 1_000_000
    const received = signal()
    const responses: ServerResponse[] = []
    const server = createServer((_, outgoing) => {
      responses.push(outgoing)
      received.give()
    })
    const close = gracefulShutdown(server)
    const socket = await open(await listening(server))
    socket.pause().write(request('/1'))
    await received.given
    const closing = close({ deadline: endless })
    const [response] = responses
    if (response === undefined) throw new Error('There is no response.')
    response.end('x'.repeat(size))
    // All of it is with the operating system, which sends it when the client reads.
    await once(response, 'close')
    await new Promise((resolve) => socket.write(request('/2'), resolve))
    let text = ''
    socket.on('data', (chunk: Buffer) => void (text += chunk.toString())).resume()
    await once(socket, 'close')
    expect(lastBody(text)).toHaveLength(size)
    expect(responses).toHaveLength(1)
    expect(await closing).toEqual({ cutOff: 0 })
  })

  it('happens once, even if it is requested several times', async () => {
    const { handle, received, open: respond } = gated()
    const { port, close } = await listen(handle, { grace: endless })
    const slow = exchange(port, request('/slow'))
    await received
    const closing = close()
    expect(close({ deadline: 0, delay: 1 })).toBe(closing)
    respond()
    expect((await slow).text).toMatch(/200 OK[^]*Connection: close/)
    expect(await closing).toEqual({ cutOff: 0 })
    expect(close()).toBe(closing)
  })

  it('refuses invalid options', async () => {
    const { port, close } = await listen(echo)
    await expect(close({ deadline: -1 })).rejects.toThrow("The option 'deadline' of close() is -1, and must be")
    await expect(close({ delay: Infinity })).rejects.toThrow(TypeError)
    expect(await statusOf(port, '/')).toBe('200')
    expect(await close()).toEqual({ cutOff: 0 })
  })
})

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

describe('A server of the application', () => {
  it('closes in the same way', async () => {
    const { handle, received, open: respond } = gated()
    const { health } = music()
    const server = createServer(nodeAdapter(handle))
    const close = gracefulShutdown(server, { health })
    const port = await listening(server)
    const silent = await open(port)
    const idle = await open(port)
    idle.write(request('/'))
    await once(idle, 'data')
    const slow = exchange(port, request('/slow'))
    await received
    const closing = close({ deadline: endless })
    await Promise.all([once(silent, 'close'), once(idle.resume(), 'close')])
    expect((await health.ready()).status).toBe('unavailable')
    expect(await exchange(port, request('/'))).toEqual({ text: '', closed: true })
    respond()
    expect((await slow).text).toMatch(/200 OK[^]*Connection: close/)
    expect(await closing).toEqual({ cutOff: 0 })
  })

  it('closes in the same way with TLS', async () => {
    const { certificate, key } = selfSigned('127.0.0.1')
    for (const deadline of [endless, 300]) {
      const { handle, received, open: respond } = gated()
      const server = createHttpsServer({ cert: certificate, key }, nodeAdapter(handle))
      const close = gracefulShutdown(server)
      const port = await listening(server)
      const silent = await open(port)
      const clientRequest = httpsGet({
        port,
        host: '127.0.0.1',
        path: '/slow',
        rejectUnauthorized: false,
        agent: false,
      })
      const responded = once(clientRequest, 'response').then(
        ([response]) => (response as IncomingMessage).resume().statusCode,
        () => 'cut off',
      )
      await received
      const closing = close({ deadline })
      await once(silent, 'close')
      if (deadline === endless) respond()
      expect([await responded, await closing]).toEqual(
        deadline === endless ? [200, { cutOff: 0 }] : ['cut off', { cutOff: 1 }],
      )
    }
  })
})
