import { AsyncLocalStorage } from 'node:async_hooks'
import type { HttpRequest, Server, ServerSettings } from 'ashlar'
import type { OverloadSettings } from '../../src/server/assembly/declared/overload-settings.js'
import { authenticate, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { patience } from '../support/patience.js'

/** A server that has more requests than it can handle refuses some, and handles the others as usual. */

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  policy: 'public',
})

/** A server whose requests stop in the event `Serving` until they are released. */
function music(overload: boolean | OverloadSettings, settings: Partial<ServerSettings<readonly []>> = {}) {
  const data = memoryData({ albums: [{ id: 1, title: 'Kid A' }] })
  const server = createServer({ resources: [albums], data, overload, ...settings })
  const held: (() => void)[] = []
  const arrivals: (() => void)[] = []
  let holds = true
  server.on('Serving', () => {
    arrivals.shift()?.()
    return holds ? new Promise<void>((resolve) => held.push(resolve)) : undefined
  })
  return {
    server,
    api: client(server),
    /** Resolves when the next request has begun. */
    begun: () => new Promise<void>((resolve) => arrivals.push(resolve)),
    letGo: () => held.splice(0).forEach((go) => go()),
    letAllGo: () => {
      holds = false
      held.splice(0).forEach((go) => go())
    },
  }
}

const overloaded = {
  status: 503,
  code: 'SERVER_OVERLOADED',
  title: 'Server is overloaded',
  detail: 'The server has more requests than it can handle. Try again later.',
} as const

const late = { status: 503, code: 'DEADLINE_EXCEEDED', title: 'Request took too long' } as const

