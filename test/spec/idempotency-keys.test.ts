import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { resourceBody } from '../support/client.js'
import { adding, batch, isReplayed, keyed, keyedMusic, titled, titles } from '../support/keyed-music.js'

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */

const as = (caller: string): TestRequestOptions => ({ headers: { Authorization: caller } })

describe('the header', () => {
  test.each([
    ['with quotes and without', '"8e03978e-40d5"', '8e03978e-40d5'],
    ['with escaped characters', String.raw`"a\"b\\c"`, String.raw`"a\"b\\c"`],
    ['with a comma in quotes', '"a, b"', '"a, b"'],
    ['of 255 characters', 'k'.repeat(255), `"${'k'.repeat(255)}"`],
  ])('is a string of structured fields, or a plain text: %s', async (_name, one, other) => {
    const { api } = keyedMusic()
    expect((await api.post('/albums', keyed(one, titled('x')))).status).toBe(201)
    expect(isReplayed(await api.post('/albums', keyed(other, titled('x'))))).toBe(true)
  })

  test.each([
    ['empty', '', 'it is empty'],
    ['empty in quotes', '""', 'it is empty'],
    ['too long', 'k'.repeat(256), 'it has 256 characters'],
    ['with a control character', 'a\u0007b', 'it has other characters, or there are several keys'],
    ['with a character outside of ASCII', '"ä"', 'it has other characters, or there are several keys'],
    ['with an open quote', '"a', 'it has other characters, or there are several keys'],
    ['with parameters', '"a";b=1', 'it has other characters, or there are several keys'],
    ['several', 'a, b', 'it has other characters, or there are several keys'],
    ['several in quotes', '"a", "b"', 'it has other characters, or there are several keys'],
  ])('is refused: %s', async (_name, key, message) => {
    const { api } = keyedMusic()
    const response = await api.post('/albums', keyed(key, titled('x')))
    expectErrors(response, [{ status: 400, code: 'IDEMPOTENCY_KEY_INVALID', header: 'Idempotency-Key' }])
    expect(response.errors[0]?.detail).toContain(message)
    expect(await titles(api)).toEqual(['OK Computer'])
  })

  test('is ignored by other methods, and by servers without the setting', async () => {
    const { api } = keyedMusic()
    expect((await api.get('/albums', keyed('a, b'))).status).toBe(200)
    expect((await api.delete('/albums/1', keyed('a, b'))).status).toBe(204)
    const without = keyedMusic(false).api
    for (const key of ['k', 'k', 'a, b']) {
      expect(isReplayed(await without.post('/albums', keyed(key, titled('x'))))).toBe(false)
    }
    expect(await titles(without)).toEqual(['OK Computer', 'x', 'x', 'x'])
  })
})

describe('a key belongs to one request', () => {
  test.each<[string, string, (api: TestClient) => Promise<TestResponse>]>([
    ['body', 'body', (api) => api.post('/albums', keyed('k', titled('y')))],
    ['query', 'method, path or query', (api) => api.post('/albums?fields[albums]=title', keyed('k', titled('x')))],
    [
      'path',
      'method, path or query',
      (api) => api.post('/artists', keyed('k', { body: resourceBody('artists', { name: 'x' }) })),
    ],
    [
      'method',
      'method, path or query',
      (api) => api.patch('/albums/1', keyed('k', { body: resourceBody('albums', { title: 'x' }, '1') })),
    ],
    ['endpoint', 'method, path or query', (api) => api.post('/operations', keyed('k', batch(adding('x'))))],
  ])('and is refused for one with another %s', async (_name, difference, send) => {
    const { api } = keyedMusic()
    await api.post('/albums', keyed('k', titled('x')))
    const response = await send(api)
    expectErrors(response, [{ status: 422, code: 'IDEMPOTENCY_KEY_REUSED', header: 'Idempotency-Key' }])
    expect(response.errors[0]?.detail).toContain(`another ${difference}`)
    expect(await titles(api)).toEqual(['OK Computer', 'x'])
  })

  test('of one caller: others have their own keys, and so have anonymous callers', async () => {
    const { api } = keyedMusic()
    const send = (options: TestRequestOptions) => api.post('/albums', keyed('k', titled('x', options)))
    const first = [await send(as('alice')), await send(as('bob')), await send({})]
    expect(first.map((response) => [response.status, isReplayed(response)])).toEqual([
      [201, false],
      [201, false],
      [201, false],
    ])
    const second = [await send(as('alice')), await send(as('bob')), await send({})]
    expect(second.map(isReplayed)).toEqual([true, true, true])
    expect(second.map(({ text }) => text)).toEqual(first.map(({ text }) => text))
    expect((await send(as('mallory'))).status).toBe(401)
    expect(await titles(api)).toEqual(['OK Computer', 'x', 'x', 'x'])
  })

  test('of one caller, as the application identifies it', async () => {
    const { api } = keyedMusic({ callerKey: () => 'all of the same team' })
    await api.post('/albums', keyed('k', titled('x', as('alice'))))
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x', as('bob')))))).toBe(true)
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x'))))).toBe(false)
    const broken = keyedMusic({ callerKey: () => '' }).api
    expect((await broken.post('/albums', keyed('k', titled('x', as('bob'))))).status).toBe(500)
    expect(await titles(broken)).toEqual(['OK Computer'])
  })

  test.each<[string, unknown, unknown, boolean]>([
    ['the same id', { id: 1, at: 1 }, { id: 1, at: 2 }, true],
    ['the same id of another kind', { id: 1, kind: 'user' }, { id: 1, kind: 'key' }, false],
    ['an id of another type', { id: 1 }, { id: '1' }, false],
    ['the same sub', { sub: 'a', exp: 1 }, { sub: 'a', exp: 2 }, true],
    ['the same sub of another issuer', { sub: 'a', iss: 'x' }, { sub: 'a', iss: 'y' }, false],
    ['the same members', { name: 'a', roles: ['x'] }, { roles: ['x'], name: 'a' }, true],
    ['other members', { name: 'a', at: new Date(1) }, { name: 'a', at: new Date(2) }, false],
    ['the same name', 'a', 'a', true],
    ['another name', 'a', 'b', false],
  ])('of one caller: one with %s', async (_name, one, other, isSame) => {
    const { api } = keyedMusic()
    await api.post('/albums', keyed('k', titled('x', { caller: one })))
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x', { caller: other }))))).toBe(isSame)
  })

  test('of one caller: one that cannot be identified gets no response of another', async () => {
    const { api } = keyedMusic()
    class Secretive {
      readonly #name: string
      constructor(name: string) {
        this.#name = name
      }
      get length(): number {
        return this.#name.length
      }
    }
    const sent = keyed('k', titled('x', { caller: { user: new Secretive('a') } }))
    expect((await api.post('/albums', sent)).status).toBe(500)
    expect(await titles(api)).toEqual(['OK Computer'])
  })
})

