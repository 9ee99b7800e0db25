import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { expressHost } from './hosts/express.js'
import { fastifyHost } from './hosts/fastify.js'
import { honoHost } from './hosts/hono.js'
import type { Host, Hosted } from './hosts/host.js'
import { nestHost } from './hosts/nest.js'
import { fetchHost, nodeHost } from './hosts/plain.js'
import { BODY_LIMIT, type SuiteServer, suiteServer } from './hosts/server.js'
import { exchange, lastBody, open } from './raw-connection.js'
import { album, inChunks, MEDIA_TYPE, sendTo } from './send-to.js'

const hosts: readonly Host[] = [nodeHost, fetchHost, expressHost, fastifyHost, honoHost, nestHost]

const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => unhandled.push(reason)
beforeAll(() => void process.on('unhandledRejection', onUnhandled))
afterAll(() => {
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

function get(path: string): string {
  return `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\n`
}

/** Each body in a host, by whether a body parser of the framework has read it before. */
const bodies = hosts.flatMap((host) =>
  host.isFramework
    ? [
        { host, parsesBodies: false, name: host.name },
        { host, parsesBodies: true, name: `${host.name} with a body parser` },
      ]
    : [{ host, parsesBodies: false, name: host.name }],
)

describe.each(hosts)('$name', (host) => {
  let app: Hosted
  let suite: SuiteServer
  let api: string
  beforeAll(async () => {
    // A host without a router has the prefix from the settings.
    suite = suiteServer(host.isFramework ? {} : { prefix: '/api/v1' })
    app = await host.open({ server: suite.server })
    api = `${app.url}/api/v1`
  })
  afterAll(() => app.close())

  it('serves documents whose links begin with the prefix', async () => {
    const { status, headers, document } = await sendTo(`${api}/albums?page[number]=1`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(MEDIA_TYPE)
    expect(document.data[0].links.self).toBe(`${api}/albums/1`)
    expect(document.data[0].relationships.artist.links.related).toBe(`${api}/albums/1/artist`)
    expect(document.links.next).toMatch(`${api}/albums?`)
    expect(document.links.self).toMatch(`${api}/albums?`)
    expect((await sendTo(`${api}/albums/1/artist`)).document.data.attributes.name).toBe('Portishead')
    expect((await sendTo(api)).document.links.albums).toBe(`${api}/albums`)
  })

  it('resolves the URLs of a batch with the prefix', async () => {
    const type = `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
    const { status, document } = await sendTo(`${api}/operations`, {
      method: 'POST',
      headers: { 'Content-Type': type, Accept: type },
      body: JSON.stringify({
        'atomic:operations': [
          { op: 'update', href: `${api}/artists/1`, data: { type: 'artists', id: '1', attributes: {} } },
        ],
      }),
    })
    expect([status, document]).toEqual([200, expect.objectContaining({ 'atomic:results': [expect.anything()] })])
  })

  it('responds to HEAD as to GET, without the body', async () => {
    for (const path of ['/albums/1', '/albums/99', '/albums?nonsense=1']) {
      const [got, head] = [await sendTo(api + path), await sendTo(api + path, { method: 'HEAD' })]
      expect([head.status, head.text]).toEqual([got.status, ''])
      for (const name of ['content-type', 'content-length', 'vary']) {
        expect(head.headers.get(name), name).toBe(got.headers.get(name))
      }
    }
  })

  it('serves QUERY requests', async () => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const query = (path: string, body: string | undefined, headers: Readonly<Record<string, string>> = form) =>
      sendTo(api + path, { method: 'QUERY', headers, ...(body === undefined ? {} : { body }) })
    const got = await sendTo(`${api}/albums?filter[id]=1&include=artist`)
    const queried = await query('/albums', 'filter[id]=1&include=artist')
    expect([queried.status, queried.text]).toEqual([200, got.text])
    expect(queried.headers.get('content-location')).toBe(`${api}/albums?filter%5Bid%5D=1&include=artist`)
    const ids = Array.from({ length: 10_000 }, (_, index) => `filter[id][]=${index + 1}`).join('&')
    expect((await query('/albums', ids)).document.data.length).toBeGreaterThan(0)
    expect((await query('/albums/1', undefined)).document.data.id).toBe('1')
    const unfit = await query('/albums', '{}', { 'Content-Type': MEDIA_TYPE })
    expect([unfit.status, unfit.headers.get('accept-query')]).toEqual([415, 'application/x-www-form-urlencoded'])
    expect((await query('/albums', 'filter[a]=%5B')).document.errors[0].source).toEqual({ parameter: 'filter[a]' })
  })

  it('responds to OPTIONS and to methods that a path does not serve', async () => {
    const options = await sendTo(`${api}/albums`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('allow'), options.text]).toEqual([
      204,
      'GET, HEAD, QUERY, POST, OPTIONS',
      '',
    ])
    const refused = await sendTo(`${api}/albums/1`, { method: 'PUT', body: album('x') })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'])
    expect(refused.document.errors[0].title).toBe('Method Not Allowed')
  })

  it('responds with error documents on paths of its types only', async () => {
    for (const path of ['/albums/99', '/albums/1/nothing', '/albums/1/a/b/c', '/albums/', '/albums/-actions/nothing']) {
      const { status, document } = await sendTo(api + path)
      expect([path, status, document?.errors[0].status]).toEqual([path, 404, '404'])
    }
    const malformed = await sendTo(`${api}/albums/%ff`)
    expect(malformed.status).toBe(400)
    if (host.refusesMalformedPaths !== true) expect(malformed.document.errors[0].status).toBe('400')
    const expected = host.isFramework ? 'own 404' : 'Not Found\n'
    for (const path of ['/api/v1/nothing', '/api/v1/albumsandmore', '/api/v1/Albums', '/nothing', '/albums']) {
      const { status, text, document } = await sendTo(app.url + path)
      expect([path, status, text, document]).toEqual([path, 404, expected, undefined])
    }
  })

  it('decodes ids and leaves the query unchanged', async () => {
    expect((await sendTo(`${api}/albums/%31?fields[albums]=title`)).document.data.attributes).toEqual({
      title: 'Dummy',
    })
    const { document } = await sendTo(`${api}/albums?filter[a]=%5B`)
    expect(document.errors[0].source).toEqual({ parameter: 'filter[a]' })
  })

  it('responds to pipelined requests in their order', async () => {
    const { text } = await exchange(
      app.port,
      `${get('/albums/1?include=artist')}\r\n${get('/albums/9')}\r\n${get('/artists/1')}Connection: close\r\n\r\n`,
    )
    expect([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '404', '200'])
  })

  it('is notified when a client disconnects', async () => {
    const clientRequest = httpRequest(`${api}/albums/-actions/wait`, { method: 'POST' }).on('error', () => undefined)
    clientRequest.end()
    await suite.watch.begun.given
    clientRequest.destroy()
    await suite.watch.disconnected.given
    expect((await sendTo(`${api}/albums/1`)).status).toBe(200)
  })

  it('continues after a client that disconnects in the middle of its body', async () => {
    const socket = await open(app.port)
    socket.on('error', () => undefined)
    await new Promise((resolve) => {
      socket.write(
        `POST /api/v1/albums HTTP/1.1\r\nHost: a\r\nContent-Type: ${MEDIA_TYPE}\r\nContent-Length: 100\r\n\r\nhalf`,
        resolve,
      )
    })
    socket.resetAndDestroy()
    expect((await sendTo(`${api}/albums/1`)).status).toBe(200)
  })

  it('serves others while a client does not read its response, and then that client', async () => {
    const socket = await open(app.port)
    socket.pause()
    const path = '/api/v1/albums/2'
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\nGET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    for (let count = 0; count < 5; count += 1) expect((await sendTo(`${api}/artists/1`)).status).toBe(200)
    let text = ''
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    socket.resume()
    await closed
    expect(text.length).toBeGreaterThan(8_000_000)
    expect(JSON.parse(lastBody(text)).data.attributes.notes).toHaveLength(4_000_000)
  })

  it.runIf(host.isFramework)('leaves the application its own routes and its own errors', async () => {
    expect(await sendTo(`${api}/hello`)).toMatchObject({ status: 200, text: 'hello' })
    expect(await sendTo(`${api}/broken`)).toMatchObject({ status: 500, text: 'own error' })
    const headers = { Authorization: 'mallory' }
    expect(await sendTo(`${api}/hello`, { headers })).toMatchObject({ status: 401, text: 'own error' })
    for (const path of ['/', '/albums', '/api/v1/nothing', '/api']) {
      expect((await sendTo(app.url + path, { headers })).document, path).toBeUndefined()
    }
  })

  it.runIf(host.isFramework)('renders errors that are thrown in front of its routes as documents', async () => {
    const { status, headers, document } = await sendTo(`${api}/albums`, {
      headers: { Authorization: 'mallory', Origin: 'https://app.example' },
    })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([401, 'https://app.example'])
    expect(headers.get('www-authenticate')).toBe('Name')
    expect(document.errors).toEqual([{ status: '401', title: 'Unauthorized', detail: '' }])
  })

  it.runIf(host.isFramework)('retains the status and the headers of such an error', async () => {
    const { status, headers, document } = await sendTo(`${api}/albums`, { headers: { Authorization: 'trent' } })
    expect([status, headers.get('retry-after')]).toEqual([503, '7'])
    expect(document?.errors).toEqual([{ status: '503', title: 'Server Error', detail: '' }])
  })

  it.runIf(host.isFramework)('applies the exception map to such an error first', async () => {
    const { status, document } = await sendTo(`${api}/albums`, { headers: { Authorization: 'eve' } })
    expect([status, document?.errors[0].status]).toEqual([410, '410'])
  })

  it.runIf(host.isFramework)('renders an error that is thrown after its response as a document', async () => {
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'X-Late-Failure': 'yes' }
      const { status, headers: sent, document } = await sendTo(`${api}/albums/1`, { method, headers })
      expect([status, sent.get('content-type'), sent.get('x-app')]).toEqual([500, MEDIA_TYPE, 'yes'])
      if (method === 'GET') expect(document.errors).toEqual([{ status: '500', title: 'Internal Server Error' }])
    }
  })

  it.runIf(host.isFramework)('passes the caller that the application has found to policies', async () => {
    const { document } = await sendTo(`${api}/libraries`, { headers: { Authorization: 'alice' } })
    expect(document.data.map(({ id }: { id: string }) => id)).toEqual(['1'])
    expect((await sendTo(`${api}/libraries/1`)).status).toBe(401)
    expect((await sendTo(`${api}/libraries/2`, { headers: { Authorization: 'alice' } })).status).toBe(404)
  })

  it.runIf(host.isFramework)('sends the headers of the application that the server does not set', async () => {
    const { headers } = await sendTo(`${api}/albums/1`)
    expect([headers.get('x-app'), headers.get('cache-control')]).toEqual(['yes', 'private, no-cache'])
    expect((await sendTo(`${api}/artists/1`)).headers.get('cache-control')).toBe('private, max-age=5')
    expect(headers.get('vary')?.split(/, */)).toEqual(
      expect.arrayContaining(['Origin', 'Accept', 'Authorization', 'Cookie']),
    )
    expect(headers.get('set-cookie')?.split(/, */)).toEqual(['app=1', 'server=1'])
    expect(headers.get('content-type')).toBe(MEDIA_TYPE)
  })

  it('does not reveal the framework', async () => {
    for (const [method, path] of [
      ['GET', '/albums/1'],
      ['OPTIONS', '/albums'],
      ['PUT', '/albums'],
    ] as const) {
      expect((await sendTo(api + path, { method })).headers.get('x-powered-by')).toBeNull()
    }
  })
})

test.each(hosts)('$name serves servers by their host', async (host) => {
  const prefixed = host.isFramework ? {} : { prefix: '/api/v1' }
  const { server } = suiteServer(
    { ...prefixed, host: 'music.example' },
    { staff: { ...prefixed, host: 'staff.example' } },
  )
  const app = await host.open({ server })
  try {
    const at = (name: string) => sendTo(`${app.url}/api/v1/albums/1`, { headers: { Host: name } })
    for (const name of ['music.example', 'staff.example']) {
      expect((await at(name)).document.links.self).toBe(`http://${name}/api/v1/albums/1`)
    }
    expect(await at('other.example')).toMatchObject({ status: 404, document: undefined })
    if (!host.isFramework) return
    // Middleware of the application may refuse hosts: it must see the same host as the server.
    const { text } = await exchange(
      app.port,
      'GET http://staff.example/api/v1/albums/1 HTTP/1.1\r\nHost: music.example\r\nConnection: close\r\n\r\n',
    )
    expect(text).toContain(`"self":"http://${host.hostOfTarget ?? 'music.example'}/api/v1/albums/1"`)
  } finally {
    await app.close()
  }
})

test.each(hosts)('$name compresses responses', async (host) => {
  const { server } = suiteServer(host.isFramework ? {} : { prefix: '/api/v1' }, { compression: true })
  const app = await host.open({ server })
  try {
    const address = `${app.url}/api/v1/albums/2`
    const headers = { 'Accept-Encoding': 'gzip' }
    const [plain, zipped] = [await sendTo(address), await sendTo(address, { headers })]
    expect([zipped.text === plain.text, zipped.text.length > 4_000_000]).toEqual([true, true])
    expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    expect(Number(zipped.headers.get('content-length'))).toBeLessThan(10_000)
    const head = await sendTo(address, { headers, method: 'HEAD' })
    expect([head.status, head.text, head.headers.get('content-encoding')]).toEqual([200, '', 'gzip'])
    expect(head.headers.get('content-length')).toBeNull()
    for (const { headers: received } of [plain, zipped, head]) {
      const vary = ['Accept', 'Accept-Encoding', ...(host.isFramework ? ['Origin'] : [])]
      expect(received.get('vary')?.split(/, */)).toEqual(expect.arrayContaining(vary))
    }
    expect((await sendTo(`${app.url}/api/v1/albums/1`, { headers })).headers.get('content-encoding')).toBeNull()
  } finally {
    await app.close()
  }
})

describe.each(hosts)('Behind a proxy, $name', (host) => {
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'music.example', 'X-Forwarded-Prefix': '/music' }
  const prefixed = host.isFramework ? {} : { prefix: '/api/v1' }
  const linkOf = async (application: Parameters<typeof host.open>[0]): Promise<unknown> => {
    const app = await host.open(application)
    try {
      return (await sendTo(`${app.url}/api/v1/albums/1`, { headers })).document.links.self
    } finally {
      await app.close()
    }
  }

  it('has links with the origin of the proxy if the server trusts it', async () => {
    const { server } = suiteServer(prefixed, { trustProxy: true })
    expect(await linkOf({ server })).toBe('https://music.example/music/api/v1/albums/1')
    const { server: untrusting } = suiteServer(prefixed)
    expect(await linkOf({ server: untrusting })).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/albums\/1$/)
  })

  it.runIf(host.trustsProxies)('has links with the origin of the proxy if the framework trusts it', async () => {
    const { server } = suiteServer()
    expect(await linkOf({ server, trustsProxy: true })).toBe('https://music.example/api/v1/albums/1')
  })
})

// Connections of refused bodies stay open for a second: the hosts wait for it at the same time.
describe.concurrent.each(bodies)('A body sent to $name', ({ host, parsesBodies }) => {
  let app: Hosted
  let api: string
  beforeAll(async () => {
    const { server } = suiteServer(host.isFramework ? {} : { prefix: '/api/v1' })
    app = await host.open({ server, parsesBodies })
    api = `${app.url}/api/v1`
  })
  afterAll(() => app.close())

  it('is a new resource, whose address begins with the prefix', async () => {
    const { status, headers, document } = await sendTo(`${api}/albums`, { method: 'POST', body: album('Åsa', 'x') })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${api}/albums/${document.data.id}`)
    expect(document.data.attributes).toEqual({ title: 'Åsa', notes: 'x' })
  })

  it('may be as large as the limit, with a length or in chunks', async () => {
    const notes = 'x'.repeat(BODY_LIMIT - 100)
    for (const body of [album('big', notes), inChunks(album('big', notes))]) {
      const { status, document } = await sendTo(`${api}/albums`, { method: 'POST', body })
      expect([status, document.data?.attributes.notes.length]).toEqual([201, notes.length])
    }
  })

  it('may not be larger, with a length or in chunks', async () => {
    for (const body of [album('huge', 'x'.repeat(BODY_LIMIT)), inChunks(album('huge', 'x'.repeat(BODY_LIMIT)))]) {
      const { status, document } = await sendTo(`${api}/albums`, { method: 'POST', body })
      expect([status, document.errors[0].code]).toEqual([413, 'REQUEST_BODY_TOO_LARGE'])
    }
  })

  it.skipIf(host.endsUnreadBodies === true)('is refused if it is much larger than any parser takes', async () => {
    const { status, document } = await sendTo(`${api}/albums`, {
      method: 'POST',
      body: album('x', 'x'.repeat(1_500_000)),
    })
    expect([status, document.errors[0].code]).toEqual([413, 'REQUEST_BODY_TOO_LARGE'])
  })

  it('must be JSON', async () => {
    for (const body of ['{"data":', 'nonsense']) {
      const { status, document } = await sendTo(`${api}/albums`, { method: 'POST', body })
      expect([status, document.errors[0].code]).toEqual([400, 'REQUEST_BODY_INVALID_JSON'])
    }
    const infinite = '{"data":{"type":"albums","attributes":{"title":1e999}}}'
    const { document } = await sendTo(`${api}/albums`, { method: 'POST', body: infinite })
    expect(document.errors[0].code).toBe('REQUEST_BODY_INVALID_JSON')
    const deep = `{"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    expect((await sendTo(`${api}/albums`, { method: 'POST', body: deep })).document.errors[0].code).toBe(
      'LIMIT_EXCEEDED',
    )
  })

  it('must have the media type', async () => {
    for (const type of [
      'application/json',
      'text/csv',
      'multipart/form-data; boundary=x',
      `${MEDIA_TYPE}; charset=utf-8`,
    ]) {
      const headers = { 'Content-Type': type }
      const { status, document } = await sendTo(`${api}/albums`, { method: 'POST', headers, body: album('x') })
      expect([type, status, document?.errors[0].source]).toEqual([type, 415, { header: 'Content-Type' }])
    }
  })

  it.skipIf(parsesBodies && host.leavesCompressedBodies === true)('may be compressed', async () => {
    const zipped = new Response(album('zipped')).body?.pipeThrough(new CompressionStream('gzip'))
    const body = new Uint8Array(await new Response(zipped).arrayBuffer())
    const headers = { 'Content-Encoding': 'gzip' }
    const { status, document } = await sendTo(`${api}/albums`, { method: 'POST', headers, body })
    expect([status, document.data?.attributes.title]).toEqual([201, 'zipped'])
  })

  it('may be missing', async () => {
    const { status, document } = await sendTo(`${api}/albums`, { method: 'POST' })
    expect([status, document.errors[0].code]).toEqual([400, 'DATA_MEMBER_MISSING'])
    expect((await sendTo(`${api}/albums/1`, { method: 'DELETE' })).status).toBe(204)
  })

  it('may be any bytes for an action that takes them', async () => {
    const body = Uint8Array.from({ length: 300 }, (_, index) => index % 256)
    const headers = { 'Content-Type': 'image/png' }
    const { document } = await sendTo(`${api}/albums/-actions/measure`, { method: 'POST', headers, body })
    expect(document.meta).toEqual({ bytes: 300 })
  })
})
