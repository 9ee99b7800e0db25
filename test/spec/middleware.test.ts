import type { ErrorLogEntry, Middleware, RequestContext, ServerSettings } from 'ashlar'
import { reply, atomic, authenticate, createServer, defineResource, HttpError, id, model, noContent } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import type { BatchClient } from '../atomic/batch-client.js'
import { batchClient, batchHeaders } from '../atomic/batch-client.js'
import { exemptFromDescription } from '../support/described-exchange.js'
import { storedData } from '../support/stored-data.js'

type Settings = Partial<Omit<ServerSettings<readonly []>, 'resources' | 'data'>>

/** The caller is the value of the header `x-user`. */
const byHeader: Middleware = ({ request }, next) => next({ caller: request.header('x-user') ?? null })

function music(settings: Settings, seen: RequestContext[] = []): BatchClient {
  const see = (context: RequestContext): false => {
    seen.push(context)
    return false
  }
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; secret: string }>('albums'),
    id: id(),
    policy: 'public',
    attributes: (a) => ({
      title: a.string().readOnly(see),
      secret: a.string().hidden((_row, context) => context.caller !== 'admin'),
    }),
    scope: (context, f) => (context.caller === 'nobody' ? f.where('title').fixed('') : null),
    hooks: { beforeSave: (_draft, _creating, context) => void see(context) },
    actions: (a) => ({
      share: a.resource({
        responds: noContent(),
        handle({ context }) {
          see(context)
          return reply.noContent()
        },
      }),
    }),
  })
  const staff = albums.with({ server: 'staff' })
  const data = storedData({ albums: [{ id: 1, title: 'OK Computer', secret: 's' }] })
  const servers = { staff: { prefix: '/staff' }, ...settings.servers }
  return batchClient(
    createServer({ extensions: [atomic()], logger: null, ...settings, servers, resources: [albums, staff], data }),
  )
}

const as = (user: string) => ({ headers: { 'x-user': user } })
const retitled = { data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } }

const refuse: Middleware = () => {
  throw new HttpError(403)
}

const staffOnly: Middleware = ({ caller, server }, next) => {
  return caller === 'admin' ? next() : { status: 204, headers: ['Vary', 'Accept', 'X-Server', server], body: null }
}

const users = new Map([['Bearer a1', 'alice']])
const bearer = (required: boolean) =>
  authenticate({
    challenge: 'Bearer realm="music"',
    required,
    caller(request) {
      const header = request.header('authorization')
      if (header === undefined) return null
      const user = users.get(header)
      if (user === undefined) throw new HttpError(401)
      return user
    },
  })
const token = (value: string) => ({ headers: { authorization: `Bearer ${value}` } })

const unauthorized = (headers?: readonly string[]) =>
  music({
    middleware: [bearer(false)],
    serving: () => {
      throw new HttpError(401, '', { headers })
    },
  })

const tagged: Middleware = async (_context, next) => {
  const response = await next()
  return { ...response, headers: [...response.headers, 'X-Tag', String(response.status)] }
}

const cookie: Middleware = async ({ request }, next) => {
  const response = await next()
  ;(response.headers as string[]).push('Set-Cookie', request.header('x-user') ?? '')
  return response
}

