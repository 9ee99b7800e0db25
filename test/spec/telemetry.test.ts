import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import { getRPCMetadata, RPCType, setRPCMetadata } from '@opentelemetry/core'
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { reply, createServer, defineResource, id, model, noContent, type ServerSettings, type Telemetry } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { openTelemetry } from 'ashlar/opentelemetry'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { signal } from '../support/signal.js'
import { recordedTelemetry, withOpenTelemetry } from '../support/telemetry.js'

/** A request is a part of the trace of its client, and its metrics are the usual ones of a service. */

withOpenTelemetry()

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  actions: (a) => ({ play: a.resource({ responds: noContent(), handle: () => reply.noContent() }) }),
})

function music(settings: Partial<ServerSettings<readonly []>> = {}) {
  const recorded = recordedTelemetry()
  const server = createServer({
    resources: [albums, albums.with({ server: 'staff' })],
    data: memoryData({ albums: [{ id: 1, title: 'Dummy' }] }),
    servers: { staff: { prefix: '/staff' } },
    logger: null,
    telemetry: recorded.telemetry,
    ...settings,
  })
  return { ...recorded, server, api: client(server) }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

describe('The span of a request', () => {
  test('continues the trace of the client', async () => {
    const { api, span } = music()
    await api.get('/albums/1', { headers: { traceparent: `00-${traceId}-${parentId}-01` } })
    const served = span('GET /albums/{id}')
    const above = served.parentSpanContext?.spanId
    expect([served.kind, above, served.spanContext().traceId]).toEqual([SpanKind.SERVER, parentId, traceId])
  })

  test('starts a trace if the client has none, or one that is malformed', async () => {
    const { api, spans, reset } = music()
    for (const headers of [{}, { traceparent: 'nonsense' }]) {
      reset()
      await api.get('/albums/1', { headers })
      expect(spans()[0]?.parentSpanContext).toBeUndefined()
      expect(spans().map(({ name }) => name)).toEqual(['GET /albums/{id}', 'parse', 'handle', 'render'])
    }
  })

  test('is the child of a span of the application, whatever trace the client has sent', async () => {
    const { api, tracerProvider, tree, span } = music()
    const headers = { traceparent: `00-${traceId}-${parentId}-01` }
    await tracerProvider
      .getTracer('application')
      .startActiveSpan('mounted', (outer) => api.get('/albums/1', { headers }).finally(() => outer.end()))
    expect(tree()).toBe(['mounted', '  GET /albums/{id}', '    parse', '    handle', '    render'].join('\n'))
    expect(span('GET /albums/{id}').kind).toBe(SpanKind.INTERNAL)
  })

  test('passes the route to the HTTP instrumentation of the application', async () => {
    const { api, tracerProvider, metrics } = music()
    const span = tracerProvider.getTracer('http').startSpan('GET', { kind: SpanKind.SERVER })
    const outer = setRPCMetadata(trace.setSpan(context.active(), span), { type: RPCType.HTTP, span })
    await context.with(outer, () => api.get('/albums/1'))
    span.end()
    expect(getRPCMetadata(outer)?.route).toBe('/albums/{id}')
    // That has these metrics, too.
    const all = await metrics()
    expect(['http.server.request.duration', 'http.server.active_requests'].map((name) => all.has(name))).toEqual([
      false,
      false,
    ])
  })

  test('has the path of its route as name, and few names altogether', async () => {
    const { api, spans } = music()
    await api.get('/albums?sort=-id')
    await api.get('/albums/404')
    await api.post('/albums/1/-actions/play')
    await api.request('PUT', '/albums/1')
    await api.get('/staff/albums/1')
    await api.get('/staff')
    await api.get('/albums/1/nothing/else/there')
    await api.request('PURGE', '/albums')
    await api.get('/nothing')
    const names = spans().filter(({ kind }) => kind === SpanKind.SERVER)
    expect(names.map(({ name }) => name)).toEqual([
      'GET /albums',
      'GET /albums/{id}',
      'POST /albums/{id}/-actions/play',
      'PUT /albums/{id}',
      'GET /staff/albums/{id}',
      'GET /staff',
      'GET',
      'HTTP /albums',
    ])
    expect(names.at(-1)?.attributes).toMatchObject({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PURGE',
    })
    expect(names.map(({ attributes }) => attributes['ashlar.route'] ?? null)).toEqual([
      'jsonapi.albums.index',
      'jsonapi.albums.show',
      'jsonapi.albums.action.resource.play',
      null,
      'jsonapi.staff.albums.show',
      null,
      null,
      null,
    ])
  })

  test('shows the URL that the client used, with the path where the service is mounted', async () => {
    const { server, spans } = music({ trustProxy: true })
    const headers = { Forwarded: 'proto=https;host="music.example:8443"', 'X-Forwarded-Prefix': '/api' }
    await server.fetch(new Request('http://internal/albums/1', { headers }))
    expect(spans()[0]).toMatchObject({
      name: expect.stringMatching(/^GET (?:\/api)?\/albums\/\{id\}$/),
      attributes: { 'url.scheme': 'https', 'server.address': 'music.example', 'server.port': 8443 },
    })
  })

  test('has an error only if the server caused it', async () => {
    const { server, api, spans, span, reset } = music()
    await api.get('/albums/404')
    await api.get('/albums?nothing')
    expect(spans().map(({ status }) => status.code)).not.toContain(2)
    expect(span('GET /albums/{id}').attributes['http.response.status_code']).toBe(404)
    reset()
    server.on('Serving', () => {
      throw new RangeError('out of order')
    })
    await api.get('/albums/1')
    const { status, attributes, events } = span('GET /albums/{id}')
    expect(status).toEqual({ code: 2 })
    expect(attributes).toMatchObject({ 'error.type': 'RangeError', 'http.response.status_code': 500 })
    expect(events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'RangeError', 'exception.message': 'out of order' } },
    ])
    // The stage in which it failed has ended, too.
    expect(spans().map(({ name }) => name)).toEqual(['GET /albums/{id}', 'parse'])
  })

  test('is the current one in code of the application, and in its logs', async () => {
    const current: (string | undefined)[] = []
    const note = (): void => void current.push((trace.getActiveSpan() as { readonly name?: string } | undefined)?.name)
    const { server, api } = music({
      requestLog: { info: note },
      logger: { error: note },
      middleware: [(_, next) => (note(), next())],
    })
    server.on('BeforeCreate', note)
    await api.post('/albums', { body: resourceBody('albums', { title: 'Third' }) })
    expect(current).toEqual(['POST /albums', 'handle', 'POST /albums'])
    server.on('BeforeCreate', () => {
      throw new Error('out of order')
    })
    current.length = 0
    await api.post('/albums', { body: resourceBody('albums', { title: 'Third' }) })
    expect(current).toEqual(['POST /albums', 'handle', 'POST /albums', 'POST /albums'])
    expect(trace.getActiveSpan()).toBeUndefined()
  })

  test('of a request that waited has the wait, and its own trace', async () => {
    const { server, api, spans, reset } = music({ overload: { concurrent: 1, maxWait: 600_000 } })
    const [begun, goOn] = [signal(), signal()]
    const remove = server.on('Serving', async () => {
      begun.give()
      await goOn.given
    })
    const one = api.get('/albums/1')
    await begun.given
    const two = api.get('/albums', { headers: { traceparent: `00-${traceId}-${parentId}-01` } })
    // Longer than the shown precision.
    await new Promise((resolve) => setTimeout(resolve, 10))
    remove()
    goOn.give()
    await Promise.all([one, two])
    const ofSecond = spans().filter((span) => span.spanContext().traceId === traceId)
    expect(ofSecond.map(({ name }) => name)).toEqual(['GET /albums', 'wait', 'parse', 'handle', 'render'])
    // On a busy machine, the time until the turn may be as long as a wait, but not each time.
    const others: string[][] = []
    while (others.length < 20 && others.every((names) => names.includes('wait'))) {
      reset()
      await api.get('/albums/1')
      others.push(spans().map(({ name }) => name))
    }
    expect(others.at(-1)).not.toContain('wait')
  })
})

