import { bytes, noContent, reply, type ActionKit } from 'ashlar'
import { describe, expect, it } from 'vitest'
import { actingServer, type AlbumRow } from '../support/acting-albums.js'
import { client } from '../support/client.js'
import { expectErrors } from 'ashlar/testing'

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255])

/** Browsers run the scripts of these, also of a style sheet, which is XML to them. */
const activeTypes = ['text/html', 'application/xhtml+xml', 'image/svg+xml', 'text/xml', 'text/xsl'] as const

/** Pictures as they were stored, by album. */
function pictures() {
  const stored = new Map<number, { mediaType: string; content: Uint8Array }>()
  const closed: string[] = []
  async function* parts(): AsyncGenerator<Uint8Array> {
    try {
      yield new TextEncoder().encode('title,year\r\n')
      yield new TextEncoder().encode('OK Computer,1997\r\n')
    } finally {
      closed.push('parts')
    }
  }
  const actions = (a: ActionKit<AlbumRow>) => ({
    store: a.resource({
      methods: ['PUT', 'POST'],
      input: bytes('image/png', 'image/webp'),
      responds: noContent(),
      async handle({ entity, body, mediaType, context }) {
        stored.set(entity.id, { mediaType, content: body })
        await context.rows<AlbumRow>('albums').update(entity.id, { artwork: mediaType })
        return reply.noContent()
      },
    }),
    any: a.collection({
      input: bytes('image/*'),
      responds: bytes('image/png', 'text/plain'),
      handle: ({ body, mediaType, accepts }) =>
        accepts[0] === 'text/plain'
          ? reply.bytes(new TextEncoder().encode(`${mediaType} ${body.byteLength}`), { mediaType: 'text/plain' })
          : reply.bytes(body, { mediaType: 'image/png' }),
    }),
    picture: a.resource({
      methods: ['GET'],
      responds: [bytes('image/png', 'image/webp'), noContent()],
      handle({ entity }) {
        const found = stored.get(entity.id)
        if (found === undefined) return reply.noContent()
        return reply.bytes(found.content, {
          mediaType: found.mediaType,
          fileName: `${entity.title}.png`,
          inline: true,
          etag: `v${found.content.byteLength}`,
          cacheControl: 'max-age=60',
        })
      },
    }),
    list: a.collection({
      methods: ['GET', 'POST'],
      responds: bytes('text/csv'),
      handle: () => reply.bytes(parts(), { fileName: 'Björk "all"/../x.csv', length: 30 }),
    }),
    page: a.collection({
      methods: ['GET'],
      responds: bytes(...activeTypes),
      handle: ({ accepts: [mediaType] }) =>
        reply.bytes(new TextEncoder().encode('<script>alert(1)</script>'), { mediaType }),
    }),
    wrong: a.collection({
      methods: ['GET'],
      responds: bytes('image/png'),
      handle: () => reply.bytes(png, { mediaType: 'image/gif' }),
    }),
  })
  return { actions, closed }
}

function served(settings: Parameters<typeof actingServer>[1] = {}) {
  const { actions, closed } = pictures()
  const server = actingServer(actions, settings)
  return { server, api: client(server), closed }
}

const put = { raw: png, headers: { 'Content-Type': 'image/png' } }

