import type { HttpRequest, Middleware, MiddlewareContext } from 'ashlar'
import type { RateLimitOptions } from '../../src/serve/access/rate-limit.js'
import { authenticate, createServer, defineResource, id, model, rateLimit } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test } from 'vitest'
import { forwardedAddress } from '../../src/core/http/forwarded.js'
import { client } from '../support/client.js'

const byToken = authenticate({
  challenge: 'Bearer',
  caller: (request) => {
    const token = request.header('authorization')
    return token === undefined ? null : { id: token }
  },
})

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), policy: 'public' })

const twice = (duration = 600) => new RateLimiterMemory({ points: 2, duration })

function server(...middleware: readonly Middleware[]) {
  return createServer({ resources: [albums], data: memoryData({ albums: [{ id: 1 }] }), middleware })
}

function limited(options: RateLimitOptions): TestClient {
  return client(server(byToken, rateLimit(options)))
}

const get = (api: TestClient, caller?: string) =>
  api.get('/albums/1', caller === undefined ? {} : { headers: { Authorization: caller } })

const statuses = async (api: TestClient, callers: readonly (string | undefined)[]) => {
  const all: number[] = []
  for (const caller of callers) all.push((await get(api, caller)).status)
  return all
}

describe('rateLimit()', () => {
  test('refuses requests beyond the limit, and reports the remaining points in every response', async () => {
    const api = limited({ limiter: twice(), name: 'api' })
    const [first, second, third] = [await get(api, 'alice'), await get(api, 'alice'), await get(api, 'alice')]
    expect([first.headers.get('ratelimit'), second.headers.get('ratelimit')]).toEqual([
      '"api";r=1;t=600',
      expect.stringMatching(/^"api";r=0;t=\d+$/),
    ])
    expect(first.headers.get('ratelimit-policy')).toBe('"api";q=2;w=600')
    const wait = third.headers.get('retry-after')
    expectErrors(third, [
      {
        status: 429,
        code: 'RATE_LIMIT_EXCEEDED',
        title: 'Too many requests',
        detail: `The limit of 2 in 600 seconds is exceeded. Try again in ${wait} seconds.`,
      },
    ])
    expect(Number(wait)).toBeGreaterThan(0)
    expect(third.headers.get('ratelimit')).toBe(`"api";r=0;t=${wait}`)
  })

  test('counts callers, and addresses of anonymous clients', async () => {
    const api = limited({ limiter: twice() })
    expect(await statuses(api, ['alice', 'alice', 'bob', 'alice', 'bob', 'bob'])).toEqual([
      200, 200, 200, 429, 200, 429,
    ])
    expect(await statuses(api, [undefined, undefined, undefined])).toEqual([200, 200, 429])
  })

  test('counts addresses in front of the authentication', async () => {
    const { handle } = server(rateLimit({ limiter: twice() }), byToken)
    const statusOf = async (address: string) => (await handle(from(address))).status
    const addresses = ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.1', '192.0.2.2']
    const all: number[] = []
    for (const address of addresses) all.push(await statusOf(address))
    expect(all).toEqual([200, 200, 200, 429, 200])
  })

  test('counts by a key and points of the application', async () => {
    const api = limited({
      limiter: new RateLimiterMemory({ points: 3, duration: 600 }),
      key: readsOnly,
      points: () => 2,
    })
    expect(await statuses(api, ['alice', 'bob'])).toEqual([200, 429])
    expect((await api.request('OPTIONS', '/albums/1')).headers.has('ratelimit')).toBe(false)
  })

  test('serves requests if the limiter does not work or fails, if the application configures it so', async () => {
    const limiter = { points: 2, duration: 1, consume: () => Promise.reject(new Error('no connection')) }
    expect((await get(limited({ limiter }))).status).toBe(200)
    expect((await get(limited({ limiter, whenUnavailable: 'fail' }))).status).toBe(500)
  })

  test('refuses a name that headers cannot have', () => {
    expect(() => rateLimit({ limiter: twice(), name: 'a "b"' })).toThrow(TypeError)
  })
})

describe('the address of a client', () => {
  test.each([
    [{ forwarded: 'for=192.0.2.1;proto=https' }, '192.0.2.1'],
    [{ forwarded: 'for=203.0.113.9, for="[2001:db8::1]:4711";by=10.0.0.1' }, '2001:db8::1'],
    [{ 'x-forwarded-for': '203.0.113.9, 192.0.2.1' }, '192.0.2.1'],
    [{ 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
    [{ 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1'],
    [{ 'x-forwarded-for': ' ' }, undefined],
    [{}, undefined],
  ])('is the one that the last proxy has added: %j', (headers: Readonly<Record<string, string>>, address) => {
    expect(forwardedAddress((name) => headers[name])).toBe(address)
  })
})

function from(address: string): HttpRequest {
  return {
    method: 'GET',
    path: '/albums/1',
    query: '',
    origin: 'http://localhost',
    address,
    header: () => undefined,
    hasBody: false,
    body: () => Promise.resolve(null),
  }
}

function readsOnly({ request }: MiddlewareContext): string | null {
  return request.method === 'GET' ? 'reads' : null
}
