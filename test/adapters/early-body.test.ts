import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createServer as createApi, defineResource, id, type Middleware, model, type Server } from 'ashlar'
import { expressAdapter } from 'ashlar/express'
import { fastifyAdapter } from 'ashlar/fastify'
import { memoryData } from 'ashlar/memory'
import express from 'express'
import { fastify } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeAdapter } from '../../src/serve/adapters/node.js'
import type { HttpRequest } from '../../src/core/http/request.js'
import type { HttpHandle } from '../../src/core/http/response.js'
import { patience } from '../support/patience.js'
import { signal } from '../support/signal.js'
import { exchange, open } from './raw-connection.js'

const timeout = patience(20_000)

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

const post = 'POST /late HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
const last = '0\r\n\r\n'

function chunks(count: number): string {
  return '1\r\nx\r\n'.repeat(count)
}

/** A server whose requests wait until the gate opens, and then read their bodies. */
function gated(options: { readonly limit?: number; readonly reads?: boolean } = {}) {
  const { limit = 1_000_000, reads = true } = options
  const gate = signal()
  const handle: HttpHandle = async (request: HttpRequest) => {
    await gate.given
    const body = reads ? await request.body(limit) : null
    return { status: 200, headers: [], body: typeof body === 'string' ? body : `${body?.byteLength ?? 0} bytes` }
  }
  return listening(nodeAdapter(handle), gate)
}

async function listening(listener: RequestListener, gate: ReturnType<typeof signal>) {
  const requests: IncomingMessage[] = []
  const sockets: Socket[] = []
  const server = createServer((incoming, outgoing) => {
    requests.push(incoming)
    listener(incoming, outgoing)
  })
  server.on('connection', (socket: Socket) => sockets.push(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closings.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, requests, sockets, open: () => gate.give() }
}

type Gated = Awaited<ReturnType<typeof listening>>

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
type Api = Server<readonly [typeof albums]>

/** The listener of each adapter on `node:http`. */
const listeners: Readonly<Record<string, (server: Api) => Promise<RequestListener>>> = {
  'server.node': async (server) => server.node,
  Express: async (server) => express().use(expressAdapter(server)),
  async Fastify(server) {
    const app = fastify()
    app.register(fastifyAdapter(server))
    await app.ready()
    return (incoming, outgoing) => app.routing(incoming, outgoing)
  },
}

async function readAtLeast({ sockets }: Gated, bytes: number): Promise<void> {
  await expect.poll(() => sockets[0]?.bytesRead ?? 0, { timeout }).toBeGreaterThan(bytes)
}

async function textUntil(client: Socket, pattern: RegExp): Promise<string> {
  let text = ''
  client.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await expect.poll(() => text, { timeout }).toMatch(pattern)
  return text
}

/** As many bytes as `node:http` would read without anything that reads the body, and more. */
const many = 100_000

describe('A body in chunks of one byte, of a request that waits', () => {
  it.each([
    ['for its handler', ''],
    ['for an earlier request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('%s, leaves no objects of chunks', async (_name, before) => {
    const server = await gated()
    const client = await open(server.port)
    client.on('error', () => undefined).write(before + post + chunks(many))
    await readAtLeast(server, 16_384 * 6)
    // Each chunk in the stream is one byte.
    expect(server.requests.at(-1)?.url).toBe('/late')
    expect(server.requests.at(-1)?.readableLength).toBe(0)
    expect(server.sockets[0]?.bytesRead).toBeLessThan(6 * 65_536)
    server.open()
    client.write(last)
    await textUntil(client, new RegExp(`\r\n${many} bytes$`))
    client.destroy()
  })

  it.each(Object.entries(listeners))('leaves no objects of chunks in %s', async (_name, listenerOf) => {
    const gate = signal()
    const wait: Middleware = async (_context, next) => {
      await gate.given
      return next()
    }
    const api = createApi({ resources: [albums], data: memoryData(), middleware: [wait] })
    const server = await listening(await listenerOf(api), gate)
    const client = await open(server.port)
    client.on('error', () => undefined)
    client.write(
      post.replace('/late', '/albums').replace('\r\n\r\n', '\r\nContent-Type: application/vnd.api+json\r\n\r\n'),
    )
    client.write(chunks(many))
    await readAtLeast(server, 16_384 * 6)
    expect(server.requests[0]?.readableLength).toBe(0)
    server.open()
    client.write(last)
    // It is not JSON.
    expect(await textUntil(client, /\}$/)).toMatch(/^HTTP\/1\.1 400 /)
    client.destroy()
  })

  it('is whole if all of it was read before', async () => {
    const server = await gated()
    const client = await open(server.port)
    const body = chunks(5) + last
    client.write(post + body)
    await expect.poll(() => server.requests[0]?.complete, { timeout }).toBe(true)
    await expect.poll(() => server.requests[0]?.readableEnded, { timeout }).toBe(true)
    server.open()
    expect(await textUntil(client, /bytes$/)).toMatch(/\r\n5 bytes$/)
    client.destroy()
  })

  it('is too large if more was read before than it may have', async () => {
    for (const end of ['', last]) {
      const server = await gated({ limit: 100 })
      const client = await open(server.port)
      client.on('error', () => undefined).write(post + chunks(200) + end)
      await readAtLeast(server, 1200)
      await expect.poll(() => server.requests[0]?.readableLength, { timeout }).toBe(0)
      server.open()
      expect(await textUntil(client, /too-large$/)).toMatch(/^HTTP\/1\.1 200 /)
      client.destroy()
    }
  })

  it('does not stop its connection if nothing asks for it', async () => {
    const server = await gated({ reads: false })
    server.open()
    const next = 'GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    for (const count of [5, 10_000, 20_000]) {
      const { closed } = await exchange(server.port, post + chunks(count) + last + next)
      expect(closed).toBe(true)
    }
    // The response to a body that has arrived whole leaves the connection open.
    expect(server.requests.map(({ url }) => url)).toContain('/next')
  })

  it('ends with its connection', async () => {
    const server = await gated()
    const client = await open(server.port)
    client.write(post + chunks(10))
    await readAtLeast(server, 60)
    const closed = new Promise((resolve) => server.requests[0]?.once('close', resolve))
    client.resetAndDestroy()
    await closed
    server.open()
    expect((await exchange(server.port, `${post}${last}`, { finish: true })).text).toMatch(
      /^HTTP\/1\.1 200 [^]*\r\n0 bytes/,
    )
  })
})
