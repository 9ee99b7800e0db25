import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'
import { albumServer, type User } from './albums.js'

const api = (options: Parameters<typeof albumServer>[0] = {}) => client(albumServer(options).server)
const fieldsOf = ({ resources }: TestResponse) => resources.map(({ attributes }) => attributes)
const as = (user: number) => ({ headers: { 'x-user': String(user) } })
const idOf = (caller: unknown): number => (caller as User).id

const artistPolicy: NonNullable<Parameters<typeof albumServer>[0]>['artistPolicy'] = (p) => ({
  viewAny: true,
  view: p.signedIn(({ caller }) => p.eq('ownerId', idOf(caller))),
})

describe('an aggregate', () => {
  test('has only the rows that the caller can see', async () => {
    const owned = api({
      policy: (p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('ownerId', idOf(caller))) }),
    })
    expect(fieldsOf(await owned.get('/albums/-aggregates/totals', as(2)))).toEqual([
      { albums: 1, rating: 8, price: null },
    ])
    expect(
      fieldsOf(await owned.get('/albums/-aggregates/by-genre', as(1))).map((fields) => fields?.['albums']),
    ).toEqual([3, 1])
    expect(fieldsOf(await owned.get('/albums/-aggregates/totals'))).toEqual([{ albums: 0, rating: null, price: null }])
    expect(fieldsOf(await owned.get('/albums/-aggregates/by-genre', as(3)))).toEqual([])
  })

  test('needs the ability to list, or its own', async () => {
    const listed = api({ policy: () => ({ view: true }) })
    expectErrors(await listed.get('/albums/-aggregates/totals'), [{ status: 401 }])
    expectErrors(await listed.get('/albums/-aggregates/totals', as(1)), [{ status: 403 }])
    const own = api({ policy: (p) => ({ viewAny: true, view: true, aggregate: p.signedIn(() => true) }) })
    expectErrors(await own.get('/albums/-aggregates/totals'), [{ status: 401 }])
    expect((await own.get('/albums')).status).toBe(200)
    expect((await own.get('/albums/-aggregates/totals', as(1))).status).toBe(200)
    const only = api({ policy: () => ({ view: true, aggregate: true }) })
    expect((await only.get('/albums/-aggregates/totals')).status).toBe(200)
    expectErrors(await only.get('/albums'), [{ status: 401 }])
  })

  test('groups rows of hidden related resources as if they had none', async () => {
    const hidden = api({ artistPolicy })
    const groups = async (user: number) => {
      const response = await hidden.get('/albums/-aggregates/by-artist?include=artist', as(user))
      return response.resources.map(({ attributes, relationships }) => [
        relationships?.['artist']?.data ?? null,
        attributes?.['albums'],
      ])
    }
    expect(await groups(2)).toEqual([
      [{ type: 'artists', id: '2' }, 1],
      [null, 4],
    ])
    expect(await groups(1)).toEqual([
      [{ type: 'artists', id: '1' }, 3],
      [null, 2],
    ])
  })

  test('leaves out measures of fields that the caller does not see in all rows', async () => {
    expect(fieldsOf(await api().get('/albums/-aggregates/secrets', as(1)))).toEqual([
      { genre: 'jazz', albums: 1, secret: 8 },
      { genre: 'rock', albums: 4, secret: 8.66666666666667 },
    ])
    const without = await api().get('/albums/-aggregates/secrets')
    expect(fieldsOf(without)).toEqual([
      { genre: 'jazz', albums: 1 },
      { genre: 'rock', albums: 4 },
    ])
    for (const key of ['secret', '-byRow']) {
      expectErrors(await api().get(`/albums/-aggregates/secrets?sort=${key}`), [
        { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
      ])
    }
    expect((await api().get('/albums/-aggregates/secrets?sort=-secret', as(1))).status).toBe(200)
    expectErrors(await api().get('/albums/-aggregates/secrets?sort=byRow', as(1)), [{ status: 400 }])
  })

  test('takes filters by fields that the caller sees, also after another caller has used them', async () => {
    const one = api()
    for (const filter of ['secret', 'mood']) {
      const path = `/albums/-aggregates/totals?filter[${filter}]=8`
      expect((await one.get(path, as(1))).status).toBe(200)
      expectErrors(await one.get(path), [{ status: 400, code: 'FILTERING_UNRECOGNIZED' }])
    }
  })

  test('does not exist if the caller does not see a field that groups', async () => {
    expectErrors(await api().get('/albums/-aggregates/by-mood'), [{ status: 404, code: 'PATH_NOT_FOUND' }])
    expect(fieldsOf(await api().get('/albums/-aggregates/by-mood', as(1)))).toEqual([
      { mood: 'jazz', albums: 1 },
      { mood: 'rock', albums: 4 },
    ])
  })
})

test('explain() names the ability that decides', async () => {
  const { server } = albumServer()
  const byDefault = await server.explain({ type: 'albums', ability: 'aggregate', as: null })
  expect(byDefault).toMatchObject({
    permitted: true,
    reasons: [
      "policy.aggregate of 'albums' is not declared: 'viewAny' decides.",
      "policy.viewAny of 'albums' permits it.",
    ],
  })
  const own = albumServer({ policy: (p) => ({ viewAny: true, view: true, aggregate: p.signedIn(() => true) }) })
  expect(await own.server.explain({ type: 'albums', ability: 'aggregate', as: null })).toMatchObject({
    permitted: false,
    status: 401,
  })
})

test('responses are private if those of the type are, also because of related types', async () => {
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    policy: () => ({ viewAny: true, view: true }),
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; artistId: number }>('albums'),
    id: id(),
    relations: { artist: belongsTo('artists') },
    filters: (f) => ({ 'artist.name': f.through() }),
    policy: 'public',
    aggregates: (g) => ({ totals: g.fields({ albums: g.count() }) }),
  })
  const server = createServer({ resources: [artists, albums], data: storedData({ artists: [], albums: [] }) })
  const one = client(server)
  const headersOf = async (path: string) => {
    const { headers } = await one.get(path)
    return ['cache-control', 'vary'].map((name) => headers.get(name))
  }
  const [listed, totals] = [await headersOf('/albums'), await headersOf('/albums/-aggregates/totals')]
  expect(listed.join()).toContain('private')
  expect(totals).toEqual(listed)
})
