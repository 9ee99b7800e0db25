import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { apiKeys, atomic, createServer, defineResource, hasMany, id, model } from 'ashlar'
import type { OpenApiSettings } from '../../src/describe/openapi/openapi-settings.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { memoryData } from 'ashlar/memory'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  server: ['default', 'admin'],
  policy: 'public',
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks').via('albumId') },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  server: ['default', 'admin'],
  policy: 'public',
  attributes: (a) => ({ title: a.string() }),
})

function serverWith(openapi: boolean | OpenApiSettings, settings: object = {}) {
  const data = memoryData({ albums: [{ id: 1, title: 'Kid A' }] })
  return createServer({
    resources: [albums, tracks],
    data,
    openapi,
    servers: { admin: { prefix: '/staff' } },
    ...settings,
  })
}

/** The descriptions are no JSON:API documents. */
const plain = (server: Parameters<typeof client>[0]) => client(server, { validate: false })

const documentRequest = {
  method: 'GET',
  path: '/docs.json',
  query: '',
  origin: 'http://localhost',
  hasBody: false,
  body: async () => null,
}

const accepting = (coding: string) => (name: string) => (name === 'accept-encoding' ? coding : undefined)

function headerIn(headers: readonly string[], name: string): string | undefined {
  const index = headers.indexOf(name)
  return index === -1 ? undefined : headers[index + 1]
}

