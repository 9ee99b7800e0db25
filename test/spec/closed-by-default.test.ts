import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { authenticate, BuildError, createServer, defineResource, id, model } from 'ashlar'
import type { ServerPolicy } from '../../src/declare/resource/policy/policy.js'
import type { CallerKit } from '../../src/declare/resource/policy/rule-kit.js'
import { expressAdapter, placeRoutes as placeInExpress } from 'ashlar/express'
import { fastifyAdapter } from 'ashlar/fastify'
import { honoAdapter } from 'ashlar/hono'
import { nestAdapter } from 'ashlar/nest'
import { Router } from 'express'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LOG } from '../../src/core/errors/default-log.js'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface Row {
  readonly id: number
  readonly title: string
}

const albums = defineResource('albums', {
  model: model<Row>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
})

const playlists = defineResource('playlists', {
  model: model<Row>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  policy: (p) => ({ viewAny: true, view: p.eq('title', 'Morning') }),
})

const data = () =>
  storedData({
    albums: [{ id: 1, title: 'Kid A' }],
    playlists: [
      { id: 1, title: 'Morning' },
      { id: 2, title: 'Secret' },
    ],
  })

/** The caller is the name that the header has. */
const byName = authenticate({
  challenge: 'Bearer',
  caller: (request) => {
    const name = request.header('authorization')
    return name === undefined ? null : { id: 1, admin: name === 'admin' }
  },
})

const readersAndAdmins = (p: CallerKit): ServerPolicy => ({
  viewAny: true,
  view: true,
  create: p.signedIn(),
  update: p.signedIn(({ caller }) => (caller as { readonly admin: boolean }).admin),
})

const album = { data: { type: 'albums', attributes: { title: 'Amnesiac' } } }
const change = { data: { type: 'albums', id: '1', attributes: { title: 'Amnesiac' } } }
const as = (name: string) => ({ headers: { authorization: name } })

const serve = (settings: object = {}) =>
  createServer({
    resources: [albums, playlists],
    data: data(),
    middleware: [byName],
    policy: readersAndAdmins,
    ...settings,
  })

const caller = (): null => null

function logged(settings: object) {
  const lines: string[] = []
  const logger = { error: () => undefined, warn: (_entry: object, message: string) => lines.push(message) }
  const server = createServer({ resources: [albums], data: data(), logger, ...settings })
  return { server, lines }
}

describe('the policy of a server', () => {
  test('is that of every type without its own', async () => {
    const api = client(serve())
    expect((await api.get('/albums/1')).status).toBe(200)
    expect((await api.post('/albums', { body: album })).status).toBe(401)
    expect((await api.post('/albums', { body: album, ...as('someone') })).status).toBe(201)
    expect((await api.patch('/albums/1', { body: change, ...as('someone') })).status).toBe(403)
    expect((await api.patch('/albums/1', { body: change, ...as('admin') })).status).toBe(200)
    // An ability that is left out is denied.
    expect((await api.delete('/albums/1', as('admin'))).status).toBe(403)
  })

  test('is replaced by the policy of a type', async () => {
    const api = client(serve())
    expect((await api.get('/playlists')).document?.data).toMatchObject([{ id: '1' }])
    const playlist = { data: { type: 'playlists', attributes: { title: 'Morning' } } }
    expect((await api.post('/playlists', { body: playlist, ...as('admin') })).status).toBe(403)
  })

  test('that is public opens the types without a policy, and no others', async () => {
    const api = client(serve({ policy: 'public' }))
    expect((await api.post('/albums', { body: album })).status).toBe(201)
    expect((await api.get('/playlists/2')).status).toBe(404)
  })

  test('is inherited by named servers, unless they have their own', async () => {
    const api = client(
      serve({
        resources: [albums.with({ server: ['default', 'admin', 'shop'] }), playlists],
        servers: {
          admin: { prefix: '/admin', middleware: [byName], policy: () => ({ before: () => true }) },
          shop: { prefix: '/shop', middleware: [byName] },
        },
      }),
    )
    expect((await api.post('/albums', { body: album })).status).toBe(401)
    expect((await api.post('/shop/albums', { body: album })).status).toBe(401)
    expect((await api.post('/admin/albums', { body: album })).status).toBe(201)
  })

  test('may not return a rule about rows later either', async () => {
    const errors: unknown[] = []
    const api = client(
      serve({
        policy: () => ({ viewAny: true, view: () => 'yes' as never }),
        logger: { error: ({ err }: { readonly err: unknown }) => errors.push(err) },
      }),
    )
    expect((await api.get('/albums/1')).status).toBe(500)
    expect(String(errors[0])).toBe("TypeError: The policy of the server is not valid: 'view' returned no boolean.")
  })

  test('is explained as the policy of the server', async () => {
    const server = serve({
      resources: [albums.with({ server: ['default', 'admin'] })],
      servers: { admin: { prefix: '/admin', policy: () => ({ before: () => true }) } },
    })
    const question = { type: 'albums', as: null } as const
    expect(await server.explain({ ...question, ability: 'create' })).toEqual({
      permitted: false,
      status: 401,
      reasons: ['policy.create of the server denies it to this caller.'],
    })
    expect(await server.explain({ ...question, ability: 'create', server: 'admin' })).toEqual({
      permitted: true,
      status: null,
      reasons: ["policy.before of the server 'admin' permits this caller every ability."],
    })
  })

  test('is in the OpenAPI document', () => {
    const { paths } = serve().openapi()
    expect(paths['/albums']?.post).toHaveProperty('responses.401')
    expect(paths['/albums']?.post).toHaveProperty('security')
    expect(paths['/playlists/{id}']?.patch).toHaveProperty('responses.403')
  })

  test('can be that of a copy: with() takes a policy', async () => {
    const owned = albums.with({ policy: (p) => ({ viewAny: true, view: p.eq('title', 'Kid A') }) })
    const api = client(createServer({ resources: [owned], data: data() }))
    expect((await api.get('/albums/1')).status).toBe(200)
    expect((await api.post('/albums', { body: album })).status).toBe(401)
  })
})