describe('middleware', () => {
  test('runs in the order of the list, around the route', async () => {
    const steps: string[] = []
    const step =
      (name: string): Middleware =>
      async (_context, next) => {
        steps.push(`${name} before`)
        const response = await next()
        steps.push(`${name} after ${response.status}`)
        return { ...response, headers: [...response.headers, `X-${name}`, 'yes'] }
      }
    const response = await music({ middleware: [step('Outer'), step('Inner')] }).get('/albums/1')
    expect(steps).toEqual(['Outer before', 'Inner before', 'Inner after 200', 'Outer after 200'])
    expect([response.headers.get('x-outer'), response.headers.get('x-inner')]).toEqual(['yes', 'yes'])
    expect((await music({ middleware: [step('Outer')] }).get('/albums/9')).status).toBe(404)
    expect(steps.at(-1)).toBe('Outer after 404')
  })

  test('sets the caller of everything after it', async () => {
    const seen: RequestContext[] = []
    const api = music({ middleware: [byHeader] }, seen)
    expect((await api.get('/albums/1', as('admin'))).resource.attributes).toMatchObject({ secret: 's' })
    expect((await api.get('/albums/1', as('eve'))).resource.attributes).not.toHaveProperty('secret')
    expect((await api.get('/albums/1')).resource.attributes).not.toHaveProperty('secret')
    expect((await api.get('/albums/1', as('nobody'))).status).toBe(404)
    expect((await api.get('/albums', as('nobody'))).resources).toEqual([])
    expect((await api.patch('/albums/1', { ...as('admin'), body: retitled })).status).toBe(200)
    expect((await api.post('/albums/1/-actions/share', as('admin'))).status).toBe(204)
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.every(({ caller }) => caller === 'admin')).toBe(true)
  })

  test('runs once for a batch, whose operations have the caller', async () => {
    const seen: RequestContext[] = []
    let count = 0
    const counting: Middleware = (_context, next) => {
      count += 1
      return next()
    }
    const api = music({ middleware: [counting, byHeader] }, seen)
    const operations = [
      { op: 'update', ...retitled },
      { op: 'update', ...retitled },
    ]
    const headers = { ...batchHeaders, 'x-user': 'eve' }
    const { status } = await api.post('/operations', { headers, body: { 'atomic:operations': operations } })
    expect([status, count]).toEqual([200, 1])
    expect(new Set(seen.map(({ caller }) => caller))).toEqual(new Set(['eve']))
  })

  test('belongs to its server', async () => {
    const api = music({ servers: { staff: { prefix: '/staff', middleware: [refuse] } } })
    expect((await api.get('/albums/1')).status).toBe(200)
    expectErrors(await api.get('/staff/albums/1'), [{ status: 403 }])
    const closed = music({ servers: { default: { middleware: [refuse] }, staff: { prefix: '/staff' } } })
    expectErrors(await closed.get('/albums/1'), [{ status: 403 }])
    expect((await closed.get('/staff/albums/1')).status).toBe(200)
  })

  test('does not see requests that the server does not serve', async () => {
    const response = await music({ middleware: [refuse] }).get('/other')
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/plain; charset=utf-8'])
  })

  test('may respond itself, and passes the caller on to the next middleware', async () => {
    exemptFromDescription('exchanges', 'The responses of middleware are not described.')
    const api = music({ middleware: [byHeader, staffOnly] })
    expect((await api.get('/albums/1', as('admin'))).status).toBe(200)
    const refused = await api.get('/albums/1', as('eve'))
    expect([refused.status, refused.headers.get('x-server')]).toEqual([204, 'default'])
  })

  test.each<readonly [string, Middleware, string]>([
    [
      'throws',
      () => {
        throw new Error('No database.')
      },
      'No database.',
    ],
    [
      'returns nothing',
      (() => undefined) as never,
      'No response came from the middleware at position 0: it must return that of next(), or another one.',
    ],
    [
      'calls next twice',
      async (_context, next) => {
        await next()
        return next()
      },
      'next() was called twice by the middleware at position 0.',
    ],
  ])('that %s is a logged 500 with an error document', async (_name, faulty, message) => {
    const logged: ErrorLogEntry[] = []
    const logger = { error: (entry: ErrorLogEntry) => void logged.push(entry) }
    // A function of a list has no name.
    const api = music({ middleware: [(context, next) => faulty(context, next)], logger })
    expectErrors(await api.get('/albums/1'), [{ status: 500, title: 'Internal Server Error' }])
    expect(logged.map(({ err }) => (err as Error).message)).toEqual([message])
  })

  test('sees the error document of a middleware after it', async () => {
    const response = await music({ middleware: [tagged, refuse] }).get('/albums/1')
    expectErrors(response, [{ status: 403 }])
    expect(response.headers.get('x-tag')).toBe('403')
  })

  test('may change the headers of its response, and of no other', async () => {
    const api = music({ middleware: [cookie] })
    const cookies = []
    for (const user of ['alice', 'bob']) cookies.push((await api.get('/albums/1', as(user))).headers.get('set-cookie'))
    expect(cookies).toEqual(['alice', 'bob'])
  })

  test('does not run for operations that the application dispatches, which name their caller', async () => {
    const seen: unknown[] = []
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      policy: 'public',
      hooks: { beforeDelete: (_row, context) => void seen.push(context.caller) },
    })
    const rows = [
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ]
    const server = createServer({ resources: [albums], data: storedData({ albums: rows }), middleware: [refuse] })
    await server.dispatch({ kind: 'DeleteResource', type: 'albums', id: '1', as: 'admin' })
    await server.dispatch({ kind: 'DeleteResource', type: 'albums', id: '2' })
    expect(seen).toEqual(['admin', null])
  })
})

