import { Ajv2020 } from 'ajv/dist/2020.js'
import { atomic, type AttributeKit, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').via('albumId').cannotReplace() },
})
const artistFields = {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a: AttributeKit<{ id: number; name: string }>) => ({ name: a.string() }),
}
const artists = defineResource('artists', artistFields)
const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

const server = createServer({ resources: [albums, artists, tracks], data: memoryData(), extensions: [atomic()] })
type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.
const { schemas } = server.openapi().components as Loose

test('the relationships of a batch are those that it can write, and may name local ids', () => {
  const artist = { $ref: '#/components/schemas/ArtistsAtomicToOne' }
  const ofTracks = { $ref: '#/components/schemas/TracksAtomicToMany' }
  const identifier = { $ref: '#/components/schemas/ArtistsAtomicIdentifier' }
  expect(schemas['ArtistsAtomicToOne'].properties.data).toEqual({ anyOf: [identifier, { type: 'null' }] })
  expect(schemas['ArtistsAtomicIdentifier'].properties.type.const).toBe('artists')
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

const operations = new Ajv2020({ strict: false, logger: false }).compile({
  $ref: '#/components/schemas/AtomicOperation',
  components: { schemas },
})
const title = { title: 'Kid A' }
const one = { type: 'albums', id: '1' }

test.each<[name: string, operation: object]>([
  ['adds a resource', { op: 'add', data: { type: 'albums', lid: 'a', attributes: title } }],
  ['adds a resource to a collection', { op: 'add', href: '/albums', data: { type: 'albums', attributes: title } }],
  ['updates a resource by its local id', { op: 'update', data: { type: 'albums', lid: 'a', attributes: {} } }],
  ['removes a resource', { op: 'remove', ref: one }],
  ['removes a resource by its URL', { op: 'remove', href: '/albums/1' }],
  ['replaces a to-one relationship', { op: 'update', ref: { ...one, relationship: 'artist' }, data: null }],
  ['adds members', { op: 'add', ref: { ...one, relationship: 'tracks' }, data: [{ type: 'tracks', lid: 'b' }] }],
  ['removes members', { op: 'remove', ref: { ...one, relationship: 'tracks' }, data: [{ type: 'tracks', id: '2' }] }],
])('an operation that %s matches the document', (_name, operation) => {
  expect(operations(operation)).toBe(true)
})

test.each<[name: string, operation: object]>([
  ['has no code', { data: { type: 'albums', attributes: title } }],
  ['adds a resource of an unknown type', { op: 'add', data: { type: 'songs', attributes: {} } }],
  ['adds a resource without data', { op: 'add', ref: { type: 'albums' } }],
  ['updates a resource without an identity', { op: 'update', data: { type: 'albums', attributes: {} } }],
  ['removes nothing', { op: 'remove' }],
  ['has two targets', { op: 'remove', ref: one, href: '/albums/1' }],
  ['names no resource', { op: 'remove', ref: { type: 'albums' } }],
  [
    'replaces members that cannot be replaced',
    { op: 'update', ref: { ...one, relationship: 'tracks' }, data: [{ type: 'tracks', id: '9' }] },
  ],
  ['adds to a to-one relationship', { op: 'add', ref: { ...one, relationship: 'artist' }, data: [] }],
  ['changes an unknown relationship', { op: 'update', ref: { ...one, relationship: 'label' }, data: null }],
  ['removes members without naming them', { op: 'remove', ref: { ...one, relationship: 'tracks' } }],
])('an operation that %s does not match the document, and the server refuses it', async (_name, operation) => {
  expect(operations(operation)).toBe(false)
  const headers = { Accept: ext, 'Content-Type': ext }
  const { status } = await client(server).post('/operations', { headers, body: { 'atomic:operations': [operation] } })
  expect(status).toBeGreaterThanOrEqual(400)
})

test('a type that is not written has no operations in a batch', () => {
  const shown = defineResource('artists', { ...artistFields, operations: ['FetchCollection', 'FetchOne'] })
  const document = createServer({ resources: [shown], data: memoryData(), extensions: [atomic()] }).openapi()
  const found = Object.keys(document.components['schemas'] ?? {}).filter((name) =>
    /Atomic.*(?:Operation|Add|Update|Ref|Identifier)$/.test(name),
  )
  expect(found).toEqual(['AtomicOperation'])
  expect(document.components['schemas']?.['AtomicOperation']).toEqual({ not: {} })
})