describe('Metrics', () => {
  test('have the duration of requests, by route and status', async () => {
    const { api, metrics } = music()
    await api.get('/albums/1')
    await api.get('/albums/1')
    await api.get('/albums/404')
    const duration = (await metrics()).get('http.server.request.duration')
    expect(duration?.descriptor).toMatchObject({
      unit: 's',
      advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] },
    })
    const attributes = { 'http.request.method': 'GET', 'url.scheme': 'http', 'http.route': '/albums/{id}' }
    expect(duration?.dataPoints).toMatchObject([
      { attributes: { ...attributes, 'http.response.status_code': 200 }, value: { count: 2 } },
      { attributes: { ...attributes, 'http.response.status_code': 404 }, value: { count: 1 } },
    ])
  })

  test('have the requests that are active, wait, and were refused', async () => {
    const { server, api, metrics } = music({ overload: { concurrent: 1, queued: 1, maxWait: 600_000 } })
    const [begun, goOn] = [signal(), signal()]
    server.on('Serving', async () => {
      begun.give()
      await goOn.given
    })
    const handled = [api.get('/albums'), api.get('/albums')]
    await begun.given
    expect((await api.get('/albums')).status).toBe(503)
    const during = await metrics()
    const valueOf = (all: typeof during, name: string): unknown => all.get(name)?.dataPoints[0]?.value
    expect(during.get('http.server.active_requests')?.dataPoints).toMatchObject([
      { attributes: { 'http.request.method': 'GET', 'url.scheme': 'http' }, value: 2 },
    ])
    const names = ['ashlar.requests.waiting', 'ashlar.requests.refused', 'ashlar.requests.late']
    expect(names.map((name) => valueOf(during, name))).toEqual([1, 1, 0])
    goOn.give()
    await Promise.all(handled)
    const after = await metrics()
    expect(names.map((name) => valueOf(after, name))).toEqual([0, 1, 0])
    expect(valueOf(after, 'http.server.active_requests')).toBe(0)
    const failed = after
      .get('http.server.request.duration')
      ?.dataPoints.find(({ attributes }) => attributes['http.response.status_code'] === 503)
    expect(failed?.attributes['error.type']).toBe('503')
  })

  test('have the use of caches, of all servers that share them', async () => {
    const { telemetry, api, metrics } = music()
    const other = music({ telemetry })
    await api.get('/albums/1')
    await api.get('/albums/1')
    await other.api.get('/albums/1')
    const lookups = (await metrics()).get('ashlar.cache.lookups')?.dataPoints ?? []
    expect(lookups.map(({ attributes, value }) => [...Object.values(attributes), value])).toEqual([
      ['queries', 'hit', 1],
      ['queries', 'miss', 2],
      ['plans', 'hit', 1],
      ['plans', 'miss', 2],
    ])
  })

  test('have the pools of each store once, with names that differ', async () => {
    const pool = { size: 10, open: 3, idle: 1, waiting: 2 }
    const store = { ...memoryData(), pools: () => [pool, pool] }
    const second = { ...memoryData(), priority: -1, pools: () => [pool] }
    const { telemetry, metrics } = music({ data: [store, second] })
    music({ telemetry, data: [store, second] })
    const connections = (await metrics()).get('db.client.connection.count')?.dataPoints ?? []
    expect(connections.map(({ attributes, value }) => [...Object.values(attributes), value])).toEqual([
      ['memory', 'idle', 1],
      ['memory', 'used', 2],
      ['memory.replica', 'idle', 1],
      ['memory.replica', 'used', 2],
      ['memory.2', 'idle', 1],
      ['memory.2', 'used', 2],
    ])
  })
})

