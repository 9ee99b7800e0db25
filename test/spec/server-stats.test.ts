import { createServer, defineResource, HttpError, id, model, type ServerSettings } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { DataSource } from 'ashlar/store'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { signal } from '../support/signal.js'

/** The current and past work of a server. */

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

function music(settings: Partial<ServerSettings<readonly []>> = {}) {
  const server = createServer({
    resources: [albums, albums.with({ server: 'staff' }), albums.with({ server: 'strict' })],
    data: memoryData({ albums: [{ id: 1, title: 'Dummy' }] }),
    servers: { staff: { prefix: '/staff' }, strict: { prefix: '/strict', unknownMembers: 'reject' } },
    logger: null,
    ...settings,
  })
  return { server, api: client(server) }
}

const noResponses = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }

describe('server.stats()', () => {
  test('counts responses by the class of their status', async () => {
    const { server, api } = music({ requestIds: true })
    server.on('Serving', ({ operation }) => {
      if (operation.kind === 'DeleteResource') throw new Error('out of order')
    })
    expect(server.stats().requests).toEqual({ running: 0, responses: noResponses })
    const { headers } = await api.get('/albums/1')
    await api.get('/albums')
    await api.get('/albums/1', { headers: { 'If-None-Match': headers.get('etag') ?? '*' } })
    await api.get('/albums/404')
    await api.get('/albums/1?nothing')
    await api.request('DELETE', '/albums/1')
    const { responses, running } = server.stats().requests
    expect([running, responses['4xx'], responses['5xx']]).toEqual([0, 2, 1])
    expect(responses['2xx'] + responses['3xx']).toBe(3)
  })

  test('counts the errors that an application has thrown in front of the server', async () => {
    const { server } = music()
    const request = { method: 'GET', path: '/albums', query: '', origin: 'http://localhost', hasBody: false } as const
    const headers = { header: () => undefined, body: () => Promise.resolve(null) }
    server.errorResponse({ ...request, ...headers }, new HttpError(401))
    expect(server.stats().requests).toEqual({ running: 0, responses: { ...noResponses, '4xx': 1 } })
  })

  test('does not count requests for paths of the application', async () => {
    const { server, api } = music()
    await api.get('/nothing')
    expect(server.stats().requests).toEqual({ running: 0, responses: noResponses })
  })

  test('shows the requests that are being handled, wait or were refused', async () => {
    const { server, api } = music({ overload: { concurrent: 1, queued: 1, maxWait: 600_000 } })
    const [begun, goOn] = [signal(), signal()]
    server.on('Serving', async () => {
      begun.give()
      await goOn.given
    })
    const [one, two] = [api.get('/albums'), api.get('/albums')]
    await begun.given
    expect((await api.get('/albums')).status).toBe(503)
    expect(server.stats()).toMatchObject({
      requests: { running: 2, responses: { ...noResponses, '5xx': 1 } },
      overload: { running: 1, waiting: 1, refused: 1, late: 0 },
    })
    goOn.give()
    await Promise.all([one, two])
    expect(server.stats()).toMatchObject({
      requests: { running: 0, responses: { ...noResponses, '2xx': 2, '5xx': 1 } },
      overload: { running: 0, waiting: 0, refused: 1, late: 0 },
    })
    expect(music().server.stats().overload).toBeNull()
  })

  test('shows how the caches of each server are used', async () => {
    const { server, api } = music()
    await api.get('/albums?sort=-id')
    await api.get('/albums/1')
    await api.get('/albums/1')
    await api.get('/staff/albums/1')
    await api.get(`/albums?page[number]=${'0'.repeat(3000)}1`)
    const [shared, own] = [['default', 'staff'], ['strict']]
    expect(server.stats().caches).toEqual([
      { name: 'queries', servers: shared, entries: 2, capacity: 500, hits: 2, misses: 3 },
      { name: 'plans', servers: shared, entries: 3, capacity: null, hits: 1, misses: 4 },
      { name: 'queries', servers: own, entries: 0, capacity: 500, hits: 0, misses: 0 },
      { name: 'plans', servers: own, entries: 0, capacity: null, hits: 0, misses: 0 },
    ])
  })

  test('shows the statistics of the stores that have some', () => {
    const memory = memoryData()
    const pool = { size: 10, open: 3, idle: 1, waiting: 0 }
    const counts = { statements: 12, transactions: 3, retries: 1 }
    const cache = { name: 'statements', entries: 7, capacity: 500, hits: 5, misses: 7 }
    const counting: DataSource = {
      ...memory,
      name: 'counting',
      priority: 1,
      pools: () => [pool],
      stats: () => ({ ...counts, caches: [cache] }),
    }
    const { server } = music({ data: [counting, memory] })
    expect(server.stats().stores).toEqual([
      { name: 'counting', pools: [pool], counts, caches: [cache] },
      { name: 'memory', pools: [], counts: null, caches: [] },
    ])
  })

  test('starts with the server, and is independent of others', async () => {
    const [one, other] = [music(), music()]
    await one.api.get('/albums')
    expect(other.server.stats().requests.responses).toEqual(noResponses)
    const { uptime } = one.server.stats()
    expect(uptime).toBeGreaterThan(0)
    expect(one.server.stats().uptime).toBeGreaterThanOrEqual(uptime)
  })

  test('is a part of server.inspect()', async () => {
    const { server, api } = music()
    await api.get('/albums')
    const { uptime: _, ...stats } = server.stats()
    expect((await server.inspect()).stats).toMatchObject(stats)
  })
})
