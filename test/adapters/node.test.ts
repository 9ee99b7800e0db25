import { once } from 'node:events'
import { type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../../src/serve/adapters/listen.js'
import { clientUrl, NodeRequest } from '../../src/serve/adapters/node-request.js'
import { type Echo, echo } from './echo.js'
import { exchange, lastBody } from './raw-connection.js'

let listening: Listening
let behindProxy: Listening
const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  listening = await listen(echo, { grace: 500 })
  behindProxy = await listen(echo, { grace: 500, trustProxy: true })
})

afterAll(async () => {
  await Promise.all([listening.close(), behindProxy.close()])
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

/** One request whose connection ends with it; the lines are the request line's target and further headers. */
async function echoed(requestLine: string, ...headers: string[]): Promise<Echo> {
  const port = requestLine.includes('proxied') ? behindProxy.port : listening.port
  const { text } = await exchange(
    port,
    [`${requestLine} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'),
  )
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
  return JSON.parse(lastBody(text)) as Echo
}

describe('The node adapter', () => {
  it('passes method, path, query, origin, headers and body to the handler', async () => {
    const response = await fetch(`${listening.url}/albums/1%202?filter[a]=b+c`, {
      method: 'POST',
      headers: { Accept: 'text/html' },
      body: 'blå',
    })
    expect(await response.json()).toEqual({
      method: 'POST',
      path: '/albums/1%202',
      query: 'filter[a]=b+c',
      origin: listening.url,
      accept: 'text/html',
      hasBody: true,
      body: 'blå',
    })
    expect(response.headers.get('content-type')).toBe('application/vnd.api+json')
    expect(response.headers.has('content-length')).toBe(true)
    expect(response.headers.has('transfer-encoding')).toBe(false)
  })

  it('joins repeated headers', async () => {
    expect((await echoed('GET /', 'Host: a', 'Accept: a/b', 'Accept: c/d')).accept).toBe('a/b, c/d')
  })

  it('finds no body in a request that announces none or an empty one', async () => {
    expect(await echoed('GET /', 'Host: a')).toMatchObject({ hasBody: false, body: null })
    expect(await echoed('DELETE /', 'Host: a', 'Content-Type: x/y')).toMatchObject({ hasBody: false, body: null })
    expect(await echoed('POST /', 'Host: a', 'Content-Length: 0')).toMatchObject({ hasBody: false, body: null })
  })

  it('counts the bytes of the body, not its characters', async () => {
    const response = await fetch(`${listening.url}/cookies`)
    expect(response.headers.get('content-length')).toBe('2')
    expect(await response.text()).toBe('å')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('sends bytes unchanged', async () => {
    const response = await fetch(`${listening.url}/bytes`)
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 1])
  })

  it('responds to HEAD with the headers of GET and no body', async () => {
    const { text } = await exchange(listening.port, 'HEAD /cookies HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(/\r\nContent-Length: 2\r\n/)
    expect(lastBody(text)).toBe('')
  })

  it('sends no Content-Length with 204 and 304, and zero with any other empty response', async () => {
    for (const status of [204, 304]) {
      const { text } = await exchange(
        listening.port,
        `GET /status/${status} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      )
      expect(text).toMatch(/X-Echo: yes/)
      expect(text).not.toMatch(/content-length|transfer-encoding/i)
    }
    expect((await fetch(`${listening.url}/status/303`, { redirect: 'manual' })).headers.get('content-length')).toBe('0')
  })

  it.each(['/throws', '/rejects', '/bad-header'])(
    'responds with a bare 500 if the handler throws, rejects or returns an invalid header: %s',
    async (path) => {
      const response = await fetch(listening.url + path)
      expect(response.status).toBe(500)
      expect(response.headers.get('content-type')).toBe('application/vnd.api+json')
      expect(await response.json()).toEqual({
        errors: [{ status: '500', title: 'Internal Server Error' }],
        jsonapi: { version: '1.1' },
      })
    },
  )

  it('waits for 100-continue as clients expect', async () => {
    const client = httpRequest(listening.url, {
      method: 'POST',
      headers: { Expect: '100-continue', 'Content-Length': 2 },
    })
    client.flushHeaders()
    await once(client, 'continue')
    client.end('ok')
    const [response] = await once(client, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
  })

  it('responds to pipelined requests in their order', async () => {
    const { text } = await exchange(
      listening.port,
      'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nPOST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    const paths = [...text.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path)
    expect(paths).toEqual(['/slow', '/2', '/3'])
  })
})

describe('The origin', () => {
  it('is the Host that the client addressed', async () => {
    expect((await echoed('GET /', 'Host: music.example:8080')).origin).toBe('http://music.example:8080')
    expect((await echoed('GET /', 'Host: [::1]:8080')).origin).toBe('http://[::1]:8080')
    expect((await echoed('GET /', 'Host: music.example:8080')).origin).toBe('http://music.example:8080')
    expect((await echoed('GET /', 'Host: music.example')).origin).toBe('http://music.example')
  })

  it.each(['a b', 'a/b', 'user@a', 'a"><script>', 'a:port', "a'", 'a?b', 'a#b', '', '..%2f'])(
    'is the address of the socket when the Host is hostile: %s',
    async (host) => {
      expect((await echoed('GET /', `Host: ${host}`)).origin).toBe(listening.url)
    },
  )

  it('is https on a TLS socket, and localhost where a socket has no address', () => {
    const incoming = { method: 'GET', headers: {}, socket: { encrypted: true } } as unknown as IncomingMessage
    const options = { trustProxy: false, outgoing: {} as ServerResponse, urls: clientUrl }
    expect(new NodeRequest(incoming, { text: '/', authority: undefined }, options).origin).toBe('https://localhost')
  })

  it('ignores the headers of proxies unless it is configured to trust them', async () => {
    const forwarded = ['Host: a', 'X-Forwarded-Proto: https', 'X-Forwarded-Host: music.example'] as const
    expect((await echoed('GET /', ...forwarded)).origin).toBe('http://a')
    expect((await echoed('GET /proxied', ...forwarded)).origin).toBe('https://music.example')
  })

  it('takes the first value of a trusted proxy, and only a valid one', async () => {
    const chain = await echoed(
      'GET /proxied',
      'Host: a',
      'X-Forwarded-Proto: https, http',
      'X-Forwarded-Host: b.example , c',
    )
    expect(chain.origin).toBe('https://b.example')
    const hostile = await echoed('GET /proxied', 'Host: a', 'X-Forwarded-Proto: javascript', 'X-Forwarded-Host: "evil"')
    expect(hostile.origin).toBe('http://a')
  })
})

describe('The request target', () => {
  it('may be in absolute form, whose authority wins over Host', async () => {
    expect(await echoed('GET http://music.example/albums?a=b', 'Host: other')).toMatchObject({
      path: '/albums',
      query: 'a=b',
      origin: 'http://music.example',
    })
    expect(await echoed('GET HTTP://music.example', 'Host: other')).toMatchObject({ path: '/', query: '' })
    expect(await echoed('GET http://music.example?a', 'Host: other')).toMatchObject({ path: '/', query: 'a' })
  })

  it('may start with two slashes, which name no host', async () => {
    expect(await echoed('GET //evil.example/x', 'Host: a')).toMatchObject({
      path: '//evil.example/x',
      origin: 'http://a',
    })
  })

  it('may be an asterisk for OPTIONS', async () => {
    const { text } = await exchange(listening.port, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 204 /)
    expect(text).toMatch(/\r\nAllow: GET, HEAD, QUERY, POST, PATCH, DELETE, OPTIONS\r\n/)
  })

  it.each(['GET *', 'GET ftp://music.example/x'])('is refused with a document when it is no path: %s', async (line) => {
    const { text } = await exchange(listening.port, `${line} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(lastBody(text))).toMatchObject({ errors: [{ status: '400', title: 'Bad Request' }] })
  })

  it('needs a Host in HTTP/1.1 and none in HTTP/1.0', async () => {
    const modern = await exchange(listening.port, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(modern.text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(lastBody(modern.text))).toMatchObject({ errors: [{ status: '400' }] })
    const old = await exchange(listening.port, 'GET / HTTP/1.0\r\n\r\n')
    expect(JSON.parse(lastBody(old.text))).toMatchObject({ origin: listening.url })
  })
})
