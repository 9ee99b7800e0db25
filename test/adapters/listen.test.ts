import { once } from 'node:events'
import type { Socket } from 'node:net'
import { versions } from 'node:process'
import { Worker } from 'node:worker_threads'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Listening, listen } from '../../src/serve/adapters/listen.js'
import { patience } from '../support/patience.js'
import { runs } from '../support/runs.js'
import { signal } from '../support/signal.js'
import { type Echo, echo } from './echo.js'
import { exchange, lastBody, open } from './raw-connection.js'
import { anyText } from '../support/any-text.js'

let listening: Listening

beforeAll(async () => {
  listening = await listen(echo, { grace: 500 })
})

afterAll(() => listening.close())

function expectDocument(text: string, status: number, title: string): void {
  expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} ${title}\r\n`))
  expect(text).toMatch(/\r\nContent-Type: application\/vnd\.api\+json\r\n/)
  expect(text).toMatch(/\r\nConnection: close\r\n/)
  const body = lastBody(text)
  expect(text).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`)
  expect(JSON.parse(body)).toMatchObject({ errors: [{ status: String(status), title }] })
}

describe('Input that is not HTTP', () => {
  it.each([
    'garbage\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET foo HTTP/1.1\r\nHost: a\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc',
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ])('is refused with 400 and a document, and the connection ends: %j', async (sent) => {
    const { text, closed } = await exchange(listening.port, sent)
    expectDocument(text, 400, 'Bad Request')
    expect(closed).toBe(true)
  })

  // Node 20.19.0 has version 8 of the parser. It accepts bytes in a path, and a space after a name that does not frame the body.
  it.each([
    { sent: 'GET /\u00e5 HTTP/1.1\r\nHost: a', accepted: /^HTTP\/1\.1 200 OK\r\n[^]*"path":"\/Ã¥"/ },
    { sent: 'GET / HTTP/1.1\r\nHost : a', accepted: /^HTTP\/1\.1 400 Bad Request\r\n[^]*The Host header is missing\./ },
  ])('is refused, unless the parser of Node accepts it: $sent', async ({ sent, accepted }) => {
    const { text, closed } = await exchange(listening.port, `${sent}\r\nConnection: close\r\n\r\n`)
    if (versions['llhttp']?.startsWith('8.')) expect(text).toMatch(accepted)
    else expectDocument(text, 400, 'Bad Request')
    expect(closed).toBe(true)
  })

  it('is refused with 400 when a chunk is malformed', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { text, closed } = await exchange(listening.port, `${head}zz\r\nx\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(closed).toBe(true)
  })

  it('gets its response after the responses to earlier requests', async () => {
    const { text, closed } = await exchange(
      listening.port,
      'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n',
    )
    expect(text).toMatch(/"path":"\/slow"[^]*"path":"\/2"[^]*HTTP\/1\.1 400 Bad Request/)
    expect(closed).toBe(true)
  })

  it('never causes a hanging connection or a crash of the server', async () => {
    await fc.assert(
      fc.asyncProperty(anyText({ minLength: 1 }), async (sent) => {
        const { closed } = await exchange(listening.port, sent, { finish: true })
        expect(closed).toBe(true)
      }),
      { numRuns: runs(50) },
    )
    expect((await fetch(listening.url)).status).toBe(200)
  })
})

describe('Headers', () => {
  it('may take 32 KiB with the request line, so that 16 KiB of target reach the handler', async () => {
    const response = await fetch(`${listening.url}/${'a'.repeat(20_000)}`)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('beyond the limit are refused with 431 and a document', async () => {
    const { text, closed } = await exchange(
      listening.port,
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    )
    expectDocument(text, 431, 'Request Header Fields Too Large')
    expect(closed).toBe(true)
  })

  it('with an unknown expectation are refused with 417 and a document', async () => {
    const sent = 'GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n'
    expectDocument((await exchange(listening.port, sent)).text, 417, 'Expectation Failed')
  })

  it('that do not arrive in time are refused with 408 and a document', async () => {
    const hasty = await listen(echo, { headersTimeout: 100, requestTimeout: 200 })
    const { text, closed } = await exchange(hasty.port, 'GET / HTTP/1.1\r\nHost:')
    expectDocument(text, 408, 'Request Timeout')
    expect(closed).toBe(true)
    await hasty.close()
  })
})

describe('A listening server', () => {
  it('reports its address', () => {
    expect(listening.url).toBe(`http://127.0.0.1:${listening.port}`)
    expect(listening.port).toBeGreaterThan(0)
  })

  it('refuses a port that is in use', async () => {
    await expect(listen(echo, { port: listening.port })).rejects.toThrow('EADDRINUSE')
  })

  it('gives every interface an address that a client can open', async () => {
    const everywhere = await listen(echo, { host: '0.0.0.0' })
    expect(everywhere.url).toBe(`http://localhost:${everywhere.port}`)
    await everywhere.close()
  })
})

