import type { ErrorLogEntry, HttpRequest, RequestLogEntry, ServerSettings } from 'ashlar'
import { reply, atomic, createServer, defineResource, id, model, noContent } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { client } from '../support/client.js'

/** One entry for each request, and one id for all its log entries. */

const albums = defineResource('albums', {
  model: model<{ id: number }>('albums'),
  id: id(),
  actions: (a) => ({ play: a.resource({ responds: noContent(), handle: () => reply.noContent() }) }),
})

function music(settings: Partial<ServerSettings<readonly []>> = {}) {
  const entries: RequestLogEntry[] = []
  const messages: string[] = []
  const errors: ErrorLogEntry[] = []
  const requestLog = {
    info: (entry: RequestLogEntry, message: string) => {
      entries.push(entry)
      messages.push(message)
    },
  }
  const server = createServer({
    resources: [albums, albums.with({ server: 'staff' })],
    data: memoryData({ albums: [{ id: 1 }] }),
    servers: { staff: { prefix: '/staff' } },
    extensions: [atomic()],
    access: 'open',
    logger: { error: (entry) => errors.push(entry) },
    requestLog,
    ...settings,
  })
  return { api: client(server), server, entries, messages, errors }
}

describe('requestLog', () => {
  test('gets an entry for each request when its response is ready', async () => {
    const { api, entries, messages } = music()
    const response = await api.get('/albums/1?fields[albums]=', { headers: { 'X-Request-Id': 'a-1' } })
    expect(entries).toEqual([
      {
        requestId: 'a-1',
        method: 'GET',
        path: '/albums/1',
        route: 'jsonapi.albums.show',
        server: 'default',
        status: 200,
        milliseconds: expect.any(Number),
        bytes: Buffer.byteLength(response.text),
      },
    ])
    expect(entries[0]?.milliseconds).toBeGreaterThan(0)
    expect(messages).toEqual(['GET /albums/1 200'])
  })

  test('names the route, whatever the outcome is', async () => {
    const { api, entries } = music()
    await api.get('/albums')
    await api.request('HEAD', '/albums/404')
    await api.get('/staff/albums/1')
    await api.post('/albums/1/-actions/play')
    await api.post('/operations', { headers: batchHeaders, body: {} })
    await api.request('PUT', '/albums/1')
    await api.get('/albums/1/nothing/else/there')
    await api.request('OPTIONS', '/albums')
    await api.get('/')
    expect(entries.map(({ route, server, status }) => `${status} ${server} ${route}`)).toEqual([
      '200 default jsonapi.albums.index',
      '404 default jsonapi.albums.show',
      '200 staff jsonapi.staff.albums.show',
      '204 default jsonapi.albums.action.resource.play',
      '400 default jsonapi.atomic_operations',
      '405 default null',
      '404 default null',
      '204 default null',
      '200 default null',
    ])
  })

  test('gets no characters that could break a line, which HTTP/2 accepts', async () => {
    const { server, entries, messages, errors } = music()
    const request: HttpRequest = {
      method: 'GET',
      path: '/albums/1\u0085\u009b31m\n\u2028\ud800é',
      query: '',
      origin: 'http://localhost',
      header: () => undefined,
      hasBody: false,
      body: () => Promise.resolve(null),
    }
    await server.handle(request)
    server.errorResponse(request, new Error('Cannot authenticate.'))
    const path = '/albums/1%C2%85%C2%9B31m%0A%E2%80%A8%EF%BF%BD%C3%A9'
    expect(entries.map((entry) => entry.path)).toEqual([path, path])
    expect(messages).toEqual([`GET ${path} 404`, `GET ${path} 500`])
    expect(errors.map((entry) => entry.path)).toEqual([path])
  })

  test('gets an entry for a request that has failed in the application, in front of the server', () => {
    const { server, entries, errors } = music({ requestIds: true })
    const request: HttpRequest = {
      method: 'GET',
      path: '/albums/1',
      query: '',
      origin: 'http://localhost',
      header: (name) => (name === 'x-request-id' ? 'a-1' : undefined),
      hasBody: false,
      body: () => Promise.resolve(null),
    }
    const { headers } = server.errorResponse(request, new Error('Cannot authenticate.'))
    expect(headers.slice(-2)).toEqual(['X-Request-Id', 'a-1'])
    expect(entries).toMatchObject([{ requestId: 'a-1', route: 'jsonapi.albums.show', status: 500 }])
    expect(errors).toMatchObject([{ requestId: 'a-1' }])
    expect(server.errorResponse({ ...request, path: '/nothing' }, new Error('Cannot authenticate.')).status).toBe(404)
    expect(entries).toHaveLength(1)
  })

  test('gets nothing for paths that belong to the application', async () => {
    const { api, entries } = music()
    await api.get('/nothing')
    expect(entries).toEqual([])
  })

  test('can be a logger of pino, which also takes the errors', async () => {
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line: string) => void lines.push(line) })
    const { api, server } = music({ requestLog: log, logger: log })
    server.on('Serving', refuse)
    await api.get('/albums/1', { headers: { 'X-Request-Id': 'a-1' } })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 50, requestId: 'a-1', msg: 'refused', err: { type: 'Error', stack: expect.any(String) } },
      { level: 30, requestId: 'a-1', msg: 'GET /albums/1 500', route: 'jsonapi.albums.show', status: 500 },
    ])
  })

  test('may throw or reject, and the client still gets its response', async () => {
    for (const info of [() => Promise.reject(new Error('full')), refuse]) {
      expect((await music({ requestLog: { info } }).api.get('/albums/1')).status).toBe(200)
    }
  })
})

describe('the id of a request', () => {
  test('is that of the header, if it fits into a line, and a generated one otherwise', async () => {
    const { api, entries } = music({ requestIds: true })
    const idOf = async (sent?: string): Promise<string | null> =>
      (await api.get('/albums/1', sent === undefined ? {} : { headers: { 'X-Request-Id': sent } })).headers.get(
        'x-request-id',
      )
    for (const sent of ['a-1', '~', 'a'.repeat(128)]) expect(await idOf(sent)).toBe(sent)
    const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
    const unusable = [undefined, '', 'a 1', 'a\t1', '\u007f', '\u0085', 'é', 'a'.repeat(129)]
    for (const sent of unusable) expect(await idOf(sent)).toMatch(uuid)
    expect(new Set(entries.map(({ requestId }) => requestId)).size).toBe(3 + unusable.length)
  })

  test('is the same in the response, the log of requests and the log of errors', async () => {
    for (const overload of [false, true]) {
      const { api, server, entries, errors } = music({ requestIds: true, overload })
      server.on('Serving', refuse)
      const { status, headers } = await api.get('/albums/1')
      const sent = headers.get('x-request-id')
      expect([status, entries[0]?.requestId, errors[0]?.requestId]).toEqual([500, sent, sent])
    }
  })

  test('is in no response by default', async () => {
    expect((await music().api.get('/albums/1')).headers.has('x-request-id')).toBe(false)
  })
})

function refuse(): never {
  throw new Error('refused')
}
