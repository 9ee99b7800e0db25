import { belongsTo, belongsToMany, createServer, defineType, hasMany, hasOne, id, morphTo } from 'ashlar'
import type { DataSource, Persister } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, one, some } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

/** A store of some types, which records its writes. */
function storeOf(types: readonly string[], rows: Parameters<typeof storedData>[0]) {
  const data = storedData(rows)
  const writes: string[] = []
  const refused = new Set<unknown>()
  const noting = (persister: Persister): Persister => ({
    ...persister,
    update(type, key, values, write) {
      writes.push(`update ${type.type} ${String(key)} ${JSON.stringify(values)}`)
      if (refused.has(key)) throw new Error('The disk is full.')
      return persister.update(type, key, values, write)
    },
    mutateRelationship(relation, owner, change, write) {
      writes.push(`mutate ${relation.owner.type}.${relation.name}`)
      return persister.mutateRelationship?.(relation, owner, change, write)
    },
  })
  const source: DataSource = {
    ...data,
    check: () => [],
    provider: (type) => (types.includes(type.type) ? data.provider(type) : null),
    persister(type) {
      const persister = types.includes(type.type) ? data.persister(type) : null
      return persister === null ? null : noting(persister)
    },
  }
  return { source, writes, refuse: (key: unknown) => refused.add(key) }
}

describe('relations between types of two stores', () => {
  const resources = [
    typeWith('artists', {
      albums: hasMany('albums').via('artistId'),
      debut: hasOne('albums').via('debutOfId'),
      hit: belongsTo('albums'),
      favourite: morphTo(['artists', 'albums']),
    }),
    typeWith('albums', { artist: belongsTo('artists') }, { id: id('slug') }),
  ]

  function twoStores() {
    const mine = storeOf(['artists'], {
      artists: [1, 2].map((key) => ({ id: key, hitId: null, favouriteId: null, favouriteType: null })),
    })
    const others = storeOf(['albums'], {
      albums: ['kid-a', 'amnesiac', 'pablo'].map((slug, index) => {
        return { id: index + 1, slug, artistId: index === 0 ? 1 : null, debutOfId: index === 2 ? 1 : null }
      }),
    })
    const api = linkageWriter(
      createServer({ resources, data: [mine.source, others.source], logger: { error: () => undefined } }),
    )
    return { api, artists: mine.writes, albums: others.writes, refuse: others.refuse }
  }

  test('keys in related rows are written by the persisters of these rows', async () => {
    const { api, artists, albums } = twoStores()
    expect((await api.replace('/artists/1/albums', some('albums', 'amnesiac', 'pablo'))).document?.data).toEqual(
      some('albums', 'amnesiac', 'pablo'),
    )
    expect(artists).toEqual([])
    expect(albums).toEqual([
      'update albums kid-a {"artistId":null}',
      'update albums amnesiac {"artistId":1}',
      'update albums pablo {"artistId":1}',
    ])
    expect(await api.members('/artists/1/albums')).toEqual(['albums amnesiac', 'albums pablo'])
    expect(await api.members('/albums/kid-a/artist')).toEqual([])
    await api.add('/artists/2/albums', some('albums', 'pablo', 'kid-a'))
    expect(await api.members('/artists/2/albums')).toEqual(['albums kid-a', 'albums pablo'])
    await api.remove('/artists/2/albums', some('albums', 'pablo'))
    expect(await api.members('/artists/2/albums')).toEqual(['albums kid-a'])
  })

  test('for a to-one too', async () => {
    const { api, albums } = twoStores()
    expect((await api.replace('/artists/1/debut', one('albums', 'kid-a'))).document?.data).toEqual(
      one('albums', 'kid-a'),
    )
    expect(albums).toEqual(['update albums pablo {"debutOfId":null}', 'update albums kid-a {"debutOfId":1}'])
    expect(await api.members('/artists/1/debut')).toEqual(['albums kid-a'])
    expect((await api.replace('/artists/1/debut', null)).document?.data).toBeNull()
    expect(await api.members('/artists/1/debut')).toEqual([])
  })

  test("the key in the owner's row is the key of the other store, with any id", async () => {
    const { api, artists, albums } = twoStores()
    await api.replace('/artists/1/hit', one('albums', 'amnesiac'))
    await api.replace('/artists/2/favourite', one('albums', 'pablo'))
    expect(artists).toEqual([
      'update artists 1 {"hitId":2}',
      'update artists 2 {"favouriteId":3,"favouriteType":"albums"}',
    ])
    expect(albums).toEqual([])
    expect(await api.members('/artists/1/hit')).toEqual(['albums amnesiac'])
    expect(await api.members('/artists/2/favourite')).toEqual(['albums pablo'])
  })

  test('a resource is created with them', async () => {
    const { api } = twoStores()
    const { status, resource } = await api.create('/artists?include=albums,debut,hit', {
      albums: some('albums', 'amnesiac'),
      debut: one('albums', 'pablo'),
      hit: one('albums', 'kid-a'),
    })
    expect(status).toBe(201)
    expect(resource.relationships).toMatchObject({
      albums: { data: some('albums', 'amnesiac') },
      debut: { data: one('albums', 'pablo') },
      hit: { data: one('albums', 'kid-a') },
    })
    expect(await api.members('/artists/1/debut')).toEqual([])
  })

  test('an error in one store rolls back both', async () => {
    const { api, albums, refuse } = twoStores()
    refuse('pablo')
    const linkages = { albums: some('albums', 'amnesiac', 'pablo'), hit: one('albums', 'kid-a') }
    expectErrors(await api.update('/artists/1', linkages), [{ status: 500 }])
    expect(albums).toHaveLength(3)
    expect(await api.members('/artists/1/albums')).toEqual(['albums kid-a'])
    expect(await api.members('/artists/1/hit')).toEqual([])
  })

  test('a missing resource of the other store is 404, and nothing is written', async () => {
    const { api, albums } = twoStores()
    expectErrors(await api.replace('/artists/1/albums', some('albums', 'amnesiac', 'nevermind')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/1' },
    ])
    expect(albums).toEqual([])
  })
})

