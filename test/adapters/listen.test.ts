import { once } from 'node:events'
import type { Socket } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Listening, listen } from '../../src/adapters/listen.js'
import { patience } from '../support/patience.js'
import { runs } from '../support/runs.js'
import { signal } from '../support/signal.js'
import { echo } from './echo.js'
import { exchange, lastBody, open } from './raw-connection.js'

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

describe('What is not HTTP', () => {
  it.each([
    'garbage\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET foo HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET /\u00e5 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nX: \u0000\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ten\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ])('is refused with 400 and a document, and the connection ends: %j', async (sent) => {
    const { text, closed } = await exchange(listening.port, sent)
    expectDocument(text, 400, 'Bad Request')
    expect(closed).toBe(true)
  })

  it('is refused with 400 when a chunk is malformed', async () => {
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { text, closed } = await exchange(listening.port, `${head}zz\r\nx\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(closed).toBe(true)
  })

  it('gets its response after those of earlier requests', async () => {
    const { text, closed } = await exchange(
      listening.port,
      'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n',
    )
    expect(text).toMatch(/"path":"\/slow"[^]*"path":"\/2"[^]*HTTP\/1\.1 400 Bad Request/)
    expect(closed).toBe(true)
  })

  it('never hangs and never brings the server down', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (sent) => {
        const { closed } = await exchange(listening.port, sent, { finish: true })
        expect(closed).toBe(true)
      }),
      { numRuns: runs(50) },
    )
    expect((await fetch(listening.url)).status).toBe(200)
  })
})

describe('Headers', () => {
  it('may take 32 KiB with the request line, so that 16 KiB of target reach the handle', async () => {
    const response = await fetch(`${listening.url}/${'a'.repeat(20_000)}`)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })

  it('past that are refused with 431 and a document', async () => {
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

  it('that do not come in time are refused with 408 and a document', async () => {
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

  it('refuses a port that is taken', async () => {
    await expect(listen(echo, { port: listening.port })).rejects.toThrow('EADDRINUSE')
  })

  it('gives every interface an address that a client can open', async () => {
    const everywhere = await listen(echo, { host: '0.0.0.0' })
    expect(everywhere.url).toBe(`http://localhost:${everywhere.port}`)
    await everywhere.close()
  })
})

/** Listens with a handle that says when it has got a request, and responds to it when it is told to. */
async function listenGated(grace: number) {
  const [asked, opened] = [signal(), signal()]
  const server = await listen(
    async (request) => {
      asked.give()
      await opened.given
      return echo(request)
    },
    { grace },
  )
  return { server, asked: asked.given, open: () => opened.give() }
}

describe('Closing', () => {
  /** Longer than any test takes: a server that waits for its end makes the test fail. */
  const endless = patience(600_000)

  it('lets a request under way finish and accepts no other', async () => {
    const { server, asked, open: respond } = await listenGated(endless)
    const slow = fetch(server.url)
    await asked
    const closing = server.close()
    await expect(exchange(server.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).resolves.toEqual({
      text: '',
      closed: true,
    })
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

  it('cuts off what is still running when the grace time is over', async () => {
    const { server, asked } = await listenGated(100)
    const socket = await open(server.port)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await asked
    await Promise.all([server.close(), once(socket, 'close')])
  })

  it('responds to requests that were sent before the shutdown, and closes their connections', async () => {
    const server = await listen(echo, { grace: endless })
    const clients = await Promise.all(Array.from({ length: 20 }, async () => listener(await open(server.port))))
    for (const { socket } of clients) socket.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n')
    await Promise.all(clients.map((client) => client.hears('/first')))
    for (const { socket } of clients) socket.write('GET /second HTTP/1.1\r\nHost: a\r\n\r\n')
    // The time that it leaves for what is still to be read would pass, on a busy machine, before any of it is read.
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

  it('tells a client with a running request that the connection will be closed', async () => {
    const { server, asked, open: respond } = await listenGated(endless)
    const slow = exchange(server.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await asked
    const closing = server.close()
    respond()
    expect((await slow).text).toMatch(/\r\nConnection: close\r\n/)
    await closing
  })
})

/** Collects what a connection receives. */
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
