import assert from 'node:assert/strict'
import test from 'node:test'
import { memoryData } from 'ashlar/memory'
import { expectErrors, testClient } from 'ashlar/testing'
import { createService } from './service.js'

test('an album belongs to an artist', async () => {
  const data = memoryData({ artists: [{ id: 1, name: 'Radiohead', country: 'GB' }] })
  const client = testClient(createService(data))
  const attributes = { title: 'Kid A', releasedOn: '2000-10-02' }
  const artist = { data: { type: 'artists', id: '1' } }

  const created = await client.post('/albums', {
    body: { data: { type: 'albums', attributes, relationships: { artist } } },
  })
  assert.equal(created.status, 201)
  const { resources } = await client.get('/artists/1/albums?filter[title]=kid')
  assert.deepEqual(
    resources.map((album) => album.attributes),
    [attributes],
  )

  const orphan = await client.post('/albums', { body: { data: { type: 'albums', attributes } } })
  expectErrors(orphan, [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/artist' }])
})
