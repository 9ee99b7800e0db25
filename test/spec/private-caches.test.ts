import {
  apiKeys,
  authenticate,
  belongsTo,
  BuildError,
  type CacheHeaders,
  createServer,
  defineResource,
  id,
  type Middleware,
  model,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
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
  expect(await headersOf('/albums', [])).toEqual(['private, no-cache, max-age=60', 'Accept'])
  expect(await headersOf('/artists', [])).toEqual(['max-age=60', 'Accept'])
})

test('responses of a server that authenticates vary by the credentials, and are private unless they declare otherwise', async () => {
  expect(await headersOf('/albums', [bearer])).toEqual(['private, no-cache, max-age=60', 'Accept, Authorization'])
  expect(await headersOf('/artists', [bearer])).toEqual(['private, max-age=60', 'Accept, Authorization'])
  expect(await headersOf('/labels', [bearer])).toEqual(['public, max-age=60', 'Accept, Authorization'])
  expect(await headersOf('/labels', [keys])).toEqual(['public, max-age=60', 'Accept, X-API-Key'])
  expect(await headersOf('/labels', [bearer, keys])).toEqual(['public, max-age=60', 'Accept, Authorization, X-API-Key'])
  expect(await headersOf('/albums/7', [bearer])).toEqual([null, 'Accept, Authorization'])
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
  })

test('a type whose documents may show resources with a policy must not be stored by shared caches', () => {
  expect(() => covers({ public: true })).toThrow(BuildError)
  expect(() => covers({ public: true })).toThrow(
    "covers.cacheHeaders.public: lets shared caches store what the policy of 'albums' shows to one caller. Remedy: use private: true.",
  )
  expect(() => covers({ max_age: 5 })).not.toThrow()
})
