import type { WorkContext } from 'ashlar'
import { sqlData } from 'ashlar/sql'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { batchClient, add, type BatchClient } from '../../../atomic/batch-client.js'
import { client, resourceBody } from '../../../support/client.js'
import { patience } from '../../../support/patience.js'
import {
  dbOf,
  type ReplicatedMusic,
  replicatedData,
  replicatedMusic,
  replicatedServer,
  type StandIn,
  stopClock,
  type AlbumRow,
} from './replicated-music.js'
import { farBehind } from './replica-stand-in.js'

let music: ReplicatedMusic
let replica: StandIn
let other: StandIn
beforeEach(async () => {
  music = await replicatedMusic()
  const [first, second] = music.replicas
  if (first === undefined || second === undefined) throw new Error('There are two.')
  ;[replica, other] = [first, second]
  stopClock()
})
afterEach(async () => {
  vi.useRealTimers()
  await music.end()
})

const pollOptions = { timeout: patience(60_000) }

const titleOf = ({ resources }: TestResponse): unknown => resources[0]?.attributes?.['title']

const album = (title: string) => ({ body: resourceBody('albums', { title }) })

/** The databases that so many requests were read from. */
async function readFrom(api: TestClient, count: number, headers: Readonly<Record<string, string>> = {}) {
  const names = new Set<unknown>()
  for (let request = 0; request < count; request += 1) {
    names.add(titleOf(await api.get('/albums?filter[id]=1', { headers })))
  }
  return [...names].toSorted((a, b) => String(a).localeCompare(String(b)))
}

const both = ['Album of replica 0', 'Album of replica 1']
const onlyPrimary = ['Album of primary']

