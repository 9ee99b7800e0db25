import { belongsTo, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { Provider } from 'ashlar/store'
import { describe, expect, test } from 'vitest'
import { usesOf } from '../../src/serve/read/plan/reachable-uses.js'
import { compileType } from '../../src/server/assembly/compile/compile-type.js'
import { client } from '../support/client.js'
import { byName, isAdmin } from '../support/named-callers.js'

/** Conditions of filters, sorts and includes do not prevent plans from being cached: the store sees the same cache key again. */

const staff = ({ caller }: RequestContext): boolean => isAdmin(caller)
const policy = () => ({ viewAny: true, view: true, custom: { audit: staff } })

function world() {
  const keys: (object | undefined)[] = []
  const noting = (store: Provider): Provider => {
    const fetchCollection: Provider['fetchCollection'] = (type, criteria) => {
      keys.push(criteria.cacheKey)
      return store.fetchCollection?.(type, criteria) ?? []
    }
    return { ...store, fetchCollection, acceptsScopes: { ...store.acceptsScopes, fetchCollection } }
  }
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().sortableIf('audit') }),
    relations: { albums: hasMany('albums') },
    policy,
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable(), year: a.integer().sortableIf(staff) }),
    relations: {
      artist: belongsTo('artists').includableIf('audit'),
      maker: belongsTo('artists')
        .via('artistId')
        .cannotBeIncluded((context) => !staff(context)),
    },
    filters: (f) => ({ title: f.where(), year: f.where().usableIf('audit') }),
    allowedIncludePaths: ['artist', { path: 'maker', usableIf: staff }],
    provider: noting,
    policy,
  })
  const data = memoryData({
    artists: [{ id: 1, name: 'Burial' }],
    albums: [{ id: 1, title: 'Untrue', year: 2007, artistId: 1 }],
  })
  const api = client(createServer({ resources: [artists, albums], data, middleware: [byName] }), { validate: false })
  /** Returns the cache keys that the store gets for a request of each of these callers. */
  return async (path: string, ...callers: readonly string[]): Promise<readonly (object | undefined)[]> => {
    keys.length = 0
    for (const caller of callers) {
      expect((await api.get(path, { headers: { Authorization: caller } })).status, `${path} of ${caller}`).toBe(200)
    }
    return [...keys]
  }
}

describe('callers who may use the same keys share the plan', () => {
  test.each([
    '/albums?filter[year]=2007',
    '/albums?sort=-year',
    '/albums?include=artist',
    '/albums?include=maker',
    '/albums?filter[year]=2007&sort=year&include=maker,artist',
  ])('%s', async (path) => {
    const [first, second] = await world()(path, 'root', 'root')
    expect(first).toBeDefined()
    expect(second).toBe(first)
  })

  test('also callers who may use different ones, if the request names none of these', async () => {
    const [first, ...others] = await world()('/albums?filter[title]=Untrue&sort=title', 'root', 'alice', 'bob', 'root')
    expect(first).toBeDefined()
    expect(others).toEqual([first, first, first])
    for (const other of others) expect(other).toBe(first)
  })
})

test('types without conditions evaluate none', () => {
  const plain = defineResource('albums', {
    model: model<{ id: number; title: string; twinId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable() }),
    relations: { twin: belongsTo('albums').filterable() },
    filters: (f) => ({ title: f.where() }),
    allowedIncludePaths: ['twin'],
  })
  expect(usesOf([compileType(plain as never)])).toBeNull()
})
