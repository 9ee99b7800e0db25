import { atomic, createServer, defineResource, hasMany, id, model } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, type BatchClient, idsOf, linked, remove, update } from './batch-client.js'
import { storeOf, withTransactions } from './part-stores.js'

interface Row {
  id: number
  title: string
}

const first = { id: 1, title: 'First' }

interface Shop {
  readonly api: BatchClient
  /** All rows of both stores. */
  readonly state: () => Promise<readonly unknown[]>
  readonly logged: unknown[]
}

interface Options {
  readonly notes?: (data: DataSource) => DataSource
  readonly albums?: (data: DataSource) => DataSource
  readonly hooks?: object
}

/** Albums in the store under test, notes in another one. */
function shop({ notes = (data) => data, albums = (data) => data, hooks = {} }: Options = {}): Shop {
  const [here, there] = [storedData({ albums: [first] }), memoryData({ notes: [first] })]
  const logged: unknown[] = []
  const typeOf = (type: string) =>
    defineResource(type, {
      model: model<Row>(type),
      id: id(),
      attributes: (a) => ({ title: a.string().maxLength(20) }),
      hooks,
    })
  const server = createServer({
    resources: [typeOf('albums'), typeOf('notes')],
    data: [storeOf(albums(here), 'albums'), storeOf(notes(there), 'notes')],
    logger: { error: (details: { readonly err?: unknown }) => void logged.push(details.err) },
    extensions: [atomic()],
  })
  const state = async () => [await storedRows(here, ['albums']), await storedRows(there, ['notes'])]
  return { api: batchClient(server), state, logged }
}

const both = [
  add('albums', { title: 'a' }, { lid: 'a' }),
  add('notes', { title: 'b' }),
  update('albums', '1', { title: 'c' }),
  remove('notes', '1'),
]
const [stored, untouched] = [
  { albums: ["{ id: 1, title: 'c' }", "{ id: 2, title: 'a' }"] },
  { albums: ["{ id: 1, title: 'First' }"] },
]
const [storedNotes, untouchedNotes] = [{ notes: ["{ id: 2, title: 'b' }"] }, { notes: ["{ id: 1, title: 'First' }"] }]

describe('a batch over two stores', () => {
  test('is committed in both', async () => {
    const { api, state } = shop()
    expect(idsOf(await api.results(both))).toEqual(['2', '2', '1', null])
    expect(await state()).toEqual([stored, storedNotes])
  })

  test.each(['albums', 'notes'])('is rolled back in both if an operation on %s fails', async (type) => {
    const { api, state } = shop()
    for (const position of [0, 1, 2, 3, 4]) {
      const operations = both.toSpliced(position, 0, add(type, { title: 'x'.repeat(21) }))
      expectErrors(await api.batch(operations), [
        { status: 422, pointer: `/atomic:operations/${position}/data/attributes/title` },
      ])
      expect(await state()).toEqual([untouched, untouchedNotes])
    }
  })

  test('runs its hooks after both have committed', async () => {
    const seen: unknown[] = []
    const served: Shop = shop({ hooks: { afterCreate: async () => void seen.push(await served.state()) } })
    await served.api.results(both)
    expect(seen).toEqual([
      [stored, storedNotes],
      [stored, storedNotes],
    ])
  })

  test('opens no transaction of a store that it does not touch', async () => {
    const opened: string[] = []
    const noting = (name: string) => (data: DataSource) => watched(data, () => void opened.push(name))
    const { api } = shop({ albums: noting('albums'), notes: noting('notes') })
    await api.results([add('albums', { title: 'a' })])
    expect(opened).toEqual(['albums'])
    opened.length = 0
    await api.results(both)
    expect(opened).toEqual(['albums', 'notes'])
  })

  test('opens that of a store that a relation refers to', async () => {
    const [here, there] = [memoryData({ albums: [first] }), memoryData({ tracks: [{ ...first, albumId: null }] })]
    const albums = defineResource('albums', {
      model: model<Row>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: { tracks: hasMany('tracks').via('albumId') },
    })
    const tracks = defineResource('tracks', { model: model<Row & { albumId: number | null }>('tracks'), id: id() })
    const data = [storeOf(here, 'albums'), storeOf(there, 'tracks')]
    const server = createServer({ resources: [albums, tracks] as never, data, extensions: [atomic()] })
    const api = batchClient(server)
    const relationships = { tracks: linked([{ type: 'tracks', id: '1' }]) }
    const before = [await storedRows(here, ['albums']), await storedRows(there, ['tracks'])]
    expectErrors(await api.batch([add('albums', { title: 'a' }, { relationships }), remove('albums', '99')]), [
      { status: 404, pointer: '/atomic:operations/1' },
    ])
    expect([await storedRows(here, ['albums']), await storedRows(there, ['tracks'])]).toEqual(before)
    await api.results([add('albums', { title: 'a' }, { relationships })])
    expect((await api.get('/albums/2/relationships/tracks')).document?.data).toEqual([{ type: 'tracks', id: '1' }])
  })
})

