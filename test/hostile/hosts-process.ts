import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createSecureServer, createServer as createHttp2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { exit, stdin, stdout } from 'node:process'
import { servesHttp2ByHono } from './http2-by-hono.js'
import { getRequestListener } from '@hono/node-server'
import { NestFactory } from '@nestjs/core'
import { expressAdapter } from 'ashlar/express'
import { fastifyAdapter } from 'ashlar/fastify'
import { honoAdapter } from 'ashlar/hono'
import { nestAdapter } from 'ashlar/nest'
import { listen } from 'ashlar/node'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { suiteServer } from '../adapters/hosts/server.js'
import { selfSigned } from '../support/self-signed.js'
import type { OpenHost } from './open-host.js'

/**
 * Serves a small catalogue by each adapter, with and without TLS, over HTTP/1.1 and HTTP/2. Prints the hosts as one line. Ends
 * when it reads a line, after all its connections of HTTP/1.1 are closed.
 */

const { server } = suiteServer()
const { certificate: cert, key } = selfSigned('127.0.0.1')
const tls = { cert, key }
const hosts: OpenHost[] = []
const ends: (() => Promise<unknown>)[] = []

async function add(host: Omit<OpenHost, 'port'>, opened: NetServer): Promise<void> {
  if (!opened.listening) await once(opened.listen(0, '127.0.0.1'), 'listening')
  hosts.push({ ...host, port: (opened.address() as AddressInfo).port })
  // `node:http2` of Node 20 leaves connections open.
  if (host.protocol === 'HTTP/1.1') ends.push(() => new Promise((resolve) => opened.close(resolve)))
}

/** Serves requests with `node:http` and `node:https`. */
async function addHttp1(name: string, listener: RequestListener): Promise<void> {
  await add({ name, protocol: 'HTTP/1.1', isSecure: false }, createServer(listener))
  await add({ name, protocol: 'HTTP/1.1', isSecure: true }, createHttpsServer(tls, listener))
}

/** Serves requests with `node:http2`. With TLS, the server accepts HTTP/1.1, too. */
async function addHttp2(name: string, listener: RequestListener): Promise<void> {
  // The types of `node:http2` differ from those of `node:http`.
  const secure = createSecureServer({ ...tls, allowHTTP1: true }, listener as never)
  await add({ name, protocol: 'HTTP/2', isSecure: false }, createHttp2Server(listener as never))
  await add({ name, protocol: 'HTTP/2', isSecure: true }, secure)
  hosts.push({ ...hosts.at(-1)!, name: `${name} by node:http2`, protocol: 'HTTP/1.1' })
}

async function addFastify(): Promise<void> {
  for (const options of [{}, { https: tls }, { http2: true }, { http2: true, https: { ...tls, allowHTTP1: true } }]) {
    const app = fastify(options as object)
    app.register(fastifyAdapter(server))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const protocol = 'http2' in options ? 'HTTP/2' : 'HTTP/1.1'
    await add({ name: 'Fastify', protocol, isSecure: 'https' in options }, app.server)
  }
}

const listening = await listen(server, { keepAliveTimeout: 5000, health: server.health() })
hosts.push({ name: 'listen', protocol: 'HTTP/1.1', isSecure: false, port: listening.port })
ends.push(() => listening.close())
await addHttp1('server.node', server.node)
await addHttp2('server.node', server.node)
const fetching = getRequestListener(server.fetch, { overrideGlobalObjects: false }) as RequestListener
await addHttp1('server.fetch', fetching)
if (servesHttp2ByHono) await addHttp2('server.fetch', fetching)
const hono = new Hono().route('/', honoAdapter(server))
const honoListener = getRequestListener(hono.fetch, { overrideGlobalObjects: false }) as RequestListener
await addHttp1('Hono', honoListener)
if (servesHttp2ByHono) await addHttp2('Hono', honoListener)
await addHttp1('Express', express().use(expressAdapter(server)))
const nest = await NestFactory.create(nestAdapter(server), { logger: false, abortOnError: false })
await nest.init()
await addHttp1('NestJS', nest.getHttpAdapter().getInstance() as RequestListener)
await addFastify()

stdout.write(`${JSON.stringify(hosts)}\n`)
await once(stdin, 'data')
await Promise.all(ends.map((end) => end()))
exit(0)
