import { createRequire } from 'node:module'
import { createServer, defineResource, id, model } from 'ashlar'
import { honoAdapter, honoErrors, placeRoutes } from 'ashlar/hono'
import type { FrameworkServer } from '../../src/server/frameworks/framework-server.js'
import { memoryData } from 'ashlar/memory'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'

/** An application that loads Hono by `require()` has another copy of it than the adapter. */
const required = createRequire(import.meta.url)('hono') as { readonly Hono: typeof Hono }

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})
const serving = (routing: 'automatic' | 'manual' = 'automatic'): FrameworkServer =>
  createServer({
    resources: [albums],
    data: memoryData({ albums: [{ id: 1, title: 'Kid A' }] }),
    servers: { default: { routing } },
  })

test('the copies differ', () => {
  expect(required.Hono).not.toBe(Hono)
})

describe.each([
  ['import', Hono],
  ['require()', required.Hono],
])('an application with Hono of %s', (_, Application) => {
  test('serves a server under its base path, and its own routes', async () => {
    const app = new Application().route('/shops/:shop', honoAdapter(serving()))
    app.get('/shops/:shop/other', (context) => context.text('other'))
    const response = await app.request('/shops/north%20side/albums/1')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      data: { id: '1', links: { self: 'http://localhost/shops/north%20side/albums/1' } },
    })
    expect(await (await app.request('/shops/a/other')).text()).toBe('other')
    expect((await app.request('/nothing')).status).toBe(404)
  })

  test('handles errors of its own routes', async () => {
    const server = serving()
    const app = new Application().route('/api', honoAdapter(server))
    app.get('/api/own', () => {
      throw new Error('of the application')
    })
    app.onError(honoErrors(server, (error, context) => context.text(`own: ${error.message}`, 418)))
    const response = await app.request('/api/own')
    expect([response.status, await response.text()]).toEqual([418, 'own: of the application'])
  })

  test('places routes, and reports errors of middleware as documents', async () => {
    const server = serving('manual')
    const app = new Application()
    app.use(async (context, next) => {
      if (context.req.query('fail') !== undefined) throw new Error('in front')
      await next()
    })
    placeRoutes(app, server)
    app.onError(honoErrors(server, (_error, context) => context.text('own', 500)))
    expect((await app.request('/albums/1')).status).toBe(200)
    const failed = await app.request('/albums/1?fail=1')
    expect([failed.status, failed.headers.get('content-type')]).toEqual([500, 'application/vnd.api+json'])
  })
})
