import type { ResourceHooks, Server, WorkContext } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { signal } from '../support/signal.js'
import { storedData } from '../support/stored-data.js'

interface Row {
  id: number
  title: string
}

interface Served {
  readonly api: TestClient
  readonly server: Pick<Server, 'dispatch'>
  readonly events: string[]
}

/** Albums with user-defined hooks, and notes that they write. */
function served(hooks: (served: Served) => ResourceHooks<Row>, data: DataSource = storedData()): Served {
  const events: string[] = []
  const self: { current?: Served } = {}
  const now = (): Served => self.current ?? fail()
  const albums = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().unique() }),
    hooks: {
      beforeCreate: (draft, context) => hooks(now()).beforeCreate?.(draft, context),
      afterCreate: (row, context) => hooks(now()).afterCreate?.(row, context),
    },
  })
  const notes = defineResource('notes', {
    model: model<Row>('notes'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    hooks: { afterCreate: (row) => void events.push(`mailed ${row.title}`) },
  })
  const server = createServer({ resources: [albums, notes], data })
  self.current = { api: client(server), server, events }
  return self.current
}

function fail(): never {
  throw new Error('The server is asked before it is there.')
}

function note(server: Served['server'], title: string): Promise<unknown> {
  return server.dispatch({ kind: 'CreateResource', type: 'notes', document: resourceBody('notes', { title }) })
}

async function titles(api: TestClient, type: string): Promise<readonly unknown[]> {
  return (await api.get(`/${type}?page[size]=100`)).resources.map(({ attributes }) => attributes?.['title'])
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 2))
}

function log(context: WorkContext, title: string): Promise<unknown> {
  return context.rows('notes').create({ title })
}

/** A store that serves some models only. */
function only(source: DataSource, models: readonly string[]): DataSource {
  return {
    ...source,
    provider: (type) => (models.includes(type.model?.name ?? '') ? source.provider(type) : null),
    persister: (type) => (models.includes(type.model?.name ?? '') ? source.persister(type) : null),
  }
}

describe('an operation that a hook dispatches', () => {
  test('runs its own hooks after the outermost commit', async () => {
    const { api, events } = served(({ server }) => ({
      async beforeCreate() {
        await note(server, 'n')
        events.push('before')
      },
      afterCreate: () => void events.push('after'),
    }))
    expect((await api.post('/albums', { body: resourceBody('albums', { title: 'a' }) })).status).toBe(201)
    expect(events).toEqual(['before', 'mailed n', 'after'])
  })

  test('runs none of them when the outer write is rolled back', async () => {
    const { api, events } = served(({ server }) => ({
      async beforeCreate() {
        await note(server, 'n')
        throw new Error('no')
      },
    }))
    expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'a' }) }), [{ status: 500 }])
    expect([events, await titles(api, 'notes')]).toEqual([[], []])
  })

  test('reads earlier writes of the same transaction, and other requests do not', async () => {
    const { api, events } = served(({ server }) => ({
      async beforeCreate(_draft, context) {
        await context.rows('notes').create({ title: 'n' })
        const nested = await server.dispatch({ kind: 'FetchResource', type: 'notes', id: null })
        events.push(String(nested.kind === 'data' && nested.resources.primary.length))
        events.push(String((await api.get('/notes')).resources.length))
      },
    }))
    await api.post('/albums', { body: resourceBody('albums', { title: 'a' }) })
    expect(events[0]).toBe('1')
    expect(await titles(api, 'notes')).toEqual(['n'])
  })

  test('that is not awaited is refused after the end of the transaction, instead of being lost', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const { api } = served(({ server }) => ({
      beforeCreate(draft) {
        if (draft.title === 'late') return
        late = server
          .dispatch({ kind: 'CreateResource', type: 'albums', document: resourceBody('albums', { title: 'late' }) })
          .then(
            () => 'kept',
            () => 'refused',
          )
      },
    }))
    await api.post('/albums', { body: resourceBody('albums', { title: 'a' }) })
    const outcome = await late
    expect((await titles(api, 'albums')).includes('late')).toBe(outcome === 'kept')
  })
})

test('an operation that is still being checked when the transaction of its caller ends has a transaction of its own', async () => {
  const answered = signal()
  const checkedLater = {
    '~standard': {
      version: 1 as const,
      vendor: 'test',
      validate: async (value: unknown) => {
        await answered.given
        return { value: value as string }
      },
    },
  }
  let late: Promise<unknown> = Promise.resolve()
  const albums = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    hooks: {
      beforeCreate() {
        late = server.dispatch({
          kind: 'CreateResource',
          type: 'notes',
          document: resourceBody('notes', { title: 'n' }),
        })
      },
    },
  })
  const notes = defineResource('notes', {
    model: model<Row>('notes'),
    id: id(),
    attributes: (a) => ({ title: a.string().check(checkedLater) }),
  })
  const server: Served['server'] & Parameters<typeof client>[0] = createServer({
    resources: [albums, notes],
    data: storedData(),
  })
  const api = client(server)
  expect((await api.post('/albums', { body: resourceBody('albums', { title: 'a' }) })).status).toBe(201)
  answered.give()
  expect(await late).toMatchObject({ kind: 'data' })
  expect(await titles(api, 'notes')).toEqual(['n'])
})

