import assert from 'node:assert/strict'
import test from 'node:test'
import { memoryData } from 'ashlar/memory'
import { expectErrors, testClient } from 'ashlar/testing'
import { createService } from './service.js'

const caller = { name: 'a test' }
const radiohead = { artists: [{ id: 1, name: 'Radiohead', country: 'GB' }] }

test('an album belongs to an artist', async () => {
  const client = testClient(createService(memoryData(radiohead)), { caller })
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

test('a stranger can read, and cannot write', async () => {
  const stranger = testClient(createService(memoryData(radiohead)))
  assert.equal((await stranger.get('/artists/1')).status, 200)

  const headers = { Authorization: 'Bearer guessed' }
  for (const sent of [{}, { headers }]) {
    expectErrors(await stranger.delete('/artists/1', sent), [{ status: 401, code: 'UNAUTHENTICATED' }])
  }
})
