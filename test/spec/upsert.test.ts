import { belongsTo, createServer, defineResource, id, model, type AnyResource, type ServerSettings } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { byName, isAdmin, own } from '../support/named-callers.js'
import { storedData } from '../support/stored-data.js'

/** What happened, in the order in which it did. */
let events: string[] = []

const record = (event: string) => (): void => {
  events.push(event)
}

const genres = defineResource('genres', {
  model: model<{ id: string; name: string; about: string | null; code: string | null; parentId: string | null }>(
    'genres',
  ),
  id: id()
    .pattern(/[a-z-]+/)
    .requireClientId(),
  attributes: (a) => ({
    name: a.string().required().unique(),
    about: a.string().nullable(),
    code: a.string().nullable().readOnlyOnUpdate(),
  }),
  relations: { parent: belongsTo('genres') },
  upsertBy: 'id',
})

const rows = [
  { id: 'rock', name: 'Rock', about: 'Loud', code: 'R', parentId: null },
  { id: 'jazz', name: 'Jazz', about: null, code: 'J', parentId: null },
]

const music = (settings: Partial<ServerSettings> = {}, type: AnyResource = genres): TestClient =>
  client(createServer({ resources: [type], data: storedData({ genres: rows }), ...settings }))

const genre = (key: string, attributes: object, more: object = {}) => ({
  body: { data: { type: 'genres', id: key, attributes, ...more } },
})

const attributesOf = async (api: TestClient, key: string): Promise<unknown> =>
  (await api.get(`/genres/${key}`)).resource.attributes

const note = (key: string, text: string, caller: string | null, more: object = {}) => ({
  body: { data: { type: 'notes', id: key, attributes: { text } } },
  headers: { ...(caller === null ? {} : { Authorization: caller }), ...more },
})

const textOf = async (api: TestClient, key: string): Promise<unknown> =>
  (await api.get(`/notes/${key}`, { headers: { Authorization: 'root' } })).resource.attributes?.['text']

const page = (key: string, text: string, headers: Readonly<Record<string, string>>) => ({
  body: { data: { type: 'pages', id: key, attributes: { text } } },
  headers,
})

const under = (key: string) => ({ relationships: { parent: { data: { type: 'genres', id: key } } } })

/** A type with these hooks records what happens. */
const observed = genres.with({
  hooks: {
    beforeSave: record('beforeSave'),
    beforeCreate: record('beforeCreate'),
    beforeUpdate: record('beforeUpdate'),
    afterCreate: record('afterCreate'),
    afterUpdate: record('afterUpdate'),
    afterSave: record('afterSave'),
  },
} as never)