describe('requests', () => {
  test('wait if too many are handled, and are refused if too many wait', async () => {
    const { api, begun, letGo, letAllGo } = music({ concurrent: 1, queued: 1, maxWait: 600_000, retryAfter: 7 })
    const first = begun()
    const [one, two] = [api.get('/albums/1'), api.get('/albums/1')]
    await first
    const refused = await api.get('/albums/1')
    expectErrors(refused, [overloaded])
    expect(refused.headers.get('retry-after')).toBe('7')
    const second = begun()
    letGo()
    expect((await one).status).toBe(200)
    await second
    letAllGo()
    expect((await two).status).toBe(200)
    expect((await api.get('/albums/1')).status).toBe(200)
  })

  test('are refused immediately if none may wait', async () => {
    const { api, begun, letAllGo } = music({ concurrent: 2, queued: 0 })
    const both = Promise.all([begun(), begun()])
    const handled = [api.get('/albums/1'), api.get('/albums')]
    await both
    expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'Amnesiac' }) }), [overloaded])
    letAllGo()
    expect((await Promise.all(handled)).map(({ status }) => status)).toEqual([200, 200])
    // A refused request has no effect.
    expect((await api.get('/albums')).document?.data).toHaveLength(1)
  })

  test('are refused when they have waited for too long', async () => {
    const { api, begun, letAllGo } = music({ concurrent: 1, queued: 10, maxWait: 30 })
    const first = begun()
    const one = api.get('/albums/1')
    await first
    expectErrors(await api.get('/albums/1'), [overloaded])
    letAllGo()
    expect((await one).status).toBe(200)
  })

  test('that have waited run in the async context of their arrival', async () => {
    const { server, api, begun, letGo, letAllGo } = music({ concurrent: 1, queued: 1, maxWait: 600_000 })
    const clients = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    server.on('Serving', () => void seen.push(clients.getStore()))
    const first = begun()
    const one = clients.run('alice', () => api.get('/albums/1'))
    const two = clients.run('bob', () => api.get('/albums/1'))
    await first
    const second = begun()
    letGo()
    await second
    letAllGo()
    await Promise.all([one, two])
    expect(seen).toEqual(['alice', 'bob'])
  })

  test('of clients that have disconnected do not wait', async () => {
    const { server, api, begun, letAllGo } = music({ concurrent: 1, queued: 1, maxWait: 600_000 })
    const first = begun()
    const one = api.get('/albums/1')
    await first
    const leaving = new AbortController()
    const gone = server.fetch(new Request('http://localhost/albums/1', { signal: leaving.signal }))
    leaving.abort()
    expect((await gone).status).toBe(503)
    const three = api.get('/albums/1')
    letAllGo()
    expect([(await one).status, (await three).status]).toEqual([200, 200])
  })

  test('of clients that have disconnected before they would wait do not wait, and are not counted', async () => {
    const { server, api, begun, letAllGo } = music({ concurrent: 1, queued: 1, maxWait: 600_000 })
    const first = begun()
    const one = api.get('/albums/1')
    await first
    const gone = new Request('http://localhost/albums/1', { signal: AbortSignal.abort() })
    expect((await server.fetch(gone)).status).toBe(503)
    letAllGo()
    expect((await one).status).toBe(200)
    const { requests, overload } = server.stats()
    expect(requests).toEqual({ running: 0, responses: { '2xx': 1, '3xx': 0, '4xx': 0, '5xx': 1 } })
    expect(overload).toEqual({ running: 0, waiting: 0, refused: 1, late: 0 })
  })

  test('whose bodies do not arrive do not block others', async () => {
    const { server, api, letAllGo } = music({ concurrent: 1, queued: 1, maxWait: patience(2000) })
    letAllGo()
    const slow = slowBody()
    const created = server.fetch(slow.request)
    // The other waits until the server notices that the body does not arrive, which it checks eight times in that time.
    expect((await api.get('/albums/1')).status).toBe(200)
    expect(server.stats()).toMatchObject({ requests: { running: 1 }, overload: { running: 0, waiting: 0 } })
    slow.send(resourceBody('albums', { title: 'Amnesiac' }))
    expect((await created).status).toBe(201)
    expect(server.stats()).toMatchObject({ requests: { running: 0 }, overload: { running: 0, waiting: 0, late: 0 } })
  })

  test('whose bodies do not arrive have a deadline too', async () => {
    const { server, api, letAllGo } = music({ concurrent: 1, queued: 1, maxWait: 600_000, deadline: 40 })
    letAllGo()
    const slow = server.fetch(slowBody().request)
    expect((await api.get('/albums/1')).status).toBe(200)
    expect((await slow).status).toBe(503)
    expect(server.stats()).toMatchObject({ requests: { running: 0 }, overload: { running: 0, waiting: 0, late: 1 } })
  })

  test('that match no route are not counted', async () => {
    const { api, begun, letAllGo } = music({ concurrent: 1, queued: 0 })
    const first = begun()
    const one = api.get('/albums/1')
    await first
    expect((await api.get('/nothing')).text).toBe('Not Found\n')
    letAllGo()
    await one
  })

  test('are refused in front of the middleware, and web pages can read why', async () => {
    const callers: string[] = []
    const { api, begun, letAllGo } = music(
      { concurrent: 1, queued: 0 },
      {
        middleware: [authenticate({ challenge: 'Bearer', caller: () => (callers.push('asked'), { name: 'alice' }) })],
        cors: { origins: ['https://app.example'] },
      },
    )
    const first = begun()
    const one = api.get('/albums/1')
    await first
    const refused = await api.get('/albums/1', { headers: { Origin: 'https://app.example' } })
    expectErrors(refused, [overloaded])
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example')
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
    expect(callers).toEqual(['asked'])
    letAllGo()
    await one
  })

  test('are each refused with the headers of their type and origin, and in their language', async () => {
    const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id(), deprecation: true })
    const origins = ['https://app.example', 'https://other.example']
    const settings = { resources: [albums, artists], cors: { origins } }
    const { server, begun, letAllGo } = music({ concurrent: 1, queued: 0 }, settings as object)
    const {
      api: translated,
      begun: begunToo,
      letAllGo: letAllGoToo,
    } = music(
      { concurrent: 1, queued: 0 },
      {
        messages: (_code, slot, { request }) =>
          slot === 'title' ? `in ${request?.header('accept-language') ?? 'any language'}` : null,
      },
    )
    const both = Promise.all([begun(), begunToo()])
    const api = client(server)
    const handled = [api.get('/albums/1'), translated.get('/albums/1')]
    await both
    const get = async (path: string, origin?: string) => {
      const { status, headers } = await api.get(path, origin === undefined ? {} : { headers: { Origin: origin } })
      return [status, headers.get('deprecation'), headers.get('access-control-allow-origin')]
    }
    for (let round = 0; round < 2; round += 1) {
      expect(await get('/albums', origins[0])).toEqual([503, null, origins[0]])
      expect(await get('/artists', origins[1])).toEqual([503, 'true', origins[1]])
      expect(await get('/albums')).toEqual([503, null, null])
    }
    for (const language of ['fr', 'de']) {
      const refused = await translated.get('/albums/1', { headers: { 'Accept-Language': language } })
      expectErrors(refused, [{ ...overloaded, title: `in ${language}` }])
    }
    letAllGo()
    letAllGoToo()
    await Promise.all(handled)
  })
})

