import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Server } from 'node:net'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Listening, listen } from '../../src/serve/adapters/listen.js'
import { type ListenOptions, listenLimits } from '../../src/serve/adapters/listen-options.js'
import type { HttpHandle } from '../../src/core/http/response.js'
import { patience } from '../support/patience.js'
import { echo } from './echo.js'
import { exchange, open } from './raw-connection.js'

const opened: Listening[] = []
afterAll(() => Promise.all(opened.splice(0).map((server) => server.close({ deadline: 0 }))))

async function listening(options: ListenOptions, handle: HttpHandle = echo): Promise<Listening> {
  const server = await listen(handle, options)
  opened.push(server)
  return server
}

const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')

const statuses = (text: string): readonly string[] =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, each]) => each ?? '')

/** Longer than any test takes: a test that waits for it fails. */
const endless = patience(600_000)

// Node checks for late requests once a second: the tests wait for it at the same time.
describe.concurrent('A limit of listen()', () => {
  it('for the time of a whole request ends one whose body does not arrive', async () => {
    const server = await listening({ requestTimeout: 100 })
    const { text, closed } = await exchange(server.port, get('/', 'Content-Length: 10').replace('GET', 'POST') + 'half')
    expect([statuses(text), closed]).toEqual([['408'], true])
  })

  it('for the time of headers ends a request without them, and no other', async () => {
    const server = await listening({ headersTimeout: 100, requestTimeout: endless })
    const { text, closed } = await exchange(server.port, 'GET / HTTP/1.1\r\nHost: a\r\n')
    expect([statuses(text), closed]).toEqual([['408'], true])
    const slow = await open(server.port)
    slow.write(get('/', 'Content-Length: 4', 'Connection: close').replace('GET', 'POST'))
    // The other connection was ended in the meantime, after the time for headers.
    await exchange(server.port, 'GET / HTTP/1.1\r\nHost: a\r\n')
    slow.write('late')
    const [chunk] = (await once(slow, 'data')) as [Buffer]
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('for the time of idle connections closes one after its response', async () => {
    const server = await listening({ keepAliveTimeout: 50 })
    const { text, closed } = await exchange(server.port, get('/'))
    expect([statuses(text), closed]).toEqual([['200'], true])
    expect(text).toContain('Connection: keep-alive')
  })

  it('for the number of connections closes further ones, until others have ended', async () => {
    const server = await listening({ maxConnections: 2 })
    const [first, second] = [await open(server.port), await open(server.port)]
    for (const socket of [first, second]) {
      socket.write(get('/'))
      await once(socket, 'data')
    }
    expect(await exchange(server.port, get('/'))).toEqual({ text: '', closed: true })
    first.destroy()
    const next = async () => statuses((await exchange(server.port, get('/', 'Connection: close'))).text)
    await expect.poll(next, { timeout: patience(60_000) }).toEqual(['200'])
  })

  it('for the number of requests on a connection closes it with the response to the last one', async () => {
    const paths: string[] = []
    const server = await listening({ maxRequestsPerSocket: 3 }, (request) => {
      paths.push(request.path)
      return echo(request)
    })
    const { text, closed } = await exchange(
      server.port,
      ['/1', '/2', '/3', '/4', '/5'].map((path) => get(path)).join(''),
    )
    expect([statuses(text), closed]).toEqual([['200', '200', '200'], true])
    expect(text).toMatch(/keep-alive[^]*keep-alive[^]*Connection: close\r\n[^]*"\/3"/)
    expect(paths).toEqual(['/1', '/2', '/3'])
    expect(statuses((await exchange(server.port, get('/', 'Connection: close'))).text)).toEqual(['200'])
  })

  it('for the size of headers refuses larger ones', async () => {
    const server = await listening({ maxHeaderSize: 2048 })
    // The target, the names and the values count, and not the separators.
    const others = ['/', 'Host', 'a', 'X', 'Connection', 'close'].join('').length
    const statusOf = async (size: number) =>
      statuses((await exchange(server.port, get('/', `X: ${'x'.repeat(size - others)}`, 'Connection: close'))).text)
    expect([await statusOf(2047), await statusOf(2048)]).toEqual([['200'], ['431']])
  })
})

describe('The options of listen()', () => {
  it.each([
    [
      { requestTimeout: -1 },
      "The option 'requestTimeout' of listen() is -1, and must be a whole number from 0 to 2147483647.",
    ],
    [
      { keepAliveTimeout: Infinity },
      "The option 'keepAliveTimeout' of listen() is Infinity, and must be a whole number from 0 to 2147483647.",
    ],
    [
      { writeTimeout: 0.5 },
      "The option 'writeTimeout' of listen() is 0.5, and must be a whole number from 0 to 2147483647.",
    ],
    [
      { maxConnections: NaN },
      "The option 'maxConnections' of listen() is NaN, and must be a whole number from 0 to 9007199254740991.",
    ],
    [
      { maxRequestsPerSocket: null },
      "The option 'maxRequestsPerSocket' of listen() is null, and must be a whole number from 0 to 9007199254740991.",
    ],
    [
      { maxHeaderSize: 1023 },
      "The option 'maxHeaderSize' of listen() is 1023, and must be a whole number from 1024 to 16777216.",
    ],
    [
      { grace: 2 ** 31 },
      "The option 'grace' of listen() is 2147483648, and must be a whole number from 0 to 2147483647.",
    ],
    [{ host: '' }, "The option 'host' of listen() is '', and must be a host name or an address."],
    [{ trustProxy: 1 }, "The option 'trustProxy' of listen() is 1, and must be true or false."],
    [{ health: true }, "The option 'health' of listen() is true, and must be the return value of server.health()."],
    [
      { headersTimeout: 200, requestTimeout: 100 },
      "The option 'headersTimeout' of listen(), 200, must not be longer than 'requestTimeout', 100.",
    ],
    [{ timeout: 1 }, /^listen\(\) has no option 'timeout': use port, host, requestTimeout, /],
  ])('are refused: %j', async (options, message) => {
    await expect(listen(echo, options as ListenOptions)).rejects.toThrow(message)
    await expect(listen(echo, options as ListenOptions)).rejects.toThrow(TypeError)
  })

  it('may be undefined, and the time for headers follows that for the request', () => {
    expect(listenLimits({ requestTimeout: 5000 })).toMatchObject({ headersTimeout: 5000 })
    expect(listenLimits({ requestTimeout: 0 })).toMatchObject({ requestTimeout: 0, headersTimeout: 20_000 })
    expect(listenLimits({ headersTimeout: 0 })).toMatchObject({ requestTimeout: 60_000, headersTimeout: 0 })
    expect(listenLimits({ writeTimeout: undefined } as unknown as ListenOptions)).toEqual(listenLimits({}))
  })

  it('have the defaults of the documentation', () => {
    const page = readFileSync(new URL('../../docs/reference/http-server.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| `(\w+)` \| .* \| `?([\d,]+)`? \|$/gm)].map(
      ([, name = '', value = '']) => [name, Number(value.replaceAll(',', ''))] as const,
    )
    expect(Object.fromEntries(rows)).toMatchObject(listenLimits({}))
  })
})

describe('The backlog of listen()', () => {
  it.each([
    ['has a default', {}, 1024],
    ['may be set', { backlog: 7 }, 7],
  ])('%s, and the operating system gets it', async (_name, options, backlog) => {
    const listens = vi.spyOn(Server.prototype, 'listen')
    await listening(options)
    expect(listens.mock.calls).toEqual([[expect.objectContaining({ backlog }), expect.any(Function)]])
    listens.mockRestore()
  })
})