/** Listens with a handler that signals when it has received a request, and responds to it on demand. */
async function listenGated(grace: number) {
  const [handled, opened] = [signal(), signal()]
  const server = await listen(
    async (request) => {
      handled.give()
      await opened.given
      return echo(request)
    },
    { grace },
  )
  return { server, handled: handled.given, open: () => opened.give() }
}

const twoRequests = 'GET /2 HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n'

/** Opens 20 connections, reports that requests were sent on all of them, and then the received bytes. */
const newClients = `
const { connect } = require('node:net')
const { parentPort, workerData: { port, sent, twoRequests } } = require('node:worker_threads')
const clients = Array.from({ length: 20 }, () => {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk)).on('error', () => undefined)
  const written = new Promise((resolve) => socket.write(twoRequests, resolve))
  return { written, closed: new Promise((resolve) => socket.on('close', () => resolve(text))) }
})
void Promise.all(clients.map(({ written }) => written)).then(() => {
  Atomics.store(sent, 0, 1)
  Atomics.notify(sent, 0)
})
void Promise.all(clients.map(({ closed }) => closed)).then((texts) => parentPort.postMessage(texts))
`

describe('Closing', () => {
  /** Longer than any test takes: a server that waits for its end makes the test fail. */
  const endless = patience(600_000)

  it('lets a running request finish and accepts no other', async () => {
    const { server, handled, open: respond } = await listenGated(endless)
    const slow = fetch(server.url)
    await handled
    const closing = server.close()
    // Clients that connect at the same time are still accepted.
    const isAccepted = () =>
      open(server.port).then(
        (socket) => socket.destroy().destroyed,
        () => false,
      )
    while (await isAccepted());
    respond()
    expect((await slow).status).toBe(200)
    await closing
    expect(server.close()).toBe(server.close())
  })

  it('does not wait for idle or silent connections', async () => {
    const server = await listen(echo, { grace: endless })
    const silent = await open(server.port)
    const idle = await open(server.port)
    idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(idle, 'data')
    await Promise.all([server.close(), once(silent, 'close'), once(idle, 'close')])
  })

  it('cuts off requests that still run when the grace time is over', async () => {
    const { server, handled } = await listenGated(100)
    const socket = await open(server.port)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await handled
    await Promise.all([server.close(), once(socket, 'close')])
  })

  it('responds to requests that were sent before the shutdown, and closes their connections', async () => {
    const server = await listen(echo, { grace: endless })
    const clients = await Promise.all(Array.from({ length: 20 }, async () => listener(await open(server.port))))
    for (const { socket } of clients) socket.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all(clients.map((client) => client.hears('/first')))
    for (const { socket } of clients) socket.write('GET /second HTTP/1.1\r\nHost: a\r\n\r\n')
    // On a busy machine, the time for reading the rest would pass before any of it is read.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    try {
      const ended = Promise.all([server.close(), ...clients.map(({ socket }) => once(socket, 'close'))])
      await Promise.all(clients.map((client) => client.hears('/second')))
      vi.advanceTimersByTime(1000)
      await ended
    } finally {
      vi.useRealTimers()
    }
    for (const { text } of clients) expect(text()).toMatch(/Connection: close\r\n[^]*\/second/)
  })

  it('responds to all requests that were sent before, also if the process is busy for longer than the grace time', async () => {
    const server = await listen(echo, { grace: endless })
    const idle = await Promise.all(Array.from({ length: 20 }, async () => listener(await open(server.port))))
    for (const { socket } of idle) socket.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all(idle.map((client) => client.hears('/first')))
    // New connections too: another thread opens them while this one is busy, so that none is accepted yet.
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(newClients, { eval: true, workerData: { port: server.port, sent, twoRequests } })
    const received = once(worker, 'message')
    Atomics.wait(sent, 0, 0)
    for (const { socket } of idle) socket.write(twoRequests)
    const ended = Promise.all([server.close(), ...idle.map(({ socket }) => once(socket, 'close'))])
    for (const start = Date.now(); Date.now() - start < 300; );
    await ended
    const texts = [...idle.map(({ text }) => text()), ...((await received) as [string[]])[0]]
    expect(texts).toHaveLength(40)
    for (const text of texts) expect(text).toMatch(/"\/2"[^]*Connection: close\r\n[^]*"\/3"/)
  })

  it('cuts off connections that are accepted when the grace time is over', async () => {
    const server = await listen(() => new Promise(() => undefined), { grace: endless })
    const sent = new Int32Array(new SharedArrayBuffer(4))
    const worker = new Worker(newClients, { eval: true, workerData: { port: server.port, sent, twoRequests } })
    const received = once(worker, 'message')
    Atomics.wait(sent, 0, 0)
    await server.close({ deadline: 0 })
    expect(await received).toEqual([Array.from({ length: 20 }, () => '')])
    await worker.terminate()
  })

  it('does not cut off a response that the client is still reading', async () => {
    const size = 30_000_000
    const server = await listen(() => Promise.resolve({ status: 200, headers: [], body: 'x'.repeat(size) }), {
      grace: endless,
    })
    const socket = await open(server.port)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    let received = 0
    const closing = new Promise<ReturnType<Listening['close']>>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        if (received === 0) resolve(server.close())
        received += chunk.length
        socket.pause()
        setTimeout(() => socket.resume(), 2)
      })
    })
    await Promise.all([closing, once(socket, 'close')])
    expect(received).toBeGreaterThan(size)
  })

  it('informs a client with a running request that the connection will be closed', async () => {
    const { server, handled, open: respond } = await listenGated(endless)
    const slow = exchange(server.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await handled
    const closing = server.close()
    respond()
    expect((await slow).text).toMatch(/\r\nConnection: close\r\n/)
    await closing
  })
})

