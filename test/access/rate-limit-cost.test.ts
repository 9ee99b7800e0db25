import type { Middleware, QueryCharge, RateLimiter } from 'ashlar'
import type { RateLimitOptions } from '../../src/serve/access/rate-limit.js'
import { atomic, HttpError, rateLimit } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import type { TestResponse } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { describe, expect, test } from 'vitest'
import { add, batchClient } from '../atomic/batch-client.js'
import { costedData, costedMusic } from '../support/costed-music.js'
import { countedData } from '../support/counted-data.js'

/** With the unit 'cost', a request takes its cost by the setting `queryCost`. */

const limiterOf = (points: number) => new RateLimiterMemory({ points, duration: 600 })

function music(middleware: readonly Middleware[], data: DataSource = costedData()) {
  const settings = { middleware, data, extensions: [atomic()], idempotency: true, overload: true }
  return batchClient(costedMusic({ budget: 1000 }, settings, { policy: 'public' }))
}

const costing = (limiter: RateLimiter) => music([rateLimit({ limiter, unit: 'cost' })])

const left = ({ headers }: TestResponse) => /^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]

/** A limiter that works for single points only. */
const stopping = (): RateLimiter => ({
  points: 20,
  duration: 600,
  consume: (_key, points = 1) =>
    points === 1
      ? Promise.resolve({ remainingPoints: 19, msBeforeNext: 1000 })
      : Promise.reject(new Error('no connection')),
})

describe("rateLimit({ unit: 'cost' })", () => {
  test('takes the cost of each request', async () => {
    const api = costing(limiterOf(300))
    expect(left(await api.get('/albums/1'))).toBe('299')
    expect(left(await api.get('/albums?include=tracks'))).toBe('104')
    expect(left(await api.post('/albums', { body: { data: { type: 'albums', attributes: { title: 'New' } } } }))).toBe(
      '93',
    )
    expect(left(await api.delete('/albums/4'))).toBe('82')
    expect(left(await api.batch([add('albums', { title: 'A' }), add('artists', { title: 'B' })]))).toBe('60')
    expect(left(await api.batch([add('albums', { title: 'A' }), add('albums', { title: 'B' })]))).toBe('38')
  })

  test('takes one point for a request without a cost', async () => {
    const api = costing(limiterOf(300))
    expect(left(await api.get('/albums?sort=nothing'))).toBe('299')
    expect(left(await api.request('OPTIONS', '/albums'))).toBe('298')
    expect(left(await api.get('/'))).toBe('297')
  })

  test('refuses a request that costs more than the remaining points, before anything is read, and gives its cost back', async () => {
    const { data, calls } = countedData(costedData())
    const api = music([rateLimit({ limiter: limiterOf(20), unit: 'cost' })], data)
    expect(left(await api.get('/albums'))).toBe('5')
    const before = calls.length
    const refused = await api.get('/albums?page[size]=10')
    const wait = refused.headers.get('retry-after')
    expectErrors(refused, [
      {
        status: 429,
        code: 'RATE_LIMIT_EXCEEDED',
        detail: `The limit of 20 in 600 seconds is exceeded. Try again in ${wait} seconds.`,
      },
    ])
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=20;w=600')
    expect(left(refused)).toBe('4')
    expect(calls).toHaveLength(before)
    expect(left(await api.get('/albums?page[size]=4'))).toBe('0')
    const last = await api.get('/albums/1')
    expectErrors(last, [{ status: 429 }])
    expect([left(last), last.headers.get('ratelimit-policy')]).toEqual(['0', '"default";q=20;w=600'])
  })

  test('refuses a request that costs more than all points as too expensive: waiting does not help', async () => {
    const api = costing(limiterOf(20))
    const refused = await api.get('/albums?include=artist')
    const [error] = expectErrors(refused, [{ status: 400, code: 'QUERY_TOO_EXPENSIVE', parameter: 'page[size]' }])
    expect(error?.meta).toMatchObject({ cost: 30, budget: 20 })
    expect(left(refused)).toBe('19')
  })

  test('takes a point from each of several limiters, and the cost from the limiters that count it', async () => {
    const [requests, costs] = [limiterOf(10), limiterOf(100)]
    const api = music([
      rateLimit({ limiter: requests, name: 'requests' }),
      rateLimit({ limiter: costs, name: 'cost', unit: 'cost' }),
    ])
    const { headers } = await api.get('/albums')
    expect(headers.get('ratelimit')).toBe('"cost";r=85;t=600, "requests";r=9;t=600')
  })

  test('takes one point for a repeated request that gets its stored response', async () => {
    const api = costing(limiterOf(100))
    const create = () =>
      api.post('/albums', {
        headers: { 'Idempotency-Key': '"a"' },
        body: { data: { type: 'albums', attributes: { title: 'New' } } },
      })
    expect([left(await create()), left(await create())]).toEqual(['89', '88'])
  })

  test('works with a limiter that cannot give points back', async () => {
    const memory = limiterOf(20)
    const limiter = {
      points: 20,
      duration: 600,
      consume: (key: string, points?: number) => memory.consume(key, points),
    }
    const api = costing(limiter)
    expect((await api.get('/albums')).status).toBe(200)
    expect((await api.get('/albums')).status).toBe(429)
    expect((await api.get('/albums/1')).status).toBe(429)
  })

  test('serves requests if the limiter stops working or fails, if the application configures it so', async () => {
    expect((await costing(stopping()).get('/albums')).status).toBe(200)
    const failing = music([rateLimit({ limiter: stopping(), unit: 'cost', whenUnavailable: 'fail' })])
    expect((await failing.get('/albums')).status).toBe(500)
  })

  test.each([
    [
      { unit: 'cost', points: () => 2 },
      "rateLimit(): leave 'points' out: with the unit 'cost', a request takes what it costs.",
    ],
    [{ unit: 'rows' }, "rateLimit(): the unit 'rows' must be 'request' or 'cost'."],
  ])('refuses %j', (options, message) => {
    const all = { limiter: limiterOf(1), ...options } as unknown as RateLimitOptions
    expect(() => rateLimit(all)).toThrow(new TypeError(message))
  })
})

describe('a middleware of the application', () => {
  test('gets the cost once, before anything is read, and may refuse it', async () => {
    const costs: number[] = []
    const take: QueryCharge['take'] = (cost) => {
      costs.push(cost)
      if (cost > 100) throw new HttpError(402, 'Pay first.')
    }
    const paid: Middleware = (_context, next) => next({ charge: { most: Infinity, take } })
    const { data, calls } = countedData(costedData())
    const api = music([paid], data)
    expect((await api.get('/albums')).status).toBe(200)
    const before = calls.length
    expect((await api.get('/albums?include=tracks')).status).toBe(402)
    expect(calls).toHaveLength(before)
    expect((await api.batch([add('albums', { title: 'A' }), add('artists', { title: 'B' })])).status).toBe(200)
    expect(costs).toEqual([15, 195, 22])
  })
})