// Without hooks, both halves are one statement each, if the store can do that; with them, they are written in steps.
describe.each([
  ['by statements', genres],
  ['in steps', observed],
])('PUT of a resource, %s', (_, type) => {
  test('creates it if there is none with the id: 201 with its location', async () => {
    const api = music({}, type)
    const created = await api.put('/genres/folk', genre('folk', { name: 'Folk', code: 'F' }))
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe('http://localhost/genres/folk')
    expect(created.resource).toMatchObject({ id: 'folk', attributes: { name: 'Folk', about: null, code: 'F' } })
    expect((await api.get('/genres')).resources).toHaveLength(3)
  })

  test('updates it if it exists: 200, and members that are missing keep their values', async () => {
    const api = music({}, type)
    const updated = await api.put('/genres/rock', genre('rock', { name: 'Rock and roll' }))
    expect(updated.status).toBe(200)
    expect(updated.headers.get('location')).toBeNull()
    expect(updated.resource.attributes).toEqual({ name: 'Rock and roll', about: 'Loud', code: 'R' })
    expect((await api.get('/genres')).resources).toHaveLength(2)
  })

  test('that is repeated changes nothing more', async () => {
    const api = music({}, type)
    const sent = genre('folk', { name: 'Folk', about: 'Old' })
    const statuses = [await api.put('/genres/folk', sent), await api.put('/genres/folk', sent)].map(
      (each) => each.status,
    )
    expect(statuses).toEqual([201, 200])
    expect(await attributesOf(api, 'folk')).toEqual({ name: 'Folk', about: 'Old', code: null })
  })

  test('sets the relationships that it names', async () => {
    const api = music({}, type)
    const parentOf = async (key: string): Promise<unknown> =>
      (await api.get(`/genres/${key}/relationships/parent`)).document?.data
    expect((await api.put('/genres/punk', genre('punk', { name: 'Punk' }, under('rock')))).status).toBe(201)
    expect(await parentOf('punk')).toEqual({ type: 'genres', id: 'rock' })
    expect((await api.put('/genres/punk', genre('punk', {}, under('jazz')))).status).toBe(200)
    expect(await parentOf('punk')).toEqual({ type: 'genres', id: 'jazz' })
    expectErrors(await api.put('/genres/ska', genre('ska', { name: 'Ska' }, under('none'))), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/parent/data' },
    ])
    expectErrors(await api.put('/genres/punk', genre('punk', {}, under('none'))), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/parent/data' },
    ])
  })

  test('is checked as what it does: a new resource needs its required members', async () => {
    const api = music({}, type)
    expectErrors(await api.put('/genres/folk', genre('folk', { about: 'Old' })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
    ])
    expect((await api.put('/genres/rock', genre('rock', { about: 'Old' }))).status).toBe(200)
    expectErrors(await api.put('/genres/rock', genre('rock', { name: '' })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
    ])
    expectErrors(await api.put('/genres/FOLK', genre('FOLK', { name: 'Folk' })), [
      { status: 404, code: 'PATH_NOT_FOUND' },
    ])
  })

  test('writes members that only a create or only an update may write in that case alone', async () => {
    const api = music({}, type)
    await api.put('/genres/folk', genre('folk', { name: 'Folk', code: 'F' }))
    await api.put('/genres/folk', genre('folk', { name: 'Folk music', code: 'X' }))
    expect(await attributesOf(api, 'folk')).toEqual({ name: 'Folk music', about: null, code: 'F' })
  })

  test('reports values that another resource has', async () => {
    const api = music({}, type)
    const taken = { code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' }
    expectErrors(await api.put('/genres/folk', genre('folk', { name: 'Rock' })), [{ status: 422, ...taken }])
    expectErrors(await api.put('/genres/jazz', genre('jazz', { name: 'Rock' })), [{ status: 422, ...taken }])
    expect((await api.get('/genres')).resources).toHaveLength(2)
  })

  test('has a document of a resource with the id of the URL', async () => {
    const api = music({}, type)
    expectErrors(await api.put('/genres/folk', genre('rock', { name: 'Folk' })), [
      { status: 409, code: 'RESOURCE_ID_CONFLICT', pointer: '/data/id' },
    ])
    expectErrors(await api.put('/genres/folk', { body: { data: { type: 'genres', attributes: { name: 'F' } } } }), [
      { status: 400, code: 'RESOURCE_ID_MISSING', pointer: '/data' },
    ])
    expectErrors(await api.put('/genres/folk', { body: { data: { type: 'albums', id: 'folk' } } }), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
    ])
    expectErrors(await api.put('/genres/folk'), [{ status: 400, code: 'DATA_MEMBER_MISSING', pointer: '' }])
  })

  test('with If-None-Match: * only creates', async () => {
    const api = music({}, type)
    const headers = { 'If-None-Match': '*' }
    expect((await api.put('/genres/folk', { ...genre('folk', { name: 'Folk' }), headers })).status).toBe(201)
    expectErrors(await api.put('/genres/folk', { ...genre('folk', { name: 'Other' }), headers }), [
      { status: 412, code: 'PRECONDITION_FAILED', header: 'If-None-Match' },
    ])
    expect(await attributesOf(api, 'folk')).toMatchObject({ name: 'Folk' })
  })

  test('with If-Match: * only updates', async () => {
    const api = music({}, type)
    const headers = { 'If-Match': '*' }
    expectErrors(await api.put('/genres/folk', { ...genre('folk', { name: 'Folk' }), headers }), [
      { status: 412, code: 'PRECONDITION_FAILED', header: 'If-Match' },
    ])
    expect((await api.put('/genres/rock', { ...genre('rock', { about: null }), headers })).status).toBe(200)
    expect((await api.get('/genres')).resources).toHaveLength(2)
  })

  test('responds as the client prefers', async () => {
    const api = music({}, type)
    const headers = { Prefer: 'return=minimal' }
    const created = await api.put('/genres/folk', { ...genre('folk', { name: 'Folk' }), headers })
    expect([created.status, created.headers.get('location')]).toEqual([204, 'http://localhost/genres/folk'])
    const updated = await api.put('/genres/folk', { ...genre('folk', { name: 'Folk music' }), headers })
    expect([updated.status, updated.headers.get('location')]).toEqual([204, null])
    const fields = await api.put('/genres/folk?fields[genres]=name', genre('folk', { about: 'Old' }))
    expect(fields.resource.attributes).toEqual({ name: 'Folk music' })
  })
})

