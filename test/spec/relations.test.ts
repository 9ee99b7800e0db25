import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; artistId: number | null }>('albums'),
  id: id(),
  relations: {
    artist: belongsTo('artists').withoutRelatedEndpoint(),
    credits: hasMany('artists').via('albumId').withoutRelationshipEndpoint(),
  },
})
const artists = defineResource('artists', { model: model<{ id: number; albumId: number | null }>('artists'), id: id() })

const api = () =>
  client(createServer({ resources: [albums, artists], data: storedData({ albums: [{ id: 1, artistId: null }] }) }))

describe('a suppressed or unknown relationship is RELATIONSHIP_NOT_EXISTS', () => {
  const missing = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }]

  test('the related read of a relation without a related endpoint', async () => {
    expectErrors(await api().get('/albums/1/artist'), missing)
  })

  test('every verb of a relation without a relationship endpoint', async () => {
    expectErrors(await api().get('/albums/1/relationships/credits'), missing)
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      const response = await api().request(method, '/albums/1/relationships/credits', { body: { data: [] } })
      expectErrors(response, missing)
    }
  })

  test('a relation that the type does not declare', async () => {
    for (const path of ['/albums/1/label', '/albums/1/relationships/label', '/albums/1/constructor']) {
      expectErrors(await api().get(path), missing)
    }
  })
})

describe('an unknown relationship in a body', () => {
  test('is ignored by default, like an unknown attribute', async () => {
    const body = { data: { ...resourceBody('artists').data, relationships: { label: { data: null } } } }
    expectErrors(await api().post('/artists', { body }), [])
  })
})
