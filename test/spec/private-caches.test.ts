import {
  type AnyResource,
  apiKeys,
  atomic,
  authenticate,
  belongsTo,
  BuildError,
  createServer,
  defineResource,
  HttpError,
  type HttpRequest,
  id,
  type Middleware,
  model,
} from 'ashlar'
import type { CacheHeaders } from '../../src/declare/resource/parts/cache-headers.js'
import type { HandleOptions } from '../../src/server/journey/handle-options.js'
import { memoryData } from 'ashlar/memory'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

const bearer = authenticate({ challenge: 'Bearer', caller: () => null })
const keys = apiKeys({ find: () => null })

const labels = defineResource('labels', {
  model: model<{ readonly id: number }>('labels'),
  id: id(),
  cacheHeaders: { public: true, max_age: 60 },
  policy: 'public',
})

const artists = defineResource('artists', {
  model: model<{ readonly id: number }>('artists'),
  id: id(),
  cacheHeaders: { max_age: 60 },
  policy: 'public',
})

const albums = defineResource('albums', {
  model: model<{ readonly id: number; readonly artistId: number | null }>('albums'),
  id: id(),
  relations: { artist: belongsTo('artists') },
  cacheHeaders: { max_age: 60, operations: { collection: { no_cache: true } } },
  policy: () => ({ viewAny: true, view: ({ caller }) => caller !== null }),
})

const headersOf = async (path: string, middleware: readonly Middleware[]): Promise<readonly (string | null)[]> => {
  const data = memoryData({ labels: [{ id: 1 }], artists: [{ id: 1 }], albums: [{ id: 1, artistId: null }] })
  const api = client(createServer({ resources: [labels, artists, albums], data, middleware }))
  const { headers } = await api.request('GET', path)
  return [headers.get('Cache-Control'), headers.get('Vary')]
}

test('the defaults of a server make no type public that has a policy, or whose callers are authenticated', async () => {
  const cacheHeaders: CacheHeaders = { public: true, s_maxage: 90, max_age: 30 }
  const caching = async (middleware: readonly Middleware[]) => {
    const data = memoryData({ labels: [{ id: 1 }], artists: [{ id: 1 }], albums: [{ id: 1, artistId: null }] })
    const api = client(createServer({ resources: [labels, artists, albums], data, middleware, cacheHeaders }))
    const responses = await Promise.all(['/labels', '/artists', '/albums'].map((path) => api.get(path)))
    return responses.map(({ headers }) => headers.get('Cache-Control'))
  }
  const [shared, ruled] = ['public, max-age=60, s-maxage=90', 'private, no-cache, max-age=60']
  expect(await caching([])).toEqual([shared, shared, ruled])
  expect(await caching([bearer])).toEqual([shared, 'private, max-age=60', ruled])
})

test('a type with a policy is not stored by shared caches', async () => {
  const varying = 'Accept, Authorization, Cookie'
  expect(await headersOf('/albums', [])).toEqual(['private, no-cache, max-age=60', varying])
  expect(await headersOf('/albums/7', [])).toEqual(['private', varying])
  expect(await headersOf('/artists', [])).toEqual(['max-age=60', 'Accept'])
})

test('responses of a server that authenticates vary by the credentials, and are private unless they declare otherwise', async () => {
  expect(await headersOf('/albums', [bearer])).toEqual(['private, no-cache, max-age=60', 'Accept, Authorization'])
  expect(await headersOf('/artists', [bearer])).toEqual(['private, max-age=60', 'Accept, Authorization'])
  expect(await headersOf('/labels', [bearer])).toEqual(['public, max-age=60', 'Accept, Authorization'])
  expect(await headersOf('/labels', [keys])).toEqual(['public, max-age=60', 'Accept, X-API-Key'])
  expect(await headersOf('/labels', [bearer, keys])).toEqual(['public, max-age=60', 'Accept, Authorization, X-API-Key'])
  expect(await headersOf('/albums/7', [bearer])).toEqual(['private', 'Accept, Authorization'])
})

const covers = (cacheHeaders: CacheHeaders): unknown =>
  createServer({
    resources: [
      defineResource('covers', {
        model: model<{ readonly id: number; readonly albumId: number | null }>('covers'),
        id: id(),
        relations: { album: belongsTo('albums') },
        attributes: () => ({}),
        cacheHeaders,
      }),
      artists,
      albums,
    ],
    data: memoryData(),
    policy: 'public',
  })

test('a type whose documents may show resources with a policy must not be stored by shared caches', () => {
  expect(() => covers({ public: true })).toThrow(BuildError)
  expect(() => covers({ public: true })).toThrow(
    "covers.cacheHeaders.public: lets shared caches store what the policy of 'albums' shows to one caller. Remedy: use private: true.",
  )
  expect(() => covers({ max_age: 5 })).not.toThrow()
})