describe('Telemetry', () => {
  test('that is off does not call OpenTelemetry', async () => {
    const spies = [
      vi.spyOn(trace, 'getTracer'),
      vi.spyOn(trace, 'getSpan'),
      vi.spyOn(context, 'active'),
      vi.spyOn(context, 'with'),
      vi.spyOn(propagation, 'extract'),
    ]
    const server = createServer({ resources: [albums], data: memoryData(), telemetry: null })
    await client(server).get('/albums')
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: null })
    for (const spy of spies) expect(spy).not.toHaveBeenCalled()
    await client(createServer({ resources: [albums], data: memoryData(), telemetry: openTelemetry() })).get('/albums')
    for (const spy of spies.slice(1)) expect(spy).toHaveBeenCalled()
  })

  test('without an SDK changes nothing', async () => {
    context.disable()
    propagation.disable()
    const server = createServer({ resources: [albums], data: memoryData(), telemetry: openTelemetry() })
    expect((await client(server).get('/albums')).status).toBe(200)
  })

  test('that fails at the start or at the end of a request does not change the response', async () => {
    for (const name of ['request', 'end'] as const) {
      const { telemetry } = recordedTelemetry()
      const request: Telemetry['request'] = (...given) => {
        if (name === 'request') throw new Error('out of order')
        const followed = telemetry.request(...given)
        return {
          ...followed,
          end: () => {
            throw new Error('out of order')
          },
        }
      }
      const { api } = music({ telemetry: { ...telemetry, request } })
      expect((await api.get('/albums/1')).status).toBe(200)
    }
  })

  test('whose sampler or processors fail does not change responses, and leaves no span open', async () => {
    for (const failing of ['onStart', 'onEnd'] as const) {
      for (const first of [1, 2, 3]) {
        let calls = 0
        const processor: SpanProcessor = {
          onStart: () => undefined,
          onEnd: () => undefined,
          forceFlush: () => Promise.resolve(),
          shutdown: () => Promise.resolve(),
          [failing]: () => {
            calls += 1
            if (calls >= first) throw new Error('out of order')
          },
        }
        const tracerProvider = new BasicTracerProvider({ spanProcessors: [processor] })
        const { api, server } = music({
          telemetry: openTelemetry({ tracerProvider }),
          overload: { concurrent: 1, queued: 0 },
          middleware: [(_context, next) => next()],
        })
        for (let count = 0; count < 2; count += 1) expect((await api.get('/albums/1')).status).toBe(200)
        await server.dispatch({ kind: 'FetchResource', type: 'albums', id: '1' })
        expect(calls).toBeGreaterThan(first)
        expect(server.stats()).toMatchObject({ requests: { running: 0 }, overload: { running: 0, refused: 0 } })
      }
    }
  })

  test('must be the result of openTelemetry()', () => {
    const telemetry = openTelemetry as never
    expect(() => createServer({ resources: [albums], data: memoryData(), telemetry })).toThrow(
      'telemetry: is a function. Remedy: give openTelemetry() of ashlar/opentelemetry, or null for none.',
    )
  })
})
