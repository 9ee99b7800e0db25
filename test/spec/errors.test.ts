import { createServer, defineResource, type ErrorLogger, HttpError, id, model, fail } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, testClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'

type Settings = NonNullable<Parameters<typeof catalogueServer>[0]>

/** A server on which every operation fails with the given value. */
function failing(thrown: unknown, settings: Settings = {}) {
  return client(
    catalogueServer({
      ...settings,
      handler: () => async () => {
        throw thrown
      },
    }),
  )
}

class StoreError extends Error {
  readonly code: string = 'E_STORE'
}
class LockedError extends StoreError {}

describe('1. handling is scoped to JSON:API routes', () => {
  test('a path of an unknown type is a router 404 and is not a JSON:API document', async () => {
    const response = await failing(new Error('x'), { debug: true }).get('/nothing')
    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  })

  test('every failure on a JSON:API route is a document of the media type with an errors array', async () => {
    for (const thrown of [new Error('x'), 'text', null, undefined, 5, new HttpError(418), Object.create(null)]) {
      const { headers, document } = await failing(thrown).get('/albums')
      expect(headers.get('Content-Type')).toBe('application/vnd.api+json')
      expect(document?.errors).toHaveLength(1)
    }
  })
})

describe('2. precedence', () => {
  const mappers = [{ map: () => new HttpError(409) }]

  test('an error of the service is never overridden', async () => {
    const api = client(catalogueServer({ mappers, exceptionMap: [[Error, 418]] }))
    expectErrors(await api.get('/albums/99'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expectErrors(await api.get('/albums?nonsense=1'), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED' }])
  })

  test('then come mappers and the map, then HTTP errors, then the generic 500', async () => {
    expectErrors(await failing(new HttpError(404), { mappers }).get('/albums'), [{ status: 409, code: null }])
    expectErrors(await failing(new HttpError(404), { exceptionMap: [[HttpError, 410]] }).get('/albums'), [
      { status: 410 },
    ])
    expectErrors(await failing(new HttpError(404)).get('/albums'), [{ status: 404 }])
    expectErrors(await failing(new Error('x')).get('/albums'), [{ status: 500 }])
  })

  test('an application may raise errors of the catalogue itself', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number }>('labels'),
      id: id(),
      provider: { fetchOne: () => fail('RESOURCE_NOT_FOUND'), fetchCollection: () => ({ rows: [], total: 0 }) },
      readOnly: true,
    })
    const api = client(createServer({ resources: [labels], exceptionMap: [[Error, 418]] }))
    expectErrors(await api.get('/labels/1'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })
})

describe('3. an HTTP error', () => {
  test.each([
    [400, 'Bad Request'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'Not Found'],
    [405, 'Method Not Allowed'],
    [406, 'Not Acceptable'],
    [409, 'Conflict'],
    [415, 'Unsupported Media Type'],
    [422, 'Unprocessable Entity'],
    [418, 'Error'],
    [429, 'Error'],
    [500, 'Server Error'],
    [503, 'Server Error'],
  ])('%d renders one error with the title %s and an empty detail', async (status, title) => {
    const response = await failing(new HttpError(status, 'secret', { headers: ['Allow', 'GET'] })).get('/albums')
    expect(response.status).toBe(status)
    expect(response.errors).toEqual([{ status: String(status), title, detail: '' }])
    expect(response.text).not.toContain('secret')
  })

  test('has its message as detail in debug mode, and no more', async () => {
    const response = await failing(new HttpError(403, 'Only staff.'), { debug: true }).get('/albums')
    expect(response.errors).toEqual([{ status: '403', title: 'Forbidden', detail: 'Only staff.' }])
  })

  test('sends its headers', async () => {
    const thrown = new HttpError(401, '', { headers: ['WWW-Authenticate', 'Bearer'] })
    const response = await failing(thrown).get('/albums')
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
  })

  test('an impossible status is a generic 500, and is logged', async () => {
    const error = vi.fn()
    expectErrors(await failing(new HttpError(200), { logger: { error } }).get('/albums'), [
      { status: 500, title: 'Internal Server Error' },
    ])
    expect(error).toHaveBeenCalledTimes(1)
  })
})

describe('4. the exception map', () => {
  test('renders an exception of a class with its status and title', async () => {
    const response = await failing(new StoreError('secret'), { exceptionMap: [[StoreError, 409]] }).get('/albums')
    expect(response.errors).toEqual([{ status: '409', title: 'Conflict', detail: '' }])
  })

  test('the most derived class wins, whatever the order', async () => {
    for (const exceptionMap of [
      [
        { error: Error, status: 500 },
        { error: StoreError, status: 409 },
        { error: LockedError, status: 423 },
      ],
      new Map<typeof StoreError | ErrorConstructor, number>([
        [LockedError, 423],
        [StoreError, 409],
        [Error, 500],
      ]),
    ]) {
      expectErrors(await failing(new LockedError(), { exceptionMap }).get('/albums'), [{ status: 423, title: 'Error' }])
      expectErrors(await failing(new StoreError(), { exceptionMap }).get('/albums'), [{ status: 409 }])
    }
  })
})

describe('5. exception mappers', () => {
  test('are called in descending priority, and the first result wins', async () => {
    const calls: string[] = []
    const mapper = (name: string, priority: number | undefined, reply: HttpError | null) => ({
      priority,
      map() {
        calls.push(name)
        return reply
      },
    })
    const mappers = [
      mapper('default', undefined, null),
      mapper('low', -1, new HttpError(410)),
      mapper('lower', -2, new HttpError(411)),
      mapper('high', 5, null),
    ]
    expectErrors(await failing(new Error('x'), { mappers }).get('/albums'), [{ status: 410 }])
    expect(calls).toEqual(['high', 'default', 'low'])
  })

  test('the configured map acts at priority -1000', async () => {
    const exceptionMap = [[StoreError, 409] as const]
    const statusWith = async (priority: number) =>
      (
        await failing(new StoreError(), { mappers: [{ priority, map: () => new HttpError(410) }], exceptionMap }).get(
          '/albums',
        )
      ).status
    expect(await statusWith(-999)).toBe(410)
    expect(await statusWith(-1001)).toBe(409)
  })

  test('may return whole error documents', async () => {
    const mappers = [
      {
        map: () => ({
          status: 400,
          errors: [
            { status: '404', code: 'SOLD_OUT', title: 'Sold out', meta: { left: 0 } },
            { status: '422', code: 'TOO_MANY', source: { pointer: '/data' } },
          ],
          headers: ['Retry-After', '60'],
        }),
      },
    ]
    const response = await failing(new Error('x'), { mappers }).get('/albums')
    expect(response.status).toBe(400)
    expect(response.headers.get('Retry-After')).toBe('60')
    expectErrors(response, [
      { status: 404, code: 'SOLD_OUT' },
      { status: 422, code: 'TOO_MANY', pointer: '/data' },
    ])
  })

  test('a mapper that fails causes a generic 500, and its error is logged with the original', async () => {
    const error = vi.fn()
    const original = new Error('original')
    const fault = new Error('mapper')
    const mappers = [
      {
        map() {
          throw fault
        },
      },
    ]
    expectErrors(await failing(original, { mappers, logger: { error } }).get('/albums'), [{ status: 500, code: null }])
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ err: fault, original }), 'mapper')
  })

  test('get the request', async () => {
    const map = vi.fn(() => null)
    await failing(new Error('x'), { mappers: [{ map }] }).get('/albums?page[size]=2')
    expect(map.mock.calls[0]).toMatchObject([{ message: 'x' }, { request: { path: '/albums', query: 'page[size]=2' } }])
  })
})

