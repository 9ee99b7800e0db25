import { belongsToMany, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { addedApart, catalogueData } from '../support/catalogue-rows.js'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const get = (path: string) =>
  client(catalogueServer({ data: catalogueData({ playlist_tracks: addedApart }) })).get(path)

const playlist = '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'

const inOrder = [
  ['5', { position: 1, weight: 3, addedAt: '2025-12-28T00:00:00+00:00' }],
  ['1', { position: 2, weight: 2, addedAt: '2026-01-01T00:00:00+00:00' }],
  ['3', { position: 3, weight: 9, addedAt: '2025-12-30T00:00:00+00:00' }],
] as const

const own = { served_by: 'music' }

const identifiers = inOrder.map(([key, pivot]) => ({ type: 'tracks', id: key, meta: { ...own, pivot } }))

async function ids(query: string): Promise<readonly string[]> {
  return (await get(`${playlist}/orderedTracks?${query}`)).resources.map((track) => track.id)
}

describe('the fields of join rows are meta.pivot', () => {
  test('of the resources of a related read, next to their own meta', async () => {
    const { resources } = await get(`${playlist}/orderedTracks?fields[tracks]=title`)
    expect(resources.map(({ id: key, meta }) => [key, meta])).toEqual(
      inOrder.map(([key, pivot]) => [key, { ...own, pivot }]),
    )
  })

  test('of the identifiers of a relationship read', async () => {
    expect((await get(`${playlist}/relationships/orderedTracks`)).document?.data).toEqual(identifiers)
  })

  test('of the identifiers in a resource, and not of included resources', async () => {
    const { document, resource } = await get(`${playlist}?include=orderedTracks&fields[tracks]=title`)
    expect(resource.relationships?.['orderedTracks']?.data).toEqual(identifiers)
    expect(document?.included?.map(({ id: key, meta }) => [key, meta])).toEqual(inOrder.map(([key]) => [key, own]))
  })

  test('not on a relation over the same rows that declares none', async () => {
    const { document } = await get(`${playlist}/relationships/tracks`)
    expect(document?.data).toEqual(['1', '3', '5'].map((key) => ({ type: 'tracks', id: key, meta: own })))
    const { resources } = await get(`${playlist}/tracks?fields[tracks]=title`)
    expect(resources.map(({ meta }) => meta)).toEqual([own, own, own])
  })

  test('one resource has another pivot in each relationship', async () => {
    const { resources } = await get('/playlists?include=orderedTracks&fields[playlists]=orderedTracks')
    const pivots = resources.map(({ relationships }) => {
      const linkage = [relationships?.['orderedTracks']?.data ?? []].flat()
      return linkage.find((identifier) => identifier.id === '1')?.meta
    })
    expect(pivots).toEqual([
      { ...own, pivot: { position: 1, weight: 1, addedAt: '2026-01-31T00:00:00+00:00' } },
      { ...own, pivot: inOrder[1][1] },
    ])
  })
})

describe('declarations of fields of join rows', () => {
  const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
  const playlists = defineResource('playlists', {
    model: model<{ id: number }>('playlists'),
    id: id(),
    relations: {
      tracks: belongsToMany('tracks')
        .through('entries', { owner: 'playlistId', member: 'trackId' })
        .fields((a) => ({
          place: a.integer().storedAs('position'),
          secret: a.string().hidden(),
          token: a.string().writeOnly(),
          label: a.string().computed((row) => `no. ${String(row['position'])}`),
        }))
        .identifierMeta((parent, related) => ({ of: parent['id'], is: related['id'] })),
    },
  })
  const data = storedData({
    tracks: [{ id: 7 }],
    playlists: [{ id: 1 }],
    entries: [{ id: 1, playlistId: 1, trackId: 7, position: 3, secret: 'x', token: 'y' }],
  })
  const api = client(createServer({ resources: [tracks, playlists], data }))
  const pivot = { place: 3, label: 'no. 3' }

  test('behave like attributes: their columns, hidden and computed fields', async () => {
    expect((await api.get('/playlists/1/tracks')).resources[0]?.meta).toEqual({ pivot })
  })

  test('are next to the user-defined meta of identifiers', async () => {
    const { document } = await api.get('/playlists/1/relationships/tracks')
    expect(document?.data).toEqual([{ type: 'tracks', id: '7', meta: { pivot, of: 1, is: 7 } }])
  })
})

describe('a related read by the fields of join rows', () => {
  test('is filtered if the relation declares it', async () => {
    expect(await ids('filter[position]=2')).toEqual(['1'])
    expect(await ids('filter[weight]=3')).toEqual(['5'])
    expect(await ids('filter[weight]=9')).toEqual(['3'])
  })

  test('is sorted by each of them', async () => {
    expect(await ids('sort=-position')).toEqual(['3', '1', '5'])
    expect(await ids('sort=weight')).toEqual(['1', '5', '3'])
    expect(await ids('sort=addedAt')).toEqual(['5', '3', '1'])
  })

  test('has the order of the relation without a sort', async () => {
    expect(await ids('')).toEqual(['5', '1', '3'])
  })
})

describe('a queried pivot relationship read', () => {
  test.each(['page[size]=1', 'sort=position', 'filter[position]=2', 'filter[nonsense]=2', 'page[after]=x'])(
    'is 400: %s',
    async (query) => {
      const [parameter = ''] = query.split(/[[=]/)
      expectErrors(await get(`${playlist}/relationships/orderedTracks?${query}`), [
        { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter },
      ])
    },
  )

  test('over the same rows without fields it is windowed', async () => {
    const { document } = await get(`${playlist}/relationships/tracks?page[size]=1`)
    expect(document?.data).toEqual([{ type: 'tracks', id: '1', meta: own }])
  })
})
