import { reply, atomic, createServer, defineResource, type Handler, HttpError, id, model } from 'ashlar'
import type { IdempotencySettings } from '../../src/server/assembly/declared/idempotency-settings.js'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import {
  adding,
  albums,
  artists,
  batch,
  isReplayed,
  keyed,
  keyedMusic,
  titled,
  titles,
  tracks,
} from '../support/keyed-music.js'
import { signal } from '../support/signal.js'
import { storedData } from '../support/stored-data.js'

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */

afterEach(() => {
  vi.useRealTimers()
})

describe('a repeated request gets the response of the first one, and does not run', () => {
  test.each<[string, number, (api: TestClient) => Promise<TestResponse>, readonly string[]]>([
    ['create', 201, (api) => api.post('/albums', keyed('k', titled('Kid A'))), ['OK Computer', 'Kid A']],
    [
      'create with a client id, which the second request would conflict with',
      201,
      (api) => api.post('/artists', keyed('k', { body: resourceBody('artists', { name: 'Björk' }, '7') })),
      ['OK Computer'],
    ],
    [
      'update without content',
      204,
      (api) => {
        const sent = { body: resourceBody('albums', { title: 'x' }, '1'), headers: { Prefer: 'return=minimal' } }
        return api.patch('/albums/1', keyed('k', sent))
      },
      ['x'],
    ],
    [
      'update',
      200,
      (api) => api.patch('/albums/1?include=artist', keyed('k', { body: resourceBody('albums', { title: 'x' }, '1') })),
      ['x'],
    ],
    [
      'replacement of linkage',
      204,
      (api) => api.patch('/albums/1/relationships/tracks', keyed('k', { body: { data: [] } })),
      ['OK Computer'],
    ],
    [
      'addition to linkage',
      204,
      (api) =>
        api.post('/albums/1/relationships/tracks', keyed('k', { body: { data: [{ type: 'tracks', id: '1' }] } })),
      ['OK Computer'],
    ],
    ['action', 200, (api) => api.post('/albums/-actions/press', keyed('k')), ['OK Computer', 'Pressed']],
    [
      'action that takes bytes',
      200,
      (api) =>
        api.post(
          '/albums/-actions/print',
          keyed('k', { raw: new Uint8Array([1, 2]), headers: { 'Content-Type': 'image/png' } }),
        ),
      ['OK Computer'],
    ],
    ['action that redirects', 303, (api) => api.post('/albums/-actions/find', keyed('k')), ['OK Computer']],
    [
      'batch',
      200,
      (api) => api.post('/operations', keyed('k', batch(adding('a'), adding('b')))),
      ['OK Computer', 'a', 'b'],
    ],
    [
      'batch without content',
      204,
      (api) => api.post('/operations', keyed('k', batch({ op: 'remove', ref: { type: 'albums', id: '1' } }))),
      [],
    ],
  ])('%s', async (_name, status, send, stored) => {
    const { api, server } = keyedMusic()
    const serving: string[] = []
    server.on('Serving', ({ operation }) => void serving.push(operation.kind))
    const first = await send(api)
    const second = await send(api)
    expect([first.status, second.status]).toEqual([status, status])
    expect([isReplayed(first), isReplayed(second)]).toEqual([false, true])
    expect(second.text).toBe(first.text)
    const others = [...second.headers].filter(([name]) => name !== 'Idempotency-Replayed')
    expect(others).toEqual([...first.headers])
    expect(first.headers.has('location')).toBe(status === 201 || status === 303)
    expect(serving).toHaveLength(2)
    expect(await titles(api)).toEqual(stored)
  })

  test('also after the resource has changed, and many times', async () => {
    const { api } = keyedMusic()
    const first = await api.post('/albums', keyed('k', titled('Kid A')))
    await api.patch('/albums/2', { body: resourceBody('albums', { title: 'Amnesiac' }, '2') })
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await api.post('/albums', keyed('k', titled('Kid A')))).text).toBe(first.text)
    }
    expect(await titles(api)).toEqual(['OK Computer', 'Amnesiac'])
  })

  test('if the members of its document have another order', async () => {
    const { api } = keyedMusic()
    await api.post('/albums', keyed('k', titled('Kid A')))
    const raw = '{ "data": { "attributes": { "title": "Kid A" }, "type": "albums" } }'
    expect(isReplayed(await api.post('/albums', keyed('k', { raw })))).toBe(true)
  })

  test('with the headers that the server adds now, which are not stored', async () => {
    const data = storedData({ notes: [] }, {}, { hasKeys: true })
    const notes = defineResource('notes', {
      model: model<{ id: number; text: string }>('notes'),
      id: id(),
      policy: 'public',
      attributes: (a) => ({ text: a.string() }),
    })
    const common = { resources: [notes], data, idempotency: true, requestIds: true } as const
    const send = (settings: object): Promise<TestResponse> =>
      client(createServer({ ...common, ...settings })).post(
        '/notes',
        keyed('k', { body: resourceBody('notes', { text: 'x' }) }),
      )
    const first = await send({ deprecation: true })
    const second = await send({ sunset: 'Sun, 31 Jan 2027 00:00:00 GMT' })
    expect([first.headers.has('deprecation'), first.headers.has('sunset')]).toEqual([true, false])
    expect([isReplayed(second), second.text]).toEqual([true, first.text])
    expect([second.headers.has('deprecation'), second.headers.has('sunset')]).toEqual([false, true])
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  test('if it is large, byte for byte', async () => {
    const { api } = keyedMusic()
    const operations = Array.from({ length: 60 }, (_, index) => adding(`Ünïcode “${index}”`))
    const first = await api.post('/operations', keyed('k', batch(...operations)))
    const second = await api.post('/operations', keyed('k', batch(...operations)))
    expect(first.text.length).toBeGreaterThan(8000)
    expect([second.text, isReplayed(second)]).toEqual([first.text, true])
  })
})

