import { atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, type BatchClient, idsOf, linked, remove, update } from './batch-client.js'
import { storeOf, withTransactions } from './part-stores.js'

interface Shop {
  readonly api: BatchClient
  readonly state: () => Promise<unknown>
  /** The hooks that ran. */
  readonly ran: string[]
  readonly logged: unknown[]
}

interface AlbumRow {
  id: number
  title: string
  parentId: number | null
}

interface Options {
  readonly hooks?: object
  /** Wraps the store of the server. */
  readonly through?: (data: DataSource) => DataSource
}

function shop({ hooks, through = (data) => data }: Options = {}): Shop {
  const data = storedData({
    albums: [
      { id: 1, title: 'First', parentId: null },
      { id: 2, title: 'Second', parentId: 1 },
    ],
    labels: [{ id: 'ecm' }],
  })
  const ran: string[] = []
  const logged: unknown[] = []
  const noting = Object.fromEntries(
    ['beforeCreate', 'beforeUpdate', 'beforeDelete'].map((name) => [name, () => void ran.push(name)]),
  )
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().maxLength(20) }),
    relations: { parent: belongsTo('albums').nullable(), parts: hasMany('albums').via('parentId') },
    hooks: { ...noting, ...hooks },
  })
  const labels = defineResource('labels', { model: model<{ id: string }>('labels'), id: id().allowClientId() })
  const logger = { error: (details: { readonly err?: unknown }) => void logged.push(details.err) }
  const resources = [albums, labels] as never
  const server = createServer({ resources, data: through(data), logger, extensions: [atomic()] })
  return { api: batchClient(server), state: () => storedRows(data, ['albums', 'labels']), ran, logged }
}

const codesAndPointers = ({ errors }: TestResponse) => errors.map(({ code, source }) => `${code} ${source?.pointer}`)
const at = (index: number, rest = '') => `/atomic:operations/${index}${rest}`
const lid = (name: string, type = 'albums') => ({ type, lid: name })
const album = (others: object = {}) => add('albums', { title: 'x' }, others)

/** Sends operations of which some have an invalid structure: nothing is run. */
async function refusedAtOnce(operations: readonly object[], expected: readonly string[]): Promise<void> {
  const { api, state, ran } = shop()
  const before = await state()
  // A fault of another operation is reported with them, so that they are known to be faults of the structure.
  const response = await api.batch([album(), ...operations, { op: 'put' }])
  expect(response.status).toBe(400)
  expect(codesAndPointers(response)).toEqual([
    ...expected,
    `ATOMIC_OPERATIONS_INVALID ${at(operations.length + 1, '/op')}`,
  ])
  expect([ran, await state()]).toEqual([[], before])
}

const undone = new Error('It met another.')

/** A store whose work is undone when it met another's, and that cannot begin it again. */
const cutOff =
  (lost: Error) =>
  (data: DataSource): DataSource =>
    withTransactions(data, (run) => async (work) => {
      await run(work).catch(() => undefined)
      throw lost
    })

describe('a store error of the whole batch is reported for none of its operations', () => {
  test('if a retry cannot begin', async () => {
    const lost = new Error('The connection is lost.')
    const { api, state, logged } = shop({
      hooks: { beforeDelete: () => Promise.reject(undone) },
      through: cutOff(lost),
    })
    const before = await state()
    const operations = [update('albums', '1', { title: 'x' }), remove('albums', '2')]
    expectErrors(await api.batch(operations), [{ status: 500, code: null, pointer: null }])
    expect([logged, await state()]).toEqual([[lost], before])
  })

  test('if there were too many retries', async () => {
    const first = { id: 1, title: 'First' }
    const typeOf = (type: string, hooks: object) =>
      defineResource(type, {
        model: model<typeof first>(type),
        id: id(),
        attributes: (a) => ({ title: a.string() }),
        hooks,
      })
    // The work meets another's in the middle of an operation.
    const meeting = { beforeUpdate: () => Promise.reject(undone) }
    const stores = [storedData({ albums: [first] }), memoryData({ notes: [first] })] as const
    const data = [storeOf(stores[0], 'albums'), storeOf(meetingOthers(stores[1]), 'notes')]
    const resources = [typeOf('albums', {}), typeOf('notes', meeting)] as never
    const api = batchClient(createServer({ resources, data, extensions: [atomic()] }))
    const operations = [update('albums', '1', { title: 'x' }), update('notes', '1', { title: 'y' })]
    expectErrors(await api.batch(operations), [{ status: 503, code: 'STORE_UNAVAILABLE', pointer: null }])
  })
})

/** A store that runs its work again when it met another's. */
function meetingOthers(data: DataSource): DataSource {
  return withTransactions(data, (run) => async (work) => {
    try {
      return await run(work)
    } catch (thrown) {
      if (thrown !== undone) throw thrown
    }
    return run(work)
  })
}