const songs = defineResource('songs', {
  model: model<{ readonly id: number; readonly title: string }>('songs'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  policy: () => ({ viewAny: true, view: true, create: true, update: true }),
})

function serve(middleware: readonly Middleware[], types: readonly AnyResource[] = [songs]) {
  const data = memoryData({ songs: [{ id: 1, title: 'One' }], labels: [{ id: 1 }] })
  return createServer({
    resources: types,
    data,
    middleware,
    extensions: [atomic()],
    openapi: true,
    baseUri: 'https://music.example',
  })
}

const valueOf = (headers: readonly string[], name: string): string | undefined => headers[headers.indexOf(name) + 1]

const requestOf = (path: string): HttpRequest => ({
  method: 'GET',
  path,
  query: '',
  origin: 'https://music.example',
  header: () => undefined,
  hasBody: false,
  body: () => Promise.resolve(null),
})

const song = { data: { type: 'songs', attributes: { title: 'New' } } }

describe.each<readonly [name: string, middleware: readonly Middleware[], vary: readonly string[]]>([
  ['a server that authenticates', [bearer], ['Authorization']],
  ['a server whose types have policies', [], ['Authorization', 'Cookie']],
  [
    'several headers of credentials',
    [authenticate({ challenge: 'B', header: ['Cookie', 'X-Session'], caller: () => null })],
    ['Cookie', 'X-Session'],
  ],
  [
    'middleware that declares its header',
    [Object.assign(((_context, next) => next({ caller: null })) as Middleware, { vary: 'X-User' })],
    ['X-User'],
  ],
])('%s', (_name, middleware, vary) => {
  const exchange = async (method: string, path: string, sent: Parameters<TestClient['request']>[2] = {}) => {
    const { status, headers } = await client(serve(middleware)).request(method, path, sent)
    const names = (headers.get('Vary') ?? '').split(', ').filter((name) => name !== 'Accept' && name !== 'Prefer')
    return [status, headers.get('Cache-Control'), names]
  }

  test('all responses of its types are private, and vary by the headers of the caller', async () => {
    const patched = { data: { type: 'songs', id: '1', attributes: { title: 'B' } } }
    expect(await exchange('GET', '/songs')).toEqual([200, 'private', vary])
    expect(await exchange('HEAD', '/songs/1')).toEqual([200, 'private', vary])
    expect(await exchange('GET', '/songs/7')).toEqual([404, 'private', vary])
    expect(await exchange('GET', '/songs?sort=x')).toEqual([400, 'private', vary])
    expect(await exchange('OPTIONS', '/songs')).toEqual([204, 'private', vary])
    expect(await exchange('POST', '/songs', { body: song })).toEqual([201, 'private', vary])
    expect(await exchange('PATCH', '/songs/1', { body: patched })).toEqual([200, 'private', vary])
    expect(await exchange('PUT', '/songs/1')).toEqual([405, 'private', vary])
    const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const body = { 'atomic:operations': [{ op: 'add', ...song }] }
    const batch = { body, headers: { 'Content-Type': type, Accept: type } }
    expect(await exchange('POST', '/operations', batch)).toEqual([200, 'private', vary])
  })

  test('a response to a conditional request is private too', async () => {
    const api = client(serve(middleware, [songs.with({ collectionTags: true })]))
    const { headers } = await api.get('/songs')
    const again = await api.request('GET', '/songs', { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })
    expect([again.status, again.headers.get('Cache-Control')]).toEqual([304, 'private'])
    expect(again.headers.get('Vary')).toBe(headers.get('Vary'))
  })
})

test('responses that are the same for all callers stay as they are', async () => {
  const api = client(serve([], [songs, labels.with({ cacheHeaders: {} })]))
  for (const path of ['/labels', '/', '/labels/7']) {
    const { headers } = await api.request('GET', path)
    expect([headers.get('Cache-Control'), headers.get('Vary')]).toEqual([null, 'Accept'])
  }
})

const cachingOf = async (middleware: readonly Middleware[]) => {
  const { headers } = await serve(middleware).handle(requestOf('/docs.json'))
  return [valueOf(headers, 'Cache-Control'), valueOf(headers, 'Vary')?.includes('Authorization')]
}

test('the description of a server that authenticates is private', async () => {
  expect(await cachingOf([bearer])).toEqual(['private, no-cache', true])
  expect(await cachingOf([])).toEqual(['no-cache', false])
})

test('a caller that the application passes makes responses private', async () => {
  const open = defineResource('labels', {
    model: model<{ readonly id: number }>('labels'),
    id: id(),
    cacheHeaders: { max_age: 60 },
  })
  const server = createServer({
    resources: [open],
    data: memoryData({ labels: [{ id: 1 }] }),
    baseUri: 'https://music.example',
  })
  const headersFor = async (options: HandleOptions, path = '/labels') => {
    const { headers } = await server.handle(requestOf(path), options)
    return [valueOf(headers, 'Cache-Control'), valueOf(headers, 'Vary')]
  }
  expect(await headersFor({})).toEqual(['max-age=60', 'Accept'])
  expect(await headersFor({ caller: null })).toEqual(['private, max-age=60', 'Accept, Authorization, Cookie'])
  expect(await headersFor({ caller: null, callerHeaders: ['X-User'] })).toEqual([
    'private, max-age=60',
    'Accept, X-User',
  ])
  expect(await headersFor({ callerHeaders: ['X-User'] }, '/labels/7')).toEqual(['private', 'Accept, X-User'])
})

function cachingOfError(middleware: readonly Middleware[], path: string) {
  const { headers } = serve(middleware, [songs, labels]).errorResponse(requestOf(path), new HttpError(404))
  return [valueOf(headers, 'Cache-Control'), valueOf(headers, 'Vary')]
}

test('an error that the application has thrown in front of a server that authenticates is private', () => {
  expect(cachingOfError([bearer], '/labels/1')).toEqual(['private', 'Accept, Authorization'])
  expect(cachingOfError([], '/songs/1')).toEqual(['private', 'Accept, Authorization, Cookie'])
})
