import { belongsTo, createServer, defineResource, hasMany, id, model, morphTo } from 'ashlar'
import type { IdDeclaration } from '../../src/declare/resource/fields/id-declaration.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
})

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
}

const albumsWith = (declared: IdDeclaration = id()) =>
  defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: declared,
    attributes: (a) => ({ title: a.string() }),
    relations: { artist: belongsTo('artists').filterable() },
  })

function music(albums = albumsWith()): TestClient {
  const data = storedData({
    artists: [
      { id: 1, name: 'Radiohead' },
      { id: 2, name: 'Björk' },
    ],
    albums: [
      { id: 1, title: 'Kid A', artistId: 1 },
      { id: 2, title: 'Debut', artistId: 2 },
      { id: 10, title: 'Amnesiac', artistId: 1 },
    ],
  })
  return client(createServer({ resources: [artists, albums], data }))
}

const ids = async (api: TestClient, target: string) => (await api.get(target)).resources.map((each) => each.id)

describe('every collection', () => {
  test('is filtered by ids', async () => {
    const api = music()
    expect(await ids(api, '/albums?filter[id]=10,1,99')).toEqual(['1', '10'])
    expect(await ids(api, '/albums?filter[id][]=2')).toEqual(['2'])
    expect(await ids(api, '/artists/1/albums?filter[id]=2,10')).toEqual(['10'])
  })

  test('is sorted by ids', async () => {
    const api = music()
    expect(await ids(api, '/albums?sort=-id')).toEqual(['10', '2', '1'])
    expect(await ids(api, '/artists/1/albums?sort=-id')).toEqual(['10', '1'])
  })

  test('is neither filtered nor sorted by them if the declaration turns it off', async () => {
    const api = music(albumsWith(id().withoutQueries()))
    expectErrors(await api.get('/albums?filter[id]=1'), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[id]' },
    ])
    expectErrors(await api.get('/albums?sort=id'), [{ status: 400, code: 'SORTING_UNSUPPORTED', parameter: 'sort' }])
  })

  test('compares keys as the codec of the id defines', async () => {
    const codec = { encode: (key: number) => `al-${key}`, decode: (wire: string) => Number(wire.slice(3)) }
    const api = music(albumsWith(id().encodeUsing<number>(codec)))
    expect(await ids(api, '/albums?filter[id]=al-10,al-2&sort=-id')).toEqual(['al-10', 'al-2'])
  })
})

describe('a relation that is filterable', () => {
  test('is a filter by the id of the related resource', async () => {
    const api = music()
    expect(await ids(api, '/albums?filter[artist]=1')).toEqual(['1', '10'])
    expect(await ids(api, '/albums?filter[artist]=99')).toEqual([])
  })

  test('must refer to one type', () => {
    const shelves = defineResource('shelves', {
      model: model<{ id: number; itemId: number; itemType: string }>('shelves'),
      id: id(),
      relations: { item: morphTo(['artists', 'albums']).via('itemId', 'itemType').filterable() },
    })
    const build = () => createServer({ resources: [artists, albumsWith(), shelves], data: storedData() })
    expect(build).toThrow('filterable() needs a relation to one type')
  })
})
