import { reply, atomic, createServer, defineResource, HttpError, id, model, type ResourceHooks } from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkedMusic } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, type BatchClient, remove, update } from './batch-client.js'

interface NoteRow {
  id: number
  text: string
}

interface Notebook {
  readonly api: BatchClient
  readonly data: DataSource
  readonly logged: unknown[]
  readonly served: string[]
}

/** Notes with hooks, and entries of a journal that hooks may write. */
function notebook(hooks: (server: () => Dispatching) => ResourceHooks<NoteRow>, settings: object = {}): Notebook {
  const data = storedData({ notes: [{ id: 1, text: 'first' }], entries: [] }, { entries: ['text'] } as never)
  const logged: unknown[] = []
  const served: string[] = []
  let built: Dispatching | null = null
  const notes = defineResource('notes', {
    model: model<NoteRow>('notes'),
    id: id(),
    attributes: (a) => ({ text: a.string().maxLength(20) }),
    hooks: hooks(() => built as Dispatching),
  })
  const entries = defineResource('entries', {
    model: model<NoteRow>('entries'),
    id: id(),
    attributes: (a) => ({ text: a.string().maxLength(20) }),
  })
  const server = createServer({
    resources: [notes, entries],
    data,
    logger: { error: (details: { readonly err?: unknown }) => void logged.push(details.err) },
    serving: ({ kind }) => void served.push(kind),
    extensions: [atomic()],
    ...settings,
  })
  built = server
  return { api: batchClient(server), data, logged, served }
}

type Dispatching = { dispatch(operation: never): Promise<unknown> }

const created = (type: string, text: string) =>
  ({ kind: 'CreateResource', type, document: { data: { type, attributes: { text } } } }) as never

/** A batch, as a program dispatches it. */
const nested = (operations: readonly object[]) =>
  ({
    kind: 'Extension',
    extension: 'https://jsonapi.org/ext/atomic',
    document: { 'atomic:operations': operations },
  }) as never

const texts = async (api: BatchClient, type: string) =>
  (await api.get(`/${type}`)).resources.map(({ attributes }) => attributes?.['text'])