describe('the OpenAPI document', () => {
  test('is served as JSON, with an entity tag', async () => {
    const server = serverWith(true)
    const response = await plain(server).get('/docs.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(JSON.parse(response.text)).toEqual(server.openapi())
    const etag = response.headers.get('etag')
    const again = await plain(server).get('/docs.json', { headers: { 'If-None-Match': etag } })
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
  })

  test('of a named server is outside of its prefix', async () => {
    const server = serverWith({ title: 'Music' })
    const response = await plain(server).get('/admin/docs.json')
    expect(JSON.parse(response.text)).toEqual(server.openapi('admin'))
    expect(server.openapi('admin')).toMatchObject({ info: { title: 'Music' }, servers: [{ url: '/staff' }] })
    expect((await plain(server).get('/staff/docs.json')).status).toBe(404)
  })

  test('responds to HEAD and OPTIONS, and to no other method', async () => {
    const api = plain(serverWith(true))
    const head = await api.request('HEAD', '/docs.json')
    expect([head.status, head.text]).toEqual([200, ''])
    const options = await api.request('OPTIONS', '/docs.json')
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    expectErrors(await api.post('/docs.json', { body: resourceBody('albums') }), [{ status: 405 }])
  })

  test('needs no media type of JSON:API', async () => {
    const response = await plain(serverWith(true)).get('/docs.json', { headers: { Accept: 'application/json' } })
    expect(response.status).toBe(200)
  })

  test.each([
    ['gzip', undefined],
    ['gzip', true],
    ['br', { encodings: ['br'] }],
  ] as const)('is compressed as %s with compression: %o', async (coding, compression) => {
    const server = serverWith(true, compression === undefined ? {} : { compression })
    const header = accepting(coding)
    const { headers, body } = await server.handle({ ...documentRequest, header })
    expect(headers).toEqual(expect.arrayContaining(['Content-Encoding', coding]))
    expect(headerIn(headers, 'Vary')).toContain('Accept-Encoding')
    const decoded = coding === 'br' ? brotliDecompressSync(body as Uint8Array) : gunzipSync(body as Uint8Array)
    expect(JSON.parse(decoded.toString())).toHaveProperty('openapi', '3.1.0')
    const etag = headerIn(headers, 'ETag')
    const known = (name: string) => (name === 'if-none-match' ? etag : header(name))
    const again = await server.handle({ ...documentRequest, header: known })
    expect([again.status, again.body, headerIn(again.headers, 'ETag')]).toEqual([304, null, etag])
  })

  test('is compressed once', async () => {
    const server = serverWith(true)
    const first = await server.handle({ ...documentRequest, header: accepting('gzip') })
    const second = await server.handle({ ...documentRequest, header: accepting('gzip') })
    expect(second.body).toBeInstanceOf(Uint8Array)
    expect(second.body).toBe(first.body)
  })

  test('is not compressed if configured so, or the client does not accept it', async () => {
    const refused = await serverWith(true, { compression: false }).handle({
      ...documentRequest,
      header: accepting('gzip'),
    })
    expect(headerIn(refused.headers, 'Content-Encoding')).toBeUndefined()
    const plainly = await serverWith(true).handle({ ...documentRequest, header: () => undefined })
    expect([headerIn(plainly.headers, 'Content-Encoding'), headerIn(plainly.headers, 'Vary')]).toEqual([
      undefined,
      'Accept-Encoding',
    ])
  })

  test('is behind the middleware of its server', async () => {
    const server = serverWith(true, { middleware: [apiKeys({ required: true, find: () => null })] })
    expectErrors(await client(server).get('/docs.json'), [{ status: 401 }])
  })

  test('can be read by pages of other origins', async () => {
    const server = serverWith(true, { cors: { origins: ['https://app.example'] } })
    const response = await plain(server).get('/docs.json', { headers: { Origin: 'https://app.example' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })

  test.each([false, { enabled: false }])('is not served with openapi: %o', async (openapi) => {
    const server = serverWith(openapi)
    expect((await plain(server).get('/docs.json')).status).toBe(404)
    expect(server.openapi()).toHaveProperty('openapi')
  })
})

test('JSON Schemas are served by type', async () => {
  const server = serverWith(true)
  const schemas = JSON.parse((await plain(server).get('/schemas.json')).text) as Readonly<Record<string, object>>
  expect(schemas).toEqual(server.jsonSchemas())
  expect(schemas['albums']).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:jsonapi:schema:albums',
    properties: { type: { const: 'albums' }, attributes: { properties: { title: { type: 'string' } } } },
    $defs: {
      create: { properties: { id: false } },
      update: { properties: { id: { minLength: 1 } }, required: ['type', 'id'] },
    },
  })
})

describe('the routes', () => {
  test('have names and URLs', () => {
    const server = serverWith({ title: 'Music' })
    const named = server.routes().filter(({ name }) => name.endsWith('.json'))
    expect(named.map(({ name, method, path }) => `${name} ${method} ${path}`).toSorted()).toEqual([
      'jsonapi.admin.openapi.json GET /admin/docs.json',
      'jsonapi.admin.schemas.json GET /admin/schemas.json',
      'jsonapi.openapi.json GET /docs.json',
      'jsonapi.schemas.json GET /schemas.json',
    ])
    expect(server.url('jsonapi.openapi.json', {}, { base: 'https://music.example' })).toBe(
      'https://music.example/docs.json',
    )
    expect(server.paths).toEqual(
      expect.arrayContaining([{ server: 'default', kind: 'description', path: '/docs.json', routing: 'automatic' }]),
    )
  })

  test('have targets for a router of the application', async () => {
    const server = serverWith(true)
    const route = server.routes().find(({ name }) => name === 'jsonapi.openapi.json')
    const request = { method: 'GET', path: '/anywhere', query: '', origin: 'http://localhost', header: () => undefined }
    const handled = server.handleAt({ ...request, hasBody: false, body: async () => null }, route?.target() ?? null)
    expect((await handled).status).toBe(200)
  })

  test('must not be paths of a type', () => {
    const docs = tracks.with({ uriType: 'docs.json', server: 'default' })
    const settings = { data: memoryData(), openapi: true, servers: { admin: { prefix: '/staff' } } } as const
    expect(() => createServer({ ...settings, resources: [docs] })).toThrowError(
      /openapi: serves '\/docs\.json', which is used by the type 'tracks'\. Remedy: give the type another uriType/,
    )
    const admin = tracks.with({ uriType: 'admin', server: 'default' })
    expect(() => createServer({ ...settings, resources: [admin] })).toThrowError(/serves '\/admin\/docs\.json'/)
    expect(() => createServer({ ...settings, openapi: false, resources: [admin] })).not.toThrow()
  })
})

describe('links.describedby', () => {
  test('refers to the document of the server', async () => {
    const api = client(serverWith(true))
    const links = async (path: string) => (await api.get(path)).document?.links?.['describedby']
    expect(await links('/albums')).toBe('http://localhost/docs.json')
    expect(await links('/albums/1')).toBe('http://localhost/docs.json')
    expect(await links('/albums/1/relationships/tracks')).toBe('http://localhost/docs.json')
    expect(await links('/')).toBe('http://localhost/docs.json')
    expect(await links('/staff/albums/1')).toBe('http://localhost/admin/docs.json')
  })

  test('follows the base URI', async () => {
    const api = client(serverWith(true, { baseUri: 'https://music.example/api' }))
    expect((await api.get('/albums/1')).document?.links).toEqual({
      self: 'https://music.example/api/albums/1',
      describedby: 'https://music.example/api/docs.json',
    })
  })

  test('is in documents of batches, too', async () => {
    const ext = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const body = { 'atomic:operations': [{ op: 'add', data: { type: 'albums', attributes: { title: 'Amnesiac' } } }] }
    const server = serverWith(true, { extensions: [atomic()] })
    const response = await client(server).post('/operations', { headers: { Accept: ext, 'Content-Type': ext }, body })
    expect(response.document?.links).toEqual({ describedby: 'http://localhost/docs.json' })
  })

  test.each([false, { describedby: false }, { enabled: false }])('is missing with openapi: %o', async (openapi) => {
    const { document } = await client(serverWith(openapi)).get('/albums/1')
    expect(document?.links).toEqual({ self: 'http://localhost/albums/1' })
  })
})