describe('CONNECT', () => {
  it('is refused with 405 and a document, after the responses to earlier requests', async () => {
    const { text, closed } = await exchange(
      listening.port,
      'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\nCONNECT b:443 HTTP/1.1\r\nHost: b\r\n\r\nGET /3 HTTP/1.1\r\n\r\n',
    )
    const [, before = '', refusal = ''] = /^([^]*)(HTTP\/1\.1 405 [^]*)$/.exec(text) ?? []
    expect(Array.from(before.matchAll(/\{.*\}/g), ([body]) => (JSON.parse(body) as Echo).path)).toEqual(['/slow', '/2'])
    expectDocument(refusal, 405, 'Method Not Allowed')
    expect(closed).toBe(true)
  })
})

describe('Another version in a request of HTTP/1.1', () => {
  it.each(['0.9', '2.0'])('is refused with 505 and a document: %s', async (version) => {
    const sent = `POST / HTTP/${version}\r\nHost: a\r\nConnection: keep-alive\r\nContent-Length: 3\r\n\r\nabc`
    const { text, closed } = await exchange(listening.port, sent)
    expectDocument(text, 505, 'HTTP Version Not Supported')
    expect(closed).toBe(true)
  })

  it('is the last request of its connection', async () => {
    const sent = 'GET / HTTP/2.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n'
    expectDocument((await exchange(listening.port, sent)).text, 505, 'HTTP Version Not Supported')
  })
})

/** Collects the bytes that a connection receives. */
function listener(socket: Socket) {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.on('error', () => undefined)
  return {
    socket,
    text: () => text,
    async hears(part: string): Promise<void> {
      while (!text.includes(part)) await once(socket, 'data')
    },
  }
}
