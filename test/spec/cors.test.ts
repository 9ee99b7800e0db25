import type { ServerSettings } from 'ashlar'
import type { CorsSettings } from '../../src/server/assembly/declared/cors-settings.js'
import { authenticate, createServer, defineResource, hasMany, HttpError, id, model, rateLimit } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test } from 'vitest'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { client } from '../support/client.js'

/** https://fetch.spec.whatwg.org/#http-cors-protocol */

type Settings = Partial<Omit<ServerSettings<readonly []>, 'resources' | 'data'>>

const app = 'https://app.music.example'

function music(settings: Settings): TestClient {
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { parts: hasMany('albums').via('partOf').readOnly() },
    operations: ['FetchOne', 'FetchCollection', 'Create'],
    policy: 'public',
  })
  const staff = albums.with({ server: 'staff' })
  const data = memoryData({ albums: [{ id: 1, title: 'Kid A' }] })
  const servers = { staff: { prefix: '/staff' }, ...settings.servers }
  return client(createServer({ resources: [albums, staff], data, ...settings, servers }))
}

const preflight = (api: TestClient, path: string, { origin = app, method = 'POST' } = {}) =>
  api.request('OPTIONS', path, { headers: { Origin: origin, 'Access-Control-Request-Method': method } })

const refuseAll = (): never => {
  throw new HttpError(403)
}

const names = [
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'vary',
]

const corsHeaders = ({ headers }: TestResponse): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

describe('a preflight request', () => {
  test('gets the methods of the path, and the headers that a page may send', async () => {
    const response = await preflight(music({ cors: { origins: [app] } }), '/albums')
    expect(response.status).toBe(204)
    expect(response.headers.get('allow')).toBe('GET, HEAD, QUERY, POST, OPTIONS')
    expect(corsHeaders(response)).toEqual({
      'access-control-allow-headers':
        'Accept, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, Read-After',
      'access-control-allow-methods': 'GET, HEAD, QUERY, POST, OPTIONS',
      'access-control-allow-origin': app,
      'access-control-max-age': '600',
      vary: 'Accept, Origin',
    })
    const relationship = await preflight(music({ cors: { origins: [app] } }), '/albums/1/relationships/parts')
    expect(relationship.headers.get('access-control-allow-methods')).toBe('GET, HEAD, QUERY, OPTIONS')
  })

  test('needs no credentials, and names the header of the credentials', async () => {
    const deny = authenticate({ challenge: 'Key', header: 'X-Key', required: true, caller: () => null })
    const cors: CorsSettings = { origins: [app], credentials: true, requestHeaders: ['X-Trace'], maxAge: 0 }
    const response = await preflight(music({ cors, middleware: [refuseAll, deny] }), '/albums/1')
    expect(response.status).toBe(204)
    expect(corsHeaders(response)).toMatchObject({
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers':
        'Accept, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, Read-After, X-Key, X-Trace',
      'access-control-max-age': '0',
    })
  })

  test('allows the header of request ids if the server uses it, and pages may read it and those of rate limits', async () => {
    const limiter = new RateLimiterMemory({ points: 10, duration: 60 })
    const api = music({ cors: { origins: [app] }, requestIds: true, middleware: [rateLimit({ limiter })] })
    for (const [path, isLimited] of [
      ['/albums', true],
      ['/staff/albums', false],
    ] as const) {
      expect((await preflight(api, path)).headers.get('access-control-allow-headers')).toMatch(/, X-Request-Id$/)
      const { headers } = await api.request('GET', path, { headers: { Origin: app, 'X-Request-Id': 'a-1' } })
      const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? []
      expect(exposed).toContain('X-Request-Id')
      expect(headers.get('x-request-id')).toBe('a-1')
      for (const name of ['RateLimit', 'RateLimit-Policy']) {
        expect([headers.has(name), exposed.includes(name)], `${path} ${name}`).toEqual([isLimited, isLimited])
      }
    }
    const logged = music({ cors: { origins: [app] }, requestLog: { info: () => undefined } })
    expect((await preflight(logged, '/albums')).headers.get('access-control-allow-headers')).toMatch(/, X-Request-Id$/)
  })

  test('has the headers of every response, and none of callers, since it has no credentials', async () => {
    const key = authenticate({ challenge: 'Key', caller: (request) => request.header('x-key') ?? null })
    const settings = { cors: { origins: [app] }, requestIds: true, middleware: [key] }
    const { headers } = await preflight(music(settings), '/albums')
    expect(headers.get('x-request-id')).toMatch(/./)
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual([null, 'Accept, Origin'])
  })

  test('from another origin gets no header that allows it', async () => {
    const response = await preflight(music({ cors: { origins: [app] } }), '/albums', { origin: 'https://evil.example' })
    expect(response.status).toBe(204)
    expect(corsHeaders(response)).toEqual({ vary: 'Accept, Origin' })
  })

  test('to a path without a resource is 404, and one outside of all types is ignored', async () => {
    const api = music({ cors: { origins: [app] } })
    expect((await preflight(api, '/albums/1/2/3/4')).status).toBe(404)
    const outside = await preflight(api, '/elsewhere')
    expect(outside.status).toBe(404)
    expect(corsHeaders(outside)).toEqual({})
  })
})

