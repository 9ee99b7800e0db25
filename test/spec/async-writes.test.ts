import {
  accepted,
  reply,
  belongsTo,
  created,
  createServer,
  defineResource,
  defineType,
  id,
  model,
  noContent,
  ok,
  type ResourceHooks,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import {
  always,
  type Choices,
  importColumns,
  importing,
  type ImportRow,
  type JobRow,
  jobs,
  later,
  patch,
  post,
} from '../support/imports.js'
import { storedData } from '../support/stored-data.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const puttingOff = () => importing({ create: accepted('jobs'), persister: later({ retryAfter: 5 }) })

describe('a create that is always deferred responds 202 with the document of the job', () => {
  test('the body is the job, as its own type shows it', async () => {
    const response = await post(puttingOff())
    expect(response.status).toBe(202)
    expect(response.document).toEqual({
      data: {
        type: 'jobs',
        id: '1',
        attributes: { status: 'running' },
        relationships: {
          import: {
            data: { type: 'imports', id: '2' },
            links: {
              self: 'http://localhost/jobs/1/relationships/import',
              related: 'http://localhost/jobs/1/import',
            },
          },
        },
        links: { self: 'http://localhost/jobs/1' },
      },
      links: { self: 'http://localhost/imports' },
      jsonapi: { version: '1.1' },
    })
  })

  test('Content-Location is the URL of the job, and there is no Location', async () => {
    const response = await post(puttingOff())
    expect(response.headers.get('Content-Location')).toBe('http://localhost/jobs/1')
    expect(response.headers.has('Location')).toBe(false)
  })

  test('URLs begin with the base URI and the prefix of the server, and use the uriType', async () => {
    const work = defineResource('jobs', {
      model: model<JobRow>('jobs'),
      id: id(),
      uriType: 'work-items',
    })
    const imports = defineResource('imports', {
      model: model<ImportRow>('imports'),
      id: id(),
      attributes: (a) => ({ source: a.string() }),
      create: accepted('jobs'),
      persister: later(),
    })
    const server = createServer({
      resources: [work.with({ server: 'admin' }), imports.with({ server: 'admin' })],
      data: storedData({}, importColumns),
      baseUri: 'https://music.example/api',
      servers: { admin: { prefix: '/admin' } },
    })
    const response = await client(server).post('/admin/imports', { body: resourceBody('imports', { source: 'b' }) })
    expect(response.headers.get('Content-Location')).toBe('https://music.example/api/admin/work-items/1')
  })

  test('writes of the persister are stored, with the job', async () => {
    const server = puttingOff()
    await post(server)
    expect((await server.get('/imports/2')).resource.attributes).toEqual({ source: 'b.csv', status: 'queued' })
    expect((await server.get('/jobs/1')).resource.attributes).toEqual({ status: 'running' })
  })

  test('errors of the request are reported before', async () => {
    const server = puttingOff()
    expectErrors(await server.post('/imports', { body: resourceBody('imports', {}) }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/source' },
    ])
    expect((await server.get('/jobs')).resources).toEqual([])
  })

  test('the requested includes are those of imports: none of them is in the document of a job', async () => {
    exemptFromDescription('queries', 'The document of a job ignores the includes of the request.')
    const imports = defineResource('imports', {
      model: model<ImportRow & { albumId: number | null }>('imports'),
      id: id(),
      attributes: (a) => ({ source: a.string() }),
      relations: { album: belongsTo('albums') },
      create: accepted('jobs'),
      persister: later(),
    })
    const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
    const server = client(
      createServer({ resources: [imports, jobs.with({}), albums], data: storedData({}, importColumns) }),
    )
    const body = resourceBody('imports', { source: 'b' })
    const response = await server.post('/imports?include=album', { body })
    expect([response.status, response.document?.included]).toEqual([202, []])
    expectErrors(await server.post('/imports?include=import', { body }), [
      { status: 400, code: 'INCLUSION_UNRECOGNIZED' },
    ])
  })

  test('a fieldset of jobs applies here too', async () => {
    const { attributes, relationships } = (await post(puttingOff(), '?fields[jobs]=status')).resource
    expect([attributes, relationships]).toEqual([{ status: 'running' }, undefined])
  })

  test('default includes of jobs apply only when they are fetched', async () => {
    const server = puttingOff()
    expect((await post(server)).document).not.toHaveProperty('included')
    expect((await server.get('/jobs/1')).document).toHaveProperty('included')
  })
})

const waiting = (retryAfter: number | Date) =>
  post(importing({ create: accepted('jobs'), persister: later({ retryAfter }) }))

describe('Retry-After', () => {
  test('is whole seconds, rounded up', async () => {
    expect((await waiting(5)).headers.get('Retry-After')).toBe('5')
    expect((await waiting(0)).headers.get('Retry-After')).toBe('0')
    expect((await waiting(1.2)).headers.get('Retry-After')).toBe('2')
  })

  test('is an HTTP date', async () => {
    const response = await waiting(new Date('2026-11-15T08:00:00.900Z'))
    expect(response.headers.get('Retry-After')).toBe('Sun, 15 Nov 2026 08:00:00 GMT')
  })

  test('is absent if none is given', async () => {
    const response = await post(importing({ create: accepted('jobs'), persister: later() }))
    expect(response.headers.has('Retry-After')).toBe(false)
  })

  test.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY], [new Date(Number.NaN)], [new Date(8.64e15)]])(
    'is never %s: 500, and nothing is stored',
    async (retryAfter) => {
      const api = importing({ create: accepted('jobs'), persister: later({ retryAfter }) })
      expectErrors(await post(api), [{ status: 500 }])
      expect((await api.get('/imports')).resources).toHaveLength(1)
      expect((await api.get('/jobs')).resources).toEqual([])
    },
  )
})

