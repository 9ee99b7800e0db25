import { connect } from 'node:net'
import { listen, type Listening } from 'ashlar/node'
import { documentProblems } from 'ashlar/testing'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { patience } from '../support/patience.js'
import { runs } from '../support/runs.js'
import { hostileServer, leak } from './hostile-server.js'

const server = hostileServer()
const api = client(server)
let listening: Listening

beforeAll(async () => {
  listening = await listen(server.handle, {
    requestTimeout: patience(10_000),
    headersTimeout: patience(10_000),
    keepAliveTimeout: 200,
  })
})
afterAll(() => listening.close())

/** Sends bytes, half-closes, and returns all received bytes until the server closes; `null` if it never does. */
function exchange(sent: Uint8Array, port = listening.port): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const chunks: Buffer[] = []
    const settle = (text: string | null): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(() => settle(null), patience(30_000))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => settle(Buffer.concat(chunks).toString()))
    socket.end(sent)
  })
}

interface RawResponse {
  readonly status: number
  readonly contentType: string | null
  readonly body: string
}

/** Splits the received bytes into responses, by their Content-Length. */
function responsesIn(text: string): readonly RawResponse[] {
  const responses: RawResponse[] = []
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    expect(end, `no whole response head in ${rest.toString()}`).not.toBe(-1)
    const head = rest.subarray(0, end).toString()
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1])
    const contentType = /^content-type: (.+)$/im.exec(head)?.[1] ?? null
    const isHead = length > 0 && rest.length < end + 4 + length
    const body = isHead ? '' : rest.subarray(end + 4, end + 4 + length).toString()
    responses.push({ status, contentType, body })
    rest = isHead ? Buffer.alloc(0) : rest.subarray(end + 4 + length)
  }
  return responses
}

function checkResponse({ status, contentType, body }: RawResponse): void {
  if (status !== 100) expect(status).toBeGreaterThanOrEqual(200)
  expect(body).not.toMatch(leak)
  if (body === '') return
  if (status === 404 && contentType === 'text/plain; charset=utf-8') return expect(body).toBe('Not Found\n')
  expect(contentType).toBe('application/vnd.api+json')
  expect(documentProblems(JSON.parse(body), { status, fieldsets: true })).toEqual([])
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const latin = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((unit) => String.fromCharCode(unit)),
  maxLength: 30,
})
const token = fc.oneof(
  fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT', 'M-SEARCH', 'get'),
  latin,
)
const target = fc.oneof(
  fc.constantFrom('/notes', '/notes/first', '*', 'http://other.example/notes', '//', '/notes?', '/notes?profile=<"|>'),
  latin.map((rest) => `/notes/${rest}`),
  latin.map((rest) => `/notes?${rest}`),
  latin,
)
const header = fc.oneof(
  fc.constantFrom(
    'Accept: application/vnd.api+json',
    'Accept: application/vnd.api+json; a=b',
    'Content-Type: application/vnd.api+json',
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 5, 6',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip',
    'Expect: 100-continue',
    'Expect: nonsense',
    'Upgrade: websocket\r\nConnection: Upgrade',
    'Host: evil.example:99999',
    'Host: a b',
  ),
  fc.tuple(latin, latin).map(([name, value]) => `${name}: ${value}`),
)
const message = fc
  .record({ token, target, headers: fc.array(header, { maxLength: 4 }), body: fc.oneof(latin, fc.json()) })
  .map(
    (parts) =>
      `${parts.token} ${parts.target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${parts.headers.join('\r\n')}${parts.headers.length > 0 ? '\r\n' : ''}\r\n${parts.body}`,
  )

describe('for any bytes on a socket', () => {
  test('every response is a valid document or the plain 404, and the connection ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 4, arbitrary: message }, { weight: 1, arbitrary: latin }), async (text) => {
        const reply = await exchange(bytes(text))
        expect(reply, 'the connection hung').not.toBeNull()
        for (const response of responsesIn(reply ?? '')) checkResponse(response)
      }),
      { numRuns: runs(300) },
    )
    expect((await api.get('/notes')).status).toBe(200)
  })

  test('requests in one packet get responses in their order, up to the faulty one', async () => {
    const get = 'GET /notes HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const reply = await exchange(bytes(`${get}${get}BREW /notes HTTP/9\r\n\r\n`))
    expect(responsesIn(reply ?? '').map(({ status }) => status)).toEqual([200, 200, 400])
  })

  test('a body that ends too early writes nothing', async () => {
    const before = (await api.get('/notes')).text
    const document = '{"data":{"type":"notes","attributes":{"text":"half"}}}'
    for (const [length, body] of [
      [document.length + 10, document],
      [document.length, document.slice(0, -5)],
    ] as const) {
      const head = `POST /notes HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/vnd.api+json\r\nContent-Length: ${length}\r\n\r\n`
      const reply = await exchange(bytes(head + body))
      for (const response of responsesIn(reply ?? '')) expect(response.status).toBeGreaterThanOrEqual(400)
    }
    expect((await api.get('/notes')).text).toBe(before)
  })

  test('an invalid host is never repeated in links', async () => {
    // An earlier request may have deleted the note.
    const fresh = await listen(hostileServer().handle)
    const { port } = fresh
    for (const host of ['a b', '"><script>', 'user@host', 'evil.example/path', '']) {
      const reply = await exchange(bytes(`GET /notes HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), port)
      for (const { body, status } of responsesIn(reply ?? '')) {
        if (status !== 200) continue
        const here = `http://127.0.0.1:${port}/notes`
        expect(JSON.parse(body)).toMatchObject({
          links: { self: `${here}?page%5Bnumber%5D=1` },
          data: [{ links: { self: `${here}/first` } }],
        })
      }
    }
    await fresh.close()
  })
})
