import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors, testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id().allowClientId(),
  attributes: (a) => ({ title: a.string() }),
})

const served = () =>
  testClient(createServer({ resources: [albums], data: storedData({ albums: [{ id: 7, title: 'Kid A' }] }) }))

const create = (api: ReturnType<typeof served>, sent: string) =>
  api.post('/albums', { body: { data: { type: 'albums', id: sent, attributes: { title: 'Post' } } } })

describe('ids of clients over an integer key', () => {
  test.each(['007', '008', '+9', '9.0', '1e1', ' 9', '-0', 'abc'])('refuse %s, which is no integer', async (sent) => {
    const api = served()
    expectErrors(await create(api, sent), [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' }])
    expect((await api.get('/albums')).resources.map((each) => each.id)).toEqual(['7'])
    expect((await api.get(`/albums/${encodeURIComponent(sent)}`)).status).toBe(404)
    expect((await api.get(`/albums?filter[id]=${encodeURIComponent(sent)}`)).resources).toEqual([])
  })

  test('accept integers, each once', async () => {
    const api = served()
    for (const sent of ['8', '0', '-1', '123456789']) expect((await create(api, sent)).resource.id).toBe(sent)
    expectErrors(await create(api, '7'), [{ status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS' }])
    expect((await api.get('/albums?sort=id')).resources.map((each) => each.id)).toEqual([
      '-1',
      '0',
      '7',
      '8',
      '123456789',
    ])
  })
})