describe('hooks after the commit', () => {
  test('run when everything is committed, in the order of the operations', async () => {
    const ran: string[] = []
    const note = (name: string) => (row: NoteRow) => void ran.push(`${name} ${row.text}`)
    const { api } = notebook(() => ({
      beforeSave: note('beforeSave'),
      beforeDelete: note('beforeDelete'),
      afterCreate: note('afterCreate'),
      afterUpdate: note('afterUpdate'),
      afterSave: note('afterSave'),
      afterDelete: note('afterDelete'),
    }))
    await api.results([add('notes', { text: 'a' }), update('notes', '1', { text: 'b' }), remove('notes', '1')])
    expect(ran).toEqual([
      'beforeSave a',
      'beforeSave b',
      'beforeDelete b',
      'afterCreate a',
      'afterSave a',
      'afterUpdate b',
      'afterSave b',
      'afterDelete b',
    ])
  })

  test('run for rows that were created together', async () => {
    const ran: string[] = []
    const { api } = notebook(() => ({
      afterCreate: ({ id: key, text }) => void ran.push(`afterCreate ${key} ${text}`),
      afterSave: ({ text }, creating) => void ran.push(`afterSave ${text} ${creating}`),
    }))
    await api.results([add('notes', { text: 'a' }), add('notes', { text: 'b' })])
    expect(ran).toEqual(['afterCreate 2 a', 'afterSave a true', 'afterCreate 3 b', 'afterSave b true'])
  })

  test('run for relationships', async () => {
    const ran: string[] = []
    const hooks = {
      beforeRelationshipMutate: (_row: object, { mode }: { mode: string }) => void ran.push(`before ${mode}`),
      afterRelationshipMutate: (_row: object, { mode }: { mode: string }) => void ran.push(`after ${mode}`),
    }
    const api = batchClient(linkedMusic({ extensions: [atomic()], members: { albums: { hooks } } }))
    const ref = { type: 'albums', id: '1', relationship: 'tracks' }
    const data = [{ type: 'tracks', id: '4' }]
    await api.results(['add', 'remove', 'update'].map((op) => ({ op, ref, data })))
    expect(ran.slice(0, 3)).toEqual(['before add', 'before remove', 'before replace'])
    expect(ran.slice(3)).toEqual(['after add', 'after remove', 'after replace'])
  })

  test('find all rows of the batch in the store, read outside of the transaction', async () => {
    const seen: unknown[] = []
    const watched: Notebook = notebook(() => ({
      async afterCreate() {
        seen.push(await storedRows(watched.data, ['notes', 'entries']))
      },
    }))
    await watched.api.results([add('notes', { text: 'a' }), remove('notes', '1'), add('notes', { text: 'b' })])
    const stored = { entries: [], notes: ["{ id: 2, text: 'a' }", "{ id: 3, text: 'b' }"] }
    expect(seen).toEqual([stored, stored])
  })

  test('do not run if nothing is stored', async () => {
    const ran: string[] = []
    const note = () => void ran.push('ran')
    const { api } = notebook(() => ({ afterCreate: note, afterSave: note, afterUpdate: note, afterDelete: note }))
    const operations = [add('notes', { text: 'a' }), add('notes', { text: 'b' }), remove('notes', '1')]
    expectErrors(await api.batch([...operations, remove('notes', '99')]), [{ status: 404 }])
    expect(ran).toEqual([])
    await api.results(operations)
    expect(ran).toHaveLength(5)
  })

  test('are logged if they throw, and stop neither the other hooks nor the response', async () => {
    const thrown = [new Error('No mail today.'), new HttpError(503)]
    const ran: string[] = []
    const { api, logged } = notebook(() => ({
      afterCreate: ({ text }) => {
        ran.push(text)
        throw thrown[0]
      },
      afterDelete: () => Promise.reject(thrown[1]),
    }))
    const results = await api.results([add('notes', { text: 'a' }), remove('notes', '1'), add('notes', { text: 'b' })])
    expect([results.length, ran, logged]).toEqual([3, ['a', 'b'], [thrown[0], thrown[1], thrown[0]]])
    expect(await texts(api, 'notes')).toEqual(['a', 'b'])
  })

  test('run although an earlier one of the same operation throws', async () => {
    const thrown = new Error('No mail today.')
    const ran: string[] = []
    const { api, logged } = notebook(() => ({
      afterCreate: () => Promise.reject(thrown),
      afterUpdate: () => Promise.reject(thrown),
      afterSave: ({ text }) => void ran.push(text),
    }))
    // Created together, updated one by one.
    await api.results([add('notes', { text: 'a' }), add('notes', { text: 'b' }), update('notes', '1', { text: 'c' })])
    expect([ran, logged]).toEqual([
      ['a', 'b', 'c'],
      [thrown, thrown, thrown],
    ])
  })

  test('cannot replace the response', async () => {
    const { api } = notebook(() => ({
      afterCreate: () => reply.meta({ by: 'hook' }),
      afterSave: () => reply.noContent(),
      afterDelete: () => reply.meta({ by: 'hook' }),
    }))
    expect(await api.results([add('notes', { text: 'a' }), remove('notes', '1')])).toMatchObject([
      { data: { type: 'notes', attributes: { text: 'a' } } },
      {},
    ])
    // Outside of a batch they are used.
    expect((await api.post('/notes', { body: { data: { type: 'notes' } } })).status).toBe(204)
  })
})

const journal = (when: 'beforeSave' | 'afterSave') => () =>
  notebook((server) => ({
    async [when]({ text }: { text?: string }) {
      await server().dispatch(created('entries', text ?? ''))
    },
  }))

