import {
  answer,
  atomic,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  HttpError,
  id,
  type IdempotencySettings,
  metaResult,
  model,
  seeOther,
  type Server,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestClient, type TestRequestOptions, type TestResponse } from 'ashlar/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { byName } from '../support/named-callers.js'
import { signal } from '../support/signal.js'
import { storedData } from '../support/stored-data.js'

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  policy: 'public',
  attributes: (a) => ({ title: a.string() }),
})
const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id().allowClientId(),
  policy: 'public',
  attributes: (a) => ({ name: a.string() }),
})
const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number | null }>('albums'),
  id: id(),
  policy: 'public',
  attributes: (a) => ({ title: a.string().required().maxLength(50) }),
  relations: { artist: belongsTo('artists').nullable(), tracks: hasMany('tracks').via('albumId') },
  actions: (a) => ({
    press: a.collection({
      responds: metaResult(),
      async handle({ context }) {
        await context.rows('albums').create({ title: 'Pressed' })
        return answer.meta({ pressed: true })
      },
    }),
    find: a.collection({ responds: seeOther(), handle: () => answer.seeOther({ type: 'albums', id: '1' }) }),
    print: a.collection({
      input: 'raw',
      responds: metaResult(),
      handle: ({ body }) => answer.meta({ bytes: body.length, at: Math.random() }),
    }),
  }),
})
type Music = Server<readonly [typeof albums, typeof artists, typeof tracks]>

const spoiltResponse = {
  kind: 'error',
  answer: { status: 409, headers: [], errors: [{ status: '409', title: 'Spoilt' }] },
} as const

function music(idempotency: boolean | IdempotencySettings = true): {
  readonly server: Music
  readonly api: TestClient
} {
  const server = createServer({
    resources: [albums, artists, tracks],
    data: storedData(
      {
        albums: [{ id: 1, title: 'OK Computer', artistId: 1 }],
        artists: [{ id: 1, name: 'Radiohead' }],
        tracks: [{ id: 1, title: 'Airbag', albumId: 1 }],
      },
      {},
      { hasKeys: true },
    ),
    idempotency,
    middleware: [byName],
    extensions: [atomic()],
    logger: null,
    handler: (builtIn) => async (operation) => {
      const response = await builtIn(operation)
      return operation.context.request?.header('x-spoilt') === 'yes' ? spoiltResponse : response
    },
  })
  return { server, api: client(server) }
}

const keyed = (key: string, options: TestRequestOptions = {}): TestRequestOptions => ({
  ...options,
  headers: { ...options.headers, 'Idempotency-Key': key },
})
const titled = (title: string, options: TestRequestOptions = {}): TestRequestOptions => ({
  ...options,
  body: resourceBody('albums', { title }),
})
const as = (caller: string): TestRequestOptions => ({ headers: { Authorization: caller } })
const isReplayed = ({ headers }: TestResponse): boolean => headers.get('idempotency-replayed') === 'true'
const titles = async (api: TestClient): Promise<readonly unknown[]> =>
  (await api.get('/albums?fields[albums]=title')).resources.map(({ attributes }) => attributes?.['title'])

const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const batch = (...operations: readonly object[]): TestRequestOptions => ({
  headers: { 'Content-Type': mediaType, Accept: mediaType },
  body: { 'atomic:operations': operations },
})
const adding = (title: string): object => ({ op: 'add', data: { type: 'albums', attributes: { title } } })

afterEach(() => {
  vi.useRealTimers()
})

describe('a repeated request gets the response of the first one, and is not run again', () => {
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
    const { api, server } = music()
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
    const { api } = music()
    const first = await api.post('/albums', keyed('k', titled('Kid A')))
    await api.patch('/albums/2', { body: resourceBody('albums', { title: 'Amnesiac' }, '2') })
    for (let turn = 0; turn < 3; turn += 1) {
      expect((await api.post('/albums', keyed('k', titled('Kid A')))).text).toBe(first.text)
    }
    expect(await titles(api)).toEqual(['OK Computer', 'Amnesiac'])
  })

  test('if the members of its document have another order', async () => {
    const { api } = music()
    await api.post('/albums', keyed('k', titled('Kid A')))
    const raw = '{ "data": { "attributes": { "title": "Kid A" }, "type": "albums" } }'
    expect(isReplayed(await api.post('/albums', keyed('k', { raw })))).toBe(true)
  })

  test('if it is large, byte for byte', async () => {
    const { api } = music()
    const operations = Array.from({ length: 60 }, (_, index) => adding(`Ünïcode “${index}”`))
    const first = await api.post('/operations', keyed('k', batch(...operations)))
    const second = await api.post('/operations', keyed('k', batch(...operations)))
    expect(first.text.length).toBeGreaterThan(8000)
    expect([second.text, isReplayed(second)]).toEqual([first.text, true])
  })
})

