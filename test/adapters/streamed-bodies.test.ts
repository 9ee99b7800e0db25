import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { bytes, createServer, defineResource, id, model, reply, type Server } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signal } from '../support/signal.js'
import { expressHost } from './hosts/express.js'
import { fastifyHost } from './hosts/fastify.js'
import { honoHost } from './hosts/hono.js'
import type { Host, Hosted } from './hosts/host.js'
import { nestHost } from './hosts/nest.js'
import { fetchHost, nodeHost } from './hosts/plain.js'

const hosts: readonly Host[] = [nodeHost, fetchHost, expressHost, fastifyHost, honoHost, nestHost]

const PART = new Uint8Array(64 * 1024).fill(97)

/** A server whose action sends streams: their parts, and whether they were closed. */
function streaming(prefix: string) {
  const made: Record<string, number> = {}
  const logged: string[] = []
  const closed: Record<string, ReturnType<typeof signal>> = {}
  const requests: { readonly status: number; readonly bytes: number; readonly isIncomplete?: boolean }[] = []
  async function* parts(name: string, count: number, fails: boolean): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < count; index += 1) {
        made[name] = index + 1
        yield PART
      }
      if (fails) throw new Error('The file is gone.')
    } finally {
      closed[name]?.give()
    }
  }
  const action = (name: string, count: number, fails = false) => ({
    methods: ['GET' as const],
    responds: bytes('application/octet-stream'),
    handle: () => {
      closed[name] = signal()
      return reply.bytes(parts(name, count, fails))
    },
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    actions: (a) => ({
      short: a.collection(action('short', 3)),
      long: a.collection(action('long', 10_000)),
      failing: a.collection(action('failing', 2, true)),
    }),
  })
  const server = createServer({
    policy: 'public',
    resources: [albums],
    data: memoryData({ albums: [] }),
    servers: { default: prefix === '' ? {} : { prefix } },
    logger: { error: ({ err }) => logged.push(err instanceof Error ? err.message : '') },
    requestLog: {
      info: ({ status, bytes: size, ...rest }) =>
        requests.push({ status, bytes: size, ...(rest.isIncomplete === true ? { isIncomplete: true } : {}) }),
    },
    overload: true,
  }) as unknown as Server<[]>
  return { server, made, closed, requests, logged }
}

describe.each(hosts)('$name', (host) => {
  let app: Hosted
  let served: ReturnType<typeof streaming>
  let api: string
  beforeAll(async () => {
    served = streaming(host.isFramework ? '' : '/api/v1')
    app = await host.open({ server: served.server })
    api = `${app.url}/api/v1/albums/-actions`
  })
  afterAll(() => app.close())

  it('sends a stream to its end', async () => {
    const response = await fetch(`${api}/short`)
    const received = new Uint8Array(await response.arrayBuffer())
    expect([response.status, received.byteLength]).toEqual([200, 3 * PART.byteLength])
    expect(response.headers.get('content-length')).toBeNull()
    await expect.poll(() => served.requests.at(-1)).toEqual({ status: 200, bytes: 3 * PART.byteLength })
    expect(served.server.stats().requests.running).toBe(0)
  })

  it('cuts the connection if a stream fails', async () => {
    const response = await fetch(`${api}/failing`)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow(/terminated/)
    await expect.poll(() => served.requests.at(-1)?.isIncomplete).toBe(true)
    expect(served.logged).toEqual(['The file is gone.'])
  })

  it('makes no more than the client takes, and stops when it disconnects', async () => {
    const [response] = (await once(httpRequest(`${api}/long`).end(), 'response')) as [
      NodeJS.ReadableStream & { destroy(): void },
    ]
    response.pause()
    // The sockets of both sides take some megabytes.
    let last = -1
    await expect
      .poll(
        () => {
          const isStill = last === served.made['long']
          last = served.made['long'] ?? 0
          return isStill && last > 0
        },
        { interval: 300 },
      )
      .toBe(true)
    expect(last).toBeLessThan(500)
    expect(served.server.stats().requests.running).toBe(1)
    response.destroy()
    await served.closed['long']?.given
    await expect.poll(() => served.server.stats().requests.running).toBe(0)
  })

  it('does not read a stream for HEAD', async () => {
    const before = served.made['short']
    const response = await fetch(`${api}/short`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(served.made['short']).toBe(before)
    await expect.poll(() => served.server.stats().requests.running).toBe(0)
  })
})

describe('HTTP/2', () => {
  it('sends a stream to its end, and resets one that fails', async () => {
    const { server } = streaming('')
    const http2 = createHttp2Server(server.node as never).listen(0, '127.0.0.1')
    await once(http2, 'listening')
    const session = connect(`http://127.0.0.1:${(http2.address() as AddressInfo).port}`)
    const get = async (path: string) => {
      const stream = session.request({ ':path': `/albums/-actions/${path}` })
      let size = 0
      for await (const chunk of stream) size += (chunk as Buffer).byteLength
      return size
    }
    expect(await get('short')).toBe(3 * PART.byteLength)
    await expect(get('failing')).rejects.toThrow('NGHTTP2_INTERNAL_ERROR')
    session.destroy()
    await new Promise((resolve) => http2.close(resolve))
  })
})
