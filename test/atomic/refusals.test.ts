import {
  accepted,
  reply,
  atomic,
  belongsTo,
  createServer,
  created,
  defineResource,
  defineType,
  hasMany,
  id,
  model,
  ok,
} from 'ashlar'
import type { DataSource, Persister } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkedMusic, type LinkedMusic, linkedRows } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, type BatchClient, linked, remove, update } from './batch-client.js'
import { storeOf } from './part-stores.js'

/** Batches of valid form that cannot be run here, or not as batches. */

function shop(settings: LinkedMusic = {}): BatchClient {
  return batchClient(linkedMusic({ extensions: [atomic()], ...settings }))
}

const at = (index: number, rest = '') => `/atomic:operations/${index}${rest}`

const unknown = (pointer: string) => ({ status: 404, code: 'ATOMIC_TARGET_TYPE_UNKNOWN', pointer })

describe('a type without write operations', () => {
  test('is unknown, with a pointer to its name', async () => {
    const operations = [
      add('singers'),
      { op: 'update', data: { type: 'singers', id: '1' } },
      remove('singers', '1'),
      { op: 'update', ref: { type: 'singers', id: '1', relationship: 'songs' }, data: [] },
    ]
    expectErrors(await shop().batch(operations), [
      unknown(at(0, '/data/type')),
      unknown(at(1, '/data/type')),
      unknown(at(2, '/ref/type')),
      unknown(at(3, '/ref/type')),
    ])
  })

  test.each(['__proto__', 'constructor', 'toString'])('may have the name %s', async (type) => {
    expectErrors(await shop().batch([remove(type, '1')]), [unknown(at(0, '/ref/type'))])
  })

  test('may be read-only', async () => {
    const countries = defineType('countries', {
      fields: () => ({ code: id() }),
      operations: ['FetchOne'],
      serializer: { members: [], serialize: () => ({ id: 'is' }) },
      provider: { fetchOne: () => null },
    })
    const server = createServer({ resources: [countries], extensions: [atomic()] })
    expectErrors(await batchClient(server).batch([remove('countries', 'is')]), [unknown(at(0, '/ref/type'))])
    expectErrors(await batchClient(server).batch([{ op: 'remove', href: '/countries/is' }]), [unknown(at(0, '/href'))])
  })
})

describe('an operation that a type does not offer', () => {
  const ref = { type: 'albums', id: '1', relationship: 'tracks' }
  const operations = {
    Create: [add('albums', { title: 'x' })],
    Update: [
      update('albums', '1', { title: 'x' }),
      { op: 'update', ref, data: [] },
      { op: 'add', ref, data: [] },
      { op: 'remove', ref, data: [] },
    ],
    Delete: [remove('albums', '1')],
  }
  const reads = ['FetchOne', 'FetchCollection']

  test.each(Object.keys(operations) as (keyof typeof operations)[])('is refused: %s', async (name) => {
    const others = Object.keys(operations).filter((each) => each !== name)
    const api = shop({ members: { albums: { operations: [...reads, ...others] } } })
    expectErrors(
      await api.batch(operations[name]),
      operations[name].map((_each, index) => ({
        status: 403,
        code: 'ATOMIC_OPERATION_NOT_EXPOSED',
        pointer: at(index),
      })),
    )
    for (const other of others as (keyof typeof operations)[]) {
      expect([200, 204]).toContain((await api.batch(operations[other])).status)
    }
  })

  test('is reported after unknown types, and before problems of the data', async () => {
    const api = shop({ members: { albums: { operations: reads } } })
    const forbidden = update('albums', '99', { title: 5 })
    expectErrors(await api.batch([forbidden, remove('singers', '1')]), [
      { status: 404, code: 'ATOMIC_TARGET_TYPE_UNKNOWN', pointer: at(1, '/ref/type') },
    ])
    expectErrors(await api.batch([remove('artists', '99'), forbidden]), [
      { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: at(1) },
    ])
  })

  test('is reported at most as often as the maximum number of errors', async () => {
    const api = shop({ members: { albums: { operations: reads } }, limits: { errors: 2 } })
    expect((await api.batch(operations.Update)).errors).toHaveLength(2)
  })
})

const titled = (a: { string(): unknown }) => ({ title: a.string() })

const unsupported = (index: number, type: string) => ({
  status: 403,
  code: 'ATOMIC_OPERATIONS_NOT_SUPPORTED',
  pointer: at(index),
  detail: `Resources of type '${type}' cannot take part in a batch, because their store has no transactions.`,
})

const without = (data: DataSource): DataSource => ({ ...data, transactions: null })

/** Albums in a store with transactions, tracks in one without. */
function halves(): BatchClient {
  const { albums, tracks } = linkedRows()
  const data = [storeOf(memoryData({ albums }), 'albums'), without(memoryData({ tracks }))]
  const resources = [
    typeWith('albums', { tracks: hasMany('tracks') }, { attributes: (a: never) => titled(a) }),
    typeWith('tracks', { album: belongsTo('albums') }, { attributes: (a: never) => titled(a) }),
  ]
  return batchClient(createServer({ resources, data, extensions: [atomic()] }))
}

