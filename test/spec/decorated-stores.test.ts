import { belongsTo, createServer, defineResource, hasMany, id, model, type ResourceMetadata } from 'ashlar'
import type { DataSource, Persister, Provider } from 'ashlar/store'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
}

interface TrackRow {
  id: number
  title: string
  albumId: number | null
}

const seeds = { albums: [{ id: 1, title: 'OK Computer' }], tracks: [{ id: 1, title: 'Airbag', albumId: 1 }] }

function musicWith(
  metadata: ResourceMetadata,
  data: DataSource = storedData(seeds),
  ofTracks: ResourceMetadata = {},
): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable() }),
    relations: { tracks: hasMany('tracks') },
    filters: (f) => ({ 'tracks.title': f.through('tracks.title') }),
    ...metadata,
  })
  const tracks = defineResource('tracks', {
    model: model<TrackRow>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { album: belongsTo('albums') },
    ...ofTracks,
  })
  return client(createServer({ resources: [albums, tracks], data }))
}

const create = (api: TestClient, title: string) => api.post('/albums', { body: resourceBody('albums', { title }) })

/** Trims created values, and records the call. */
const trimming: ResourceMetadata = {
  persister: (store) => ({
    ...store,
    create: async (type, values, write) => {
      await write.context.rows<TrackRow>('tracks').create({ title: 'Intro', albumId: null })
      const title = String(values['title'])
      if (title === 'refused') throw new Error('no')
      const made = await store.create(type, { ...values, title: title.trim() }, write)
      if (title === 'too late') throw new Error('no')
      return made
    },
  }),
}

describe('a persister that decorates that of the store', () => {
  test('writes the values that it returns', async () => {
    expect((await create(musicWith(trimming), ' Kid A ')).resource.attributes).toEqual({ title: 'Kid A' })
  })

  test('leaves other writes to the store', async () => {
    const api = musicWith(trimming)
    const body = resourceBody('albums', { title: ' x ' }, '1')
    expect((await api.patch('/albums/1', { body })).resource.attributes).toEqual({ title: ' x ' })
    const linkage = { data: [{ type: 'tracks', id: '1' }] }
    expect((await api.request('DELETE', '/albums/1/relationships/tracks', { body: linkage })).status).toBe(204)
    expect((await api.get('/albums/1/tracks')).resources).toEqual([])
    expect((await api.delete('/albums/1')).status).toBe(204)
  })

  test.each(['refused', 'too late'])('works in the transaction of the write: %s writes nothing', async (title) => {
    const api = musicWith(trimming)
    const before = (await api.get('/tracks')).text
    expectErrors(await create(api, title), [{ status: 500 }])
    expect((await api.get('/albums')).resources).toHaveLength(1)
    expect((await api.get('/tracks')).text).toBe(before)
  })

  test('may decorate one that is no plain object', async () => {
    const data = storedData(seeds)
    const classy: DataSource = {
      ...data,
      persister: (type) => {
        const persister = data.persister(type)
        return persister === null ? null : new Delegating(persister)
      },
    }
    expect((await create(musicWith(trimming, classy), ' Kid A ')).resource.attributes).toEqual({ title: 'Kid A' })
  })
})

const tracksOf = async (api: TestClient) => (await api.get('/albums/1/relationships/tracks')).document

/** Albums and tracks whose persisters record their calls. */
function noting(more: ResourceMetadata = {}) {
  const log: string[] = []
  const api = musicWith(more, storedData(seeds), {
    persister: (store) => ({
      ...store,
      update: (type, key, values, write) => {
        log.push(`${type.type} ${String(key)} ${JSON.stringify(values)}`)
        if (values['albumId'] === 2) throw new Error('no')
        return store.update(type, key, values, write)
      },
    }),
  })
  return { api, log }
}