const spoiltResponse = {
  kind: 'error',
  reply: { status: 409, headers: [], errors: [{ status: '409', title: 'Spoilt' }] },
} as const

/** Returns an error although the write has succeeded. */
const spoiling =
  (builtIn: Handler): Handler =>
  async (operation) => {
    const response = await builtIn(operation)
    return operation.context.request?.header('x-spoilt') === 'yes' ? spoiltResponse : response
  }

describe('an error is not stored', () => {
  test('and a repeated request runs', async () => {
    const { api, server } = keyedMusic()
    expect((await api.post('/albums', keyed('k', titled('x'.repeat(51))))).status).toBe(422)
    expect((await api.post('/albums', keyed('k', titled('x')))).status).toBe(201)
    const remove = server.on('BeforeCreate', 'albums', () => {
      throw new HttpError(503)
    })
    expect((await api.post('/albums', keyed('l', titled('y')))).status).toBe(503)
    remove()
    const again = await api.post('/albums', keyed('l', titled('y')))
    expect([again.status, isReplayed(again)]).toEqual([201, false])
    expect(await titles(api)).toEqual(['OK Computer', 'x', 'y'])
  })

  test('and its writes are rolled back', async () => {
    const { api } = keyedMusic(true, { handler: spoiling })
    const spoilt = titled('x', { headers: { 'X-Spoilt': 'yes' } })
    expect((await api.post('/albums', keyed('k', spoilt))).status).toBe(409)
    const failing = batch(adding('a'), adding('x'.repeat(51)))
    expect((await api.post('/operations', keyed('l', failing))).status).toBe(422)
    expect(await titles(api)).toEqual(['OK Computer'])
  })
})

describe('while a request runs', () => {
  test('another one with its key is refused, and may be sent again', async () => {
    const { api, server } = keyedMusic()
    const [begun, go] = [signal(), signal()]
    server.on('BeforeCreate', 'albums', async () => {
      begun.give()
      await go.given
    })
    const first = api.post('/albums', keyed('k', titled('x')))
    await begun.given
    const second = await api.post('/albums', keyed('k', titled('x')))
    expectErrors(second, [{ status: 409, code: 'IDEMPOTENCY_KEY_IN_USE', header: 'Idempotency-Key' }])
    expect(second.headers.get('retry-after')).toBe('1')
    go.give()
    expect((await first).status).toBe(201)
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x'))))).toBe(true)
    expect(await titles(api)).toEqual(['OK Computer', 'x'])
  })

  test('many with one key write once', async () => {
    const { api } = keyedMusic()
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.post('/albums', keyed('k', titled('x')))))
    const created = responses.filter(({ status }) => status === 201)
    expect(created.filter((response) => !isReplayed(response))).toHaveLength(1)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    expect(responses.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true)
    expect(await titles(api)).toEqual(['OK Computer', 'x'])
  })

  test('others with other keys run too', async () => {
    const { api } = keyedMusic()
    const send = (turn: number) => api.post('/albums', keyed(`k${turn}`, titled(`x${turn}`)))
    const responses = await Promise.all(Array.from({ length: 8 }, (_, turn) => send(turn)))
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201))
  })
})

