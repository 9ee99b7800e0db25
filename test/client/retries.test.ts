import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { failure, json, kidA, lost, type Reply, scriptedServer, silence, thrownBy } from './scripted-server.js'

const resource = { attributes: { title: 'x' } }
const created = (): Response => json(kidA, { status: 201 })
/** A response whose body ends too early. */
const torn = (): Response =>
  new Response(new ReadableStream({ pull: (stream) => stream.error(new TypeError('terminated')) }), {
    headers: { 'Content-Type': 'application/vnd.api+json' },
  })

/** Returns the milliseconds that a call takes by the fake timers. */
async function duration(call: Promise<unknown>): Promise<number> {
  const start = Date.now()
  const end = thrownBy(call).then(() => Date.now())
  await vi.runAllTimersAsync()
  return (await end) - start
}

describe('a request', () => {
  test.each<[string, Reply]>([
    ['a lost connection', lost],
    ['a response that ends too early', torn()],
    ['408', failure(408)],
    ['429', failure(429)],
    ['502 of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } })],
    ['503', failure(503)],
    ['504', failure(504)],
  ])('that reads is sent again after %s', async (_title, reply) => {
    const { albums, sent } = scriptedServer([reply, json(kidA)])
    expect((await albums.get('1')).data.title).toBe('Kid A')
    expect(sent).toHaveLength(2)
  })

  test.each([400, 401, 403, 404, 409, 412, 422, 500])('that reads is not sent again after %i', async (status) => {
    const { albums, sent } = scriptedServer([failure(status)])
    expect(await thrownBy(albums.get('1'))).toMatchObject({ status })
    expect(sent).toHaveLength(1)
  })

  test('is given up after the attempts of the settings', async () => {
    const busy = scriptedServer([failure(503), failure(503)], { retry: { attempts: 2, delay: 1 } })
    expect(await thrownBy(busy.albums.get('1'))).toMatchObject({ status: 503 })
    const unreachable = scriptedServer([lost], { retry: { attempts: 1 } })
    expect(await thrownBy(unreachable.albums.get('1'))).toBe(lost)
  })

  test.each<[string, Reply]>([
    ['a lost connection', lost],
    ['a response that ends too early', torn()],
    ['503', failure(503)],
  ])('that writes is not sent again after %s, since the server may have handled it', async (_title, reply) => {
    const { albums, sent } = scriptedServer([reply])
    expect(await thrownBy(albums.create(resource))).not.toBeNull()
    expect(sent).toHaveLength(1)
  })

  test('that writes is sent again after 429, since the server has not handled it', async () => {
    const { albums } = scriptedServer([failure(429), created()])
    expect((await albums.create(resource)).status).toBe(201)
  })

  test('that writes with a key is sent again, with the same key and body', async () => {
    const inUse = failure(409, [{ code: 'IDEMPOTENCY_KEY_IN_USE' }], { 'Retry-After': '0' })
    const { albums, sent } = scriptedServer([lost, inUse, created()])
    await albums.create(resource, { idempotencyKey: true })
    const [first, ...others] = sent.map(({ headers, body }) => [headers['idempotency-key'], body])
    expect(first?.[0]).toMatch(/^"\d+(?:-\d+){3}"$/)
    expect(others).toEqual([first, first])
  })

  test('with a random key has a new one for each call', async () => {
    const { albums, sent } = scriptedServer([created(), created()])
    await albums.create(resource, { idempotencyKey: true })
    await albums.create(resource, { idempotencyKey: true })
    expect(sent[0]?.headers['idempotency-key']).not.toBe(sent[1]?.headers['idempotency-key'])
  })

  test('of a batch is sent again only with a key', async () => {
    const results = json({ 'atomic:results': [kidA] })
    const keyed = scriptedServer([lost, failure(503), results])
    const [made] = await keyed.client.atomic((batch) => [batch.create('albums', resource)] as const, {
      idempotencyKey: 'batch-1',
    })
    expect(made.title).toBe('Kid A')
    expect(keyed.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['"batch-1"', '"batch-1"', '"batch-1"'])
    const plain = scriptedServer([lost])
    expect(await thrownBy(plain.client.atomic((batch) => [batch.create('albums', resource)]))).toBe(lost)
  })

  test('is not sent again for an error of the function that makes its headers', async () => {
    let calls = 0
    const { albums } = scriptedServer([failure(503)], {
      headers() {
        calls += 1
        if (calls === 2) throw new Error('Signed out.')
        return {}
      },
    })
    expect(await thrownBy(albums.get('1'))).toEqual(new Error('Signed out.'))
  })
})

describe('the time before the next attempt', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    ['7', 7000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('is that of Retry-After: %s', async (value, expected) => {
    const { albums, sent } = scriptedServer([failure(503, [], { 'Retry-After': value }), json(kidA)])
    expect(await duration(albums.get('1'))).toBe(expected)
    expect(sent).toHaveLength(2)
  })

  test('is not waited for if Retry-After is longer than the settings allow', async () => {
    const { albums, sent } = scriptedServer([failure(503, [], { 'Retry-After': '3600' })])
    expect(await duration(albums.get('1'))).toBe(0)
    expect(sent).toHaveLength(1)
  })

  test('doubles, up to the longest of the settings, and is shorter by chance', async () => {
    const retry = { attempts: 4, delay: 1000, maxDelay: 3000 }
    const { albums } = scriptedServer([lost, lost, lost, json(kidA)], { retry })
    const taken = await duration(albums.get('1'))
    expect(taken).toBeGreaterThanOrEqual(3000)
    expect(taken).toBeLessThanOrEqual(6000)
  })
})

describe('a signal', () => {
  const enough = new Error('enough')

  test('that is aborted sends nothing, and calls no function for headers', async () => {
    let calls = 0
    const headers = (): Record<string, string> => ({ calls: String((calls += 1)) })
    const { albums, sent } = scriptedServer([json(kidA)], { headers })
    expect(await thrownBy(albums.get('1', { signal: AbortSignal.abort(enough) }))).toBe(enough)
    expect([sent.length, calls]).toEqual([0, 0])
  })

  test.each<[string, readonly Reply[]]>([
    ['during an attempt', [silence]],
    ['before the next attempt', [failure(503)]],
  ])('ends the call %s, which is not sent again', async (_title, replies) => {
    const controller = new AbortController()
    const { albums, sent } = scriptedServer(replies, { retry: { delay: 10_000 } })
    const call = thrownBy(albums.get('1', { signal: controller.signal }))
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    controller.abort(enough)
    expect(await call).toBe(enough)
    expect(sent).toHaveLength(1)
  })

  test('ends the call while its headers are made', async () => {
    const controller = new AbortController()
    const { albums, sent } = scriptedServer([json(kidA)], {
      async headers() {
        controller.abort(enough)
        return {}
      },
    })
    expect(await thrownBy(albums.get('1', { signal: controller.signal }))).toBe(enough)
    expect(sent).toEqual([])
  })

  test('has no listeners left after the call', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1
      add(...given)
    }
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners -= 1
      remove(...given)
    }
    const { albums } = scriptedServer([failure(503), json(kidA)])
    await albums.get('1', { signal })
    expect(listeners).toBe(0)
  })
})

describe('a timeout', () => {
  test('is that of the call or of the client, for each attempt', async () => {
    const { albums, sent } = scriptedServer([silence, silence], { timeout: 60_000, retry: { attempts: 2, delay: 1 } })
    expect(await thrownBy(albums.get('1', { timeout: 5 }))).toMatchObject({
      name: 'TimeoutError',
      message: 'There was no response within 5 ms.',
    })
    expect(sent).toHaveLength(2)
    const withTimeout = scriptedServer([silence], { timeout: 5, retry: { attempts: 1 } })
    expect(await thrownBy(withTimeout.albums.get('1'))).toMatchObject({ name: 'TimeoutError' })
  })

  test('of a write without a key is the end', async () => {
    const { albums, sent } = scriptedServer([silence], { timeout: 5 })
    expect(await thrownBy(albums.create(resource))).toMatchObject({ name: 'TimeoutError' })
    expect(sent).toHaveLength(1)
  })
})
