import { atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').via('albumId').cannotReplace() },
})
const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})
const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

const server = createServer({ resources: [albums, artists, tracks], data: memoryData(), extensions: [atomic()] })
type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.
const { schemas } = server.openapi().components as Loose

test('the relationships of a batch are those that it can write, and may name local ids', () => {
  const identifier = { $ref: '#/components/schemas/AtomicIdentifier' }
  const artist = { type: 'object', properties: { data: { anyOf: [identifier, { type: 'null' }] } } }
  const ofTracks = { type: 'object', properties: { data: { type: 'array', items: identifier } } }
  expect(schemas['AlbumsAtomicAdd'].properties.relationships.properties).toEqual({ artist, tracks: ofTracks })
  expect(schemas['AlbumsAtomicUpdate'].properties.relationships.properties).toEqual({ artist })
  expect(schemas['ArtistsAtomicAdd'].properties).not.toHaveProperty('relationships')
})

const ext = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

function batch(artist: object) {
  const operations = [
    { op: 'add', data: { type: 'artists', lid: 'radiohead', attributes: { name: 'Radiohead' } } },
    {
      op: 'add',
      data: { type: 'albums', attributes: { title: 'Kid A' }, relationships: { artist: { data: artist } } },
    },
  ]
  const headers = { Accept: ext, 'Content-Type': ext }
  const api = client(server, { isDescribed: 'always' })
  return api.post('/operations', { headers, body: { 'atomic:operations': operations } })
}

test('a batch with local ids matches the document', async () => {
  expect((await batch({ type: 'artists', lid: 'radiohead' })).status).toBe(200)
})