describe('an adapter that gets callers', () => {
  const fault =
    "policy: is missing for one type (albums), but the adapter gets callers by its option 'caller'. Remedy: declare who may do what"
  const open = createServer({ resources: [albums], data: data() })
  const closed = createServer({ resources: [albums], data: data(), policy: readersAndAdmins })

  test.each([
    ['Express', (server: typeof open) => expressAdapter(server, { caller })],
    ['Fastify', (server: typeof open) => fastifyAdapter(server, { caller })],
    ['Hono', (server: typeof open) => honoAdapter(server, { caller })],
    ['NestJS', (server: typeof open) => nestAdapter(server, { caller })],
  ])('refuses a server with a type without a policy: %s', (_name, mount) => {
    expect(() => mount(open)).toThrow(BuildError)
    expect(() => mount(open)).toThrow(fault)
    expect(() => mount(closed)).not.toThrow()
  })

  test('refuses only the types that it serves', () => {
    const resources = [albums.with({ server: 'staff' }), playlists]
    const servers = { staff: { routing: 'manual' } } as const
    const server = createServer({ resources, data: data(), servers })
    expect(server.typesWithoutPolicy()).toEqual([])
    expect(server.typesWithoutPolicy('staff')).toEqual(['albums'])
    expect(() => expressAdapter(server, { caller })).not.toThrow()
    expect(() => placeInExpress(Router(), server, { server: 'staff', caller })).toThrow(fault)
    expect(() => placeInExpress(Router(), server, { server: 'staff' })).not.toThrow()
  })
})

describe('a server without any notion of a caller', () => {
  const line =
    "The server is open: everybody may read and write the types without a policy (albums). Declare who may do what by 'policy' in createServer(), or access: 'open' if that is intended."

  test('logs one line when it becomes ready or gets its first request', async () => {
    const { server, lines } = logged({})
    await client(server).get('/albums')
    await server.ready()
    await client(server).get('/albums')
    expect(lines).toEqual([line])
    const ready = logged({})
    await ready.server.ready()
    expect(ready.lines).toEqual([line])
  })

  test('logs nothing while it is only described', () => {
    const { server, lines } = logged({})
    server.openapi()
    server.contract()
    server.jsonSchemas()
    server.routes()
    expect(lines).toEqual([])
  })

  test('says so when its access is explained', async () => {
    const { server } = logged({})
    const { reasons } = await server.explain({ as: null, type: 'albums', ability: 'create' })
    expect(reasons).toEqual(["'albums' has no policy: everybody may do everything."])
  })

  test.each([
    ['it says that it is open', { access: 'open' }],
    ['it says so in a policy', { policy: 'public' }],
    ['it has a policy', { policy: readersAndAdmins }],
  ])('logs nothing if %s', async (_name, settings) => {
    const { server, lines } = logged(settings)
    await client(server).get('/albums')
    expect(lines).toEqual([])
  })

  test('names only the first types of many', async () => {
    const resources = Array.from({ length: 8 }, (_, index) => albums.with({ type: `albums${index}` }))
    const { server, lines } = logged({ resources })
    await server.ready()
    expect(lines).toEqual([line.replace('(albums)', '(albums0, albums1, albums2, albums3, albums4, 3 more)')])
  })

  test.each([
    ['has none', {}, [line]],
    ['has no function for warnings', { logger: { error: () => undefined } }, [line]],
    ['is turned off', { logger: null }, []],
  ])('writes the line to the default log unless the logger takes it: it %s', async (_name, settings, expected) => {
    const entries: unknown[] = []
    const take = (entry: unknown): void => void entries.push(entry)
    subscribe(DEFAULT_LOG, take)
    const server = createServer({ resources: [albums], data: data(), ...settings })
    await client(server).get('/albums')
    unsubscribe(DEFAULT_LOG, take)
    expect(entries).toEqual(expected.map((message) => ({ kind: 'warning', message })))
  })
})
