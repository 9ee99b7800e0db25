import { atomic, createServer, defineResource, type Handler, HttpError, id, model } from 'ashlar'
import type { Persister } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import type { ExpectedError } from '../../src/tools/testing/expect-errors.js'
import { describe, expect, test } from 'vitest'
import { type LinkedMusic, linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, type BatchClient, linked, remove, update } from './batch-client.js'

class SoldOut extends Error {}

interface Shop {
  readonly api: BatchClient
  /** All stored rows. */
  readonly state: () => Promise<unknown>
  readonly logged: unknown[]
}

const titled = {
  attributes: (a: { string(): { maxLength(n: number): unknown; nullable(): { unique(): unknown } } }) => ({
    title: a.string().maxLength(20),
    code: a.string().nullable().unique(),
  }),
}

function shop({ members = {}, ...settings }: LinkedMusic = {}): Shop {
  const data = storedData(linkedRows())
  const logged: unknown[] = []
  const logger = { error: (details: { readonly err?: unknown }) => void logged.push(details.err) }
  const server = linkedMusic({
    data,
    logger,
    extensions: [atomic()],
    members: { ...members, albums: { ...titled, ...members.albums } },
    ...settings,
  })
  return { api: batchClient(server), state: () => storedRows(data, Object.keys(linkedRows())), logged }
}

/** Operations of every kind that succeed. */
const validOperations: readonly object[] = [
  add('albums', { title: 'New', code: 'n' }, { lid: 'new' }),
  add('albums', { title: 'Newer' }),
  update('albums', '2', { title: 'Kid B' }, { relationships: { tracks: linked([{ type: 'tracks', id: '4' }]) } }),
  { op: 'add', ref: { type: 'playlists', id: '1', relationship: 'tracks' }, data: [{ type: 'tracks', id: '3' }] },
  { op: 'update', ref: { type: 'albums', lid: 'new', relationship: 'artist' }, data: { type: 'artists', id: '3' } },
  remove('portraits', '2'),
]

/** Sends a batch in which one operation fails, at every position; nothing of it may be stored. */
async function failsEverywhere(served: () => Shop, failing: object, errors: readonly ExpectedError[]): Promise<void> {
  const { api, state } = served()
  const before = await state()
  for (const position of [0, 1, 2, 4, validOperations.length]) {
    const response = await api.batch(validOperations.toSpliced(position, 0, failing))
    const expected = errors.map((each) =>
      each.pointer === undefined ? each : { ...each, pointer: `/atomic:operations/${position}${each.pointer ?? ''}` },
    )
    expectErrors(response, expected)
    expect(response.status).toBe(errors[0]?.status)
    expect(await state()).toEqual(before)
  }
}

test('the operations around the failing ones succeed', async () => {
  const { api, state } = shop()
  const before = await state()
  expect(await api.results(validOperations)).toHaveLength(validOperations.length)
  expect(await state()).not.toEqual(before)
})

