import { accepted, reply, belongsTo, createServer, defineResource, hasMany, id, model, ok } from 'ashlar'
import type { RelationshipChange } from 'ashlar/store'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface Put {
  readonly values: object
  readonly relationships: readonly (readonly [name: string, change: RelationshipChange])[]
}

/** Albums whose writes are deferred, and the deferred writes. */
function puttingOff(): { readonly api: TestClient; readonly put: Put[] } {
  const put: Put[] = []
  const albums = defineResource('albums', {
    model: model<{ id: number; artistId: number | null }>('albums'),
    id: id(),
    relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').via('albumId') },
    create: accepted('jobs'),
    update: [ok(), accepted('jobs')],
    persister: (store) => {
      const later = (values: object, given: Parameters<typeof store.create>[2]['relationships'] = []) => {
        put.push({ values, relationships: given.map(({ relation, change }) => [relation.name, change]) })
        return reply.accepted({ job: { id: put.length } })
      }
      return {
        ...store,
        create: (_type, values, { relationships }) => later(values, relationships),
        update: (_type, _key, values, { relationships }) => later(values, relationships),
      }
    },
  })
  const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
  const tracks = defineResource('tracks', { model: model<{ id: number; albumId: number | null }>('tracks'), id: id() })
  const jobs = defineResource('jobs', { model: model<{ id: number }>('jobs'), id: id() })
  const data = storedData({
    albums: [{ id: 1, artistId: null }],
    artists: [{ id: 1 }],
    tracks: [
      { id: 1, albumId: 1 },
      { id: 2, albumId: null },
    ],
  })
  return { api: client(createServer({ resources: [albums, artists, tracks, jobs], data })), put }
}

const artist = { data: { type: 'artists', id: '1' } }
const tracks = { data: [{ type: 'tracks', id: '2' }] }

describe('relationships of a deferred write', () => {
  test('of the body are not written: the persister gets the requested changes', async () => {
    const { api, put } = puttingOff()
    const relationships = { artist, tracks }
    expect((await api.post('/albums', { body: { data: { type: 'albums', relationships } } })).status).toBe(202)
    const patched = await api.patch('/albums/1', { body: { data: { type: 'albums', id: '1', relationships } } })
    expect(patched.status).toBe(202)
    const added = [{ type: 'tracks', key: 2, values: {} }]
    expect(put).toMatchObject([
      { values: { artistId: 1 }, relationships: [['tracks', { added, removed: [] }]] },
      { values: { artistId: 1 }, relationships: [['tracks', { added, removed: [{ type: 'tracks', key: 1 }] }]] },
    ])
    expect((await api.get('/albums')).resources).toHaveLength(1)
    expect((await api.get('/albums/1/relationships/tracks')).resources).toEqual([{ type: 'tracks', id: '1' }])
  })

  test('that the row holds may be deferred at their own URL', async () => {
    const { api, put } = puttingOff()
    const response = await api.patch('/albums/1/relationships/artist', { body: artist })
    expect([response.status, response.resource.type]).toEqual([202, 'jobs'])
    expect(response.headers.get('Content-Location')).toBe('http://localhost/jobs/1')
    expect(put).toMatchObject([{ values: { artistId: 1 } }])
    expect((await api.get('/albums/1/relationships/artist')).document?.data).toBe(null)
  })

  test('that other rows hold are changed immediately', async () => {
    const { api, put } = puttingOff()
    const response = await api.post('/albums/1/relationships/tracks', { body: tracks })
    expect(response.status).toBe(204)
    expect((await api.get('/albums/1/relationships/tracks')).resources).toHaveLength(2)
    expect(put).toEqual([])
  })
})