describe('6. the generic 500', () => {
  test('has only status and title when debug is off', async () => {
    const response = await failing(new StoreError('secret')).get('/albums')
    expect(response.text).toBe(
      '{"errors":[{"status":"500","title":"Internal Server Error"}],"jsonapi":{"version":"1.1"}}',
    )
  })

  test('has message, code, exception, file, line and trace when debug is on', async () => {
    const { errors } = await failing(new StoreError('The disk is full.'), { debug: true }).get('/albums')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({
      status: '500',
      title: 'Internal Server Error',
      code: 'E_STORE',
      detail: 'The disk is full.',
      meta: { exception: 'StoreError', line: expect.any(Number), file: expect.stringContaining('errors.test.ts') },
    })
    expect(errors[0]?.meta?.['trace']).toContainEqual(expect.objectContaining({ line: expect.any(Number) }))
  })
})

const logged = async (thrown: unknown, settings: Settings = {}) => {
  const error = vi.fn<ErrorLogger['error']>()
  await failing(thrown, { ...settings, logger: { error } }).get('/albums')
  return error.mock.calls
}

describe('7. logging', () => {
  test('only unexpected throwables are logged, with the exception attached', async () => {
    const unexpected = new Error('The disk is full.')
    expect(await logged(unexpected)).toEqual([
      [
        { err: unexpected, method: 'GET', path: '/albums', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        'The disk is full.',
      ],
    ])
    expect(await logged(unexpected, { debug: true })).toHaveLength(1)
    expect(await logged(new HttpError(500, 'x'))).toEqual([])
    expect(await logged(new StoreError('x'), { exceptionMap: [[StoreError, 500]] })).toEqual([])
    const error = vi.fn()
    await client(catalogueServer({ logger: { error } })).get('/albums/99')
    expect(error).not.toHaveBeenCalled()
  })

  test('an entry has the id that the client or a proxy gave the request, if it fits a log line', async () => {
    const error = vi.fn<ErrorLogger['error']>()
    const api = failing(new Error('x'), { logger: { error } })
    await api.get('/albums?page[size]=2', { headers: { 'X-Request-Id': 'req-1' } })
    await api.get('/albums', { headers: { 'X-Request-Id': 'x'.repeat(200) } })
    const [first, second] = error.mock.calls.map(([entry]) => entry)
    expect(first).toMatchObject({ method: 'GET', path: '/albums', requestId: 'req-1' })
    expect(second?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a missing or failing logger does not affect the response', async () => {
    const loggers = [
      null,
      { error: () => Promise.reject(new Error('no disk')) },
      {
        error() {
          throw new Error('no disk')
        },
      },
    ]
    for (const logger of loggers) {
      expectErrors(await failing(new Error('x'), { logger }).get('/albums'), [{ status: 500 }])
    }
  })
})

describe('8. messages', () => {
  const messages = {
    jsonapi_errors: {
      RESOURCE_NOT_FOUND: { title: 'Ressource introuvable', detail: 'Rien ici.' },
      QUERY_PARAM_UNRECOGNIZED: { detail: 'Que veut dire « {param} » ? {unknown}' },
    },
  }

  test('are overridden by code and slot; code and status are never altered', async () => {
    const api = client(catalogueServer({ messages }))
    expectErrors(await api.get('/albums/99'), [
      { status: 404, code: 'RESOURCE_NOT_FOUND', title: 'Ressource introuvable', detail: 'Rien ici.' },
    ])
  })

  test('missing slots fall back to the built-in English, and placeholders are filled after the lookup', async () => {
    const api = client(catalogueServer({ messages }))
    expectErrors(await api.get('/albums?nonsense=1'), [
      { title: 'Query parameter is not recognized', detail: 'Que veut dire « nonsense » ? {unknown}' },
    ])
    expectErrors(await api.get('/albums?filter=1'), [
      { detail: "The query parameter 'filter' does not have the shape that its family requires." },
    ])
  })

  test('translate the sentences of validation, by rule', async () => {
    const german: Readonly<Record<string, string>> = {
      'VALIDATION_FAILED.required': 'Das fehlt.',
      'VALIDATION_FAILED.maxLength': 'Höchstens {limit} Zeichen.',
      'VALIDATION_FAILED.string': 'Das muss ein Text sein.',
    }
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string; label: string; genre: string }>('albums'),
      id: id(),
      attributes: (a) => ({
        title: a.string().required(),
        label: a.string().maxLength(3),
        genre: a.string(),
      }),
    })
    const server = createServer({
      resources: [albums],
      data: memoryData(),
      messages: (code, slot) => (slot === 'detail' ? german[code] : null),
    })
    const attributes = { label: 'Warp', genre: 4 }
    const response = await testClient(server).post('/albums', { body: { data: { type: 'albums', attributes } } })
    expectErrors(response, [
      { detail: 'Das fehlt.', pointer: '/data/attributes/title' },
      { detail: 'Höchstens 3 Zeichen.', pointer: '/data/attributes/label' },
      { detail: 'Das muss ein Text sein.', pointer: '/data/attributes/genre' },
    ])
  })

  test('a text of a client is never taken for a template', async () => {
    const [error] = (await client(catalogueServer()).get('/albums?{param}=1')).errors
    expect(error?.detail).toMatch(/^The query parameter '\{param\}' is not recognized by this endpoint\. Offered /)
  })

  test('may be resolved by the request', async () => {
    const api = client(
      catalogueServer({
        messages: (code, slot, { request }) =>
          request?.header('accept-language') === 'de' && code === 'RESOURCE_NOT_FOUND' && slot === 'title'
            ? 'Nicht gefunden'
            : null,
      }),
    )
    expectErrors(await api.get('/albums/99', { headers: { 'Accept-Language': 'de' } }), [{ title: 'Nicht gefunden' }])
    expectErrors(await api.get('/albums/99'), [{ title: 'Resource is not found' }])
  })
})

describe('9. a code marks errors of the service', () => {
  test('HTTP errors and the generic 500 have none', async () => {
    expectErrors(await failing(new HttpError(404)).get('/albums'), [{ code: null }])
    expectErrors(await failing(new Error('x')).get('/albums'), [{ code: null }])
    expectErrors(await client(catalogueServer()).get('/albums/99'), [{ code: 'RESOURCE_NOT_FOUND' }])
  })
})