/** A store that reports when a transaction is opened. */
function watched(data: DataSource, opening: () => void): DataSource {
  return withTransactions(data, (run) => (work, outer) => {
    opening()
    return run(work, outer)
  })
}

describe('a store that cannot commit', () => {
  const broken = new Error('The disk is full.')
  /** Fails at the commit, and stores nothing. */
  const failing = (data: DataSource): DataSource =>
    withTransactions(
      data,
      (run) => (work, outer) =>
        run(async (transaction) => {
          await work(transaction)
          throw broken
        }, outer),
    )

  test('rolls back the stores that were opened before it', async () => {
    const { api, state, logged } = shop({ notes: failing })
    expectErrors(await api.batch(both), [{ status: 500, code: null, pointer: null }])
    expect(await state()).toEqual([untouched, untouchedNotes])
    expect(logged).toEqual([broken])
  })

  test('does not roll back what another store has committed', async () => {
    const { api, state, logged } = shop({ albums: failing })
    expectErrors(await api.batch(both), [{ status: 500, code: null, pointer: null }])
    expect(await state()).toEqual([untouched, storedNotes])
    expect(logged).toEqual([broken])
  })

  test('runs no hook after the commit', async () => {
    const ran: string[] = []
    const hooks = { afterCreate: () => void ran.push('afterCreate') }
    for (const options of [{ albums: failing }, { notes: failing }]) {
      expectErrors(await shop({ ...options, hooks }).api.batch(both), [{ status: 500 }])
    }
    expect(ran).toEqual([])
  })
})

/** A store whose first runs meet another's: they are undone, and the work is run once more. */
const again =
  (meetings: number) =>
  (data: DataSource): DataSource => {
    let left = meetings
    return withTransactions(data, (run) => async (work, outer) => {
      const undone = new Error('Once more.')
      while (left > 0) {
        left -= 1
        await run(async (transaction) => {
          await work(transaction)
          throw undone
        }, outer).catch((thrown: unknown) => {
          if (thrown !== undone) throw thrown
        })
      }
      return run(work, outer)
    })
  }

describe('a store that retries work', () => {
  test('retries the whole batch, and responds with the results of the last attempt', async () => {
    const ran: string[] = []
    const hooks = { beforeCreate: () => void ran.push('before'), afterCreate: () => void ran.push('after') }
    const { api, state } = shop({ albums: again(2), hooks })
    const operations = [
      add('albums', { title: 'a' }, { lid: 'a' }),
      { op: 'update', data: { type: 'albums', lid: 'a', attributes: { title: 'b' } } },
    ]
    const results = await api.results(operations)
    const [added, updated] = idsOf(results)
    expect(results).toHaveLength(2)
    expect([updated, (await api.get(`/albums/${added}`)).resource.attributes]).toEqual([added, { title: 'b' }])
    expect(ran).toEqual(['before', 'before', 'before', 'after'])
    expect((await state())[0]).toMatchObject({ albums: [expect.anything(), expect.anything()] })
  })

  test('may be the last that was opened, and nothing of its first attempt stays in the others', async () => {
    const { api, state } = shop({ notes: again(1) })
    expect(await api.results(both)).toHaveLength(4)
    const rows = await state()
    expect(rows.map((each) => Object.values(each as object).flat().length)).toEqual([2, 1])
  })

  test('too often makes the batch fail with 503, and nothing is stored', async () => {
    const { api, state } = shop({ notes: again(1000) })
    const response = await api.batch(both)
    expectErrors(response, [{ status: 503, code: 'STORE_UNAVAILABLE' }])
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(await state()).toEqual([untouched, untouchedNotes])
  })

  test('retries nothing that another store has committed', async () => {
    const ran: string[] = []
    const hooks = { beforeCreate: () => void ran.push('before') }
    const { api, state, logged } = shop({ albums: again(1), hooks })
    expectErrors(await api.batch(both), [{ status: 500, code: null, pointer: null }])
    expect(ran).toEqual(['before', 'before'])
    expect(await state()).toEqual([untouched, storedNotes])
    expect(logged).toMatchObject([
      {
        message:
          'One store has committed its part, but another store could not commit, so the write cannot be retried.',
      },
    ])
  })
})