describe('events', () => {
  test('after a write wait for the commit, run once, and cannot replace the response', async () => {
    const { api, server } = keyedMusic()
    const seen: unknown[] = []
    server.on('AfterCreate', 'albums', async ({ row: { title }, context }) => {
      seen.push([title, context.transaction])
      return reply.meta({ replaced: true })
    })
    const first = await api.post('/albums', keyed('k', titled('x')))
    expect(first.resource.attributes).toEqual({ title: 'x' })
    await api.post('/albums', keyed('k', titled('x')))
    await api.post('/operations', keyed('l', batch(adding('y'), adding('z'))))
    await api.post('/operations', keyed('l', batch(adding('y'), adding('z'))))
    expect(seen).toEqual([
      ['x', null],
      ['y', null],
      ['z', null],
    ])
  })

  test('Serving fires for a repeated request too, and may refuse it', async () => {
    const { api, server } = keyedMusic()
    await api.post('/albums', keyed('k', titled('x')))
    server.on('Serving', () => {
      throw new HttpError(403)
    })
    expect((await api.post('/albums', keyed('k', titled('x')))).status).toBe(403)
  })
})

/** Sets the clock to so many seconds after a moment. */
const at = (seconds: number): void => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 + seconds * 1000 })
}

describe('keys expire', () => {
  test.each<[string, boolean | IdempotencySettings, number]>([
    ['after a day', true, 86_400],
    ['when the setting defines', { expiresAfter: 60 }, 60],
  ])('%s, and can be used again', async (_name, settings, seconds) => {
    at(0)
    const { api } = keyedMusic(settings)
    await api.post('/albums', keyed('k', titled('x')))
    at(seconds - 1)
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x'))))).toBe(true)
    at(seconds)
    expect((await api.post('/albums', keyed('k', titled('y')))).resource.attributes).toEqual({ title: 'y' })
    expect(isReplayed(await api.post('/albums', keyed('k', titled('y'))))).toBe(true)
    expect(await titles(api)).toEqual(['OK Computer', 'x', 'y'])
  })

  test('and are removed by later writes, or by a call', async () => {
    at(0)
    const { api, server } = keyedMusic({ expiresAfter: 60 })
    for (const key of ['a', 'b', 'c']) await api.post('/albums', keyed(key, titled(key)))
    expect(await server.removeExpiredKeys()).toBe(0)
    at(60)
    await api.post('/albums', keyed('d', titled('d')))
    expect(await server.removeExpiredKeys()).toBe(0)
    at(120)
    expect(await server.removeExpiredKeys()).toBe(1)
    expect(await keyedMusic(false).server.removeExpiredKeys()).toBe(0)
  })
})

test('named servers have their own setting, and their own keys', async () => {
  const server = createServer({
    resources: [albums, artists, tracks, ...[albums, artists, tracks].map((each) => each.with({ server: 'admin' }))],
    data: storedData({ albums: [] }, {}, { hasKeys: true }),
    servers: { admin: { prefix: '/admin', idempotency: true } },
  })
  const api = client(server)
  for (const path of ['/albums', '/admin/albums', '/albums', '/admin/albums']) {
    await api.post(path, keyed('k', titled(path)))
  }
  expect(await titles(api)).toEqual(['/albums', '/admin/albums', '/albums'])
})

test('a key is stored where its request writes, on a server with several stores', async () => {
  const stores = ['tracks', 'artists'].map((type) => {
    const data = type === 'tracks' ? storedData({}, {}, { hasKeys: true }) : memoryData()
    const saved: string[] = []
    const { idempotency: responses } = data
    if (responses === undefined) throw new Error('The store has no responses.')
    const idempotency: typeof responses = {
      ...responses,
      save: (response, write) => {
        saved.push(response.key)
        return responses.save(response, write)
      },
    }
    return { data: { ...data, types: [type], idempotency }, saved }
  })
  const server = createServer({
    resources: [tracks, artists],
    data: stores.map(({ data }) => data),
    idempotency: true,
    extensions: [atomic()],
  })
  const api = client(server)
  const artist = { type: 'artists', attributes: { name: 'Low' } }
  const track = { type: 'tracks', attributes: { title: 'Airbag' } }
  for (let turn = 0; turn < 2; turn += 1) {
    await api.post('/tracks', keyed('track', { body: { data: track } }))
    await api.post('/artists', keyed('artist', { body: { data: artist } }))
    await api.post('/operations', keyed('tracks', batch({ op: 'add', data: track })))
    await api.post('/operations', keyed('artists', batch({ op: 'add', data: artist }, { op: 'add', data: track })))
    const ref = { type: 'artists', id: '1' }
    await api.post('/operations', keyed('removed', batch({ op: 'remove', ref })))
  }
  expect(stores.map(({ saved }) => saved)).toEqual([
    ['track', 'tracks'],
    ['artist', 'artists', 'removed'],
  ])
  expect((await api.get('/tracks')).resources).toHaveLength(3)
})
