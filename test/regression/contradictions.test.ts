import { belongsTo, belongsToMany, createServer, defineResource, hasMany, hasOne, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { one, some } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

/** Relations that are stored in the same rows: two views of one set, and the two ends of a relation of a type to itself. */

const albums = defineResource('albums', {
  model: model<{ id: number; remasterOfId: number | null; artistId: number | null }>('albums'),
  id: id(),
  relations: {
    remasterOf: belongsTo('albums'),
    remasters: hasMany('albums').via('remasterOfId'),
    similar: belongsToMany('albums').through('likes', { owner: 'albumId', member: 'otherId' }),
    similarTo: belongsToMany('albums').through('likes', { owner: 'otherId', member: 'albumId' }),
  },
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().unique() }),
  relations: { albums: hasMany('albums').via('artistId'), first: hasOne('albums').via('artistId') },
})

const positions = belongsToMany('albums').fields((a) => ({ position: a.integer().nullable() }))

const shelves = defineResource('shelves', {
  model: model<{ id: number }>('shelves'),
  id: id(),
  relations: {
    albums: belongsToMany('albums').through('places', { owner: 'shelfId', member: 'albumId' }),
    ordered: positions.storedAs('albums'),
    listed: positions.storedAs('albums'),
  },
})

const rows = () => ({
  albums: [1, 2, 3].map((key) => ({ id: key, remasterOfId: key === 2 ? 1 : null, artistId: key === 3 ? null : 1 })),
  artists: [{ id: 1, name: 'Radiohead' }],
  shelves: [{ id: 1 }],
  places: [{ id: 1, shelfId: 1, albumId: 1, position: 1 }],
  likes: [{ id: 1, albumId: 1, otherId: 2 }],
})

type Linkage = Readonly<Record<string, unknown>>

function shop(): TestClient {
  return client(createServer({ resources: [albums, artists, shelves], data: storedData(rows()) }))
}

function bodyOf(type: string, key: string | null, linkage: Linkage): { readonly data: object } {
  const relationships = Object.fromEntries(Object.entries(linkage).map(([name, data]) => [name, { data }]))
  return { data: { type, ...(key === null ? {} : { id: key }), relationships } }
}

async function linkageOf(api: TestClient, path: string, names: readonly string[]): Promise<Linkage> {
  const read = names.map(async (name) => [name, (await api.get(`${path}/relationships/${name}`)).document?.data])
  return Object.fromEntries(await Promise.all(read))
}

describe('linkage that contradicts other linkage of the document is 422, and nothing is written', () => {
  test.each<[string, string, Linkage]>([
    ['two views of join rows', 'shelves', { albums: some('albums', '1', '2'), ordered: some('albums', '1') }],
    ['one of them empty', 'shelves', { albums: [], ordered: some('albums', '2') }],
    ['one of them unchanged', 'shelves', { albums: some('albums', '1'), ordered: [] }],
    ['a list and the one of it', 'artists', { albums: some('albums', '3'), first: one('albums', '2') }],
    ['a list and an empty one', 'artists', { albums: some('albums', '3'), first: null }],
    ['a member of itself by one end only', 'albums', { remasterOf: null, remasters: some('albums', '1') }],
    ['not by the other', 'albums', { remasterOf: one('albums', '1'), remasters: some('albums', '2') }],
    ['by another', 'albums', { remasterOf: one('albums', '3'), remasters: some('albums', '1', '2') }],
    ['joined with itself by one end only', 'albums', { similar: some('albums', '1'), similarTo: [] }],
  ])('%s', async (_case, type, linkage) => {
    const api = shop()
    const names = Object.keys(linkage)
    const before = await linkageOf(api, `/${type}/1`, names)
    expectErrors(await api.patch(`/${type}/1`, { body: bodyOf(type, '1', linkage) }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: `/data/relationships/${names[1]}/data` },
    ])
    expect(await linkageOf(api, `/${type}/1`, names)).toEqual(before)
  })

  test('on create too', async () => {
    const linkage = { albums: some('albums', '1'), ordered: some('albums', '2') }
    expectErrors(await shop().post('/shelves', { body: bodyOf('shelves', null, linkage) }), [
      { status: 422, pointer: '/data/relationships/ordered/data' },
    ])
  })

  test('in the fields of one join row', async () => {
    const linkage = { ordered: [one('albums', '1', { position: 2 })], listed: [one('albums', '1', { position: 3 })] }
    expectErrors(await shop().patch('/shelves/1', { body: bodyOf('shelves', '1', linkage) }), [
      { status: 422, pointer: '/data/relationships/listed/data' },
    ])
  })
})

describe('linkage that agrees with other linkage of the document is written', () => {
  test.each<[string, string, Linkage]>([
    ['two views of join rows', 'shelves', { albums: some('albums', '2', '3'), ordered: some('albums', '3', '2') }],
    ['values as they were read', 'artists', { albums: some('albums', '1', '2'), first: one('albums', '1') }],
    ['a list that grows, and the one of it', 'artists', { albums: some('albums', '1', '2', '3'), first: one('albums', '1') }],
    ['a member of itself by both ends', 'albums', { remasterOf: one('albums', '1'), remasters: some('albums', '1', '2') }],
    ['a member of itself no more', 'albums', { remasterOf: one('albums', '3'), remasters: some('albums', '2') }],
    ['joined with itself by both ends', 'albums', { similar: some('albums', '1'), similarTo: some('albums', '1') }],
  ])('%s', async (_case, type, linkage) => {
    const api = shop()
    expect((await api.patch(`/${type}/1`, { body: bodyOf(type, '1', linkage) })).status).toBe(200)
    const after = await linkageOf(api, `/${type}/1`, Object.keys(linkage))
    for (const [name, sent] of Object.entries(linkage)) {
      const members = after[name]
      if (Array.isArray(sent)) expect(members).toHaveLength(sent.length)
      expect(members).toMatchObject(Array.isArray(sent) ? expect.arrayContaining(sent.map((each) => expect.objectContaining(each))) : (sent as object))
    }
  }) // biome-ignore format: a case a line

  test('with the same fields of one join row', async () => {
    const api = shop()
    const placed = [one('albums', '1', { position: 2 })]
    const body = bodyOf('shelves', '1', { ordered: placed, listed: placed, albums: some('albums', '1') })
    expect((await api.patch('/shelves/1', { body })).status).toBe(200)
    expect((await api.get('/shelves/1/relationships/listed')).document?.data).toEqual(placed)
  })
})