describe('bytes that an action takes', () => {
  it('have one of the declared media types, with any parameters', async () => {
    const { api } = served()
    expect((await api.request('PUT', '/albums/1/-actions/store', put)).status).toBe(204)
    const headers = { 'Content-Type': 'Image/WebP; quality=80' }
    expect((await api.request('PUT', '/albums/1/-actions/store', { raw: png, headers })).status).toBe(204)
    expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ artwork: 'image/webp' })
  })

  it('are refused with another media type, or without one', async () => {
    const { api } = served()
    for (const type of ['image/gif', 'text/html', 'image/png, image/png', 'nonsense', null]) {
      const response = await api.request('PUT', '/albums/1/-actions/store', {
        raw: png,
        headers: { 'Content-Type': type },
      })
      expectErrors(response, [{ status: 415, code: 'BODY_TYPE_UNSUPPORTED', header: 'Content-Type' }])
      expect(response.errors[0]?.detail).toContain('It must be one of image/png, image/webp.')
    }
  })

  it('may have any media type of a range', async () => {
    const { api } = served()
    const headers = { 'Content-Type': 'image/avif', Accept: 'text/plain, image/png;q=0.5' }
    const response = await api.post('/albums/-actions/any', { raw: png, headers })
    expect([response.status, response.text]).toEqual([200, 'image/avif 6'])
    const text = { 'Content-Type': 'text/plain', Accept: '*/*' }
    expectErrors(await api.post('/albums/-actions/any', { raw: png, headers: text }), [{ status: 415 }])
  })

  it('are no larger than other bodies', async () => {
    const { api } = served({ settings: { limits: { bodyBytes: 5 } } })
    expectErrors(await api.request('PUT', '/albums/1/-actions/store', put), [{ status: 413 }])
  })

  it('are passed by programs with their media type, or without one if only one is declared', async () => {
    const { server } = served()
    const call = { kind: 'CustomAction', type: 'albums', action: 'store', id: '1', method: 'PUT', body: png } as const
    expect(await server.dispatch({ ...call, mediaType: 'image/png' })).toMatchObject({ status: 204 })
    await expect(server.dispatch(call)).rejects.toMatchObject({ problems: [{ code: 'BODY_TYPE_UNSUPPORTED' }] })
  })
})

