import { createServer, defineResource, id, model } from 'ashlar'
import type { IdDeclaration } from '../../src/declare/resource/fields/id-declaration.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'

interface Row {
  id: number | string
  slug: string
  at: Date | null
  tags: readonly string[]
}

function served(key: IdDeclaration, rows: readonly object[] = []) {
  const data = memoryData({ things: rows })
  const things = defineResource('things', {
    model: model<Row>('things'),
    id: key,
    attributes: (a) => ({
      at: a.dateTime().nullable().unique(),
      tags: a.arrayList(),
      first: a.string().computed((row) => [...((row.tags as readonly string[] | undefined) ?? [])].toSorted()[0] ?? ''),
    }),
  })
  const server = createServer({ resources: [things], data })
  return { server, data, api: client(server) }
}

describe('keys of the memory store', () => {
  test('never collide with a key that a client chose', async () => {
    const { api } = served(id().allowClientId(), [{ id: 1, tags: [] }])
    expect((await api.post('/things', { body: resourceBody('things', {}, '2') })).status).toBe(201)
    const { resource } = await api.post('/things', { body: resourceBody('things') })
    expect(resource.id).toBe('3')
    expect((await api.get('/things')).resources.map((each) => each.id)).toEqual(['1', '2', '3'])
  })

  test('are numbers in an empty table too, if the store generates them: a client id must be digits', async () => {
    const { api } = served(id().allowClientId())
    expect((await api.post('/things', { body: resourceBody('things', {}, '007') })).status).toBe(422)
    expect((await api.post('/things', { body: resourceBody('things', {}, 'seven') })).status).toBe(201)
    expect((await api.post('/things', { body: resourceBody('things', {}, '007') })).status).toBe(201)
  })

  test('have the format of the ids of the type', async () => {
    for (const key of [id().uuid(), id().ulid(), id().numeric().allowClientId()]) {
      const { api } = served(key)
      const created = await api.post('/things', { body: resourceBody('things') })
      expect((await api.get(`/things/${created.resource.id}`)).status).toBe(200)
    }
  })

  test('may be another column than the id', async () => {
    const { api } = served(id('slug').allowClientId(), [{ id: 1, slug: 'one', tags: [] }])
    expect((await api.get('/things/one')).resource.id).toBe('one')
    expect((await api.get('/things/1')).status).toBe(404)
    expect((await api.post('/things', { body: resourceBody('things', {}, 'two') })).status).toBe(201)
    expect((await api.post('/things', { body: resourceBody('things', {}, 'two') })).status).toBe(409)
    expect(
      (await api.patch('/things/two', { body: resourceBody('things', { tags: ['x'] }, 'two') })).resource.attributes,
    ).toMatchObject({ tags: ['x'] })
    expect((await api.delete('/things/one')).status).toBe(204)
    expect((await api.get('/things')).resources.map((each) => each.id)).toEqual(['two'])
  })
})

test('unique attributes are compared by value, dates too', async () => {
  const { api } = served(id())
  const body = resourceBody('things', { at: '2026-01-01T00:00:00Z' })
  expect((await api.post('/things', { body: body })).status).toBe(201)
  expect((await api.post('/things', { body: body })).errors).toMatchObject([
    { source: { pointer: '/data/attributes/at' } },
  ])
})

test('neither a callback nor the owner of the seeds can change stored values through an object', async () => {
  const seed = { id: 1, tags: ['b', 'a'] }
  const { api } = served(id(), [seed])
  await api.get('/things/1')
  seed.tags.push('c')
  expect((await api.get('/things/1')).resource.attributes).toMatchObject({ tags: ['b', 'a'] })
})

test('nested transactions run one after the other and lose nothing', async () => {
  const { server, data, api } = served(id())
  const create = () => server.dispatch({ kind: 'CreateResource', type: 'things', document: resourceBody('things') })
  await data.transactions?.run(() => Promise.all([create(), create(), create()]))
  expect((await api.get('/things')).resources.map((each) => each.id)).toEqual(['1', '2', '3'])
})

test('nested transactions that fail write nothing', async () => {
  const { server, data, api } = served(id())
  const create = () => server.dispatch({ kind: 'CreateResource', type: 'things', document: resourceBody('things') })
  const failing = data.transactions?.run(async () => {
    await create()
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect((await api.get('/things')).resources).toEqual([])
})

test('seeds of a model that no type has are ignored', async () => {
  const things = defineResource('things', { model: model<Row>('things'), id: id() })
  const server = createServer({ resources: [things], data: memoryData({ others: [{ id: 1 }], things: [{ id: 2 }] }) })
  expect((await client(server).get('/things')).resources.map((each) => each.id)).toEqual(['2'])
})

test('a provider of another store does not get the transaction of the writing store', async () => {
  const [reads, writes] = [memoryData({ things: [{ id: 1, tags: [] }] }), memoryData()]
  const things = defineResource('things', {
    model: model<Row>('things'),
    id: id(),
    attributes: (a) => ({ tags: a.arrayList() }),
  })
  const server = createServer({
    resources: [things],
    data: [
      { ...reads, persister: () => null },
      { ...writes, provider: () => null },
    ],
  })
  expect((await client(server).patch('/things/1', { body: resourceBody('things', { tags: ['x'] }, '1') })).status).toBe(
    404,
  )
})
