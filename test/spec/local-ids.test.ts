import { belongsTo, belongsToMany, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { some } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

const genres = defineResource('genres', {
  model: model<{ id: number; name: string; parentId: number | null }>('genres'),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: {
    parent: belongsTo('genres'),
    related: belongsToMany('genres').through('pairs', { owner: 'fromId', member: 'toId' }),
  },
})

const music = (settings: { readonly limits?: { readonly identifiers: number } } = {}) =>
  client(
    createServer({
      resources: [genres],
      data: storedData({ genres: [{ id: 1, name: 'Jazz', parentId: null }], pairs: [{ fromId: 1, toId: 1 }] }),
      ...settings,
    }),
  )

const genre = (members: object) => ({ body: { data: { type: 'genres', attributes: { name: 'Dub' }, ...members } } })
const lid = { lid: 'a' }
const own = { type: 'genres', ...lid }

const linkedToItself = (times: number) =>
  genre({ ...lid, relationships: { related: { data: Array.from({ length: times }, () => own) } } })

describe('a resource that is created', () => {
  test('may have a local id, which is not shown', async () => {
    const response = await music().post('/genres', genre(lid))
    expect(response.status).toBe(201)
    expect(response.text).not.toContain('lid')
  })

  test('may have the id null, which means none', async () => {
    const response = await music().post('/genres', genre({ id: null, ...lid }))
    expect([response.status, response.resource.id]).toEqual([201, '2'])
  })

  test('may refer to itself by its local id', async () => {
    const api = music()
    const relationships = { parent: { data: own }, related: { data: [...some('genres', '1'), own] } }
    const { status, resource } = await api.post('/genres?include=related', genre({ ...lid, relationships }))
    expect(status).toBe(201)
    expect(resource.relationships?.['parent']?.data).toEqual({ type: 'genres', id: '2' })
    const { document } = await api.get('/genres/2/relationships/related')
    expect(document?.data).toEqual(some('genres', '1', '2'))
  })

  test('may be the target of its own required relationship', async () => {
    const required = defineResource('genres', {
      model: model<{ id: number; name: string; parentId: number | null }>('genres'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: { parent: belongsTo('genres').required() },
    })
    const data = storedData({ genres: [{ id: 1, name: 'Jazz', parentId: 1 }] })
    const api = client(createServer({ resources: [required], data }))
    const relationships = { parent: { data: own } }
    const { status, resource } = await api.post('/genres', genre({ ...lid, relationships }))
    expect([status, resource.relationships?.['parent']?.data]).toEqual([201, { type: 'genres', id: resource.id }])
    expectErrors(await api.post('/genres', genre(lid)), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/parent' },
    ])
  })

  test('may not refer to another local id', async () => {
    const refused = { status: 400, code: 'LOCAL_ID_NOT_SUPPORTED', pointer: '/data/relationships/parent/data/lid' }
    const relationships = { parent: { data: { type: 'genres', lid: 'b' } } }
    expectErrors(await music().post('/genres', genre({ ...lid, relationships })), [refused])
    expectErrors(await music().post('/genres', genre({ relationships: { parent: { data: own } } })), [refused])
  })

  test('refers to itself within the limit of identifiers', async () => {
    const api = music({ limits: { identifiers: 2 } })
    expect((await api.post('/genres', linkedToItself(2))).status).toBe(201)
    expectErrors(await api.post('/genres', linkedToItself(3)), [
      { status: 400, code: 'LIMIT_EXCEEDED', pointer: '/data/relationships/related/data' },
    ])
  })

  test('has a local id that is a string', async () => {
    const refused = { status: 400, code: 'LOCAL_ID_NOT_SUPPORTED', pointer: '/data/lid' }
    expectErrors(await music().post('/genres', genre({ lid: 7 })), [refused])
  })
})

test('a resource that is updated has an id, and no local id', async () => {
  const api = music()
  expectErrors(await api.patch('/genres/1', genre({ id: '1', ...lid })), [
    { status: 400, code: 'LOCAL_ID_NOT_SUPPORTED', pointer: '/data/lid' },
  ])
  expectErrors(await api.patch('/genres/1', genre({ id: null })), [
    { status: 400, code: 'RESOURCE_ID_INVALID', pointer: '/data/id' },
  ])
})