describe('join rows', () => {
  test('are written by the store of the owner, whatever writes the members', async () => {
    const { writes, source } = storeOf(['playlists', 'tracks'], {
      playlists: [{ id: 1 }],
      tracks: [{ id: 1 }, { id: 2 }],
      entries: [],
    })
    const resources = [
      typeWith('playlists', {
        tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }),
      }),
      typeWith('tracks', {}, { persister: (store: Persister) => ({ ...store }) }),
    ]
    const api = linkageWriter(createServer({ resources, data: source }))
    await api.add('/playlists/1/tracks', some('tracks', '2'))
    expect(writes).toEqual(['mutate playlists.tracks'])
    expect(await api.members('/playlists/1/tracks')).toEqual(['tracks 2'])
  })
})

describe('a related type without a provider', () => {
  const charts = defineType('charts', { fields: () => ({ code: id().pattern(/^[a-z]+$/) }) })
  const api = () =>
    linkageWriter(
      createServer({
        resources: [typeWith('albums', { chart: belongsTo('charts') }), charts],
        data: storedData({ albums: [{ id: 1, chartId: 'uk' }] }),
      }),
    )

  test('is referred to by ids of its format, which are not looked up', async () => {
    const writer = api()
    expect((await writer.replace('/albums/1/chart', one('charts', 'us'))).document?.data).toEqual(one('charts', 'us'))
    expect((await writer.get('/albums/1')).resource.relationships?.['chart']?.data).toEqual(one('charts', 'us'))
    expect((await writer.replace('/albums/1/chart', null)).document?.data).toBeNull()
    expect((await writer.get('/albums/1')).resource.relationships?.['chart']?.data).toBeNull()
    expectErrors(await writer.replace('/albums/1/chart', one('charts', '40')), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
    ])
  })
})
