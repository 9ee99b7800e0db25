import { once } from 'node:events'
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { placeRoutes } from 'ashlar/fastify'
import { fastify } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMIT, suiteServer } from './hosts/server.js'
import { album, MEDIA_TYPE } from './send-to.js'

async function openNode(): Promise<Http2Server> {
  // The types of `node:http2` differ from those of `node:http`.
  const server = createServer(suiteServer().server.node as never).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function openFastify(): Promise<Http2Server> {
  const app = fastify({ http2: true })
  placeRoutes(app, suiteServer({ routing: 'manual' }).server)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server
}

const hosts = [
  { name: 'node', open: openNode },
  { name: 'Fastify', open: openFastify },
]

describe.each(hosts)('HTTP/2 on $name', ({ open }) => {
  let server: Http2Server
  let session: ClientHttp2Session
  const sessions: Http2Session[] = []
  const warnings: string[] = []
  const onWarning = ({ message }: Error): void => void warnings.push(message)
  beforeAll(async () => {
    process.on('warning', onWarning)
    server = await open()
    server.on('session', (ofServer) => sessions.push(ofServer))
    session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(async () => {
    for (const each of [session, ...sessions]) each.destroy()
    await new Promise<unknown>((resolve) => server.close(resolve))
    process.off('warning', onWarning)
    expect(warnings).toEqual([])
  })

  async function send(headers: Readonly<Record<string, string>>, body?: string) {
    const stream = session.request({ ':authority': 'music.example', ...headers }, { endStream: body === undefined })
    const served = once(server, 'stream') as Promise<[ServerHttp2Stream]>
    const responded = once(stream, 'response') as Promise<[IncomingHttpHeaders]>
    if (body !== undefined) stream.end(body)
    const [received] = await responded
    let text = ''
    for await (const chunk of stream) text += String(chunk)
    const [ofServer] = await served
    if (!ofServer.closed) await once(ofServer, 'close')
    return { status: received[':status'], headers: received, document: text === '' ? undefined : JSON.parse(text) }
  }

  it('serves QUERY requests', async () => {
    const form = { ':method': 'QUERY', 'content-type': 'application/x-www-form-urlencoded' }
    const { status, document } = await send({ ...form, ':path': '/albums' }, 'filter[id]=1')
    expect([status, document.data.length]).toEqual([200, 1])
  })

  const posted = { ':method': 'POST', ':path': '/albums', 'content-type': MEDIA_TYPE }

  it('has links to the authority that the client has named', async () => {
    const { document } = await send({ ':path': '/albums/1' })
    expect(document.data.links.self).toBe('http://music.example/albums/1')
    expect((await send({ ':path': '/albums/1', ':method': 'HEAD' })).headers['content-type']).toBe(MEDIA_TYPE)
  })

  it('takes a body with or without a length', async () => {
    for (const headers of [posted, { ...posted, 'content-length': String(album('Roseland').length) }]) {
      const { status, document } = await send(headers, album('Roseland'))
      expect([status, document.data?.attributes.title]).toEqual([201, 'Roseland'])
    }
    const raw = { ...posted, ':path': '/albums/-actions/measure', 'content-type': 'image/png' }
    expect((await send(raw, 'abc')).document.meta).toEqual({ bytes: 3 })
    expect((await send(posted)).document.errors[0].code).toBe('DATA_MEMBER_MISSING')
  })

  it('refuses a body that is too large, and ends its stream', async () => {
    const body = album('huge', 'x'.repeat(3 * BODY_LIMIT))
    for (const headers of [posted, { ...posted, 'content-length': String(body.length) }]) {
      const { status, document } = await send(headers, body)
      expect([status, document.errors[0].code]).toEqual([413, 'REQUEST_BODY_TOO_LARGE'])
    }
    expect((await send({ ':path': '/albums/1' })).status).toBe(200)
  })
})