const send = (api: TestClient, key: string, options: TestRequestOptions = {}): Promise<TestResponse> =>
  api.post('/albums', keyed(key, titled(key, options)))

describe('the keys of a caller are limited', () => {
  test('a new key beyond the limit is refused, and nothing is written', async () => {
    const { api } = keyedMusic({ maxKeys: 2, expiresAfter: 3600 })
    for (const key of ['a', 'b']) expect((await send(api, key)).status).toBe(201)
    for (const key of ['c', 'd']) {
      const refused = await send(api, key)
      expectErrors(refused, [{ status: 429, code: 'IDEMPOTENCY_KEYS_EXCEEDED', header: 'Idempotency-Key' }])
      expect(refused.errors[0]?.detail).toContain('The limit of 2 keys')
      const seconds = Number(refused.headers.get('Retry-After'))
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(3600)
    }
    expect(await titles(api)).toEqual(['OK Computer', 'a', 'b'])
  })

  test('its stored responses are still replayed, and requests without a key run', async () => {
    const { api } = keyedMusic({ maxKeys: 1 })
    await send(api, 'a')
    expect((await send(api, 'b')).status).toBe(429)
    expect(isReplayed(await send(api, 'a'))).toBe(true)
    expect((await api.post('/albums', titled('c'))).status).toBe(201)
    expect((await api.post('/operations', keyed('d', batch(adding('x'))))).status).toBe(429)
    expect(await titles(api)).toEqual(['OK Computer', 'a', 'c'])
  })

  test('other callers have their own keys, and anonymous callers have theirs together', async () => {
    const { api } = keyedMusic({ maxKeys: 1 })
    for (const caller of [as('alice'), as('bob'), {}]) expect((await send(api, 'a', caller)).status).toBe(201)
    for (const caller of [as('alice'), as('bob'), {}]) expect((await send(api, 'b', caller)).status).toBe(429)
  })

  test('a request that fails stores no key', async () => {
    const { api } = keyedMusic({ maxKeys: 1 })
    for (const key of ['a', 'b', 'c']) {
      expect((await api.post('/albums', keyed(key, titled('x'.repeat(51))))).status).toBe(422)
    }
    expect((await send(api, 'd')).status).toBe(201)
  })

  test('a key that has expired does not count', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { api } = keyedMusic({ maxKeys: 1, expiresAfter: 600 })
      await send(api, 'a')
      expect((await send(api, 'b')).headers.get('Retry-After')).toBe('600')
      vi.setSystemTime(Date.now() + 600_000)
      expect((await send(api, 'b')).status).toBe(201)
    } finally {
      vi.useRealTimers()
    }
  })

  test('of many keys, exactly as many as allowed are stored', async () => {
    const { api } = keyedMusic({ maxKeys: 30 })
    const statuses: number[] = []
    for (let at = 0; at < 35; at += 1) statuses.push((await send(api, `k${at}`)).status)
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 201), 429, 429, 429, 429, 429])
  })
})