describe('are reported with the structure of the batch, before anything runs', () => {
  test.each<[string, object]>([
    ['ref', { ref: { type: 'albums', id: '1' } }],
    ['href', { href: '/albums/1' }],
  ])('is data without an id together with %s', async (_name, target) => {
    const data = { type: 'albums', attributes: { title: 'y' } }
    const operation = { op: 'update', ...target, data }
    await refusedAtOnce([operation], [`RESOURCE_ID_MISSING ${at(1, '/data')}`])
  })

  test.each<[string, string, unknown]>([
    ['update', 'parent', []],
    ['update', 'parent', [{ type: 'albums', id: '1' }]],
    ['add', 'parent', [{ type: 'albums', id: '1' }]],
    ['remove', 'parent', []],
    ['update', 'parts', null],
    ['update', 'parts', { type: 'albums', id: '2' }],
  ])('is %s of %s with a value of another form: %j', async (op, relationship, data) => {
    const operation = { op, ref: { type: 'albums', id: '1', relationship }, data }
    await refusedAtOnce([operation], [`RELATIONSHIP_TYPE_INAPPROPRIATE ${at(1, '/data')}`])
  })

  test('are identifiers with a local id and no type', async () => {
    const relationships = { parent: linked({ lid: 'a' }), parts: linked([{ type: 'albums', id: '2' }, { lid: 'a' }]) }
    const missing = 'RESOURCE_IDENTIFIER_TYPE_MISSING'
    await refusedAtOnce(
      [album({ lid: 'a' }), album({ relationships })],
      [
        `${missing} ${at(2, '/data/relationships/parent/data')}`,
        `${missing} ${at(2, '/data/relationships/parts/data/1')}`,
      ],
    )
    const ref = { type: 'albums', id: '1', relationship: 'parts' }
    await refusedAtOnce([{ op: 'add', ref, data: [{ lid: 'a' }] }], [`${missing} ${at(1, '/data/0')}`])
  })
})

describe('local ids have no meaning', () => {
  test.each<[string, unknown]>([
    ['a list', [lid('nobody')]],
    ['a resource', { ...lid('nobody'), relationships: { parent: linked(lid('nobody')) } }],
    ['an invalid local id', { type: 'albums', lid: 5 }],
    ['invalid linkage', { type: 'albums', relationships: { parent: linked({ lid: 'nobody' }), parts: 5 } }],
  ])('in the data of a removed resource: %s', async (_name, data) => {
    exemptFromDescription('requests', 'The data of what is removed is ignored, whatever it is.')
    const { api } = shop()
    const ref = { type: 'albums', id: '2' }
    expect((await api.batch([{ op: 'remove', ref, data }])).status).toBe(204)
    expectErrors(await api.get('/albums/2'), [{ status: 404 }])
  })

  test.each<[string, unknown]>([
    ['of nothing', lid('nobody')],
    ['in a list', [lid('nobody')]],
    ['with an id', { ...lid('nobody'), id: '1' }],
    ['that are invalid', { type: 'albums', lid: 5 }],
  ])('under relationships that the type does not have: %s', async (_name, data) => {
    const relationships = { strangers: linked(data) }
    const operations = [album({ relationships }), update('albums', '1', {}, { relationships })]
    expect(await shop().api.results(operations)).toHaveLength(2)
  })
})

const typed = (type: string) => defineResource(type, { model: model<{ id: number }>(type), id: id() })

describe('a resource that is added', () => {
  test('may have a ref that agrees with its data', async () => {
    const { api } = shop()
    const label = { type: 'labels', id: 'act' }
    const results = await api.results([
      { op: 'add', ref: label, data: label },
      { op: 'add', ref: lid('a'), data: { ...lid('a'), attributes: { title: 'a' } } },
      { op: 'add', data: { ...lid('b'), attributes: { title: 'b' }, relationships: { parent: linked(lid('a')) } } },
      { op: 'update', ref: lid('a'), data: { ...lid('a'), attributes: { title: 'c' } } },
    ])
    expect(idsOf(results)).toEqual(['act', '3', '4', '3'])
    expect((await api.get('/albums/4/parent')).resource).toMatchObject({ id: '3', attributes: { title: 'c' } })
  })

  test.each<[string, object, object]>([
    ['another id', { type: 'labels', id: 'act' }, { type: 'labels', id: 'ecm' }],
    ['an id', { type: 'labels', id: 'act' }, { type: 'labels' }],
    ['another type', { type: 'albums', id: 'act' }, { type: 'labels', id: 'act' }],
    ['another local id', lid('a'), lid('b')],
    ['a local id', lid('a'), { type: 'albums' }],
    ['an id and not its local id', { type: 'albums', id: 'a' }, lid('a')],
    ['a local id and not its id', lid('act', 'labels'), { type: 'labels', id: 'act' }],
    ['a type', { type: 'labels' }, { type: 'labels' }],
  ])('must not have a ref that contradicts its data: %s', async (_name, ref, data) => {
    await refusedAtOnce([{ op: 'add', ref, data }], [`ATOMIC_OPERATIONS_INVALID ${at(1, '/ref')}`])
  })

  test('has a local id that differs from all others, with any characters', async () => {
    const resources = [typed('a'), typed('aa'), typed('a1')]
    const data = storedData({ a: [{ id: 5 }], aa: [{ id: 7 }], a1: [{ id: 9 }] })
    const api = batchClient(createServer({ resources: resources as never, data, extensions: [atomic()] }))
    const names = [
      lid('\na', 'a'),
      lid('\n\na', 'a'),
      lid('a', 'a'),
      lid('a', 'aa'),
      lid('1', 'a'),
      lid('', 'a1'),
      lid('1', 'a1'),
      lid(' a', 'a'),
    ]
    expect(await api.results(names.map((each) => ({ op: 'add', data: each })))).toHaveLength(names.length)
    // A name with a line feed in it is not that of another type and name.
    for (const [given, used] of [
      [lid('a\nb', 'a'), lid('b', 'a\na')],
      [lid('b', 'a\na'), lid('a\nb', 'a')],
    ] as const) {
      const response = await api.batch([
        { op: 'add', data: given },
        { op: 'remove', ref: used },
      ])
      expect(codesAndPointers(response)).toEqual([`LOCAL_ID_NOT_FOUND ${at(1, '/ref/lid')}`])
    }
  })
})
