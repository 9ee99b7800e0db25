import { reply, createServer, defineType, id, metaResult, noContent } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { actingServer } from '../support/acting-albums.js'
import { client, resourceBody } from '../support/client.js'

describe('the paths of actions', () => {
  test('name an existing action, of its scope', async () => {
    const api = client(actingServer())
    for (const path of ['/albums/1/-actions/remaster', '/albums/1/-actions/summary', '/albums/-actions/reissue']) {
      for (const method of ['POST', 'GET', 'OPTIONS']) {
        const response = await api.request(method, path, method === 'POST' ? { raw: '{' } : {})
        expectErrors(response, [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      }
    }
  })

  test('end with the action', async () => {
    const api = client(actingServer())
    for (const path of ['/albums/1/-actions', '/albums/-actions/', '/albums/1/-actions/artwork/x']) {
      expectErrors(await api.get(path), [{ status: 404, code: 'PATH_NOT_FOUND', title: 'Not Found' }])
    }
  })

  test('have ids of the form that paths of the type have', async () => {
    const response = await client(actingServer()).post('/albums/one/-actions/artwork', { raw: 'x' })
    expectErrors(response, [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('may be percent-encoded', async () => {
    expect((await client(actingServer()).post('/albums/%2Dactions/s%75mmary')).status).toBe(200)
  })

  test('are under the prefix of the server', async () => {
    const servers = { admin: { prefix: '/admin' } }
    const api = client(actingServer(undefined, { over: { server: ['default', 'admin'] }, settings: { servers } }))
    expect((await api.post('/admin/albums/-actions/summary')).document?.links).toEqual({
      self: 'http://localhost/admin/albums/-actions/summary',
    })
  })

  test('exist for types without operations too', async () => {
    const jukebox = defineType('jukebox', {
      fields: () => ({ id: id() }),
      actions: (a) => ({ play: a.collection({ responds: noContent(), handle: () => reply.noContent() }) }),
    })
    const server = createServer({ resources: [jukebox] })
    expect((await client(server).post('/jukebox/-actions/play')).status).toBe(204)
    expectErrors(await client(server).get('/jukebox'), [{ status: 404, code: 'PATH_NOT_FOUND' }])
  })
})

const coverServer = () =>
  actingServer((a) => ({
    cover: a.resource({
      methods: ['GET', 'PUT', 'DELETE'],
      responds: metaResult(),
      handle: ({ context }) => reply.meta({ by: context.request?.method }),
    }),
  }))

describe('the methods of an action', () => {
  test('are POST unless it declares others; any other is 405 with Allow', async () => {
    const response = await client(actingServer()).get('/albums/1/-actions/artwork')
    expectErrors(response, [{ status: 405, code: 'METHOD_NOT_ALLOWED' }])
    expect(response.headers.get('Allow')).toBe('POST, OPTIONS')
    const patched = await client(coverServer()).patch('/albums/1/-actions/cover', { raw: '{' })
    expect([patched.status, patched.headers.get('Allow')]).toEqual([405, 'GET, HEAD, PUT, DELETE, OPTIONS'])
  })

  test('are those that it declares', async () => {
    const api = client(coverServer())
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect((await api.request(method, '/albums/1/-actions/cover')).document?.meta).toEqual({ by: method })
    }
  })

  test('include HEAD if they include GET', async () => {
    const response = await client(coverServer()).request('HEAD', '/albums/1/-actions/cover')
    expect([response.status, response.text]).toEqual([200, ''])
  })

  test('are listed by OPTIONS, without parsing the body', async () => {
    const response = await client(actingServer()).request('OPTIONS', '/albums/1/-actions/reissue', { raw: '{' })
    expect([response.status, response.headers.get('Allow')]).toEqual([204, 'POST, OPTIONS'])
  })
})

describe('the routes of actions', () => {
  test('come first, with names that contain their path', () => {
    const routes = actingServer()
      .routes()
      .filter(({ name }) => name.startsWith('jsonapi.albums'))
    expect(routes.slice(0, 3)).toMatchObject([
      { name: 'jsonapi.albums.action.resource.reissue', method: 'POST', path: '/albums/{id}/-actions/reissue' },
      { name: 'jsonapi.albums.action.resource.artwork', method: 'POST', path: '/albums/{id}/-actions/artwork' },
      { name: 'jsonapi.albums.action.collection.summary', method: 'POST', path: '/albums/-actions/summary' },
    ])
  })

  test('contain the name of the server, or have a declared name', () => {
    const server = actingServer(
      (a) => ({
        play: a.resource({ methods: ['GET', 'POST'], responds: noContent(), handle: () => reply.noContent() }),
        stop: a.resource({ name: 'music.stop', responds: noContent(), handle: () => reply.noContent() }),
      }),
      { over: { server: 'admin' }, settings: { servers: { admin: { prefix: '/admin' } } } },
    )
    expect(server.routes().filter(({ path }) => path.includes('-actions'))).toMatchObject([
      { name: 'jsonapi.admin.albums.action.resource.play', method: 'GET', path: '/admin/albums/{id}/-actions/play' },
      { name: 'jsonapi.admin.albums.action.resource.play', method: 'POST', path: '/admin/albums/{id}/-actions/play' },
      { name: 'music.stop', method: 'POST', path: '/admin/albums/{id}/-actions/stop' },
    ])
  })
})

test('a declaration may be served without its actions', async () => {
  const albums = defineType('albums', {
    fields: () => ({ id: id() }),
    actions: (a) => ({ play: a.collection({ responds: noContent(), handle: () => reply.noContent() }) }),
  })
  const without = albums.with({ server: 'public', actions: null })
  const server = createServer({ resources: [albums, without], servers: { public: { prefix: '/public' } } })
  expect(server.routes().map(({ path }) => path)).toEqual(['/albums/-actions/play'])
})

describe('without the router', () => {
  test('an action is a target of a custom router', async () => {
    const server = actingServer()
    const handle = (request: Parameters<typeof server.handle>[0]) =>
      server.handleAt(request, {
        type: 'albums',
        id: null,
        relationship: null,
        isRelationshipEndpoint: false,
        action: 'summary',
      })
    const api = client({ handle })
    expect((await api.post('/anywhere')).document?.meta).toEqual({ albums: 2 })
    expectErrors(await api.get('/anywhere'), [{ status: 405 }])
  })

  test('an application may call one', async () => {
    const server = actingServer()
    const value = await server.dispatch({
      kind: 'CustomAction',
      type: 'albums',
      action: 'artwork',
      id: '1',
      method: 'POST',
      body: new Uint8Array([120]),
    })
    expect(value).toMatchObject({ kind: 'noContent', status: 204 })
    expect((await client(server).get('/albums/1')).resource.attributes?.['artwork']).toBe('undefined: x')
    const unknown = { kind: 'CustomAction', type: 'albums', action: 'summary', id: '1', method: 'POST' } as const
    await expect(server.dispatch(unknown)).rejects.toMatchObject({ problems: [{ code: 'RESOURCE_NOT_FOUND' }] })
  })

  test('an application calls one by its methods', async () => {
    const server = actingServer()
    const call = { kind: 'CustomAction', type: 'albums', action: 'artwork', id: '1', method: 'GET' } as const
    await expect(server.dispatch(call)).rejects.toMatchObject({ status: 405, headers: ['Allow', 'POST'] })
    expect((await client(server).get('/albums/1')).resource.attributes?.['artwork']).toBeNull()
  })

  test('a server without handlers runs no actions', async () => {
    const api = client(actingServer(undefined, { settings: { handler: null, logger: null } }))
    expectErrors(await api.post('/albums/-actions/summary'), [{ status: 500 }])
  })
})

test('deprecation headers of the type are on responses of actions, and on their errors', async () => {
  const api = client(actingServer(undefined, { over: { deprecation: true } }))
  const responses = [
    await api.post('/albums/-actions/summary'),
    await api.post('/albums/-actions/nothing'),
    await api.get('/albums/-actions/summary'),
    await api.post('/albums/1/-actions/reissue', { body: resourceBody('albums') }),
  ]
  expect(responses.map(({ status, headers }) => [status, headers.get('Deprecation')])).toEqual([
    [200, 'true'],
    [404, 'true'],
    [405, 'true'],
    [403, 'true'],
  ])
})