describe('the persister describes the work', () => {
  test('it may have its own polling URL', async () => {
    const poll = 'https://queue.example/tasks/7?wait=10'
    const response = await post(importing({ create: accepted('jobs'), persister: later({ poll }) }))
    expect(response.headers.get('Content-Location')).toBe(poll)
    expect(response.resource).toMatchObject({ type: 'jobs', links: { self: 'http://localhost/jobs/1' } })
  })

  test('a URL that is no valid header is a 500, and nothing is stored', async () => {
    const api = importing({ create: accepted('jobs'), persister: later({ poll: 'https://queue.example/\r\nX: y' }) })
    expectErrors(await post(api), [{ status: 500 }])
    expect((await api.get('/jobs')).resources).toEqual([])
  })

  test('without a job the document is only meta', async () => {
    const deferred = reply.accepted({ poll: '/queue/7', retryAfter: 1, meta: { position: 4 } })
    const response = await post(importing({ create: accepted('jobs'), persister: always(deferred) }))
    expect(response.status).toBe(202)
    expect(response.document).toEqual({
      meta: { position: 4 },
      links: { self: 'http://localhost/imports' },
      jsonapi: { version: '1.1' },
    })
    expect(response.headers.get('Content-Location')).toBe('/queue/7')
    expect(response.headers.get('Retry-After')).toBe('1')
  })

  test('without a job and without meta, meta is empty', async () => {
    const deferred = reply.accepted({ poll: '/queue/7' })
    const response = await post(importing({ create: accepted('jobs'), persister: always(deferred) }))
    expect(response.document).toMatchObject({ meta: {} })
  })

  test('a job may have meta', async () => {
    const response = await post(importing({ create: accepted('jobs'), persister: later({ meta: { position: 4 } }) }))
    expect(response.document).toMatchObject({ data: { type: 'jobs' }, meta: { position: 4 } })
  })

  test('a job type needs only a serializer', async () => {
    const work = defineType('work', {
      fields: (a) => ({ ticket: id(), state: a.string() }),
      serializer: {
        members: ['state'],
        serialize: ({ ticket, state }) => ({ id: String(ticket), attributes: { state } }),
      },
    })
    const imports = defineResource('imports', {
      model: model<ImportRow>('imports'),
      id: id(),
      attributes: (a) => ({ source: a.string() }),
      create: accepted('work'),
      persister: always(reply.accepted({ job: { ticket: 'q 7', state: 'queued' }, poll: '/queue/7' })),
    })
    const api = client(createServer({ resources: [imports, work], data: storedData({}, importColumns) }))
    const response = await post(api)
    expect(response.resource).toMatchObject({ type: 'work', id: 'q 7', attributes: { state: 'queued' } })
  })
})

const choosing = () =>
  importing({
    create: [created(), accepted('jobs')],
    persister: (store) => ({
      ...store,
      create: (type, values, write) =>
        values['source'] === 'small.csv'
          ? store.create(type, values, write)
          : later()(store).create(type, values, write),
    }),
  })

describe('a create that may be deferred', () => {
  test('is 202 if it is deferred', async () => {
    expect((await post(choosing())).status).toBe(202)
  })

  test('is 204 if it is done immediately and no more is declared', async () => {
    const api = importing({
      create: [noContent(), accepted('jobs')],
      update: [noContent(), accepted('jobs')],
    })
    expect([(await post(api)).status, (await patch(api)).status]).toEqual([204, 204])
  })

  test('is 201 with Location if it is done immediately', async () => {
    const response = await choosing().post('/imports', { body: resourceBody('imports', { source: 'small.csv' }) })
    expect(response.status).toBe(201)
    expect(response.headers.get('Location')).toBe('http://localhost/imports/2')
    expect(response.headers.has('Content-Location')).toBe(false)
  })
})

const putOff = (): Choices => ({
  update: [ok(), accepted('jobs')],
  persister: (store) => ({
    ...store,
    update: async (type, key, values, write) => {
      if (values['source'] === 'small.csv') return store.update(type, key, values, write)
      return reply.accepted({
        job: await write.context.rows<JobRow>('jobs').create({ status: 'running', importId: 1 }),
      })
    },
  }),
})

