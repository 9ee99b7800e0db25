import { belongsToMany, createServer, defineResource, id, model, morphTo } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { catalogueTypes } from '../support/catalogue.js'
import { catalogueData } from '../support/catalogue-rows.js'
import { client } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { recordShop, recordShopData } from '../support/record-shop.js'

const countable = 'https://haddowg.github.io/json-api/profiles/countable/'

/** The calls of the providers by a request, in the order of names: reads of one level run at the same time. */
async function readsOf(path: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { data, calls } = countedData(catalogueData())
  const servers = { admin: { prefix: '/admin' } }
  const { status } = await client(createServer({ resources: catalogueTypes, data, servers })).get(path, { headers })
  expect(status).toBe(200)
  return calls
    .map(({ type, method, relation }) => `${method} ${relation === undefined ? type : `${type}.${relation}`}`)
    .toSorted()
}

describe('an include tree costs one provider call per relation per level', () => {
  test('for any number of parents', async () => {
    expect(await readsOf('/albums?include=artist,tracks')).toEqual([
      'fetchCollection albums',
      'fetchRelated albums.artist',
      'fetchRelated albums.tracks',
      'fetchRelated tracks.playlists',
    ])
    expect(await readsOf('/albums/1?include=artist,tracks')).toHaveLength(4)
  })

  test('level after level', async () => {
    expect(await readsOf('/artists?include=albums.tracks')).toEqual([
      'fetchCollection artists',
      'fetchRelated albums.tracks',
      'fetchRelated artists.albums',
      'fetchRelated tracks.playlists',
    ])
  })

  test('also when two paths reach the same type at one level', async () => {
    expect(await readsOf('/playlists?include=tracks.album,orderedTracks.album')).toEqual([
      'fetchCollection playlists',
      'fetchRelated playlists.orderedTracks',
      'fetchRelated playlists.tracks',
      'fetchRelated tracks.album',
      'fetchRelated tracks.playlists',
    ])
  })

  test('also for members of several types', async () => {
    expect(await readsOf('/libraries?include=items.album,items.artist')).toEqual([
      'fetchCollection libraries',
      'fetchRelated albums.artist',
      'fetchRelated libraries.items',
      'fetchRelated tracks.album',
      'fetchRelated tracks.playlists',
    ])
  })

  test('also for default includes', async () => {
    expect(await readsOf('/favorites')).toEqual([
      'fetchCollection favorites',
      'fetchRelated favorites.favoritable',
      'fetchRelated tracks.playlists',
    ])
  })

  test('and resources that were read before are not read again', async () => {
    const { data, calls } = countedData(recordShopData())
    await client(recordShop({}, { data })).get('/albums?include=artist.albums.artist.albums')
    expect(calls).toEqual([
      { type: 'albums', method: 'fetchCollection' },
      { type: 'albums', method: 'fetchRelated', relation: 'artist' },
      { type: 'artists', method: 'fetchRelated', relation: 'albums' },
    ])
  })

  test('and levels without resources cost nothing', async () => {
    const { data, calls } = countedData(recordShopData())
    await client(recordShop({}, { data })).get('/tracks/6?include=album.artist.label')
    expect(calls.filter(({ type }) => type !== 'tracks')).toEqual([])
  })

  test('on a related read as well', async () => {
    expect(await readsOf('/artists/1/albums?include=tracks.album')).toEqual([
      'fetchOne artists',
      'fetchRelated albums.tracks',
      'fetchRelated artists.albums',
      'fetchRelated tracks.album',
      'fetchRelated tracks.playlists',
    ])
  })
})

describe('linkage', () => {
  test('that the row holds costs nothing', async () => {
    expect(await readsOf('/albums')).toEqual(['fetchCollection albums'])
    const stars = defineResource('stars', {
      model: model<{ id: number; itemId: number; itemType: string }>('stars'),
      id: id(),
      relations: { item: morphTo(['tracks', 'albums']) },
    })
    const { data, calls } = countedData(catalogueData({ stars: [{ id: 1, itemId: 4, itemType: 'albums' }] }))
    const server = createServer({
      resources: [...catalogueTypes, stars],
      data,
      servers: { admin: { prefix: '/admin' } },
    })
    const { resources } = await client(server).get('/stars')
    expect(resources[0]?.relationships?.['item']?.data).toEqual({ type: 'albums', id: '4' })
    expect(calls).toEqual([{ type: 'stars', method: 'fetchCollection' }])
  })

  test('whose meta depends on the members costs one call', async () => {
    expect(await readsOf('/favorites?include=')).toEqual([
      'fetchCollection favorites',
      'fetchRelated favorites.favoritable',
    ])
  })

  test('that is always shown costs one call per relation and level', async () => {
    expect(await readsOf('/tracks')).toEqual(['fetchCollection tracks', 'fetchRelated tracks.playlists'])
    expect(await readsOf('/tracks/1')).toEqual(['fetchOne tracks', 'fetchRelated tracks.playlists'])
    expect(await readsOf('/playlists?include=tracks')).toEqual([
      'fetchCollection playlists',
      'fetchRelated playlists.tracks',
      'fetchRelated tracks.playlists',
    ])
  })

  test('that is always shown and is included too costs one call', async () => {
    expect(await readsOf('/tracks?include=playlists')).toEqual([
      'fetchCollection tracks',
      'fetchRelated tracks.playlists',
    ])
  })

  test('that a fieldset drops costs nothing', async () => {
    expect(await readsOf('/tracks?fields[tracks]=title')).toEqual(['fetchCollection tracks'])
    expect(await readsOf('/albums?include=tracks&fields[tracks]=title,album')).toEqual([
      'fetchCollection albums',
      'fetchRelated albums.tracks',
    ])
  })

  test('of a relation that is not shown by default costs nothing', async () => {
    const { data, calls } = countedData(recordShopData())
    const albums = { relations: { artist: belongsToMany('artists').through('credits', { owner: 'a', member: 'b' }) } }
    const artists = { relations: {} }
    const labels = { relations: {} }
    const tracks = { relations: {} }
    await client(recordShop({ albums, artists, labels, tracks }, { data })).get('/albums')
    expect(calls).toEqual([{ type: 'albums', method: 'fetchCollection' }])
  })

  test('read at its own URL costs the resource and the relation, or only the resource', async () => {
    expect(await readsOf('/albums/1/relationships/tracks')).toEqual(['fetchOne albums', 'fetchRelated albums.tracks'])
    expect(await readsOf('/albums/1/relationships/artist')).toEqual(['fetchOne albums'])
  })
})

describe('counts', () => {
  test('cost one call per relation, for any number of resources', async () => {
    const headers = { accept: `application/vnd.api+json; profile="${countable}"` }
    expect(await readsOf('/albums?withCount=tracks', headers)).toEqual([
      'countRelated albums.tracks',
      'fetchCollection albums',
    ])
    expect(await readsOf('/albums?withCount=tracks,_self_', headers)).toHaveLength(2)
  })
})
