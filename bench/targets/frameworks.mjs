// @ts-check
/** The catalogue of ashlar.mjs through the adapter of each framework, in an otherwise empty application. */
import { createServer as createHttpServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { NestFactory } from '@nestjs/core'
import { expressAdapter } from 'ashlar/express'
import { fastifyAdapter } from 'ashlar/fastify'
import { honoAdapter } from 'ashlar/hono'
import { nestAdapter } from 'ashlar/nest'
import express from 'express'
import { fastify } from 'fastify'
import { Hono } from 'hono'
import { catalogue } from './ashlar.mjs'

/** @typedef {import('node:http').Server} HttpServer */
/** @typedef {(engine: import('../music/tables.mjs').Engine, location: string) => Promise<HttpServer>} Host */

/** @param {Parameters<typeof createAdaptorServer>[0]['fetch']} fetch */
const onHonoServer = (fetch) => /** @type {HttpServer} */ (createAdaptorServer({ fetch }))

/** @type {Readonly<Record<string, Host>>} */
export const frameworks = {
  async fetch(engine, location) {
    const server = await catalogue(engine, location)
    return onHonoServer(server.fetch)
  },
  async express(engine, location) {
    return createHttpServer(express().use(expressAdapter(await catalogue(engine, location))))
  },
  async fastify(engine, location) {
    const app = fastify()
    app.register(fastifyAdapter(await catalogue(engine, location)))
    await app.ready()
    return app.server
  },
  async hono(engine, location) {
    const app = new Hono().route('/', honoAdapter(await catalogue(engine, location)))
    return onHonoServer(app.fetch)
  },
  async nest(engine, location) {
    const app = await NestFactory.create(nestAdapter(await catalogue(engine, location)), { logger: false })
    await app.init()
    return createHttpServer(app.getHttpAdapter().getInstance())
  },
}
