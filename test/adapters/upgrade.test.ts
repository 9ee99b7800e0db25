import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { NestFactory } from '@nestjs/core'
import { createServer, defineResource, id, type Middleware, model, type Server } from 'ashlar'
import { expressAdapter } from 'ashlar/express'
import { fastifyAdapter } from 'ashlar/fastify'
import { memoryData } from 'ashlar/memory'
import { nestAdapter } from 'ashlar/nest'
import { gracefulShutdown, listen } from 'ashlar/node'
import express from 'express'
import { fastify } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { patience } from '../support/patience.js'
import { signal } from '../support/signal.js'
import { exchange, open } from './raw-connection.js'
import { MEDIA_TYPE } from './send-to.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

/** A server whose requests wait until the gate opens. */
function gated() {
  const [gate, received] = [signal(), signal()]
  const served: string[] = []
  const wait: Middleware = async ({ request: { method, path } }, next) => {
    served.push(`${method} ${path}`)
    received.give()
    await gate.given
    return next()
  }
  const data = memoryData({ albums: [{ id: 1, title: 'Dummy' }] })
  const server: Server<readonly [typeof albums]> = createServer({ resources: [albums], data, middleware: [wait] })
  return { server, served, received: received.given, open: () => gate.give() }
}

type Gated = ReturnType<typeof gated>['server']

interface Opened {
  readonly port: number
  readonly close: () => Promise<unknown>
}

async function openHttp(listener: RequestListener): Promise<Opened> {
  const server = createHttpServer(listener)
  const close = gracefulShutdown(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => close({ deadline: 0 }) }
}

const hosts: readonly { readonly name: string; open(server: Gated): Promise<Opened> }[] = [
  { name: 'listen', open: (server) => listen(server, { grace: 0 }) },
  { name: 'server.node', open: (server) => openHttp(server.node) },
  { name: 'Express', open: (server) => openHttp(express().use(expressAdapter(server))) },
  {
    name: 'NestJS',
    async open(server) {
      const app = await NestFactory.create(nestAdapter(server), { logger: false, abortOnError: false })
      await app.init()
      return openHttp(app.getHttpAdapter().getInstance() as RequestListener)
    },
  },
  {
    name: 'Fastify',
    async open(server) {
      const app = fastify()
      app.register(fastifyAdapter(server))
      await app.ready()
      return openHttp((incoming, outgoing) => app.routing(incoming, outgoing))
    },
  },
]

const document = JSON.stringify({ data: { type: 'albums', attributes: { title: 'Third' } } })
const request = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')
const upgrade = ['Connection: keep-alive, Upgrade', 'Upgrade: h2c']

/** Requests for an upgrade, each with its status. */
const upgrades: readonly (readonly [name: string, line: string, status: number, text: string])[] = [
  ['no body', 'GET /albums/1', 200, request('GET /albums/1', ...upgrade)],
  [
    'a body',
    'POST /albums',
    201,
    request('POST /albums', ...upgrade, `Content-Type: ${MEDIA_TYPE}`, `Content-Length: ${document.length}`) + document,
  ],
  [
    'a chunked body',
    'POST /albums',
    201,
    `${request('POST /albums', ...upgrade, `Content-Type: ${MEDIA_TYPE}`, 'Transfer-Encoding: chunked')}${document.length.toString(16)}\r\n${document}\r\n0\r\n\r\n`,
  ],
]

const remove = request('DELETE /albums/1')

/** What a client sends after it: in the same packet, and later. The later part may look like a request. */
const followers: readonly (readonly [name: string, together: string, later: string])[] = [
  ['a request in the same packet', remove, ''],
  ['a request in a later packet', '', remove],
  ['a request in two packets', request('POST /albums', 'Content-Length: 50'), remove],
]

/** Collects the connections that servers of this process accept. */
const accepted: Socket[] = []
const onAccept = (message: unknown): void => void accepted.push((message as { socket: Socket }).socket)
const ends: (() => unknown)[] = []
afterEach(async () => {
  unsubscribe('net.server.socket', onAccept)
  accepted.length = 0
  for (const end of ends.splice(0)) await end()
})

function statusesIn(text: string): readonly number[] {
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status))
}

describe.each(hosts)('A request for an upgrade to another protocol, in $name', (host) => {
  describe.each(upgrades)('with %s', (_name, line, status, text) => {
    it.each(followers)('is the last one that is served, before %s', async (_follower, together, later) => {
      const { server, served, received, open: respond } = gated()
      const { port, close } = await host.open(server)
      ends.push(close)
      subscribe('net.server.socket', onAccept)
      const client = await open(port)
      let reply = ''
      client.on('data', (chunk: Buffer) => (reply += chunk.toString())).on('error', () => undefined)
      const closed = once(client, 'close')
      client.write(text + together)
      await received
      client.write(later)
      const sent = text.length + together.length + later.length
      await expect.poll(() => accepted[0]?.bytesRead).toBe(sent)
      respond()
      await closed
      expect(served).toEqual([line])
      expect(statusesIn(reply)).toEqual([status])
      expect(reply).toMatch(/\r\nConnection: close\r\n/i)
      if (status === 201) expect(reply).toContain('"title":"Third"')
    })

    it('gets its response after those of earlier requests', async () => {
      const { server, served, open: respond } = gated()
      respond()
      const { port, close } = await host.open(server)
      ends.push(close)
      const sent = request('GET /albums/1') + request('GET /albums/9') + text + remove
      const { text: reply, closed } = await exchange(port, sent)
      expect(closed).toBe(true)
      expect(served).toEqual(['GET /albums/1', 'GET /albums/9', line])
      expect(statusesIn(reply)).toEqual([200, 404, status])
    })
  })
})

it('is the last request that a server serves while it closes, too', async () => {
  const { server, served, received, open: respond } = gated()
  const { port, close } = await listen(server, { grace: patience(600_000) })
  subscribe('net.server.socket', onAccept)
  const client = (await open(port)).on('error', () => undefined)
  const closed = once(client.resume(), 'close')
  const [, line, , text] = upgrades[0] ?? expect.fail()
  client.write(text)
  await received
  const closing = close()
  client.write(remove)
  await expect.poll(() => accepted[0]?.bytesRead).toBe(text.length + remove.length)
  respond()
  await Promise.all([closed, closing])
  expect(served).toEqual([line])
})