describe('a store without transactions', () => {
  test('cannot be part of a batch', async () => {
    const api = shop({ data: without(memoryData(linkedRows())) })
    expectErrors(await api.batch([add('albums', { title: 'x' }), remove('artists', '3')]), [
      unsupported(0, 'albums'),
      unsupported(1, 'artists'),
    ])
    expect((await api.get('/albums')).resources).toHaveLength(4)
  })

  test('nor can a type with a custom persister', async () => {
    const persister: Persister = {
      create: (_type, values) => ({ id: 1, ...values }),
      update: () => null,
      delete: () => true,
    }
    const notes = defineResource('notes', { model: model<{ id: number }>('notes'), id: id(), persister })
    const server = createServer({ resources: [notes], data: memoryData(), extensions: [atomic()] })
    expectErrors(await batchClient(server).batch([add('notes')]), [unsupported(0, 'notes')])
  })

  test('cannot be part of a batch if its rows store the keys of a relation', async () => {
    const api = halves()
    const tracks = [{ type: 'tracks', id: '1' }]
    const ref = { type: 'albums', id: '1', relationship: 'tracks' }
    const touching = [
      { op: 'update', ref, data: tracks },
      add('albums', { title: 'x' }, { relationships: { tracks: linked(tracks) } }),
      update('albums', '1', {}, { relationships: { tracks: linked([]) } }),
    ]
    for (const operation of touching) expectErrors(await api.batch([operation]), [unsupported(0, 'tracks')])
    expect((await api.batch([add('albums', { title: 'x' })])).status).toBe(200)
  })

  test('nor if its rows store a flattened attribute', async () => {
    const data = memoryData()
    const artists = defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      persister: { create: () => ({}), update: () => null, delete: () => true },
    })
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string(), artistName: a.string().on('artist').storedAs('name') }),
      relations: { artist: belongsTo('artists') },
    })
    const api = batchClient(createServer({ resources: [artists, albums], data, extensions: [atomic()] }))
    expectErrors(await api.batch([add('albums', { title: 'x', artistName: 'y' })]), [unsupported(0, 'artists')])
    expect((await api.batch([add('albums', { title: 'x' })])).status).toBe(200)
  })
})

const puttingSomeOff = (store: Persister): Persister => ({
  ...store,
  create: (type, values, write) =>
    values['title'] === 'later' ? reply.accepted({ poll: '/queue/7' }) : store.create(type, values, write),
  update: (type, key, values, write) =>
    values['title'] === 'later' ? reply.accepted({ poll: '/queue/7' }) : store.update(type, key, values, write),
})

function importing(members: object): { readonly api: BatchClient; readonly data: DataSource } {
  const data = storedData({ imports: [{ id: 1, title: 'First' }] })
  const imports = defineResource('imports', {
    model: model<{ id: number; title: string }>('imports'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    ...members,
  })
  const jobs = defineResource('jobs', { model: model<{ id: number }>('jobs'), id: id() })
  const server = createServer({ resources: [imports, jobs] as never, data, extensions: [atomic()] })
  return { api: batchClient(server), data }
}

describe('deferred work', () => {
  const putOff = { status: 422, code: 'ASYNC_WRITE_IN_ATOMIC_OPERATION' }

  test('is refused before the batch begins, if it is the only declared result', async () => {
    const calls: unknown[] = []
    const persister = (store: Persister): Persister => ({
      ...store,
      create: (...given) => {
        calls.push(given)
        return reply.accepted({ poll: '/queue/7' })
      },
      update: () => reply.accepted({ poll: '/queue/7' }),
    })
    const { api } = importing({ create: accepted('jobs'), update: accepted('jobs'), persister })
    expectErrors(await api.batch([add('imports', { title: 'x' }), remove('imports', '1'), update('imports', '1')]), [
      { ...putOff, pointer: at(0) },
      { ...putOff, pointer: at(2) },
    ])
    expect(calls).toEqual([])
    expect((await api.batch([remove('imports', '1')])).status).toBe(204)
  })

  test('is refused when it is returned, and the batch is rolled back', async () => {
    const { api, data } = importing({
      create: [created(), accepted('jobs')],
      update: [ok(), accepted('jobs')],
      persister: puttingSomeOff,
    })
    const before = await storedRows(data, ['imports'])
    for (const last of [add('imports', { title: 'later' }), update('imports', '1', { title: 'later' })]) {
      const operations = [add('imports', { title: 'now' }), update('imports', '1', { title: 'now' }), last]
      expectErrors(await api.batch(operations), [{ ...putOff, pointer: at(2) }])
      expect(await storedRows(data, ['imports'])).toEqual(before)
    }
    expect((await api.batch([add('imports', { title: 'now' })])).status).toBe(200)
  })
})

describe('a server', () => {
  test('without handlers runs no batch', async () => {
    const server = linkedMusic({ data: memoryData(linkedRows()), extensions: [atomic()], handler: null })
    expectErrors(await batchClient(server).batch([remove('albums', '1')]), [
      { status: 500, code: 'ATOMIC_OPERATIONS_UNAVAILABLE', pointer: null },
    ])
  })

  test('calls its serving hook first, once for a batch', async () => {
    const calls: unknown[] = []
    const api = shop({ serving: (call) => void calls.push(call) })
    const operations = [add('albums', { title: 'a' }), add('albums', { title: 'b' }), remove('albums', '1')]
    await api.results(operations)
    expect(calls).toMatchObject([
      {
        kind: 'Extension',
        extension: 'https://jsonapi.org/ext/atomic',
        document: { 'atomic:operations': operations },
        profiles: [],
        context: { server: 'default', request: { method: 'POST', path: '/operations' } },
      },
    ])
  })

  test.each(['filter[title]=x', 'sort=title', 'page[size]=1', 'include=tracks', 'nothing=1'])(
    'does not have %s here',
    async (query) => {
      const response = await shop().batch([add('albums', { title: 'x' })], `/operations?${query}`)
      expect([response.status, response.errors[0]?.source?.parameter]).toEqual([
        400,
        query.replace(/(?<=page).*|=.*/, ''),
      ])
    },
  )

  test('ignores fields', async () => {
    const path = '/operations?fields[albums]=nothing'
    const [result] = await shop().results([add('albums', { title: 'x' })], path)
    expect(result).toMatchObject({ data: { attributes: { title: 'x' } } })
  })
})
