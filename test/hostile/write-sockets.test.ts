import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { listen, type Listening } from 'ashlar/node'
import { documentProblems } from 'ashlar/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lastBody, open } from '../adapters/raw-connection.js'
import { shopRows, uuid } from '../properties/writes-rows.js'
import { isSameSnapshot, watchedStore } from '../properties/writes-store.js'
import { shopServer } from '../properties/writes-world.js'
import { patience } from '../support/patience.js'

const store = watchedStore(shopRows)
const server = shopServer(store.data, { limits: { bodyBytes: 2000 } })
const untouched = await store.snapshot()
let listening: Listening

beforeAll(async () => {
  listening = await listen(server.handle, {
    requestTimeout: patience(10_000),
    headersTimeout: patience(10_000),
    keepAliveTimeout: 200,
  })
})
afterAll(() => listening.close())
beforeEach(() => store.reset())

const isUntouched = async (): Promise<boolean> => isSameSnapshot(await store.snapshot(), untouched)

const jsonApi = 'Content-Type: application/vnd.api+json'
const head = (line: string, ...headers: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`
const lengthOf = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`
const chunked = 'Transfer-Encoding: chunked'

/** A body in chunks of some bytes each, which may end in the middle of a character. */
function chunks(body: string, size: number): string {
  const bytes = Buffer.from(body)
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size)
    parts.push(`${part.length.toString(16)}\r\n${part.toString('latin1')}\r\n`)
  }
  return `${parts.join('')}0\r\n\r\n`
}

interface ReceivedResponse {
  readonly statuses: readonly number[]
  /** Of the last response. */
  readonly body: string
}

/** Sends all, each character a byte, and listens until the server closes. */
async function send(...parts: readonly string[]): Promise<ReceivedResponse> {
  const socket = await open(listening.port)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.write(parts.join(''), 'latin1')
  await once(socket, 'close')
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { statuses, body: lastBody(text) }
}

const identifiers = (...keys: readonly number[]): string =>
  JSON.stringify({ data: keys.map((key) => ({ type: 'tracks', id: uuid(key) })) })

const onTracks = '/playlists/monday/relationships/tracks'

/** The tracks of the playlist, read by another door. */
async function trackIds(): Promise<readonly string[]> {
  const { body } = await send(head(`GET ${onTracks}`, 'Connection: close'))
  return JSON.parse(body).data.map(({ id }: { readonly id: string }) => id)
}

describe('a DELETE of a resource', () => {
  const line = 'DELETE /releases/first'

  test('ignores its body', async () => {
    for (const body of ['{"data":null}', 'no JSON', '{"data":{"type":"releases","id":"second"}}']) {
      await store.reset()
      const { statuses } = await send(head(line, jsonApi, lengthOf(body), 'Connection: close'), body)
      expect(statuses).toEqual([204])
      expect((await send(head('GET /releases/first', 'Connection: close'))).statuses).toEqual([404])
      expect((await send(head('GET /releases/second', 'Connection: close'))).statuses).toEqual([200])
    }
  })

  test('does not take its body for another request', async () => {
    const smuggled = head('DELETE /releases/second')
    const { statuses } = await send(head(line, jsonApi, lengthOf(smuggled), 'Connection: close'), smuggled)
    expect(statuses).toEqual([204])
    expect((await send(head('GET /releases/second', 'Connection: close'))).statuses).toEqual([200])
  })

  test('refuses a body of another media type, and deletes nothing', async () => {
    const body = '{}'
    for (const type of ['Content-Type: application/json', 'Content-Type: text/plain', 'X-Nothing: here']) {
      const { statuses } = await send(head(line, type, lengthOf(body), 'Connection: close'), body)
      expect(statuses).toEqual([415])
    }
    expect(await isUntouched()).toBe(true)
  })

  test('may have a Content-Type without a body', async () => {
    const { statuses } = await send(head(line, 'Content-Type: application/json', 'Connection: close'))
    expect(statuses).toEqual([204])
  })
})

test('a GET may have a Content-Type without a body, and ignores its body', async () => {
  const withType = head('GET /releases/first', 'Content-Type: application/json', 'Connection: close')
  expect((await send(withType)).statuses).toEqual([200])
  const body = '{"data":null}'
  expect(
    (await send(head('GET /releases/first', jsonApi, lengthOf(body), 'Connection: close'), body)).statuses,
  ).toEqual([200])
  expect(await isUntouched()).toBe(true)
})

