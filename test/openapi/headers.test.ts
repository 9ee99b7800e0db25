import {
  accepted,
  type ActionKit,
  actionResource,
  reply,
  created,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  noContent,
  ok,
  seeOther,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'

interface Row {
  id: number
  title: string
  lockVersion: number
  changedAt: Date
}

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

const jobs = defineResource('jobs', {
  model: model<{ id: number; status: string }>('jobs'),
  id: id(),
  operations: ['FetchOne'],
  fetchOne: [ok(), seeOther()],
  completionLocation: ({ status }) => (status === 'done' ? '/albums/1' : null),
  attributes: (a) => ({ status: a.string() }),
})

/** @param over members of the declaration of albums, such as `version` */
function serverWith(over: object = {}, settings: object = {}) {
  const albums = defineResource('albums', {
    model: model<Row>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    actions: (a) => ({
      shown: a.resource({
        methods: ['GET', 'POST'],
        responds: actionResource(),
        handle: async ({ entity }) => reply.resource(entity),
      }),
      stored: a.resource({ input: 'raw', responds: noContent(), handle: async () => reply.noContent() }),
      counted: a.collection({
        methods: ['PUT'],
        responds: metaResult(),
        handle: async () => reply.meta({ albums: 1 }),
      }),
    }),
    ...over,
  })
  const changedAt = new Date('2026-01-31T12:00:00Z')
  const data = memoryData({
    albums: [{ id: 1, title: 'Kid A', lockVersion: 1, changedAt }],
    jobs: [{ id: 1, status: 'running' }],
  })
  return createServer({ resources: [albums, jobs], data, ...settings })
}

/** Returns the names of the parameters and of the response headers of an operation, by its key: `get /albums/{id}`. */
function described(server: ReturnType<typeof serverWith>, key: string) {
  const [method = '', path = ''] = key.split(' ')
  const { paths, components } = server.openapi() as Loose
  const operation = paths[path][method] as Loose
  const parameters = ((operation['parameters'] ?? []) as readonly Loose[]).map((each) =>
    each['$ref'] === undefined ? each : (components.parameters[each['$ref'].split('/').at(-1)] as Loose),
  )
  const responseOf = (status: number): Loose => {
    const response = operation['responses'][status] as Loose
    return response['$ref'] === undefined
      ? response
      : (components.responses[response['$ref'].split('/').at(-1)] as Loose)
  }
  return {
    sent: parameters.filter((each) => each['in'] === 'header').map(({ name }) => name as string),
    query: parameters.filter((each) => each['in'] === 'query').map(({ name }) => name as string),
    parameter: (name: string) => parameters.find((each) => each['name'] === name),
    all: Object.keys(operation['responses']),
    statuses: Object.keys(operation['responses']).filter((status) => Number(status) < 400),
    headers: (status: number) => Object.keys(responseOf(status)['headers']),
    response: responseOf,
  }
}

const always = { isDescribed: 'always' } as const

describe('conditional reads', () => {
  test('have If-None-Match if resources have an entity tag', async () => {
    const server = serverWith({ version: 'lockVersion' })
    const { sent, statuses, headers } = described(server, 'get /albums/{id}')
    expect([sent, statuses]).toEqual([['If-None-Match'], ['200', '304']])
    expect(headers(304)).toContain('ETag')
    const api = client(server, always)
    const etag = (await api.get('/albums/1')).headers.get('etag')
    expect((await api.get('/albums/1', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  test('have If-Modified-Since if resources have a time of change', async () => {
    const server = serverWith({ lastModified: 'changedAt' })
    const { sent, statuses, headers } = described(server, 'get /albums/{id}')
    expect([sent, statuses]).toEqual([['If-Modified-Since'], ['200', '304']])
    expect(headers(304)).toContain('Last-Modified')
    expect(headers(304)).not.toContain('ETag')
    const since = { 'If-Modified-Since': 'Sat, 31 Jan 2026 12:00:00 GMT' }
    expect((await client(server, always).get('/albums/1', { headers: since })).status).toBe(304)
  })

  test('have a time of change only in responses with a resource', async () => {
    const server = serverWith({ version: 'lockVersion', lastModified: 'changedAt' })
    const { headers } = described(server, 'patch /albums/{id}')
    expect([headers(200), headers(204)].map((names) => names.includes('Last-Modified'))).toEqual([true, false])
    const body = resourceBody('albums', { title: 'Amnesiac' }, '1')
    const minimal = await client(server, always).patch('/albums/1', { body, headers: { Prefer: 'return=minimal' } })
    expect([minimal.headers.has('etag'), minimal.headers.has('last-modified')]).toEqual([true, false])
  })

  test('have neither if resources have no version', () => {
    const { sent, statuses } = described(serverWith(), 'get /albums/{id}')
    expect([sent, statuses]).toEqual([[], ['200']])
  })

  test('may be actions', async () => {
    const server = serverWith({ version: 'lockVersion' })
    const { sent, statuses } = described(server, 'get /albums/{id}/-actions/shown')
    expect([sent, statuses]).toEqual([['If-None-Match'], ['200', '304']])
    const api = client(server, always)
    const etag = (await api.get('/albums/1/-actions/shown')).headers.get('etag')
    expect((await api.get('/albums/1/-actions/shown', { headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect(described(server, 'post /albums/{id}/-actions/shown').statuses).toEqual(['200'])
  })
})

describe('creates that must not replace a resource', () => {
  test('have If-None-Match if clients choose the id', async () => {
    const server = serverWith({ id: id().allowClientId() })
    const { parameter } = described(server, 'post /albums')
    expect(parameter('If-None-Match')).toMatchObject({ in: 'header', schema: { const: '*' } })
    const body = resourceBody('albums', { title: 'Amnesiac' }, '1')
    const response = await client(server, always).post('/albums', { body, headers: { 'If-None-Match': '*' } })
    expect(response.status).toBe(412)
  })

  test('have none if the store chooses it', () => {
    expect(described(serverWith(), 'post /albums').sent).toEqual(['Prefer', 'Content-Encoding'])
  })
})

describe('preferences', () => {
  const writes = ['delete /albums/{id}', 'post /albums/{id}/-actions/shown', 'put /albums/-actions/counted'] as const

  test.each(writes)('of %s are those of dry runs', (key) => {
    const [plain, dry] = [serverWith(), serverWith({}, { dryRun: true })].map((server) => described(server, key))
    const [status] = plain?.statuses ?? []
    expect(plain?.sent).not.toContain('Prefer')
    expect(plain?.headers(Number(status))).not.toContain('Preference-Applied')
    expect(dry?.parameter('Prefer')).toMatchObject({ description: expect.not.stringContaining('return=') as string })
    expect(dry?.headers(Number(status))).toContain('Preference-Applied')
  })

  test('of writes that show resources control the response', async () => {
    const server = serverWith()
    const { parameter, headers } = described(server, 'patch /albums/{id}')
    expect(parameter('Prefer')?.['description']).toContain('`return=minimal`')
    expect(headers(204)).toContain('Preference-Applied')
    const body = resourceBody('albums', { title: 'Amnesiac' }, '1')
    const minimal = await client(server, always).patch('/albums/1', { body, headers: { Prefer: 'return=minimal' } })
    expect(minimal.headers.get('preference-applied')).toBe('return=minimal')
  })
})

test('an action that takes any content refuses content codings, as the document describes', async () => {
  const server = serverWith()
  expect(described(server, 'post /albums/{id}/-actions/stored').all).toEqual(expect.arrayContaining(['413', '415']))
  const headers = { 'Content-Type': 'image/png', 'Content-Encoding': 'nonsense' }
  const refused = await client(server, always).post('/albums/1/-actions/stored', { raw: 'x', headers })
  expect([refused.status, refused.errors[0]?.code]).toEqual([415, 'CONTENT_ENCODING_UNSUPPORTED'])
})

describe('Idempotency-Replayed', () => {
  const server = serverWith({}, { idempotency: true })

  test('is a header of requests that can be repeated with a key', () => {
    expect(described(server, 'post /albums').headers(201)).toContain('Idempotency-Replayed')
    expect(described(server, 'post /albums/{id}/-actions/shown').headers(200)).toContain('Idempotency-Replayed')
    expect(described(server, 'put /albums/-actions/counted').headers(200)).toContain('Idempotency-Replayed')
  })

  test.each([
    ['get /albums/{id}/-actions/shown', 200],
    ['delete /albums/{id}', 204],
    ['get /jobs/{id}', 303],
  ])('is not one of %s', (key, status) => {
    expect(described(server, key).headers(status)).not.toContain('Idempotency-Replayed')
    expect(described(server, key).sent).not.toContain('Idempotency-Key')
  })
})

function unexpected(): never {
  throw new Error('Nothing is updated or deleted here.')
}

describe('writes that continue after the response', () => {
  const persister = {
    supports: () => true,
    create: async () => reply.accepted({ job: { id: 1, status: 'running' } }),
    update: unexpected,
    delete: unexpected,
  }

  test('have the fields of the job, and those of the resource only if it may be shown', async () => {
    const server = serverWith({ create: accepted('jobs'), operations: ['Create'], actions: () => ({}), persister })
    const { query, response } = described(server, 'post /albums')
    expect(query).toEqual(['fields[jobs]'])
    expect(response(202)['description']).toBe(
      'The work continues after the response. The document has the resource of the job, or meta only.',
    )
    expect(response(202)['content']['application/vnd.api+json'].schema).toEqual({
      anyOf: [{ $ref: '#/components/schemas/JobsDocument' }, { $ref: '#/components/schemas/MetaDocument' }],
    })
    const body = resourceBody('albums', { title: 'Amnesiac' })
    const started = await client(server, always).post('/albums?fields[jobs]=status', { body })
    expect(started.document?.data).toMatchObject({ type: 'jobs', attributes: { status: 'running' } })
    const both = serverWith({ create: [created(), accepted('jobs')] })
    expect(described(both, 'post /albums').query).toEqual(['fields[albums]', 'fields[jobs]'])
  })

  test('may be actions and changes of relationships', async () => {
    const action = {
      responds: accepted('jobs'),
      handle: async () => reply.accepted({ job: { id: 1, status: 'running' } }),
    }
    const server = serverWith({ actions: (a: ActionKit<Row>) => ({ start: a.resource(action) }) })
    expect(described(server, 'post /albums/{id}/-actions/start').query).toEqual(['fields[jobs]'])
    const started = await client(server, always).post('/albums/1/-actions/start?fields[jobs]=status')
    expect(started.document?.data).toMatchObject({ type: 'jobs', attributes: { status: 'running' } })
    const linked = serverWith({ relations: { jobs: hasMany('jobs').via('albumId') }, update: [ok(), accepted('jobs')] })
    expect(described(linked, 'patch /albums/{id}/relationships/jobs').query).toEqual(['fields[jobs]'])
  })

  test('have no parameters for resources if they show none', () => {
    expect(described(serverWith({ create: noContent() }), 'post /albums').query).toEqual([])
    expect(described(serverWith({ update: noContent() }), 'patch /albums/{id}').query).toEqual([])
  })
})