describe('A request that only reads', () => {
  it('is sent to the replicas in turn', async () => {
    const { server } = replicatedServer(music)
    const api = client(server)
    await server.ready()
    expect(await readFrom(api, 2)).toEqual(both)
    for (const path of ['/albums/1', '/artists/1/albums', '/albums/1/relationships/artist']) {
      const { text } = await api.get(path)
      expect(text).not.toContain('primary')
    }
  })

  it('reads everything from one replica', async () => {
    const api = client(replicatedServer(music).server)
    for (let request = 0; request < 4; request += 1) {
      const { text } = await api.get('/albums?include=artist')
      const names = new Set([...text.matchAll(/of (\w+ \d)"/g)].map(([, name]) => name))
      expect(names.size).toBe(1)
    }
  })

  it.each<readonly [name: string, write: (context: WorkContext) => Promise<unknown>]>([
    ['a row', (context) => context.rows('albums').create({ id: 2, title: 'Written' })],
    [
      'a statement',
      (context) =>
        dbOf(context)
          .insertInto('albums')
          .values({ id: 2, title: 'Written' } as AlbumRow)
          .execute(),
    ],
    [
      'a transaction',
      (context) =>
        dbOf(context)
          .transaction()
          .execute((transaction) =>
            transaction
              .insertInto('albums')
              .values({ id: 2, title: 'Written' } as AlbumRow)
              .execute(),
          ),
    ],
  ])(
    'reads from the primary database after its hook has written %s, and the response shows it',
    async (_name, afterFetch) => {
      const api = client(replicatedServer(music, { afterFetch }).server)
      const response = await api.get('/albums/1')
      expect(response.document?.meta?.['titles']).toEqual(['Album of primary', 'Written'])
      expect(response.headers.get('read-after')).toMatch(/^0\.[0-9a-f]+$/)
    },
  )
})

/** Sends a write, and returns the response. */
type Send = (api: BatchClient) => Promise<TestResponse>

const create: Send = (api) => api.post('/albums', album('New'))

const keyed: Send = (api) => api.post('/albums', { ...album('New'), headers: { 'Idempotency-Key': 'k' } })

const writes: readonly (readonly [name: string, send: Send])[] = [
  ['create', create],
  ['update', (api) => api.patch('/albums/1', { body: resourceBody('albums', { title: 'New' }, '1') })],
  ['delete', (api) => api.delete('/albums/1')],
  [
    'relationship',
    (api) => api.patch('/albums/1/relationships/artist', { body: { data: { type: 'artists', id: '1' } } }),
  ],
  ['batch', (api) => api.batch([add('albums', { title: 'New' }), add('albums', { title: 'Newer' })])],
  ['action', (api) => api.post('/albums/-actions/press')],
  ['create with a key', keyed],
  [
    'replayed create',
    async (api) => {
      await keyed(api)
      return keyed(api)
    },
  ],
]

const mixedBatch: Send = (api) => api.batch([add('albums', { title: 'A' }), add('artists', { name: 'B' })])

describe('A write', () => {
  it.each(writes)('reads from the primary database, and has a position in its response: %s', async (_name, send) => {
    const api = batchClient(replicatedServer(music).server)
    const response = await send(api)
    expect(response.status).toBeLessThan(300)
    expect(response.text).not.toContain('replica')
    expect(response.headers.get('read-after')).toMatch(/^0\.[0-9a-f]+$/)
  })

  it('has none if it was refused or rolled back, and a read has none', async () => {
    const api = client(replicatedServer(music).server)
    const responses = await Promise.all([
      api.post('/albums', { body: resourceBody('albums', { title: 1 }) }),
      api.post('/albums', { ...album('New'), headers: { Prefer: 'tx=rollback' } }),
      api.get('/albums'),
    ])
    expect(responses.map(({ headers }) => headers.get('read-after'))).toEqual([null, null, null])
  })

  it('takes no round trip more than without replicas', async () => {
    const { relay, pool } = music.primary
    pool.options.max = 1
    const trips = async (api: BatchClient, send: Send): Promise<number> => {
      for (let run = 0; run < 2; run += 1) await api.post('/albums', album('First'))
      relay.roundTrips()
      await send(api)
      return relay.roundTrips()
    }
    const [replicated, plain] = [music, { ...music, replicas: [] }].map((each) =>
      batchClient(replicatedServer(each).server),
    )
    if (replicated === undefined || plain === undefined) throw new Error('There are two.')
    expect(await trips(replicated, create)).toBe(await trips(plain, create))
    expect(await trips(replicated, mixedBatch)).toBe(await trips(plain, mixedBatch))
  })
})

describe('A client that sends back the position of its write', () => {
  it('reads from the primary database as long as the replicas are behind, then from a replica', async () => {
    for (const each of music.replicas) await each.reaches(farBehind)
    const { server } = replicatedServer(music, { maxLag: Infinity })
    const api = client(server)
    await server.ready()
    expect(await readFrom(api, 2)).toEqual(both)
    const position = (await api.post('/albums', album('New'))).headers.get('read-after') ?? ''
    const headers = { 'Read-After': position }
    expect(await readFrom(api, 3, headers)).toEqual(onlyPrimary)
    const [high, low] = [position.slice(2, -8) || '0', position.slice(2).slice(-8)]
    await replica.reaches(`${high}/${low}`)
    await expect.poll(() => readFrom(api, 1, headers), pollOptions).toEqual([both[0]])
    expect(await readFrom(api, 5, headers)).not.toContain(both[1])
    await other.reaches(`${high}/${low}`)
    // All are queried once a second.
    vi.advanceTimersByTime(1000)
    await expect.poll(() => readFrom(api, 2, headers), pollOptions).toEqual(both)
  })

  it('has the position of a replica queried only if it is not known', async () => {
    const { server } = replicatedServer({ ...music, replicas: [replica] })
    const api = client(server)
    await readFrom(api, 1)
    // Waits for the queries of the first request.
    await server.ready()
    const position = (await api.post('/albums', album('New'))).headers.get('read-after') ?? ''
    const before = await replica.positionQueries()
    expect(await readFrom(api, 5, { 'Read-After': position })).toEqual([both[0]])
    expect(await replica.positionQueries()).toBe(before)
  })

  it('may send several, of which the latest counts, and those of other stores', async () => {
    const { server } = replicatedServer(music)
    const api = client(server)
    await server.ready()
    expect(await readFrom(api, 2, { 'Read-After': '0.1, 0.2,7.zz' })).toEqual(both)
    expect(await readFrom(api, 2, { 'Read-After': '0.1, 0.ffffffffffffffff' })).toEqual(onlyPrimary)
  })

  it('gets the positions of all stores that it has written to', async () => {
    const pool = new Pool({ connectionString: music.primary.relay.url })
    const data = [
      replicatedData({ ...music, replicas: [replica] }, { options: { types: ['artists'] } }),
      sqlData({ primary: pool, replicas: [other.pool] }, { types: ['albums'] }),
    ]
    const { server } = replicatedServer(music, { settings: { data } })
    const api = batchClient(server)
    const written = async (...types: readonly string[]): Promise<string | null> => {
      const operations = types.map((type) => add(type, type === 'artists' ? { name: 'New' } : { title: 'New' }))
      return (await api.batch(operations)).headers.get('read-after')
    }
    expect(await written('artists')).toMatch(/^0\.[0-9a-f]+$/)
    expect(await written('albums')).toMatch(/^1\.[0-9a-f]+$/)
    expect(await written('albums', 'artists')).toMatch(/^0\.[0-9a-f]+, 1\.[0-9a-f]+$/)
    await server.ready()
    const headers = { 'Read-After': '0.ffffffffffffffff, 1.1' }
    expect((await api.get('/artists/1', { headers })).text).toContain('Artist of primary')
    expect((await api.get('/albums/1', { headers })).text).toContain('Album of replica 1')
    await pool.end()
  })

  it('gets 400 for an invalid position', async () => {
    const api = client(replicatedServer(music).server)
    const malformed = ['', '0', '0.', 'x.1', '0.16B374', '0.1;2', '0.11112222333344445', '0.1,']
    for (const value of [...malformed, `${'0.1,'.repeat(300)}0.1`]) {
      for (const response of [
        await api.get('/albums', { headers: { 'Read-After': value } }),
        await api.post('/albums', { ...album('New'), headers: { 'Read-After': value } }),
      ]) {
        expectErrors(response, [{ status: 400, code: 'READ_AFTER_INVALID', header: 'Read-After' }])
      }
    }
  })

  it('is ignored without replicas', async () => {
    const api = client(replicatedServer({ ...music, replicas: [] }).server)
    const response = await api.get('/albums', { headers: { 'Read-After': 'nonsense' } })
    expect([response.status, response.headers.get('vary')]).toEqual([200, 'Accept'])
    expect((await api.post('/albums', album('New'))).headers.get('read-after')).toBeNull()
  })

  it('gets responses that caches distinguish', async () => {
    const api = client(replicatedServer(music).server)
    for (const path of ['/albums', '/albums/1', '/albums/9']) {
      expect((await api.get(path)).headers.get('vary')).toBe('Accept, Read-After')
    }
    expect((await api.post('/albums', album('New'))).headers.get('vary')).not.toContain('Read-After')
  })
})
