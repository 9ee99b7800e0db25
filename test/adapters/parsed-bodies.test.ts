import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { expressAdapter } from 'ashlar/express'
import type { FrameworkServer } from '../../src/server/frameworks/framework-server.js'
import { honoAdapter } from 'ashlar/hono'
import { nestAdapter } from 'ashlar/nest'
import express, { type RequestHandler } from 'express'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { type Hosted, listening, listeningFetch } from './hosts/host.js'
import { suiteServer } from './hosts/server.js'
import { sendTo } from './send-to.js'

/** An action that takes any bytes gets the bytes that the client has sent, or none: never a form as JSON. */

function expressWith(parser: RequestHandler): (server: FrameworkServer) => Promise<Hosted> {
  return (server) => listening(express().use(parser, expressAdapter(server)))
}

async function nest(server: FrameworkServer, options: { rawBody?: boolean } = {}): Promise<Hosted> {
  const app = await NestFactory.create<NestExpressApplication>(nestAdapter(server), { logger: false, ...options })
  await app.init()
  return listening(app.getHttpAdapter().getInstance())
}

function honoWithFormData(server: FrameworkServer): Promise<Hosted> {
  const app = new Hono()
  app.use(async (context, next) => {
    await context.req.formData()
    await next()
  })
  return listeningFetch(app.route('/', honoAdapter(server)).fetch)
}

const readAll: RequestHandler = async (request, _response, next) => {
  await request.toArray()
  next()
}

async function sendForm(open: (server: FrameworkServer) => Promise<Hosted>) {
  const { server, logged } = suiteServer()
  const app = await open(server)
  try {
    const { status, document } = await sendTo(`${app.url}/albums/-actions/measure`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'a=1&b=2',
    })
    return { status, meta: document.meta, logged }
  } finally {
    await app.close()
  }
}

test.each<[string, (server: FrameworkServer) => Promise<Hosted>]>([
  ['Express', expressWith(express.urlencoded())],
  ['Express, without a parsed body', expressWith(readAll)],
  ['NestJS', nest],
  ['Hono', honoWithFormData],
])('bytes that a parser of %s has not retained are an error of the application', async (_name, open) => {
  const { status, logged } = await sendForm(open)
  expect([status, logged]).toEqual([500, [expect.stringContaining('The bytes of the request body are lost')]])
})

test.each<[string, (server: FrameworkServer) => Promise<Hosted>]>([
  ['NestJS', (server) => nest(server, { rawBody: true })],
  [
    'Express',
    expressWith(
      express.urlencoded({ verify: (request, _response, rawBody) => void Object.assign(request, { rawBody }) }),
    ),
  ],
])('bytes that a parser of %s has stored as `rawBody` are used', async (_name, open) => {
  expect(await sendForm(open)).toEqual({ status: 200, meta: { bytes: 7 }, logged: [] })
})