describe('the first failing operation is reported, and nothing of the batch is stored', () => {
  const ref = { type: 'albums', id: '1', relationship: 'tracks' }

  test.each<[string, object, readonly ExpectedError[]]>([
    ['something is not there', remove('albums', '99'), [{ status: 404, code: 'RESOURCE_NOT_FOUND', pointer: '' }]],
    [
      'a member is not there',
      add('albums', {}, { relationships: { artist: linked({ type: 'artists', id: '99' }) } }),
      [{ status: 404, pointer: '/data/relationships/artist/data' }],
    ],
    [
      'a relationship is not there',
      { op: 'update', ref: { ...ref, relationship: 'singers' }, data: [] },
      [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS', pointer: '' }],
    ],
    [
      'a value is not allowed',
      update('albums', '1', { title: 'x'.repeat(21) }),
      [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' }],
    ],
    [
      'several values are not allowed',
      add('albums', { title: 'x'.repeat(21), code: 5 }),
      [
        { status: 422, pointer: '/data/attributes/title' },
        { status: 422, pointer: '/data/attributes/code' },
      ],
    ],
    [
      'a type does not fit',
      { op: 'add', ref, data: [{ type: 'artists', id: '1' }] },
      [{ status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/0/type' }],
    ],
    ['an id is not for the client to give', add('albums', {}, { id: '77' }), [{ status: 403, pointer: '/data/id' }]],
  ])('%s', async (_name, failing, errors) => {
    await failsEverywhere(() => shop(), failing, errors)
  })

  test('if two would fail, the first is reported', async () => {
    const { api } = shop()
    const failing = [remove('albums', '98'), update('albums', '1', { title: 5 })]
    expectErrors(await api.batch([...validOperations, ...failing]), [
      { status: 404, pointer: `/atomic:operations/${validOperations.length}` },
    ])
    expectErrors(await api.batch([...validOperations, ...failing.toReversed()]), [
      { status: 422, pointer: `/atomic:operations/${validOperations.length}/data/attributes/title` },
    ])
  })

  test('later operations see what earlier ones did', async () => {
    const { api, state } = shop()
    const before = await state()
    expectErrors(await api.batch([remove('portraits', '2'), remove('portraits', '2')]), [
      { status: 404, pointer: '/atomic:operations/1' },
    ])
    expect(await state()).toEqual(before)
  })
})

const label = (key: string) => add('labels', {}, { id: key })

const taken = (index: number) => [
  { status: 422, code: 'VALIDATION_FAILED', pointer: `/atomic:operations/${index}/data/attributes/code` },
]

describe('unique values', () => {
  test('conflict within a batch too, which is reported for the later operation', async () => {
    const { api, state } = shop()
    const before = await state()
    const x = add('albums', { code: 'x' })
    expectErrors(await api.batch([x, x]), taken(1))
    expectErrors(await api.batch([x, add('albums', { code: 'y' }), add('albums', {}), x, x]), taken(3))
    expectErrors(await api.batch([x, update('albums', '1', { code: 'x' })]), taken(1))
    expectErrors(await api.batch([update('albums', '1', { code: 'x' }), remove('portraits', '1'), x]), taken(2))
    expect(await state()).toEqual(before)
  })

  test('may move to another row within a batch', async () => {
    const { api } = shop()
    const results = await api.results([
      add('albums', { code: 'x' }, { lid: 'a' }),
      { op: 'update', data: { type: 'albums', lid: 'a', attributes: { code: 'y' } } },
      add('albums', { code: 'x' }, { lid: 'b' }),
      { op: 'remove', ref: { type: 'albums', lid: 'a' } },
      add('albums', { code: 'y' }),
    ])
    expect(results).toHaveLength(5)
  })

  test('may be ids', async () => {
    const data = storedData({ labels: [{ id: 'ecm' }] })
    const labels = defineResource('labels', { model: model<{ id: string }>('labels'), id: id().requireClientId() })
    const api = batchClient(createServer({ resources: [labels], data, extensions: [atomic()] }))
    for (const [operations, index] of [
      [[label('act'), label('act')], 1],
      [[label('act'), label('ecm')], 1],
    ] as const) {
      expectErrors(await api.batch(operations), [{ status: 409, pointer: `/atomic:operations/${index}/data/id` }])
    }
    expectErrors(await api.batch([label('act'), add('labels')]), [
      { status: 403, pointer: '/atomic:operations/1/data/id' },
    ])
    expect((await api.get('/labels')).resources).toHaveLength(1)
  })
})

const hooked = (thrown: () => unknown, settings: LinkedMusic = {}) =>
  shop({
    ...settings,
    members: {
      albums: {
        hooks: {
          beforeDelete: () => {
            throw thrown()
          },
        },
      },
    },
  })

describe('an error that user-defined code throws', () => {
  const failing = remove('albums', '4')

  test('is an HTTP error', async () => {
    await failsEverywhere(() => hooked(() => new HttpError(403)), failing, [{ status: 403, code: null, pointer: '' }])
  })

  test('is mapped by its class', async () => {
    const settings: LinkedMusic = { exceptionMap: [[SoldOut, 409]] }
    await failsEverywhere(() => hooked(() => new SoldOut(), settings), failing, [
      { status: 409, code: null, pointer: '' },
    ])
  })

  test('is mapped by a mapper, whose pointers are of the operation', async () => {
    const errors = [{ status: '410', code: 'SOLD_OUT', source: { pointer: '/data/type' } }, { status: '410' }]
    const mappers = [{ map: (thrown: unknown) => (thrown instanceof SoldOut ? { status: 410, errors } : null) }]
    await failsEverywhere(() => hooked(() => new SoldOut(), { mappers: mappers as never }), failing, [
      { status: 410, code: 'SOLD_OUT', pointer: '/data/type' },
      { status: 410, pointer: '' },
    ])
  })

  test('has its source unchanged if it is not a pointer', async () => {
    const errors = [{ status: '410', source: { parameter: 'x' } }]
    const { api } = hooked(() => new SoldOut(), { mappers: [{ map: () => ({ status: 410, errors }) }] as never })
    expectErrors(await api.batch([failing]), [{ status: 410, parameter: 'x', pointer: null }])
  })

  test('is a 500 otherwise, which is logged as it was thrown', async () => {
    const thrown = new Error('The disk is full.')
    const served = hooked(() => thrown)
    await failsEverywhere(() => served, failing, [{ status: 500, code: null, pointer: '' }])
    expect(new Set(served.logged)).toEqual(new Set([thrown]))
  })

  test('has its pointer if the batch was dispatched by the application', async () => {
    const thrown = new Error('The disk is full.')
    const members = { albums: { hooks: { beforeDelete: () => Promise.reject(thrown) } } }
    const server = linkedMusic({ data: storedData(linkedRows()), extensions: [atomic()], members })
    const document = { 'atomic:operations': [failing] }
    const extension = 'https://jsonapi.org/ext/atomic'
    await expect(server.dispatch({ kind: 'Extension', extension, document })).rejects.toMatchObject({ cause: thrown })
  })
})

const refusingAfterwards = (store: Persister): Persister => ({
  ...store,
  async delete(...given) {
    await store.delete(...given)
    throw new HttpError(409)
  },
})

const passing =
  (type: string, reply: (builtIn: Handler) => Handler) =>
  (builtIn: Handler): Handler =>
  (operation) =>
    operation.kind === 'DeleteResource' && operation.type === type ? reply(builtIn)(operation) : builtIn(operation)

describe('a user-defined handler', () => {
  test('is called for each operation, as for a single request', async () => {
    const calls: string[] = []
    const handler =
      (builtIn: Handler): Handler =>
      (operation) => {
        calls.push(`${operation.kind} ${operation.type}`)
        return builtIn(operation)
      }
    await shop({ handler }).api.results(validOperations)
    expect(calls).toEqual([
      'CreateResource albums',
      'CreateResource albums',
      'UpdateResource albums',
      'AddToRelationship playlists',
      'UpdateRelationship albums',
      'DeleteResource portraits',
    ])
  })

  test('aborts the batch by returning an error', async () => {
    const errors = [{ status: '409', code: 'LENT', source: { pointer: '/data' } }, { status: '409' }]
    const reply = { status: 409, errors, headers: [] }
    const handler = passing('albums', () => async () => ({ kind: 'error', reply }))
    await failsEverywhere(() => shop({ handler }), remove('albums', '4'), [
      { status: 409, code: 'LENT', pointer: '/data' },
      { status: 409, code: null, pointer: '' },
    ])
  })

  test('may catch an error, and nothing of the failed operation is stored', async () => {
    const handler = passing('portraits', (builtIn) => async (operation) => {
      return builtIn(operation).catch(() => ({
        kind: 'meta',
        status: 200,
        headers: [],
        links: null,
        profiles: [],
        meta: { kept: true },
      }))
    })
    const { api } = shop({ handler, members: { portraits: { persister: refusingAfterwards } } })
    const results = await api.results(validOperations)
    expect(results.at(-1)).toEqual({ meta: { kept: true } })
    expect((await api.get('/portraits/2')).status).toBe(200)
    expect((await api.get('/albums')).resources).toHaveLength(6)
  })

  test.each(['related', 'results'])('must not respond to an operation with %s', async (kind) => {
    const handler = passing('albums', () => async () => ({ kind }) as never)
    const served = shop({ handler })
    expectErrors(await served.api.batch([remove('albums', '4')]), [{ status: 500, pointer: '/atomic:operations/0' }])
    expect(served.logged).toHaveLength(1)
  })
})