describe('an update that is deferred', () => {
  test('is 202 with the job, and the resource does not change', async () => {
    const api = importing(putOff())
    const response = await patch(api)
    expect([response.status, response.resource.type]).toEqual([202, 'jobs'])
    expect(response.headers.get('Content-Location')).toBe('http://localhost/jobs/1')
    expect((await api.get('/imports/1')).resource.attributes?.['source']).toBe('a.csv')
  })

  test('is 200 if it is done immediately', async () => {
    const body = resourceBody('imports', { source: 'small.csv' }, '1')
    const response = await importing(putOff()).patch('/imports/1', { body })
    expect([response.status, response.resource.attributes?.['source']]).toEqual([200, 'small.csv'])
  })

  test('is 202 for a request that changes nothing, too: only the persister knows', async () => {
    const response = await importing(putOff()).patch('/imports/1', { body: { data: { type: 'imports', id: '1' } } })
    expect(response.status).toBe(202)
  })

  test('is 404 for a missing resource', async () => {
    const body = resourceBody('imports', { source: 'b.csv' }, '9')
    expectErrors(await importing(putOff()).patch('/imports/9', { body }), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })
})

describe('a reply that is not declared is a 500, and nothing is stored', () => {
  test.each<[string, Choices, string]>([
    ['accepted() if it is not declared', { persister: later() }, 'no accepted() is declared'],
    [
      'a row if only accepted() is declared',
      { create: accepted('jobs'), persister: (store) => ({ ...store, create: (...given) => store.create(...given) }) },
      'only accepted() is declared',
    ],
    [
      'another reply',
      { create: [created(), accepted('jobs')], persister: always(reply.noContent()) },
      'returned reply.noContent()',
    ],
    [
      'a job without its key',
      { create: accepted('jobs'), persister: always(reply.accepted({ job: { status: 'running' } })) },
      "A row of 'jobs' has no key",
    ],
    [
      'several jobs',
      { create: accepted('jobs'), persister: always(reply.accepted({ job: [{ id: 1 }, { id: 2 }] })) },
      "must be one row of 'jobs'",
    ],
  ])('%s', async (_name, choices, expectedMessage) => {
    const logged: unknown[] = []
    const api = importing({ ...choices, settings: { logger: { error: ({ err }) => logged.push(err) } } })
    expectErrors(await post(api), [{ status: 500, code: null }])
    expect(logged).toMatchObject([{ message: expect.stringContaining(expectedMessage) }])
    expect((await api.get('/imports')).resources).toHaveLength(1)
    expect((await api.get('/jobs')).resources).toEqual([])
  })
})

describe('code that writes rows of a type with deferred writes', () => {
  test('is reported, and nothing is stored', async () => {
    const logged: unknown[] = []
    const labels = defineResource('labels', {
      model: model<{ id: number }>('labels'),
      id: id(),
      hooks: {
        beforeCreate: async (_draft, context) => {
          await context.rows<ImportRow>('imports').create({ source: 'b.csv' })
        },
      },
    })
    const imports = defineResource('imports', {
      model: model<ImportRow>('imports'),
      id: id(),
      create: accepted('jobs'),
      persister: later(),
    })
    const logger = { error: ({ err }: { err: unknown }) => logged.push(err) }
    const api = client(
      createServer({ resources: [labels, imports, jobs], data: storedData({}, importColumns), logger }),
    )
    expectErrors(await api.post('/labels', { body: resourceBody('labels') }), [{ status: 500 }])
    expect(logged).toMatchObject([{ message: expect.stringContaining("The persister of 'imports' returned a reply") }])
    expect((await api.get('/jobs')).resources).toEqual([])
  })
})

describe('hooks of a deferred write', () => {
  test('before it run, those after it do not', async () => {
    const ran: string[] = []
    const hooks: ResourceHooks<ImportRow> = {
      beforeSave: (draft) => {
        ran.push('beforeSave')
        draft.source = draft.source?.toUpperCase() ?? ''
      },
      beforeCreate: () => void ran.push('beforeCreate'),
      beforeUpdate: () => void ran.push('beforeUpdate'),
      afterCreate: () => void ran.push('afterCreate'),
      afterUpdate: () => void ran.push('afterUpdate'),
      afterSave: () => void ran.push('afterSave'),
    }
    const api = importing({
      hooks,
      create: accepted('jobs'),
      update: accepted('jobs'),
      persister: (store) => ({ ...later()(store), update: () => reply.accepted({ poll: '/queue/7' }) }),
    })
    await post(api)
    expect((await api.get('/imports/2')).resource.attributes?.['source']).toBe('B.CSV')
    await patch(api)
    expect(ran).toEqual(['beforeSave', 'beforeCreate', 'beforeSave', 'beforeUpdate'])
  })
})