describe('bytes that an action sends', () => {
  it('have their media type, their length, and headers that keep browsers from guessing', async () => {
    const { api } = served()
    await api.request('PUT', '/albums/1/-actions/store', put)
    const response = await api.get('/albums/1/-actions/picture', { headers: { Accept: 'image/*' } })
    expect(response.status).toBe(200)
    expect(response.bytes).toEqual(png)
    expect(Object.fromEntries(response.headers)).toEqual({
      Vary: 'Accept',
      'Content-Type': 'image/png',
      'X-Content-Type-Options': 'nosniff',
      'Accept-Ranges': 'none',
      'Content-Disposition': 'inline; filename="OK Computer.png"',
      ETag: '"v6"',
      'Cache-Control': 'max-age=60',
    })
  })

  it('are not sent again to a client that has them', async () => {
    const { api } = served()
    await api.request('PUT', '/albums/1/-actions/store', put)
    const headers = { Accept: '*/*', 'If-None-Match': '"v6"' }
    const response = await api.get('/albums/1/-actions/picture', { headers })
    expect([response.status, response.text, response.headers.get('etag')]).toEqual([304, '', '"v6"'])
    expect(response.headers.has('content-type')).toBe(false)
  })

  it('are refused if Accept excludes them, before and after the handler has chosen', async () => {
    const { api } = served()
    await api.request('PUT', '/albums/1/-actions/store', put)
    for (const accept of ['image/webp', 'image/png;q=0, image/*']) {
      const response = await api.get('/albums/1/-actions/picture', { headers: { Accept: accept } })
      expectErrors(response, [{ status: 406, code: 'RESPONSE_TYPE_UNACCEPTABLE', header: 'Accept' }])
      expect(response.errors[0]?.detail).toContain('It must accept image/png, image/webp.')
    }
    for (const accept of ['application/json', 'application/vnd.api+json', 'text/*;q=0']) {
      const response = await api.get('/albums/-actions/list', { headers: { Accept: accept } })
      expectErrors(response, [{ status: 406, code: 'RESPONSE_TYPE_UNACCEPTABLE', header: 'Accept' }])
    }
  })

  it('may be missing: the action then responds as it declares', async () => {
    const { api } = served()
    expect((await api.get('/albums/2/-actions/picture', { headers: { Accept: '*/*' } })).status).toBe(204)
  })

  it('may be a stream, which is saved under a safe name', async () => {
    const { api, closed } = served()
    const response = await api.get('/albums/-actions/list', { headers: { Accept: 'text/csv' } })
    expect(response.text).toBe('title,year\r\nOK Computer,1997\r\n')
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('content-length')).toBe('30')
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="Bj_rk _all__.._x.csv"; filename*=UTF-8''Bj%C3%B6rk%20_all__.._x.csv`,
    )
    expect(closed).toEqual(['parts'])
  })

  it.each(activeTypes)('run no scripts in a browser: %s', async (mediaType) => {
    const { api } = served()
    const response = await api.get('/albums/-actions/page', { headers: { Accept: mediaType } })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toBe('sandbox')
  })

  it('are 500 with a media type that is not declared', async () => {
    const { api } = served({ settings: { logger: { error: () => undefined } } })
    expectErrors(await api.get('/albums/-actions/wrong', { headers: { Accept: '*/*' } }), [{ status: 500 }])
  })

  it('are stored for a repeated request, streams too', async () => {
    const { api } = served({ settings: { idempotency: true } })
    const headers = { Accept: 'text/csv', 'Idempotency-Key': '"one"' }
    const first = await api.post('/albums/-actions/list', { headers })
    const second = await api.post('/albums/-actions/list', { headers })
    expect([first.status, second.status, second.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true'])
    expect([...second.bytes]).toEqual([...first.bytes])
    expect(second.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const picture = { 'Content-Type': 'image/webp', Accept: 'image/png', 'Idempotency-Key': '"two"' }
    await api.post('/albums/-actions/any', { raw: png, headers: picture })
    const replayed = await api.post('/albums/-actions/any', { raw: png, headers: picture })
    expect([replayed.headers.get('idempotency-replayed'), ...replayed.bytes]).toEqual(['true', ...png])
  })

  it('are those of a dry run, which is rolled back', async () => {
    const { api } = served({ settings: { dryRun: true } })
    const headers = { 'Content-Type': 'image/png', Prefer: 'tx=rollback' }
    const stored = await api.request('PUT', '/albums/1/-actions/store', { raw: png, headers })
    expect(stored.headers.get('preference-applied')).toBe('tx=rollback')
    expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ artwork: null })
    const all = { ...headers, Accept: 'image/png' }
    const sent = await api.post('/albums/-actions/any', { raw: png, headers: all })
    expect([sent.bytes, sent.headers.get('preference-applied')]).toEqual([png, 'tx=rollback'])
  })

  it('are compressed if they are text, and not if they are compressed already', async () => {
    const { server } = served({ settings: { compression: true } })
    const api = client(server, { headers: { 'Accept-Encoding': 'gzip', Accept: '*/*' } })
    await api.request('PUT', '/albums/1/-actions/store', { raw: new Uint8Array(5000), headers: put.headers })
    const picture = await api.get('/albums/1/-actions/picture')
    expect([picture.headers.has('content-encoding'), picture.bytes.byteLength]).toEqual([false, 5000])
    const list = await api.get('/albums/-actions/list')
    expect([list.headers.get('content-encoding'), list.headers.has('content-length')]).toEqual(['gzip', false])
  })
})

interface DescribedAction {
  readonly requestBody: unknown
  readonly responses: Readonly<Record<string, { readonly content: unknown } | undefined>>
}

function described(paths: object, path: string, method: string): DescribedAction {
  const items = paths as Readonly<Record<string, Readonly<Record<string, DescribedAction>>>>
  return items[path]?.[method] as DescribedAction
}

describe('bytes are described', () => {
  it('in OpenAPI, by their media types', () => {
    const { paths } = served().server.openapi()
    const store = described(paths, '/albums/{id}/-actions/store', 'put')
    expect(store.requestBody).toEqual({
      required: true,
      content: { 'image/png': { schema: {} }, 'image/webp': { schema: {} } },
    })
    const list = described(paths, '/albums/-actions/list', 'get')
    expect(list.responses['200']?.content).toEqual({ 'text/csv': { schema: {} } })
  })

  it('in the contract of clients', () => {
    const text = served().server.contract()
    expect(text).toMatch(
      /store: \{\s*on: 'resource'\s*methods: 'PUT' \| 'POST'\s*input: \{ bytes: 'image\/png' \| 'image\/webp' \}/,
    )
    expect(text).toMatch(/result: \{ bytes: 'text\/csv' \}/)
  })
})