describe('the persister of a related type that decorates that of the store', () => {
  const relationships = { tracks: { data: [{ type: 'tracks', id: '1' }] } }
  test('writes the keys that its rows hold, whichever side is written', async () => {
    const { api, log } = noting()
    expect((await api.patch('/albums/1/relationships/tracks', { body: { data: [] } })).status).toBe(204)
    const body = { data: { type: 'albums', id: '1', relationships } }
    expect((await api.patch('/albums/1', { body })).status).toBe(200)
    expect(log).toEqual(['tracks 1 {"albumId":null}', 'tracks 1 {"albumId":1}'])
    expect(await tracksOf(api)).toMatchObject({ data: [{ type: 'tracks', id: '1' }] })
  })

  test('works in the transaction of the write: its refusal rolls it back', async () => {
    const { api } = noting()
    const body = { data: { type: 'albums', attributes: { title: 'Kid A' }, relationships } }
    expectErrors(await api.post('/albums', { body }), [{ status: 500 }])
    expect((await api.get('/albums')).resources).toHaveLength(1)
    expect(await tracksOf(api)).toMatchObject({ data: [{ type: 'tracks', id: '1' }] })
  })

  test('is not called if the owner changes members itself', async () => {
    const changed: string[] = []
    const { api, log } = noting({
      persister: (store) => ({
        ...store,
        mutateRelationship: (relation, owner, change, write) => {
          changed.push(relation.name)
          return store.mutateRelationship?.(relation, owner, change, write)
        },
      }),
    })
    expect((await api.patch('/albums/1/relationships/tracks', { body: { data: [] } })).status).toBe(204)
    expect({ changed, log }).toEqual({ changed: ['tracks'], log: [] })
  })
})

/** A store that is made of classes. */
class Delegating implements Persister {
  readonly #inner: Persister
  constructor(inner: Persister) {
    this.#inner = inner
  }
  create(...given: Parameters<Persister['create']>) {
    return this.#inner.create(...given)
  }
  update(...given: Parameters<Persister['update']>) {
    return this.#inner.update(...given)
  }
  delete(...given: Parameters<Persister['delete']>) {
    return this.#inner.delete(...given)
  }
}

/** Records the calls, and passes them on. */
function noted(calls: string[]): (store: Provider) => Provider {
  return (store) => ({
    ...store,
    fetchOne: (type, wanted, criteria) => {
      calls.push(`${type.type} ${wanted}${criteria.transaction === null ? '' : ' in a transaction'}`)
      return store.fetchOne(type, wanted, criteria)
    },
  })
}

describe('a provider that decorates that of the store', () => {
  test('is called instead of it', async () => {
    const calls: string[] = []
    const api = musicWith({ provider: noted(calls) })
    expect((await api.get('/albums/1')).resource.attributes).toEqual({ title: 'OK Computer' })
    expect(calls).toEqual(['albums 1'])
  })

  test('is called in the transactions of the store', async () => {
    const calls: string[] = []
    const api = musicWith({ provider: noted(calls) })
    await api.patch('/albums/1', { body: resourceBody('albums', { title: 'x' }, '1') })
    expect(calls).toEqual(['albums 1 in a transaction'])
  })

  test('is not called to find a new member of a relation: the collection of the store is read', async () => {
    const calls: string[] = []
    const unlinked = storedData({ ...seeds, tracks: [{ id: 1, title: 'Airbag', albumId: null }] })
    const api = musicWith({ provider: noted(calls) }, unlinked)
    const album = { data: { type: 'albums', id: '1' } }
    expect((await api.patch('/tracks/1/relationships/album', { body: album })).status).toBe(204)
    expect(calls).toEqual([])
  })

  test('leaves relations, filters over them and collections to the store', async () => {
    const api = musicWith({ provider: noted([]) })
    const found = await api.get('/albums?include=tracks&filter[tracks.title]=Airbag&sort=title')
    expect(found.document).toMatchObject({ data: [{ id: '1' }], included: [{ type: 'tracks', id: '1' }] })
  })

  test('may change the rows that it reads', async () => {
    const api = musicWith({
      provider: (store) => ({ ...store, fetchOne: () => ({ id: 1, title: 'Changed' }) }),
    })
    expect((await api.get('/albums/1')).resource.attributes).toEqual({ title: 'Changed' })
  })
})