test('hooks of what happened run, and no others', async () => {
  const api = music({}, observed)
  events = []
  await api.put('/genres/folk', genre('folk', { name: 'Folk' }))
  expect(events).toEqual(['beforeSave', 'beforeCreate', 'afterCreate', 'afterSave'])
  events = []
  await api.put('/genres/folk', genre('folk', { name: 'Folk music' }))
  expect(events).toEqual(['beforeSave', 'beforeUpdate', 'afterUpdate', 'afterSave'])
})

describe('a type without upsertBy', () => {
  const plain = genres.with({ upsertBy: [] })

  test('has no PUT', async () => {
    const refused = await music({}, plain).put('/genres/folk', genre('folk', { name: 'Folk' }))
    expectErrors(refused, [{ status: 405, code: 'METHOD_NOT_ALLOWED' }])
    expect(refused.headers.get('allow')).toBe('GET, HEAD, QUERY, PATCH, DELETE, OPTIONS')
  })
})

describe('the methods of a resource', () => {
  test('include PUT, in Allow, OPTIONS, CORS, and the routes of the server', async () => {
    const server = createServer({ resources: [genres], data: storedData({ genres: rows }), cors: { origins: '*' } })
    const api = client(server)
    const options = await api.request('OPTIONS', '/genres/rock')
    expect(options.headers.get('allow')).toBe('GET, HEAD, QUERY, PATCH, PUT, DELETE, OPTIONS')
    const preflight = await api.request('OPTIONS', '/genres/rock', {
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'PUT' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(server.routes()).toContainEqual(
      expect.objectContaining({ name: 'jsonapi.genres.upsert', method: 'PUT', path: '/genres/{id}' }),
    )
    expect((await api.put('/genres', genre('folk', {}))).status).toBe(405)
    expect((await api.put('/genres/rock/relationships/parent', { body: { data: null } })).status).toBe(405)
  })

  test('have no PUT if the type is read-only', async () => {
    const api = music({}, genres.with({ readOnly: true }))
    expect((await api.put('/genres/rock', genre('rock', {}))).status).toBe(405)
  })
})

describe('a type with a policy', () => {
  const notes = defineResource('notes', {
    model: model<{ id: string; text: string; ownerId: number; deletedAt: Date | null }>('notes'),
    id: id()
      .pattern(/[a-z]+/)
      .requireClientId(),
    attributes: (a) => ({ text: a.string().required(), ownerId: a.integer() }),
    softDeletes: { column: 'deletedAt' },
    defaults: ({ caller }) => ({ ownerId: (caller as { id: number } | null)?.id ?? 0 }),
    upsertBy: 'id',
    policy: () => ({
      viewAny: true,
      view: (context) => (isAdmin(context.caller) ? true : own(context)),
      create: ({ caller }) => caller !== null,
      update: own,
      delete: own,
    }),
  })
  const seeds = [
    { id: 'a', text: 'of alice', ownerId: 1, deletedAt: null },
    { id: 'b', text: 'of bob', ownerId: 2, deletedAt: null },
    { id: 'c', text: 'deleted', ownerId: 1, deletedAt: new Date('2026-01-01T00:00:00Z') },
  ]
  const world = (): TestClient =>
    client(createServer({ resources: [notes], data: storedData({ notes: seeds }), middleware: [byName] }))

  test('decides as for an update, and as for a create', async () => {
    const api = world()
    expect((await api.put('/notes/a', note('a', 'changed', 'alice'))).status).toBe(200)
    expect((await api.put('/notes/d', note('d', 'new', 'alice'))).status).toBe(201)
    expectErrors(await api.put('/notes/d', note('d', 'new', null)), [{ status: 401, code: 'UNAUTHENTICATED' }])
    expect(await textOf(api, 'd')).toBe('new')
  })

  test.each(['create', 'update'] as const)(
    'needs both abilities, also if the one to %s is not used',
    async (missing) => {
      const types = notes.with({
        policy: () => ({ viewAny: true, view: true, create: true, update: true, delete: true, [missing]: false }),
      })
      const data = storedData({ notes: seeds })
      const api = client(createServer({ resources: [types], data, middleware: [byName] }))
      for (const key of ['a', 'x']) {
        expectErrors(await api.put(`/notes/${key}`, note(key, 'new', 'alice')), [{ status: 403, code: 'FORBIDDEN' }])
        expectErrors(await api.put(`/notes/${key}`, note(key, 'new', null)), [{ status: 401, code: 'UNAUTHENTICATED' }])
      }
      expect((await api.get('/notes')).resources).toHaveLength(2)
    },
  )

  test('refuses an update of a visible resource that the caller may not change', async () => {
    const api = world()
    expectErrors(await api.put('/notes/b', note('b', 'changed', 'root')), [{ status: 403, code: 'FORBIDDEN' }])
    expect(await textOf(api, 'b')).toBe('of bob')
  })

  test('neither shows nor overwrites a resource that the caller cannot see', async () => {
    const api = world()
    const refused = await api.put('/notes/b', note('b', 'stolen', 'alice'))
    const posted = await api.post('/notes', note('b', 'stolen', 'alice'))
    // A client that chooses ids learns from a POST too that one is taken, and nothing else.
    expect(refused.status).toBe(409)
    expect(refused.text).toEqual(posted.text)
    expect(refused.text).not.toContain('of bob')
    expect(await textOf(api, 'b')).toBe('of bob')
    const [existing, missing] = await Promise.all(
      ['b', 'x'].map((key) => api.put(`/notes/${key}`, note(key, 'stolen', 'alice', { 'If-Match': '*' }))),
    )
    expect(existing?.status).toBe(412)
    expect(existing?.text).toEqual(missing?.text)
  })

  test('does not bring back a resource that is deleted', async () => {
    const api = world()
    expectErrors(await api.put('/notes/c', note('c', 'again', 'alice')), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
  })
})

describe('a type with versions', () => {
  const versioned = defineResource('pages', {
    model: model<{ id: string; text: string; lockVersion: number }>('pages'),
    id: id()
      .pattern(/[a-z]+/)
      .requireClientId(),
    attributes: (a) => ({ text: a.string() }),
    version: { column: 'lockVersion', required: true },
    upsertBy: 'id',
  })
  const world = (): TestClient =>
    client(
      createServer({
        resources: [versioned],
        data: storedData({ pages: [{ id: 'a', text: 'one', lockVersion: 3 }] }),
        secret: 'The secret of the tests',
      }),
    )

  test('updates the version that the client has read, and responds with the next one', async () => {
    const api = world()
    const etag = (await api.get('/pages/a')).headers.get('etag') ?? ''
    const updated = await api.put('/pages/a', page('a', 'two', { 'If-Match': etag }))
    expect(updated.status).toBe(200)
    expect(updated.headers.get('etag')).not.toBe(etag)
    expectErrors(await api.put('/pages/a', page('a', 'three', { 'If-Match': etag })), [
      { status: 412, code: 'PRECONDITION_FAILED', header: 'If-Match' },
    ])
    expectErrors(await api.put('/pages/b', page('b', 'new', { 'If-Match': etag })), [
      { status: 412, code: 'PRECONDITION_FAILED', header: 'If-Match' },
    ])
  })

  test('that are required needs one of both preconditions', async () => {
    const api = world()
    expectErrors(await api.put('/pages/a', page('a', 'two', {})), [
      { status: 428, code: 'PRECONDITION_REQUIRED', header: 'If-Match' },
    ])
    const created = await api.put('/pages/b', page('b', 'new', { 'If-None-Match': '*' }))
    expect([created.status, created.headers.get('etag') !== null]).toEqual([201, true])
    expectErrors(await api.put('/pages/a', page('a', 'two', { 'If-None-Match': '*' })), [
      { status: 412, code: 'PRECONDITION_FAILED', header: 'If-None-Match' },
    ])
  })
})

describe('a PUT', () => {
  test('with an idempotency key is replayed with its first status', async () => {
    const data = storedData({ genres: rows }, {}, { hasKeys: true })
    const api = client(createServer({ resources: [genres], data, idempotency: true }))
    const sent = { ...genre('folk', { name: 'Folk' }), headers: { 'Idempotency-Key': '"one"' } }
    const [first, second] = [await api.put('/genres/folk', sent), await api.put('/genres/folk', sent)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
  })

  test('can be a dry run, which stores nothing', async () => {
    const api = music({ dryRun: true })
    const headers = { Prefer: 'tx=rollback' }
    expect((await api.put('/genres/folk', { ...genre('folk', { name: 'Folk' }), headers })).status).toBe(201)
    expect((await api.put('/genres/rock', { ...genre('rock', { name: 'Other' }), headers })).status).toBe(200)
    expect((await api.get('/genres')).resources).toHaveLength(2)
    expect(await attributesOf(api, 'rock')).toMatchObject({ name: 'Rock' })
  })

  test('costs as much as an update', async () => {
    const api = music({ queryCost: { budget: 0 } })
    const costOf = async (method: string, key: string): Promise<unknown> => {
      const [error] = (await api.request(method, `/genres/${key}`, genre(key, { name: 'Some' }))).errors
      return [error?.code, error?.meta?.['cost']]
    }
    const patched = await costOf('PATCH', 'rock')
    expect(patched).toEqual(['QUERY_TOO_EXPENSIVE', expect.any(Number)])
    expect([await costOf('PUT', 'rock'), await costOf('PUT', 'folk')]).toEqual([patched, patched])
  })

  test('of a server without HTTP is the operation UpsertResource', async () => {
    const server = createServer({ resources: [genres], data: storedData({ genres: rows }) })
    const document = { data: { type: 'genres', id: 'folk', attributes: { name: 'Folk' } } }
    const upsert = { kind: 'UpsertResource', type: 'genres', id: 'folk', document } as const
    expect(await server.dispatch(upsert)).toMatchObject({ kind: 'data', status: 201 })
    expect(await server.dispatch(upsert)).toMatchObject({ kind: 'data', status: 200 })
  })
})

describe('requests at the same time', () => {
  test.each([
    ['by statements', genres],
    ['in steps', observed],
  ])('create one row, %s, and each succeeds', async (_, type) => {
    const api = music({}, type)
    const sent = Array.from({ length: 8 }, (_each, index) => genre('folk', { name: 'Folk', about: String(index) }))
    const statuses = await Promise.all(sent.map(async (each) => (await api.put('/genres/folk', each)).status))
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect((await api.get('/genres')).resources).toHaveLength(3)
  })
})
