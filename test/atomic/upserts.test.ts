import { atomic, belongsTo, createServer, defineResource, hasMany, id, model, type ServerSettings } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { byName, own } from '../support/named-callers.js'
import { storedData } from '../support/stored-data.js'
import { atomicUri, batchHeaders, resultsOf } from './batch-client.js'

const upsertUri = 'https://ashlar.dev/ext/upsert/'
const upsertHeaders = {
  ...batchHeaders,
  'Content-Type': `application/vnd.api+json; ext="${atomicUri} ${upsertUri}"`,
}

let events: string[] = []
const record = (event: string) => (): void => {
  events.push(event)
}

const genres = defineResource('genres', {
  model: model<{ id: number; slug: string; name: string; code: string | null; parentId: number | null }>('genres'),
  id: id(),
  attributes: (a) => ({
    slug: a.slug().required().unique(),
    name: a.string().required(),
    code: a.string().nullable().readOnlyOnUpdate(),
  }),
  relations: { parent: belongsTo('genres'), children: hasMany('genres').via('parentId') },
  upsertBy: 'slug',
  policy: 'public',
  hooks: { beforeCreate: record('create'), beforeUpdate: record('update') },
})

const codes = defineResource('codes', {
  model: model<{ id: string; isbn: string; title: string; ownerId: number; deletedAt: Date | null }>('codes'),
  id: id()
    .pattern(/[a-z]+/)
    .requireClientId(),
  attributes: (a) => ({ isbn: a.string().required().unique(), title: a.string().required(), ownerId: a.integer() }),
  upsertBy: ['id', 'isbn'],
  softDeletes: {},
  policy: () => ({ viewAny: true, view: own, create: own, update: own, delete: own }),
})

const rows = {
  genres: [{ id: 1, slug: 'rock', name: 'Rock', code: 'R', parentId: null }],
  codes: [
    { id: 'a', isbn: 'i-1', title: 'Mine', ownerId: 1, deletedAt: null },
    { id: 'b', isbn: 'i-2', title: 'Of Bob', ownerId: 2, deletedAt: null },
    { id: 'c', isbn: 'i-3', title: 'Deleted', ownerId: 1, deletedAt: new Date(0) },
  ],
}

function shop(settings: Partial<ServerSettings> = {}) {
  const data = storedData(rows, {}, { hasKeys: true })
  const server = createServer({
    resources: [genres, codes],
    data,
    extensions: [atomic()],
    middleware: [byName],
    ...settings,
  })
  const api = client(server)
  return {
    api,
    batch: (operations: readonly object[], caller = 'alice', headers: Record<string, string> = {}) =>
      api.post('/operations', {
        headers: { ...upsertHeaders, Authorization: caller, ...headers },
        body: { 'atomic:operations': operations },
      }),
    genres: async () => (await api.get('/genres', { headers: { Authorization: 'alice' } })).resources,
  }
}

const by = (key: string, type: string, attributes: object, more: object = {}) => ({
  op: 'add',
  'upsert:by': key,
  data: { type, attributes, ...more },
})

const genre = (attributes: object, more: object = {}) => by('slug', 'genres', attributes, more)

const to = (lid: string) => ({ relationships: { parent: { data: { type: 'genres', lid } } } })

describe('an operation with upsert:by', () => {
  test('creates the resource if the caller sees none with the key, and else updates it', async () => {
    const { batch, genres: all } = shop()
    events = []
    const response = await batch([
      genre({ slug: 'folk', name: 'Folk', code: 'F' }),
      genre({ slug: 'rock', name: 'Rock and roll', code: 'X' }),
      genre({ slug: 'folk', name: 'Folk music' }),
    ])
    expect(response.status).toBe(200)
    expect(resultsOf(response)).toMatchObject([
      { data: { id: '2', attributes: { slug: 'folk', name: 'Folk', code: 'F' } }, meta: { created: true } },
      { data: { id: '1', attributes: { slug: 'rock', name: 'Rock and roll', code: 'R' } }, meta: { created: false } },
      { data: { id: '2', attributes: { slug: 'folk', name: 'Folk music', code: 'F' } }, meta: { created: false } },
    ])
    expect(events).toEqual(['create', 'update', 'update'])
    expect((await all()).map(({ attributes }) => attributes?.['name'])).toEqual(['Rock and roll', 'Folk music'])
  })

  test('gives its resource a local id, whether it creates or updates', async () => {
    const { batch, api } = shop()
    const response = await batch([
      genre({ slug: 'rock', name: 'Rock' }, { lid: 'r' }),
      genre({ slug: 'punk', name: 'Punk' }, { lid: 'p', ...to('r') }),
      genre({ slug: 'ska', name: 'Ska' }, to('p')),
    ])
    expect(response.status).toBe(200)
    const parents = await api.get('/genres?include=parent&sort=id', { headers: { Authorization: 'alice' } })
    expect(parents.resources.map(({ relationships }) => relationships?.['parent']?.data)).toEqual([
      null,
      { type: 'genres', id: '1' },
      { type: 'genres', id: '2' },
    ])
  })

  test('stands between other operations, which are all undone with it', async () => {
    const { batch, genres: all } = shop()
    const response = await batch([
      { op: 'add', data: { type: 'genres', attributes: { slug: 'a', name: 'A' } } },
      { op: 'add', data: { type: 'genres', attributes: { slug: 'b', name: 'B' } } },
      genre({ slug: 'b', name: 'Changed' }),
      genre({ slug: 'c', name: '' }),
    ])
    expectErrors(response, [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/3/data/attributes/name' },
    ])
    expect(await all()).toHaveLength(1)
  })

  test('has the rules of what it does: a new resource needs its required members', async () => {
    const { batch } = shop()
    expectErrors(await batch([genre({ slug: 'new' })]), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/0/data/attributes/name' },
    ])
    expect((await batch([genre({ slug: 'rock' })])).status).toBe(200)
  })

  test('may be by the id', async () => {
    const { batch } = shop()
    const code = (key: string, isbn: string) => by('id', 'codes', { isbn, title: 'T', ownerId: 1 }, { id: key })
    const results = resultsOf(await batch([code('d', 'i-4'), code('a', 'i-1')]))
    expect(results).toMatchObject([{ meta: { created: true } }, { meta: { created: false } }])
    expectErrors(await batch([by('isbn', 'codes', { isbn: 'i-1', title: 'T' }, { id: 'other' })]), [
      { status: 409, code: 'RESOURCE_ID_CONFLICT', pointer: '/atomic:operations/0/data/id' },
    ])
  })
})

