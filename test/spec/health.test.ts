import type { ErrorLogEntry, ServerSettings } from 'ashlar'
import type { HealthOptions } from '../../src/server/journey/health-options.js'
import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { DataSource } from 'ashlar/store'
import type { PoolState } from '../../src/stores/common/data-source.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { signal } from '../support/signal.js'

/** Health checks are no JSON:API documents: they are for load balancers and orchestrators. */

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })

interface Music {
  readonly store?: Partial<DataSource>
  readonly settings?: Partial<ServerSettings<[]>>
  readonly options?: HealthOptions
}

/** A server whose store has additional members, its health checks, and its log. */
function music({ store = {}, settings = {}, options = {} }: Music = {}) {
  const logged: ErrorLogEntry[] = []
  const logger = { error: (entry: ErrorLogEntry) => logged.push(entry) }
  const data = { ...memoryData({ albums: [{ id: 1 }] }), ...store }
  const server = createServer({ resources: [albums], data, logger, ...settings })
  const health = server.health({ cacheFor: 0, ...options })
  const messages = () => logged.map(({ err }) => (err as Error).message)
  return { server, health, logged, messages }
}

afterEach(() => void vi.useRealTimers())

/** A clock that a test advances. */
function fakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
}

describe('the endpoints', () => {
  test('are JSON that must not be cached', async () => {
    const { health } = music()
    for (const [path, report] of [
      ['/health/live', { status: 'ok', checks: {} }],
      ['/health/ready', { status: 'ok', checks: { accepting: 'ok', stores: 'ok', schema: 'ok' } }],
    ] as const) {
      const response = await health.fetch(new Request(`http://music.example${path}?probe=1`))
      expect([response.status, await response.json()]).toEqual([200, report])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  test('are for GET and HEAD only', async () => {
    const { health } = music()
    for (const path of ['/health/live', '/health/ready']) {
      const statusOf = async (method: string) =>
        (await health.fetch(new Request(`http://music.example${path}`, { method }))).status
      const statuses = await Promise.all(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'].map(statusOf))
      expect(statuses).toEqual([200, 200, 405, 405, 405])
      const refused = await health.fetch(new Request(`http://music.example${path}`, { method: 'PUT' }))
      expect(refused.headers.get('allow')).toBe('GET, HEAD')
    }
  })

  test('are at two paths, which are no routes of the server', async () => {
    const { server, health } = music({ options: { path: '/internal/health' } })
    expect(['/internal/health/live', '/internal/health/ready'].map((path) => health.serves(path))).toEqual([true, true])
    expect(['/health/live', '/internal/health', '/internal/health/live/'].map((path) => health.serves(path))).toEqual([
      false,
      false,
      false,
    ])
    expect((await health.fetch(new Request('http://music.example/albums'))).status).toBe(404)
    expect(server.routes().filter(({ path }) => path.includes('health'))).toEqual([])
  })
})

describe('readiness', () => {
  test('fails with a store that does not respond, and does not show the reason to clients', async () => {
    let isDown = true
    const ping = () => (isDown ? Promise.reject(new Error('no route to db.internal:5432')) : Promise.resolve())
    const { health, logged, messages } = music({ store: { ping } })
    const readiness = async () => {
      const response = await health.fetch(new Request('http://music.example/health/ready'))
      return [response.status, await response.text()]
    }
    const failed = '{"status":"unavailable","checks":{"accepting":"ok","stores":"failed","schema":"ok"}}'
    expect([await readiness(), await readiness()]).toEqual([
      [503, failed],
      [503, failed],
    ])
    // Not again while it lasts.
    expect(messages()).toEqual(["The health check 'stores' fails: no route to db.internal:5432"])
    expect(logged.map(({ err }) => (err as Error).cause)[0]).toEqual(new Error('no route to db.internal:5432'))
    isDown = false
    expect((await readiness())[0]).toBe(200)
    isDown = true
    expect((await readiness())[0]).toBe(503)
    expect(messages()).toHaveLength(2)
    expect(health.live()).toEqual({ status: 'ok', checks: {} })
  })

  test('checks a store once in an interval, however many requests there are', async () => {
    fakeTime()
    const ping = vi.fn(() => Promise.resolve())
    const { health } = music({ store: { ping }, options: { cacheFor: 1000 } })
    await Promise.all(Array.from({ length: 100 }, () => health.ready()))
    await health.ready()
    expect(ping).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(999)
    await health.ready()
    expect(ping).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await Promise.all(Array.from({ length: 100 }, () => health.ready()))
    expect(ping).toHaveBeenCalledTimes(2)
  })

  test('fails after the deadline, immediately while the store still has not responded, and recovers', async () => {
    fakeTime()
    const released = signal()
    const ping = vi.fn((_limit: number) => released.given)
    const { health, messages } = music({ store: { ping }, options: { deadline: 500 } })
    const first = health.ready()
    await vi.advanceTimersByTimeAsync(499)
    const second = health.ready()
    await vi.advanceTimersByTimeAsync(1)
    const failed = { status: 'unavailable', checks: { accepting: 'ok', stores: 'failed', schema: 'ok' } }
    expect([await first, await second]).toEqual([failed, failed])
    vi.useRealTimers()
    expect(await health.ready()).toEqual(failed)
    expect(messages()).toEqual(["The health check 'stores' fails: It takes longer than 500 ms."])
    expect(ping.mock.calls).toEqual([[500]])
    released.give()
    expect((await health.ready()).status).toBe('ok')
    expect(ping).toHaveBeenCalledTimes(1)
  })

  test('fails while too many requests wait for a connection', async () => {
    let state: PoolState = { size: 2, open: 2, idle: 0, waiting: 20 }
    const store = { pools: () => [{ size: 5, open: 0, idle: 0, waiting: 0 }, state] }
    const { health, messages } = music({ store })
    expect((await health.ready()).checks).toEqual({ accepting: 'ok', stores: 'ok', pools: 'ok', schema: 'ok' })
    state = { ...state, waiting: 21 }
    expect((await health.ready()).checks['pools']).toBe('failed')
    expect(messages()).toEqual([
      "The health check 'pools' fails: All 2 connections of a pool are in use, and 21 requests wait for one.",
    ])
    state = { ...state, idle: 1 }
    expect((await health.ready()).checks['pools']).toBe('ok')
    state = { ...state, idle: 0, waiting: 1 }
    expect((await music({ store, options: { maxWaiting: 0 } }).health.ready()).checks['pools']).toBe('failed')
    expect((await music({ store, options: { maxWaiting: 1 } }).health.ready()).checks['pools']).toBe('ok')
  })

  test('fails until the tables exist, which is checked until then', async () => {
    let missing: readonly string[] = ["The table 'albums' has no column 'title'."]
    const inspect = vi.fn(async () => ({ missing, unsound: [], advice: [] }))
    const { health, messages } = music({ store: { inspect } })
    expect([(await health.ready()).checks['schema'], (await health.ready()).checks['schema']]).toEqual([
      'failed',
      'failed',
    ])
    expect(messages()).toEqual(["The health check 'schema' fails: The table 'albums' has no column 'title'."])
    missing = []
    expect([(await health.ready()).status, (await health.ready()).status]).toEqual(['ok', 'ok'])
    expect(inspect).toHaveBeenCalledTimes(3)
  })

  test('fails until all migrations have run', async () => {
    let pending = ['003_add_isrc', '004_drop_ean']
    const migrations = vi.fn(() => pending)
    const { health, messages } = music({ options: { migrations } })
    const { status, checks } = await health.ready()
    expect([status, checks['migrations'], JSON.stringify(checks).includes('isrc')]).toEqual([
      'unavailable',
      'failed',
      false,
    ])
    expect(messages()).toEqual([
      "The health check 'migrations' fails: These migrations have not run: 003_add_isrc, 004_drop_ean.",
    ])
    pending = []
    expect([(await health.ready()).status, (await health.ready()).status]).toEqual(['ok', 'ok'])
    expect(migrations).toHaveBeenCalledTimes(2)
    const broken = music({ options: { migrations: () => Promise.reject(new Error('no table')) } })
    expect((await broken.health.ready()).checks['migrations']).toBe('failed')
  })

  test('has checks of the application', async () => {
    let isDown = true
    const search = () => {
      if (isDown) throw new Error('search is down')
    }
    const { health, messages } = music({ options: { checks: { search, mail: () => Promise.resolve() } } })
    expect((await health.ready()).checks).toMatchObject({ search: 'failed', mail: 'ok' })
    isDown = false
    expect((await health.ready()).checks).toMatchObject({ search: 'ok', mail: 'ok' })
    expect(messages()).toEqual(["The health check 'search' fails: search is down"])
  })

  test('ends with the shutdown, and then checks no store', async () => {
    const ping = vi.fn(() => Promise.resolve())
    const { health } = music({ store: { ping } })
    expect((await health.ready()).status).toBe('ok')
    health.shutDown()
    expect(await health.ready()).toEqual({ status: 'unavailable', checks: { accepting: 'failed' } })
    expect(health.live().status).toBe('ok')
    expect(ping).toHaveBeenCalledTimes(1)
  })

  test('does not need a logger', async () => {
    const { health } = music({ store: { ping: () => Promise.reject(new Error('down')) }, settings: { logger: null } })
    expect((await health.ready()).status).toBe('unavailable')
  })
})

test.each([
  [
    { paths: '/x' },
    "server.health() has no option 'paths': use path, deadline, cacheFor, maxWaiting, migrations, checks.",
  ],
  [{ path: 'health' }, "The option 'path' of server.health() must be a path, such as '/health'."],
  [{ path: '/health/' }, "The option 'path' of server.health() must be a path, such as '/health'."],
  [{ deadline: 0 }, "The option 'deadline' of server.health() must be a whole number of at least 1."],
  [{ cacheFor: -1 }, "The option 'cacheFor' of server.health() must be a whole number of at least 0."],
  [{ maxWaiting: 1.5 }, "The option 'maxWaiting' of server.health() must be a whole number of at least 0."],
  [{ migrations: [] }, "The option 'migrations' of server.health() must be a function."],
  [
    { checks: { stores: () => undefined } },
    "The option 'checks' of server.health() must be an object of functions, whose names",
  ],
  [{ checks: { search: true } }, "The option 'checks' of server.health() must be an object of functions, whose names"],
])('an invalid option is reported: %j', (options, message) => {
  expect(() => music({ options: options as HealthOptions })).toThrow(message)
  expect(() => music({ options: options as HealthOptions })).toThrow(TypeError)
})