describe('operations that hooks dispatch', () => {
  test('before the commit are committed with the batch', async () => {
    const { api } = journal('beforeSave')()
    await api.results([add('notes', { text: 'a' }), update('notes', '1', { text: 'b' })])
    expect(await texts(api, 'entries')).toEqual(['a', 'b'])
  })

  test('before the write are rolled back with the batch', async () => {
    const { api, data } = journal('beforeSave')()
    const before = await storedRows(data, ['notes', 'entries'])
    expectErrors(await api.batch([add('notes', { text: 'a' }), remove('notes', '99')]), [{ status: 404 }])
    expect(await storedRows(data, ['notes', 'entries'])).toEqual(before)
  })

  test('before the write fail the batch if they fail, at the operation', async () => {
    const { api, data } = notebook((server) => ({
      async beforeSave({ text }) {
        await server().dispatch(created('entries', `${text} and much more text than fits`))
      },
    }))
    const before = await storedRows(data, ['notes', 'entries'])
    const response = await api.batch([remove('notes', '1'), add('notes', { text: 'a' })])
    expect(response.status).toBe(422)
    expect(response.errors[0]?.source?.pointer).toMatch(/^\/atomic:operations\/1/)
    expect(await storedRows(data, ['notes', 'entries'])).toEqual(before)
  })

  test('before the write store nothing if they fail and the hook catches the error', async () => {
    const { api } = notebook((server) => ({
      async beforeSave({ text }) {
        const half = [add('entries', { text: 'lost' }), remove('entries', '99')]
        await server()
          .dispatch(nested(half))
          .catch(() => undefined)
        await server().dispatch(created('entries', `${text}`))
      },
    }))
    await api.results([add('notes', { text: 'a' }), add('notes', { text: 'b' })])
    expect([await texts(api, 'entries'), await texts(api, 'notes')]).toEqual([
      ['a', 'b'],
      ['first', 'a', 'b'],
    ])
  })

  test('after the write are separate writes', async () => {
    const { api, logged } = journal('afterSave')()
    await api.results([add('notes', { text: 'a' }), add('notes', { text: 'b' })])
    expect([await texts(api, 'entries'), logged]).toEqual([['a', 'b'], []])
  })

  test('may be batches, which join the transaction', async () => {
    const ran: string[] = []
    const { api, data } = notebook((server) => ({
      async beforeUpdate() {
        await server().dispatch(nested([add('entries', { text: 'x' }), add('notes', { text: 'y' })]))
        ran.push('nested')
      },
      afterCreate: ({ text }) => void ran.push(`afterCreate ${text}`),
    }))
    const before = await storedRows(data, ['notes', 'entries'])
    const change = update('notes', '1', { text: 'z' })
    expectErrors(await api.batch([change, remove('notes', '99')]), [{ status: 404 }])
    expect([ran, await storedRows(data, ['notes', 'entries'])]).toEqual([['nested'], before])
    await api.results([change, add('entries', { text: 'w' })])
    expect(ran).toEqual(['nested', 'nested', 'afterCreate y'])
    expect([await texts(api, 'entries'), await texts(api, 'notes')]).toEqual([
      ['x', 'w'],
      ['z', 'y'],
    ])
  })
})

const closed = () => {
  throw new HttpError(403)
}

describe('the serving hook', () => {
  test('is called once for a batch, and for each operation that a hook dispatches', async () => {
    const { api, served } = notebook((server) => ({
      async beforeSave() {
        await server().dispatch(created('entries', 'x'))
      },
    }))
    await api.results([add('notes', { text: 'a' }), remove('notes', '1')])
    expect(served).toEqual(['Extension', 'CreateResource'])
  })

  test('may refuse a batch, of which nothing is run', async () => {
    const { api, data } = notebook(() => ({}), { serving: closed })
    const before = await storedRows(data, ['notes', 'entries'])
    expectErrors(await api.batch([remove('notes', '1')]), [{ status: 403, code: null, pointer: null }])
    expect(await storedRows(data, ['notes', 'entries'])).toEqual(before)
  })
})
