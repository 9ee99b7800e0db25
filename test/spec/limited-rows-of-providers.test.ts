import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { memoryData } from 'ashlar/memory'
import type { CollectionCriteria, Provider, RelatedCriteria } from 'ashlar/store'
import { rowSet } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

const COUNT = 12
const keys = Array.from({ length: COUNT }, (_, index) => index + 1)
const trackRows = keys.map((key) => ({ id: key, title: `T${key}`, albumId: 1 }))
const albumRows = [{ id: 1, title: 'A1' }]
const limits = { includedResources: 4, linkage: 3, resources: 5 }

const headers = { accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }

const beyond = (parameter: string) => [{ status: 400, code: 'LIMIT_EXCEEDED', parameter }]

/** A provider that returns all members, whatever the criteria permit. */
function greedy(calls: RelatedCriteria[]): Provider {
  return {
    fetchOne: () => albumRows[0] ?? null,
    fetchRelated(_relation, parents, criteria) {
      calls.push(criteria)
      const rows = rowSet(
        ['id', 'title', 'albumId'],
        trackRows.map((row) => Object.values(row)),
      )
      const members = keys.map((_, row) => ({ set: 0, row, pivot: null }))
      return { sets: [{ type: 'tracks', rows }], groups: parents.rows.map(() => ({ members, total: null })) }
    },
  }
}

/** The tracks have another store than the albums: a provider that applies the criteria, and records them. */
function music() {
  const calls: CollectionCriteria[] = []
  const source = memoryData({ tracks: trackRows })
  const tracks = defineResource('tracks', {
    model: model<(typeof trackRows)[number]>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { album: belongsTo('albums').via('albumId') },
  })
  const albums = defineResource('albums', {
    model: model<(typeof albumRows)[number]>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      tracks: hasMany('tracks').via('albumId'),
      whole: hasMany('tracks').via('albumId').withoutPagination().countable(),
    },
  })
  const other = {
    ...source,
    name: 'other',
    types: ['tracks'],
    provider(type: Parameters<typeof source.provider>[0]): Provider | null {
      const provider = source.provider(type)
      const fetchCollection = provider?.fetchCollection
      if (provider === null || fetchCollection === undefined) return null
      return {
        ...provider,
        fetchCollection(of, criteria) {
          calls.push(criteria)
          return fetchCollection(of, criteria)
        },
      }
    },
  }
  const data = [memoryData({ albums: albumRows }), other]
  return { calls, api: client(createServer({ resources: [albums, tracks], data, limits })) }
}

describe('a custom provider', () => {
  test('gets the limit of members, and is refused if it returns more', async () => {
    const calls: RelatedCriteria[] = []
    const tracks = defineResource('tracks', {
      model: model<(typeof trackRows)[number]>('tracks'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
    })
    const albums = defineResource('albums', {
      model: model<(typeof albumRows)[number]>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      provider: greedy(calls),
      operations: ['FetchOne'],
      relations: { tracks: hasMany('tracks').withoutPagination().countable() },
    })
    const data = memoryData({ tracks: trackRows })
    const api = client(createServer({ resources: [albums, tracks], data, limits }))
    expectErrors(await api.get('/albums/1?include=tracks'), beyond('include'))
    expectErrors(await api.get('/albums/1/relationships/tracks'), beyond('page'))
    expectErrors(await api.get('/albums/1/tracks'), beyond('page'))
    expectErrors(await api.get('/albums/1?withCount=tracks', { headers }), beyond('withCount'))
    expect(calls.map(({ maxMembers }) => maxMembers)).toEqual([4, 3, 5, 3])
  })
})

describe('a relation between two stores', () => {
  test('is read to one member more than the limit', async () => {
    const { api, calls } = music()
    expectErrors(await api.get('/albums/1?include=tracks'), beyond('include'))
    expectErrors(await api.get('/albums/1/relationships/tracks'), beyond('page'))
    expectErrors(await api.get('/albums/1/whole'), beyond('page'))
    expectErrors(await api.get('/albums/1?withCount=whole', { headers }), beyond('withCount'))
    expect(calls.map(({ window }) => window?.limit)).toEqual([5, 4, 6, 4])
  })

  test('reads only its page', async () => {
    const { api, calls } = music()
    const page = await api.get('/albums/1/tracks?page[size]=2&page[number]=2')
    expect(page.resources.map((resource) => resource.id)).toEqual(['3', '4'])
    expect(calls.map(({ window }) => window)).toEqual([{ kind: 'offset', offset: 2, limit: 2 }])
  })
})
