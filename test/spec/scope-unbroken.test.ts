import { belongsTo, createServer, defineResource, type FilterKit, hasMany, id, model } from 'ashlar'
import type { FilterDeclaration } from '../../src/declare/resource/filters/filter-declaration.js'
import type { Provider } from 'ashlar/store'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { sqlFilter } from 'ashlar/sql'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { scopedMusic, scopedRows, staff } from '../support/scoped-music.js'
import { storedData } from '../support/stored-data.js'

/** A provider that ignores conditions, orders and windows: it returns all its rows. */
function careless(rows: readonly { readonly id: number }[]): Provider {
  return {
    fetchOne: (_type, wireId) => rows.find((row) => String(row.id) === wireId) ?? null,
    fetchCollection: () => rows,
  }
}

describe('a user-defined provider that returns plain rows', () => {
  const { artists, albums } = scopedRows()
  const careful = client(
    createServer({
      resources: [
        defineResource('artists', {
          model: model<{ id: number; name: string; public: boolean }>('artists'),
          id: id(),
          readOnly: true,
          attributes: (a) => ({ name: a.string() }),
          relations: { albums: hasMany('albums'), peers: hasMany('artists').extractUsing(() => artists) },
          provider: careless(artists),
          scope: (context, f) => (context.request?.header('x-staff') === 'yes' ? null : f.where('public').fixed(true)),
        }),
        defineResource('albums', {
          model: model<{ id: number; title: string; artistId: number | null }>('albums'),
          id: id(),
          readOnly: true,
          attributes: (a) => ({ title: a.string() }),
          relations: { artist: belongsTo('artists') },
          provider: careless(albums),
        }),
      ],
    }),
  )

  test('is not trusted to have applied the scope', async () => {
    expect((await careful.get('/artists')).resources.map((each) => each.id)).toEqual(['1', '3'])
    expectErrors(await careful.get('/artists/2'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expectErrors(await careful.get('/artists/2/albums'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expect((await careful.get('/albums/2/artist')).document?.data).toBeNull()
    expect((await careful.get('/albums/2')).resource.relationships?.['artist']?.data).toBeNull()
    expect((await careful.get('/albums?include=artist')).document?.included?.map((each) => each.id)).toEqual(['1', '3'])
    expect((await careful.get('/artists/2', staff)).status).toBe(200)
  })

  test('nor is a function that returns the members of a relation', async () => {
    expect((await careful.get('/artists/1/peers')).resources.map((each) => each.id)).toEqual(['1', '3'])
    const { resource } = await careful.get('/artists/1?include=peers')
    expect(resource.relationships?.['peers']?.data).toEqual([
      { type: 'artists', id: '1' },
      { type: 'artists', id: '3' },
    ])
  })
})

type Scope = (f: FilterKit<'id' | 'name'>) => FilterDeclaration | null

/** Albums of artists, whose scope is the test's. */
function withScope(scope: Scope): TestClient {
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { artist: belongsTo('artists') },
    filters: (f) => ({ artist: f.through('artist.name'), signed: f.has('artist') }),
    sorts: (s) => ({ artist: s.through('artist.name') }),
  })
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { albums: hasMany('albums') },
    scope: (_context, f) => scope(f),
  })
  const rows = { albums: [{ id: 1, title: 'Untrue', artistId: 1 }], artists: [{ id: 1, name: 'Burial' }] }
  return client(createServer({ resources: [albums, artists], data: storedData(rows), logger: { error: vi.fn() } }))
}

const failing: Scope = () => {
  throw new Error('The list of customers is not there.')
}

describe('a scope that throws', () => {
  test.each([
    '/artists',
    '/artists/1',
    '/artists/1/albums',
    '/artists/1/relationships/albums',
    '/albums',
    '/albums/1',
    '/albums/1/artist',
    '/albums/1/relationships/artist',
    '/albums?include=artist',
    '/albums?fields[albums]=title&include=artist',
    '/albums?fields[albums]=title&filter[artist]=Burial',
    '/albums?fields[albums]=title&filter[signed]',
    '/albums?fields[albums]=title&sort=artist',
  ])('is 500 and never a read without it: %s', async (target) => {
    const response = await withScope(failing).get(target)
    expect(response.status).toBe(500)
    expect(response.text).not.toMatch(/Burial|Untrue|customers/)
  })

  test('is not called if no rows of its type are read', async () => {
    expect((await withScope(failing).get('/albums?fields[albums]=title')).resources).toHaveLength(1)
  })

  test('must not be a promise: an asynchronous scope returns no rows', async () => {
    for (const later of [() => Promise.resolve(false), () => Promise.reject(new Error('late'))]) {
      const api = withScope((f) => f.custom({ matches: later as never, apply: sqlFilter(later as never) }))
      for (const target of ['/artists', '/artists/1', '/albums', '/albums/1/artist']) {
        expect((await api.get(target)).status).toBe(500)
      }
    }
  })

  test('prevents writes', async () => {
    let fails = true
    const api = withScope((f) => (fails ? failing(f) : null))
    const body = resourceBody('artists', { name: 'Will' }, '1')
    expect((await api.patch('/artists/1', { body })).status).toBe(500)
    expect((await api.delete('/artists/1')).status).toBe(500)
    fails = false
    expect((await api.get('/artists/1')).resource.attributes).toEqual({ name: 'Burial' })
  })

  test.each<[string, Scope]>([
    ['nothing', () => undefined as never],
    ['true', () => true as never],
    ['a promise', () => Promise.resolve(null) as never],
  ])('and so is one that returns %s', async (_name, scope) => {
    expect((await withScope(scope).get('/artists')).status).toBe(500)
    expect((await withScope(scope).get('/albums/1')).status).toBe(500)
  })
})

test.each([
  '/artists',
  '/artists/1/albums',
  '/albums/1',
  '/albums?include=artist.albums',
  '/albums?filter[artist]=Burial&sort=artist&include=artist',
])('a scope is called once in each request, however often rows of its type are read: %s', async (target) => {
  const scope = vi.fn<Scope>((f) => f.where('name').fixed('Burial'))
  const api = withScope(scope)
  for (const times of [1, 2, 3]) {
    expect((await api.get(target)).status).toBe(200)
    expect(scope).toHaveBeenCalledTimes(times)
  }
})

test('a scope is called once in a write, also if the response has related resources', async () => {
  const scope = vi.fn<Scope>((f) => f.where('name').fixed('Burial'))
  const api = withScope(scope)
  const artist = { data: { type: 'artists', id: '1' } }
  const body = { data: { type: 'albums', id: '1', attributes: { title: 'Kindred' }, relationships: { artist } } }
  expect((await api.patch('/albums/1?include=artist', { body })).status).toBe(200)
  expect(scope).toHaveBeenCalledTimes(1)
  expect((await api.delete('/artists/9')).status).toBe(404)
  expect(scope).toHaveBeenCalledTimes(2)
})

test('a scope is evaluated in each request', async () => {
  const api = client(scopedMusic())
  expect((await api.get('/artists')).resources).toHaveLength(2)
  expect((await api.get('/artists', staff)).resources).toHaveLength(3)
  expect((await api.get('/artists')).resources).toHaveLength(2)
})