describe('authenticate', () => {
  test('determines the caller, and refuses wrong credentials with its challenge', async () => {
    const api = music({ middleware: [bearer(false)] })
    expect((await api.get('/albums/1')).status).toBe(200)
    expect((await api.get('/albums/1', token('a1'))).status).toBe(200)
    const refused = await api.get('/albums/1', token('x'))
    expectErrors(refused, [{ status: 401, title: 'Unauthorized' }])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="music"')
  })

  test('adds its challenge to every 401 of the server that has none', async () => {
    expect((await unauthorized().get('/albums/1')).headers.get('www-authenticate')).toBe('Bearer realm="music"')
    const own = await unauthorized(['WWW-Authenticate', 'Basic']).get('/albums/1')
    expect(own.headers.get('www-authenticate')).toBe('Basic')
  })

  test('closes a server: a request without credentials gets 401, for any path', async () => {
    const api = music({ middleware: [bearer(true)] })
    for (const path of [
      '/albums',
      '/albums/1',
      '/albums/9',
      '/albums/1/nothing',
      '/albums?sort=nothing',
      '/',
      '/albums/%zz',
    ]) {
      expectErrors(await api.get(path), [{ status: 401 }])
    }
    expectErrors(await api.batch([]), [{ status: 401 }])
    expect((await api.get('/albums/9', token('a1'))).status).toBe(404)
    expect((await api.get('/albums', token('a1'))).status).toBe(200)
  })

  test('may be one of several, of which the last may require credentials', async () => {
    const seen: RequestContext[] = []
    const basic = authenticate({
      challenge: 'Basic',
      required: true,
      caller: (request) => request.header('x-basic') ?? null,
    })
    const api = music({ middleware: [bearer(false), basic] }, seen)
    const refused = await api.get('/albums')
    expectErrors(refused, [{ status: 401 }])
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="music", Basic')
    const write = (headers: Readonly<Record<string, string>>) => api.patch('/albums/1', { headers, body: retitled })
    expect((await write(token('a1').headers)).status).toBe(200)
    expect((await write({ 'x-basic': 'bob' })).status).toBe(200)
    expect(new Set(seen.map(({ caller }) => caller))).toEqual(new Set(['alice', 'bob']))
  })

  test('lets OPTIONS pass, which browsers send without credentials', async () => {
    expect((await music({ middleware: [bearer(true)] }).request('OPTIONS', '/albums')).status).toBeLessThan(300)
  })

  test('must report whether there are credentials', async () => {
    const unsure = authenticate({ challenge: 'Bearer', caller: () => undefined })
    expectErrors(await music({ middleware: [unsure] }).get('/albums'), [{ status: 500 }])
  })
})