describe('the header', () => {
  test.each([
    ['with quotes and without', '"8e03978e-40d5"', '8e03978e-40d5'],
    ['with escaped characters', String.raw`"a\"b\\c"`, String.raw`"a\"b\\c"`],
    ['with a comma in quotes', '"a, b"', '"a, b"'],
    ['of 255 characters', 'k'.repeat(255), `"${'k'.repeat(255)}"`],
  ])('is a string of structured fields, or a plain text: %s', async (_name, one, other) => {
    const { api } = music()
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
    const { api } = music()
    const response = await api.post('/albums', keyed(key, titled('x')))
    expectErrors(response, [{ status: 400, code: 'IDEMPOTENCY_KEY_INVALID', header: 'Idempotency-Key' }])
    expect(response.errors[0]?.detail).toContain(message)
    expect(await titles(api)).toEqual(['OK Computer'])
  })

  test('is ignored by other methods, and by servers without the setting', async () => {
    const { api } = music()
    expect((await api.get('/albums', keyed('a, b'))).status).toBe(200)
    expect((await api.delete('/albums/1', keyed('a, b'))).status).toBe(204)
    const without = music(false).api
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
    const { api } = music()
    await api.post('/albums', keyed('k', titled('x')))
    const response = await send(api)
    expectErrors(response, [{ status: 422, code: 'IDEMPOTENCY_KEY_REUSED', header: 'Idempotency-Key' }])
    expect(response.errors[0]?.detail).toContain(`another ${difference}`)
    expect(await titles(api)).toEqual(['OK Computer', 'x'])
  })

  test('of one caller: others have their own keys, and so has nobody', async () => {
    const { api } = music()
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
    const { api } = music({ callerKey: () => 'all of the same team' })
    await api.post('/albums', keyed('k', titled('x', as('alice'))))
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x', as('bob')))))).toBe(true)
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x'))))).toBe(false)
    const broken = music({ callerKey: () => '' }).api
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
    const { api } = music()
    await api.post('/albums', keyed('k', titled('x', { caller: one })))
    expect(isReplayed(await api.post('/albums', keyed('k', titled('x', { caller: other }))))).toBe(isSame)
  })

  test('of one caller: one that cannot be identified gets no response of another', async () => {
    const { api } = music()
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

describe('an error is not stored', () => {
  test('and a repeated request runs again', async () => {
    const { api, server } = music()
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

  test('and what was written before it is rolled back', async () => {
    const { api } = music()
    const spoilt = titled('x', { headers: { 'X-Spoilt': 'yes' } })
    expect((await api.post('/albums', keyed('k', spoilt))).status).toBe(409)
    const failing = batch(adding('a'), adding('x'.repeat(51)))
    expect((await api.post('/operations', keyed('l', failing))).status).toBe(422)
    expect(await titles(api)).toEqual(['OK Computer'])
  })
})

describe('while a request runs', () => {
  test('another one with its key is refused, and may be sent again', async () => {
    const { api, server } = music()
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
    const { api } = music()
    const responses = await Promise.all(Array.from({ length: 20 }, () => api.post('/albums', keyed('k', titled('x')))))
    const created = responses.filter(({ status }) => status === 201)
    expect(created.filter((response) => !isReplayed(response))).toHaveLength(1)
    expect(new Set(created.map(({ text }) => text)).size).toBe(1)
    expect(responses.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true)
    expect(await titles(api)).toEqual(['OK Computer', 'x'])
  })

  test('others with other keys run too', async () => {
    const { api } = music()
    const send = (turn: number) => api.post('/albums', keyed(`k${turn}`, titled(`x${turn}`)))
    const responses = await Promise.all(Array.from({ length: 8 }, (_, turn) => send(turn)))
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201))
  })
})

describe('events', () => {
  test('after a write wait for the commit, run once, and cannot replace the response', async () => {
    const { api, server } = music()
    const seen: unknown[] = []
    server.on('AfterCreate', 'albums', async ({ row: { title }, context }) => {
      seen.push([title, context.transaction])
      return answer.meta({ replaced: true })
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
    const { api, server } = music()
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
    ['when the setting says', { expiresAfter: 60 }, 60],
  ])('%s, and are new then', async (_name, settings, seconds) => {
    at(0)
    const { api } = music(settings)
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
    const { api, server } = music({ expiresAfter: 60 })
    for (const key of ['a', 'b', 'c']) await api.post('/albums', keyed(key, titled(key)))
    expect(await server.removeExpiredKeys()).toBe(0)
    at(60)
    await api.post('/albums', keyed('d', titled('d')))
    expect(await server.removeExpiredKeys()).toBe(0)
    at(120)
    expect(await server.removeExpiredKeys()).toBe(1)
    expect(await music(false).server.removeExpiredKeys()).toBe(0)
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