describe('a key that a row has which the caller does not see', () => {
  test.each([
    ['of another caller', 'i-2'],
    ['that is deleted softly', 'i-3'],
  ])('%s is taken, as for a create', async (_, isbn) => {
    const { batch, api } = shop()
    const data = { type: 'codes', id: 'z', attributes: { isbn, title: 'Stolen', ownerId: 1 } }
    const [created, upserted] = [
      await batch([{ op: 'add', data }]),
      await batch([{ op: 'add', 'upsert:by': 'isbn', data }]),
    ]
    expect(created.status).toBe(422)
    expect([upserted.status, upserted.document?.errors]).toEqual([created.status, created.document?.errors])
    const shown = await api.get('/codes', { headers: { Authorization: 'bob' } })
    expect(shown.resources.map(({ attributes }) => attributes?.['title'])).toEqual(['Of Bob'])
  })

  test('needs both abilities, even if it only updates', async () => {
    const refused = codes.with({
      policy: () => ({ viewAny: true, view: own, create: false, update: own }),
    } as never)
    const { batch } = shop({ resources: [genres, refused] })
    const operation = by('isbn', 'codes', { isbn: 'i-1', title: 'T' }, { id: 'a' })
    expectErrors(await batch([operation]), [{ status: 403, code: 'FORBIDDEN' }])
  })
})

describe('an operation is refused', () => {
  const at = '/atomic:operations/0/upsert:by'
  const invalid = { status: 400, code: 'ATOMIC_OPERATIONS_INVALID', pointer: at }
  const add = genre({ slug: 'x', name: 'X' })

  test('if the media type does not name the extension', async () => {
    const { batch } = shop()
    expectErrors(await batch([add], 'alice', batchHeaders), [
      {
        ...invalid,
        detail: `The batch of operations is not valid: a request with 'upsert:by' must name the extension ${upsertUri} in 'ext' of Content-Type.`,
      },
    ])
  })

  test.each([
    ['an update', { ...add, op: 'update', data: { type: 'genres', id: '1' } }, invalid],
    ['a key that is no name', { ...add, 'upsert:by': 5 }, invalid],
    [
      'a relationship',
      { op: 'add', 'upsert:by': 'slug', ref: { type: 'genres', id: '1', relationship: 'children' }, data: [] },
      invalid,
    ],
    [
      'a key that the type does not declare',
      { ...add, 'upsert:by': 'name' },
      { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: at },
    ],
    ['data without the key', genre({ name: 'X' }), invalid],
    ['data with null as the key', genre({ slug: null, name: 'X' }), invalid],
    [
      'data with another type of value as the key',
      genre({ slug: 5, name: 'X' }),
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/0/data/attributes/slug' },
    ],
  ])('with %s', async (_, operation, error) => {
    expectErrors(await shop().batch([operation]), [error])
  })

  test('in a request to another address', async () => {
    const { api } = shop()
    const headers = { 'Content-Type': `application/vnd.api+json; ext="${upsertUri}"`, Authorization: 'alice' }
    expect((await api.post('/genres', { headers, body: { data: add.data } })).status).toBe(415)
  })
})

test('a program may send it without a media type', async () => {
  const server = createServer({ resources: [genres], data: storedData(rows), extensions: [atomic()] })
  const response = await server.dispatch({
    kind: 'Extension',
    extension: atomicUri,
    document: { 'atomic:operations': [genre({ slug: 'rock', name: 'Rock music' })] },
    as: null,
  })
  expect(response).toMatchObject({ kind: 'results', results: [{ kind: 'data', meta: { created: false } }] })
})

test('an idempotency key repeats the response', async () => {
  const { batch, genres: all } = shop({ idempotency: {} })
  const headers = { 'Idempotency-Key': '"k-1"' }
  const first = await batch([genre({ slug: 'folk', name: 'Folk' })], 'alice', headers)
  const second = await batch([genre({ slug: 'folk', name: 'Folk' })], 'alice', headers)
  expect([first.status, second.text]).toEqual([200, first.text])
  expect(await all()).toHaveLength(2)
})
