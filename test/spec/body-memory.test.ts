import { gzipSync } from 'node:zlib'
import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'

/** The document has another type than the collection: 409 shows that it was read. */
const body = JSON.stringify({ data: { type: 'tracks', attributes: { title: 'A' } } })
const refused = { status: 503, code: 'REQUEST_BODY_REFUSED', title: 'Too many request bodies' }

afterEach(() => void vi.restoreAllMocks())

/** A server with memory for one body. */
const music = () => catalogueServer({ limits: { bodyBytes: 1000 }, bodyMemory: 1000 })

/** A request that has sent some bytes of its body. */
async function begun(server: ReturnType<typeof music>, bytes: number) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const response = server.fetch(
    new Request('http://localhost/albums', {
      method: 'POST',
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: readable,
      duplex: 'half',
    }),
  )
  const { held, ended } = server.stats().bodies
  await writer.write(new TextEncoder().encode(body.padEnd(bytes)))
  await expect.poll(() => server.stats().bodies).not.toMatchObject({ held, ended })
  return { response, end: () => writer.close() }
}

describe('the memory of request bodies', () => {
  test('is used up by bodies that are not complete, so that others are refused until there is memory again', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(0)
    const server = music()
    const api = client(server)
    const { response, end } = await begun(server, 1000)
    expect(server.stats().bodies).toEqual({ limit: 1000, held: 1000, decoding: 0, receiving: 1, refused: 0, ended: 0 })
    const other = await api.post('/albums', { raw: body })
    expectErrors(other, [refused])
    expect(other.headers.get('retry-after')).toBe('1')
    expect((await api.get('/albums')).status).toBe(200)
    await end()
    expect((await response).status).toBe(409)
    expectErrors(await api.post('/albums', { raw: body }), [{ status: 409 }])
    expect(server.stats().bodies).toEqual({ limit: 1000, held: 0, decoding: 0, receiving: 0, refused: 1, ended: 0 })
  })

  test('is taken from a client that sends nothing for a second', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    const server = music()
    const { response } = await begun(server, 1000)
    now.mockReturnValue(1000)
    expectErrors(await client(server).post('/albums', { raw: body }), [{ status: 409 }])
    const ended = await response
    expect([ended.status, ended.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await ended.json()).toMatchObject({ errors: [{ status: '503', code: 'REQUEST_BODY_REFUSED' }] })
    expect(server.stats().bodies).toEqual({ limit: 1000, held: 0, decoding: 0, receiving: 0, refused: 0, ended: 1 })
  })

  test('is taken from the slowest if another needs more', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0)
    const server = music()
    const slowest = await begun(server, 600)
    now.mockReturnValue(500)
    const other = await begun(server, 600)
    expect((await slowest.response).status).toBe(503)
    await other.end()
    expect((await other.response).status).toBe(409)
  })

  test('is free again after failed bodies, and after decoders', async () => {
    const server = music()
    const api = client(server)
    expectErrors(await api.post('/albums', { raw: body.padEnd(1001) }), [{ status: 413 }])
    expectErrors(await api.post('/albums', { raw: '{' }), [{ status: 400 }])
    const encoded = { 'content-encoding': 'gzip' }
    expectErrors(await api.post('/albums', { raw: gzipSync(body), headers: encoded }), [{ status: 409 }])
    expectErrors(await api.post('/albums', { raw: 'x', headers: encoded }), [{ status: 400 }])
    const many = Array.from({ length: 10 }, () => api.post('/albums', { raw: gzipSync(body), headers: encoded }))
    for (const response of await Promise.all(many)) expect(response.status).toBe(409)
    expect(server.stats().bodies).toEqual({ limit: 1000, held: 0, decoding: 0, receiving: 0, refused: 0, ended: 0 })
  })

  test('is 64 MiB, or eight of the largest bodies', () => {
    const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
    const limitOf = (settings: object) =>
      createServer({ resources: [artists], data: memoryData(), ...settings }).stats().bodies.limit
    expect(limitOf({})).toBe(64 * 2 ** 20)
    expect(limitOf({ limits: { bodyBytes: 10 * 2 ** 20 } })).toBe(80 * 2 ** 20)
    expect(limitOf({ servers: { admin: { prefix: '/admin', limits: { bodyBytes: 2 ** 24 } } } })).toBe(2 ** 27)
  })
})