test('a hook after the write whose error does not reach the client is logged, and the write is stored', async () => {
  const logged: unknown[] = []
  const albums = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    hooks: {
      async beforeCreate(draft) {
        if (draft.title === 'outer') await dispatch('inner')
      },
      afterCreate(row) {
        if (row.title === 'inner') throw new Error('no')
      },
    },
  })
  const logger = { error: (members: { readonly err: unknown }) => logged.push(members.err) }
  const server = createServer({ resources: [albums], data: storedData(), logger })
  const dispatch = (title: string) =>
    server.dispatch({ kind: 'CreateResource', type: 'albums', document: resourceBody('albums', { title }) })
  const api = client(server)
  expect((await api.post('/albums', { body: resourceBody('albums', { title: 'outer' }) })).status).toBe(201)
  expect(await titles(api, 'albums')).toEqual(['inner', 'outer'])
  expect(logged).toEqual([new Error('no')])
})

test('rows that hooks write without a transaction are not overwritten by concurrent writes', async () => {
  const { api } = served(() => ({
    async beforeCreate(draft, context) {
      await log(context, `before ${draft.title}`)
      await pause()
    },
    afterCreate: async (row, context) => void (await log(context, `after ${row.title}`)),
  }))
  const bodies = Array.from({ length: 20 }, (_, index) => resourceBody('albums', { title: String(index) }))
  const statuses = (await Promise.all(bodies.map((body) => api.post('/albums', { body })))).map(({ status }) => status)
  expect([statuses.every((status) => status === 201), (await titles(api, 'notes')).length]).toEqual([true, 40])
})

describe('a write that reaches two stores', () => {
  interface AlbumRow extends Row {
    artistId: number | null
  }

  interface TrackRow extends Row {
    albumId: number | null
  }

  function twoStores(): TestClient {
    const artists = defineResource('artists', {
      model: model<Row>('artists'),
      id: id(),
      attributes: (a) => ({ title: a.string().unique() }),
    })
    const albums = defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string(), artistTitle: a.string().on('artist').storedAs('title') }),
      relations: { artist: belongsTo('artists'), tracks: hasMany('tracks') },
    })
    const tracks = defineResource('tracks', {
      model: model<TrackRow>('tracks'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: { album: belongsTo('albums') },
    })
    const first = storedData({
      artists: [
        { id: 1, title: 'Radiohead' },
        { id: 2, title: 'Björk' },
      ],
      albums: [{ id: 1, title: 'OK Computer', artistId: 1 }],
    })
    const second = storedData({ tracks: [{ id: 1, title: 'Airbag', albumId: null }] })
    const data = [only(first, ['artists', 'albums']), only(second, ['tracks'])]
    return client(createServer({ resources: [artists, albums, tracks], data }))
  }

  const relationships = {
    artist: { data: { type: 'artists', id: '1' } },
    tracks: { data: [{ type: 'tracks', id: '1' }] },
  }

  test.each([
    ['POST', '/albums', {}],
    ['PATCH', '/albums/1', { id: '1' }],
  ] as const)('and is refused writes nothing in either: %s', async (method, path, own) => {
    const api = twoStores()
    const state = async () => [(await api.get('/albums')).text, (await api.get('/tracks')).text]
    const before = await state()
    const data = { type: 'albums', ...own, attributes: { title: 'x', artistTitle: 'Björk' }, relationships }
    expectErrors(await api.request(method, path, { body: { data } }), [{ status: 422 }])
    expect(await state()).toEqual(before)
  })

  test('and is accepted is committed in both', async () => {
    const api = twoStores()
    const data = { type: 'albums', id: '1', attributes: { artistTitle: 'Thom' }, relationships }
    expect((await api.patch('/albums/1?include=tracks', { body: { data } })).document?.included).toHaveLength(1)
    expect((await api.get('/artists/1')).resource.attributes).toEqual({ title: 'Thom' })
  })
})

test("a store may run the work twice: a hook's changes to the draft of the first run are not in the second", async () => {
  interface TaggedRow extends Row {
    info: { tags: string[] }
  }
  const store = storedData({ albums: [{ id: 1, title: 'a', info: { tags: [] } }] })
  const twice: DataSource = {
    ...store,
    transactions: {
      async run(work, outer) {
        await store.transactions
          ?.run(async (transaction) => {
            await work(transaction)
            throw new Error('met another')
          }, outer)
          .catch(() => undefined)
        return store.transactions?.run(work, outer) ?? Promise.reject(new Error('no store'))
      },
    },
  }
  const albums = defineResource('albums', {
    model: model<TaggedRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string(),
      info: a.object().fields({ tags: a.arrayList() }),
    }),
    hooks: { beforeSave: (draft) => void draft.info?.tags.push('hook') },
  })
  const api = client(createServer({ resources: [albums], data: twice }))
  const info = { tags: ['sent'] }
  const created = await api.post('/albums', { body: resourceBody('albums', { title: 'b', info }) })
  expect(created.resource.attributes?.['info']).toEqual({ tags: ['sent', 'hook'] })
  const updated = await api.patch('/albums/1', { body: resourceBody('albums', { title: 'c' }, '1') })
  expect(updated.resource.attributes?.['info']).toEqual({ tags: ['hook'] })
})

test('a resource is deleted whatever the names and values of its columns are', async () => {
  const notes = defineResource('notes', {
    model: model<{ id: number; kind: string; writable: string }>('notes'),
    id: id(),
    attributes: (a) => ({ kind: a.string(), writable: a.string() }),
    hooks: { beforeDelete: () => undefined },
  })
  const data = storedData({ notes: [{ id: 1, kind: 'hidden', writable: 'x' }] })
  const api = client(createServer({ resources: [notes], data }))
  expect((await api.delete('/notes/1')).status).toBe(204)
  expect((await api.get('/notes/1')).status).toBe(404)
})