describe('the deadline', () => {
  test('notifies listeners that no client waits, and is the reason of the failure', async () => {
    const { server, api, letAllGo } = music({ deadline: 30 })
    letAllGo()
    server.on('Serving', ({ operation }) => {
      const { request } = operation.context
      return new Promise((_, reject) => request?.onAbort?.(() => reject(new Error('cancelled'))))
    })
    const response = await api.get('/albums/1')
    expectErrors(response, [{ ...late, detail: 'The request was not done after 30 milliseconds, and was stopped.' }])
    expect(response.headers.get('retry-after')).toBe('1')
  })

  test('ends requests without listeners', async () => {
    const { api, begun, letAllGo } = music({ concurrent: 1, deadline: 30 })
    expectErrors(await api.get('/albums/1'), [late])
    const next = begun()
    const two = api.get('/albums/1')
    await next
    letAllGo()
    expect((await two).status).toBe(200)
  })

  test('calls listeners once, also if the client has disconnected before', async () => {
    const { server, letAllGo } = music({ concurrent: 1, deadline: 30 })
    letAllGo()
    const leaving = new AbortController()
    let calls = 0
    server.on('Serving', ({ operation }) => {
      operation.context.request?.onAbort?.(() => (calls += 1))
      leaving.abort()
      return new Promise(() => undefined)
    })
    const { status } = await server.fetch(new Request('http://localhost/albums/1', { signal: leaving.signal }))
    expect([status, calls]).toEqual([503, 1])
  })

  test('does not replace the response of a write that was committed in the meantime', async () => {
    const { server, api, letAllGo } = music({ deadline: 200 })
    letAllGo()
    server.on('AfterCreate', 'albums', ({ context }) => new Promise<void>((go) => context.request?.onAbort?.(go)))
    const body = resourceBody('albums', { title: 'Amnesiac' })
    expect((await api.post('/albums', { body })).status).toBe(201)
  })
})

/** A server whose clock only passes while it handles requests. */
function clocked(maxDelay: number) {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const catalogue = music({ concurrent: 1000, maxDelay })
  catalogue.letAllGo()
  catalogue.server.on('Serving', () => void (now += 2))
  return { ...catalogue, pass: (time: number) => void (now += time) }
}

describe('requests that the event loop has emitted', () => {
  const REQUESTS = 30

  /** Emits requests that each take two milliseconds of a clock. Returns their statuses. */
  async function emitted(server: Pick<Server<readonly []>, 'handle'>): Promise<readonly number[]> {
    // All of them arrive in one turn of the loop, as they do if it was busy before.
    const next = () => new Promise<number>((resolve) => setImmediate(() => resolve(received(server))))
    return Promise.all(Array.from({ length: REQUESTS }, next))
  }

  afterEach(() => void vi.restoreAllMocks())

  test('may wait for long once; then those that have waited for too long are refused', async () => {
    // The last one waits for 56 milliseconds.
    expect(new Set(await emitted(clocked(29).server))).toEqual(new Set([200]))
    const { server, pass } = clocked(10)
    const statuses = await emitted(server)
    // The eighth is the first that waits for more than 10 milliseconds; 10 milliseconds later, requests are refused.
    expect(statuses.indexOf(503)).toBe(12)
    expect(new Set(statuses.slice(12))).toEqual(new Set([503]))
    pass(20)
    expect((await emitted(server)).slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 200))
  })

  test('begin one after the other, unlike those of applications that call the server', async () => {
    const { server, api } = clocked(1)
    expect(new Set(await emitted(server))).toEqual(new Set([200, 503]))
    const called = await Promise.all(Array.from({ length: REQUESTS }, () => api.get('/albums/1')))
    expect(new Set(called.map(({ status }) => status))).toEqual(new Set([200]))
  })
})

/** A request to create an album whose body is sent later. */
function slowBody(): { readonly request: Request; readonly send: (document: unknown) => void } {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const request = new Request('http://localhost/albums', {
    method: 'POST',
    headers: { 'Content-Type': 'application/vnd.api+json' },
    body: readable,
    duplex: 'half',
  })
  return {
    request,
    send(document) {
      const writer = writable.getWriter()
      void writer.write(new TextEncoder().encode(JSON.stringify(document)))
      void writer.close()
    },
  }
}

/** Returns the status of a request that the event loop has emitted. */
async function received(server: Pick<Server<readonly []>, 'handle'>): Promise<number> {
  const request: HttpRequest = {
    method: 'GET',
    path: '/albums/1',
    query: '',
    origin: 'http://localhost',
    isEvent: true,
    header: () => undefined,
    hasBody: false,
    body: () => Promise.resolve(null),
  }
  return (await server.handle(request)).status
}
