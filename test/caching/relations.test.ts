import {
  belongsTo,
  belongsToMany,
  cursorPage,
  type FilterKit,
  hasMany,
  hasOne,
  morphToMany,
  type RequestContext,
  type SortKit,
} from 'ashlar'
import { relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import type { Provider, RelatedCriteria } from 'ashlar/store'
import { sqlSort } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { expectEvaluatedAgain, isStaff, isStranger, stores } from './caching-shop.js'

const onlyTheFirst = (context: RequestContext, f: FilterKit<string>) =>
  isStaff(context) ? null : f.where('id', '<=').fixed(1)

const unasked = (): never => {
  throw new Error('Nobody is asked.')
}

describe.each(stores)('on %s', (_store, open) => {
  test('the order of included resources is evaluated in every request if its path enters a type with a scope', async () => {
    const declared = {
      artists: {
        scope: onlyTheFirst,
        relations: { label: belongsTo('labels'), albums: hasMany('albums').via('artistId') },
      },
      albums: {
        relations: {
          artist: belongsTo('artists'),
          producer: belongsTo('artists').via('producerId'),
          tracks: hasMany('tracks'),
        },
        sorts: (s: SortKit<string>) => ({ producer: s.through('producer.name') }),
        defaultSort: ['producer'],
      },
    }
    const shop = () => recordShop(declared, { data: open() })
    const accept = `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"`
    await expectEvaluatedAgain(shop, ['/artists/1?include=albums'])
    await expectEvaluatedAgain(shop, ['/artists/1?include=albums'], { accept })
  })

  test('so is the visibility of fields of join rows, if members are sorted and filtered by them', async () => {
    const picks = belongsToMany('tracks')
      .through('picks', { owner: 'labelId', member: 'trackId' })
      .fields((a) => ({ position: a.integer().writeOnly(isStranger) }))
      .withFilters((f) => ({ position: f.where('pivot.position') }))
    const rows = [
      { labelId: 1, trackId: 3, position: 1 },
      { labelId: 1, trackId: 1, position: 2 },
    ]
    // Tracks have no relation back to labels: only labels declare it.
    const declared = {
      labels: { relations: { picks } },
      albums: { relations: { artist: belongsTo('artists') } },
      artists: { relations: { label: belongsTo('labels') } },
      tracks: { relations: {} },
    }
    await expectEvaluatedAgain(
      () => recordShop(declared, { data: open({ picks: rows }) }),
      [
        '/labels/1/picks?sort=position',
        '/labels/1/picks?filter[position]=2',
        '/labels/1/picks',
        '/labels/1/relationships/picks',
      ],
    )
  })

  test('a user-defined order of included resources is evaluated in every request', async () => {
    type Album = { readonly id: number }
    const mood = {
      compare: (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, context: RequestContext) =>
        (isStaff(context) ? -1 : 1) * (Number(a['id']) - Number(b['id'])),
      apply: sqlSort<Album>(({ column, context }) => (isStaff(context) ? sql`-${column('id')}` : column('id'))),
    }
    const declared = { albums: { sorts: (s: SortKit<string>) => ({ mood: s.custom(mood) }), defaultSort: ['mood'] } }
    await expectEvaluatedAgain(() => recordShop(declared, { data: open() }), ['/artists/1?include=albums'])
  })

  test('a missing owner is reported before errors of the query of its members', async () => {
    const paged = hasMany('albums').via('artistId').paginate(cursorPage())
    const artists = { relations: { label: belongsTo('labels'), albums: paged } }
    const api = client(recordShop({ artists }, { data: open() }))
    const refusing = client(recordShop({ artists, albums: { scope: unasked } }, { data: open() }))
    for (const endpoint of ['albums', 'relationships/albums']) {
      // The first is planned, the second is recalled.
      for (const path of [`/artists/99/${endpoint}?page[after]=zz`, `/artists/99/${endpoint}?page[after]=zz`]) {
        expect((await api.get(path)).status).toBe(404)
      }
      expect((await refusing.get(`/artists/99/${endpoint}`)).status).toBe(404)
    }
    expect((await api.get('/artists/1/albums?page[after]=zz')).status).toBe(400)
  })

  test('the query of members at their own URLs is planned once', async () => {
    const cacheKeys: (object | undefined)[] = []
    const provider = (store: Provider): Provider => ({
      ...store,
      fetchRelated(relation, parents, criteria) {
        cacheKeys.push(criteria.cacheKey)
        return store.fetchRelated?.(relation, parents, criteria) ?? { sets: [], groups: [] }
      },
    })
    const api = client(recordShop({ artists: { provider } }, { data: open() }))
    for (const address of ['albums', 'relationships/albums', 'relationships/albums?sort=-title&page[size]=1']) {
      cacheKeys.length = 0
      for (const id of [3, 1, 2]) expect((await api.get(`/artists/${id}/${address}`)).status, address).toBe(200)
      const [, second, third] = cacheKeys
      expect([cacheKeys.length, second === third, typeof second], address).toEqual([3, true, 'object'])
    }
  })

  test('a cache key belongs to one read only', async () => {
    const seen = new Map<object, RelatedCriteria>()
    const provider = (store: Provider): Provider => ({
      ...store,
      fetchRelated(relation, parents, criteria) {
        const { cacheKey } = criteria
        const before = cacheKey === undefined ? criteria : (seen.get(cacheKey) ?? criteria)
        if (cacheKey !== undefined) seen.set(cacheKey, before)
        expect(criteria.conditions).toEqual(before.conditions)
        return store.fetchRelated?.(relation, parents, criteria) ?? { sets: [], groups: [] }
      },
    })
    const artists = { provider, relations: { latest: hasOne('albums').via('artistId') } }
    const albums = {
      filters: (f: FilterKit<string>) => ({ title: f.where() }),
      relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
    }
    const api = client(recordShop({ artists, albums, labels: { relations: {} } }, { data: open() }))
    for (const title of ['OK Computer', 'Kid A', 'OK Computer']) {
      const { status, text } = await api.get(`/artists/1/latest?filter[title]=${title}`)
      expect([status, text.includes(title)]).toEqual([200, title === 'OK Computer'])
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('the read of the members that a body names has no cache key of another body', async () => {
    const named: unknown[] = []
    const seen = new Map<object, RelatedCriteria>()
    const provider = (store: Provider): Provider => ({
      ...store,
      fetchRelated(relation, parents, criteria) {
        const { cacheKey, conditionsOf } = criteria
        const before = cacheKey === undefined ? criteria : (seen.get(cacheKey) ?? criteria)
        if (cacheKey !== undefined) seen.set(cacheKey, before)
        expect(conditionsOf).toEqual(before.conditionsOf)
        named.push(conditionsOf.get('albums'))
        return store.fetchRelated?.(relation, parents, criteria) ?? { sets: [], groups: [] }
      },
    })
    // Members of several types are in the same order for all callers, so their read is cached.
    const labels = {
      provider,
      relations: {
        picks: morphToMany(['artists', 'albums']).through('picks', {
          owner: 'labelId',
          member: 'itemId',
          memberType: 'itemType',
        }),
      },
    }
    const artists = { relations: { albums: hasMany('albums') } }
    const api = client(recordShop({ labels, artists }, { data: open({ picks: [] }) }))
    for (const picked of ['3', '4', '3']) {
      const body = { data: [{ type: 'albums', id: picked }] }
      expect((await api.post('/labels/1/relationships/picks', { body })).status).toBe(204)
    }
    expect(named).toMatchObject(['3', '4', '3'].map((picked) => [{ kind: 'in', values: [picked] }]))
  })
})
