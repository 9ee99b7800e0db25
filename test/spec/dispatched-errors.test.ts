import {
  atomic,
  createServer,
  defineResource,
  fail,
  id,
  JsonApiError,
  model,
  noContent,
  reply,
  type ResourceHooks,
} from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** Errors of operations that user-defined code dispatches: the client has not sent the document that they point into. */

interface LabelRow {
  id: number
  name: string
}

interface Dispatching {
  readonly create: () => Promise<unknown>
  readonly read: () => Promise<unknown>
  readonly batch: () => Promise<unknown>
}

/** A server whose albums dispatch an invalid operation on labels. */
function serving(hooks: (dispatch: Dispatching) => ResourceHooks<{ id: number; title: string }>) {
  const dispatch: Dispatching = {
    create: () => server.dispatch({ kind: 'CreateResource', type: 'labels', document: resourceBody('labels', {}) }),
    read: () => server.dispatch({ kind: 'FetchResource', type: 'labels', id: null, query: 'sort=nothing' }),
    batch: () => {
      const document = { 'atomic:operations': [{ op: 'add', ...resourceBody('labels', {}) }] }
      return server.dispatch({ kind: 'Extension', extension: 'https://jsonapi.org/ext/atomic', document })
    },
  }
  const labels = defineResource('labels', {
    model: model<LabelRow>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    hooks: hooks(dispatch),
    actions: (a) => ({
      press: a.collection({
        responds: noContent(),
        handle: async () => {
          await dispatch.create()
          return reply.noContent()
        },
      }),
    }),
  })
  const data = storedData({ albums: [], labels: [] })
  const server = createServer({ resources: [albums, labels], data, extensions: [atomic()] })
  return { api: client(server), server, dispatch, undescribed: client(server, { isDescribed: false }) }
}

const body = resourceBody('albums', { title: 'Kid A' })
const media = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const batch = (api: TestClient) =>
  api.post('/operations', {
    body: { 'atomic:operations': [{ op: 'add', ...body }] },
    headers: { 'Content-Type': media, Accept: media },
  })

const required = {
  status: '422',
  code: 'VALIDATION_FAILED',
  title: 'Unprocessable Entity',
  detail: 'This is required.',
}

describe('an error that user-defined code does not catch has no source', () => {
  test.each(['create', 'batch'] as const)('of a dispatched %s, in a hook', async (kind) => {
    const { api } = serving((dispatch) => ({ beforeCreate: async () => void (await dispatch[kind]()) }))
    expect((await api.post('/albums', { body })).errors).toEqual([required])
    expect((await batch(api)).errors).toEqual([{ ...required, source: { pointer: '/atomic:operations/0' } }])
    expect((await api.get('/albums')).resources).toEqual([])
  })

  test('of a dispatched read: no parameter', async () => {
    const { undescribed } = serving((dispatch) => ({ beforeCreate: async () => void (await dispatch.read()) }))
    // A create cannot cause this error itself.
    const { errors } = await undescribed.post('/albums', { body })
    expect(errors).toMatchObject([{ status: '400', code: 'SORTING_UNRECOGNIZED' }])
    expect(errors[0]).not.toHaveProperty('source')
  })

  test('in an action', async () => {
    const { api, server } = serving(() => ({}))
    expect((await api.post('/albums/-actions/press')).errors).toEqual([required])
    const call = { kind: 'CustomAction', type: 'albums', id: null, action: 'press', method: 'POST' } as const
    const outer = server.dispatch({ ...call, document: undefined })
    await expect(outer).rejects.toMatchObject({ problems: [{ code: 'VALIDATION_FAILED' }] })
    const thrown: unknown = await outer.catch((error: unknown) => error)
    expect(JsonApiError.is(thrown) && thrown.problems[0]).not.toHaveProperty('source')
  })
})

test('the code that dispatches gets the sources, and may translate them', async () => {
  const seen: unknown[] = []
  const { api, dispatch } = serving((inner) => ({
    async beforeCreate() {
      try {
        await inner.create()
      } catch (thrown) {
        if (!JsonApiError.is(thrown)) throw thrown
        seen.push(thrown.problems[0]?.source)
        fail('VALIDATION_FAILED', { message: 'Needs a label.' }, { source: { pointer: '/data/attributes/title' } })
      }
    },
  }))
  expectErrors(await api.post('/albums', { body }), [{ status: 422, pointer: '/data/attributes/title' }])
  expect(seen).toEqual([{ pointer: '/data/attributes/name' }])
  await expect(dispatch.create()).rejects.toMatchObject({
    problems: [{ source: { pointer: '/data/attributes/name' } }],
  })
})