const origins = (cors: CorsSettings, ...sent: readonly string[]): Promise<readonly (string | null)[]> => {
  const api = music({ cors })
  return Promise.all(
    sent.map(async (Origin) => {
      const { status, headers } = await api.request('GET', '/albums/1', { headers: { Origin } })
      return status === 200 ? headers.get('access-control-allow-origin') : String(status)
    }),
  )
}

describe('a response', () => {
  test('can be read by pages of the origin, also if it is an error', async () => {
    const api = music({ cors: { origins: [app], exposedHeaders: ['X-Total'] } })
    for (const [path, status] of [
      ['/albums/1', 200],
      ['/albums/7', 404],
      ['/albums?filter[nothing]=1', 400],
    ] as const) {
      const response = await api.request('GET', path, { headers: { Origin: app } })
      expect(response.status).toBe(status)
      expect(corsHeaders(response)).toEqual({
        'access-control-allow-origin': app,
        'access-control-expose-headers':
          'Accept-Query, Allow, Content-Location, Deprecation, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, Read-After, Retry-After, Sunset, WWW-Authenticate, X-Total',
        vary: 'Accept, Origin',
      })
    }
  })

  test('of middleware that refuses can be read too', async () => {
    const deny = authenticate({ challenge: 'Bearer', required: true, caller: () => null })
    const response = await music({ cors: { origins: [app] }, middleware: [deny] }).request('GET', '/albums', {
      headers: { Origin: app },
    })
    expect(response.status).toBe(401)
    expect(corsHeaders(response)).toMatchObject({
      'access-control-allow-origin': app,
      vary: 'Accept, Authorization, Origin',
    })
  })

  test('varies by Origin also without one, so that caches distinguish responses', async () => {
    const response = await music({ cors: { origins: [app] } }).request('GET', '/albums/1')
    expect(corsHeaders(response)).toEqual({ vary: 'Accept, Origin' })
    const open = await music({ cors: { origins: '*' } }).request('GET', '/albums/1')
    expect(corsHeaders(open)).toEqual({ vary: 'Accept' })
  })

  test('without the setting has no header of CORS', async () => {
    const response = await music({}).request('GET', '/albums/1', { headers: { Origin: app } })
    expect(corsHeaders(response)).toEqual({ vary: 'Accept' })
    expect((await preflight(music({}), '/albums')).headers.get('access-control-allow-methods')).toBeNull()
  })
})

test('origins are compared as a whole', async () => {
  const sent = [app, `${app}.evil.example`, 'http://app.music.example', 'https://music.example', `${app}:8443`, 'null']
  expect(await origins({ origins: ['HTTPS://App.Music.example:443'] }, ...sent)).toEqual([
    app,
    null,
    null,
    null,
    null,
    null,
  ])
  expect(await origins({ origins: ['https://*.music.example'] }, ...sent)).toEqual([app, null, null, null, null, null])
  expect(await origins({ origins: '*' }, ...sent)).toEqual(sent.map(() => '*'))
})

test('a function decides with a boolean', async () => {
  expect(await origins({ origins: (origin) => origin === app }, app, 'https://evil.example')).toEqual([app, null])
  const later = { origins: () => Promise.resolve(false) as unknown as boolean }
  expect(await origins(later, app)).toEqual(['500'])
  const thrown = {
    origins: () => {
      throw new Error('no')
    },
  }
  expect(await origins(thrown, app)).toEqual(['500'])
})

test('a named server has the setting of the default server, unless it has its own', async () => {
  const cors = { origins: [app] }
  const allowed = async (settings: Settings): Promise<readonly (string | null)[]> => {
    const api = music(settings)
    const read = async (path: string): Promise<string | null> =>
      (await api.request('GET', path, { headers: { Origin: app } })).headers.get('access-control-allow-origin')
    return [await read('/albums'), await read('/staff/albums')]
  }
  expect(await allowed({ cors })).toEqual([app, app])
  expect(await allowed({ cors, servers: { staff: { prefix: '/staff', cors: false } } })).toEqual([app, null])
  expect(await allowed({ servers: { staff: { prefix: '/staff', cors } } })).toEqual([null, app])
})

test('browsers must not guess the type of a body', async () => {
  for (const path of ['/albums', '/albums/7', '/elsewhere']) {
    expect((await music({}).request('GET', path)).headers.get('x-content-type-options')).toBe('nosniff')
  }
})
