import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { table } from 'ashlar/sql'
import { testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { storedData } from '../support/stored-data.js'

interface Artist {
  id: number
  name: string
}

interface Album {
  id: number
  title: string
  artistId: number | null
}

const artists = defineResource('artists', {
  model: model<Artist>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
})

describe('several stores, each with the list of its types', () => {
  const albums = defineResource('albums', {
    model: model<Album>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { artist: belongsTo('artists') },
  })

  const served = () =>
    testClient(
      createServer({
        resources: [artists, albums],
        data: [
          // Each store could serve both types.
          memoryData({ albums: [{ id: 1, title: 'OK Computer', artistId: 1 }], artists: [] }, { types: ['albums'] }),
          { ...storedData({ artists: [{ id: 1, name: 'Radiohead' }] }), types: ['artists'] },
        ],
      }),
    )

  test('read their types, and relations between them', async () => {
    const response = await served().get('/artists?include=albums')
    expect(response.resources.map(({ attributes }) => attributes)).toEqual([{ name: 'Radiohead' }])
    expect(response.document?.included).toMatchObject([{ type: 'albums', id: '1' }])
  })

  test('write their types', async () => {
    const api = served()
    const create = (type: string, members: object) => api.post(`/${type}`, { body: { data: { type, ...members } } })
    expect((await create('artists', { attributes: { name: 'Björk' } })).resource.id).toBe('2')
    const relationships = { artist: { data: { type: 'artists', id: '2' } } }
    await create('albums', { attributes: { title: 'Post' }, relationships })
    expect((await api.get('/artists/2/albums')).resources.map((each) => each.id)).toEqual(['2'])
  })

  test('leave a type that one of them lists to it, also those without a list', async () => {
    const api = testClient(
      createServer({
        resources: [artists, albums],
        data: [storedData({ artists: [{ id: 7, name: 'Low' }] }), memoryData({ albums: [] }, { types: ['albums'] })],
      }),
    )
    expect((await api.get('/artists?include=albums')).resources.map((each) => each.id)).toEqual(['7'])
  })
})

test('a type over table() may be listed by the memory store, for tests', async () => {
  const rows = defineResource('labels', { model: table<Artist>('labels'), id: id() })
  const data = memoryData({ labels: [{ id: 1, name: 'XL' }] }, { types: ['labels'] })
  const api = testClient(createServer({ resources: [rows], data }))
  expect((await api.get('/labels')).resources.map((each) => each.id)).toEqual(['1'])
})
