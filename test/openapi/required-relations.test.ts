import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'

/** OpenAPI requires a relation of new resources exactly if the server requires it of every caller. */

interface AlbumRow {
  id: number
  artistId: number | null
}

const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id(), policy: 'public' })

const required = belongsTo('artists').required()

const policy = () => ({ viewAny: true, view: true, create: true, custom: { publish: false } })

function serverWith(artist: object) {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    relations: { artist } as { artist: typeof required },
    policy,
  })
  return createServer({ resources: [artists, albums], data: memoryData({ artists: [{ id: 1 }] }) })
}

test.each<[string, object, boolean]>([
  ['required', required, true],
  ['required, written with another ability', required.security({ read: false, mutate: 'publish' }), true],
  ['required, in responses to nobody', required.writeOnly(() => true), true],
  ['required, visible to some callers', required.visibleIf('publish'), false],
  ['required, hidden from some callers', required.hidden(() => true), false],
  ['not required', belongsTo('artists'), false],
])('a relation that is %s', async (_, artist, isRequired) => {
  const server = serverWith(artist)
  const { components } = server.openapi()
  const schema = JSON.stringify(components['schemas']?.['AlbumsCreate'] ?? components)
  expect(schema.includes('"required":["artist"]'), schema).toBe(isRequired)
  const { status } = await client(server).post('/albums', { body: resourceBody('albums', {}) })
  expect(status).toBe(isRequired ? 422 : 201)
})