describe('a DELETE of linkage', () => {
  test.each([1, 3, 7, 1000])('takes its body in chunks of %s bytes', async (size) => {
    const body = JSON.stringify({ ...JSON.parse(identifiers(1)), meta: { note: 'é😀' } })
    const { statuses } = await send(head(`DELETE ${onTracks}`, jsonApi, chunked, 'Connection: close'), chunks(body, size))
    expect(statuses).toEqual([204])
    expect(await trackIds()).toEqual([uuid(2)])
  })

  test('gets its response in order, as do later requests', async () => {
    const body = identifiers(2)
    const first = `${head(`DELETE ${onTracks}`, jsonApi, lengthOf(body))}${body}`
    const { statuses } = await send(first, head('GET /nothing', 'Connection: close'))
    expect(statuses).toEqual([204, 404])
    expect(await trackIds()).toEqual([uuid(1)])
  })

  test('waits for a body that is sent after 100 Continue', async () => {
    const body = identifiers(1, 2)
    const socket = await open(listening.port)
    const received = new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (text.startsWith('HTTP/1.1 100 ') && !text.includes(' 204 ')) socket.write(body)
        if (text.includes(' 204 ')) resolve(text)
      })
    })
    socket.write(head(`DELETE ${onTracks}`, jsonApi, lengthOf(body), 'Expect: 100-continue', 'Connection: close'))
    expect(await received).toMatch(/^HTTP\/1\.1 100 /)
    socket.destroy()
    expect(await trackIds()).toEqual([])
  })

  test('that is too large is 413, however it is sent, and removes nothing', async () => {
    const body = identifiers(...Array.from({ length: 60 }, () => 1))
    for (const [header, sent] of [[lengthOf(body), body], [chunked, chunks(body, 100)]] as const) {
      const { statuses, body: reply } = await send(head(`DELETE ${onTracks}`, jsonApi, header, 'Connection: close'), sent)
      expect(statuses).toEqual([413])
      expect(documentProblems(JSON.parse(reply), { status: 413 })).toEqual([])
    }
    expect(await isUntouched()).toBe(true)
  })

  test('without a body is 400', async () => {
    expect((await send(head(`DELETE ${onTracks}`, 'Connection: close'))).statuses).toEqual([400])
    expect((await send(head(`DELETE ${onTracks}`, jsonApi, chunked, 'Connection: close'), chunks('', 1))).statuses).toEqual([400])
    expect(await isUntouched()).toBe(true)
  })
}) // biome-ignore format: a request a line

const title = (type: string, id?: string): string =>
  JSON.stringify({ data: { type, ...(id === undefined ? {} : { id }), attributes: { title: 'Half' } } })

/** Sends some bytes, and disconnects abruptly, or after half-closing. */
async function breakOff(sent: string, how: 'destroy' | 'end'): Promise<void> {
  const socket = await open(listening.port)
  socket.on('error', () => undefined).resume()
  await new Promise((resolve) => socket.write(sent, 'latin1', resolve))
  // The server is to have begun to read.
  await wait(15)
  if (how === 'destroy') socket.destroy()
  else await once(socket.end(), 'close')
}

describe('an upload that is aborted writes nothing', () => {
  const writes = [
    ['POST /releases', title('releases', 'new')],
    ['PATCH /releases/first', title('releases', 'first')],
    [`PATCH ${onTracks}`, '{"data":[]}'],
    [`POST /playlists/tuesday/relationships/plainTracks`, identifiers(3)],
    [`DELETE ${onTracks}`, identifiers(1)],
    ['POST /releases/first/-actions/reissue', title('releases')],
  ] as const

  test.each(writes)('%s', async (line, body) => {
    const length = [head(line, jsonApi, `Content-Length: ${body.length + 1}`), body] as const
    // All that the document has, but for the end of the message.
    const unended = [head(line, jsonApi, chunked), chunks(body, 20).slice(0, -5)] as const
    const half = [head(line, jsonApi, lengthOf(body)), body.slice(0, body.length / 2)] as const
    for (const parts of [length, unended, half]) {
      for (const how of ['destroy', 'end'] as const) await breakOff(parts.join(''), how)
    }
    await wait(15)
    expect(await isUntouched()).toBe(true)
    // The same bytes, whole, are a write.
    expect((await send(head(line, jsonApi, lengthOf(body), 'Connection: close'), body)).statuses[0]).toBeLessThan(300)
    expect(await isUntouched()).toBe(false)
  })
})
