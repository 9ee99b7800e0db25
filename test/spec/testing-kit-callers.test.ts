import type { Middleware } from 'ashlar'
import type { HttpHandle } from '../../src/core/http/response.js'
import { apiKeys, authenticate, createApiKey, createServer, defineResource, HttpError, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'

interface User {
  readonly id: number
}

const notes = defineResource('notes', {
  model: model<{ id: number; ownerId: number }>('notes'),
  id: id(),
  attributes: (a) => ({ ownerId: a.integer() }),
  policy(p) {
    const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as User).id))
    return { viewAny: true, view: own, delete: own }
  },
})

const bearer = (required: boolean) =>
  authenticate({
    challenge: 'Bearer',
    required,
    caller(request) {
      if (request.header('authorization') === undefined) return null
      throw new HttpError(401)
    },
  })

/** Adds the caller that it sees to the response. */
const seen: Middleware = async ({ caller }, next) => {
  const response = await next()
  return { ...response, headers: [...response.headers, 'X-Caller', JSON.stringify(caller)] }
}

const admins: Middleware = ({ caller }, next) => {
  if ((caller as User | null)?.id !== 3) throw new HttpError(403)
  return next()
}

function server(...middleware: readonly Middleware[]) {
  const rows = [
    { id: 1, ownerId: 1 },
    { id: 2, ownerId: 2 },
  ]
  return createServer({ resources: [notes], data: memoryData({ notes: rows }), middleware })
}

const idsOf = async (api: ReturnType<typeof testClient>, options = {}) =>
  (await api.get('/notes', options)).resources.map((resource) => resource.id)

describe('testClient({ caller })', () => {
  test('sends every request as that caller', async () => {
    const api = testClient(server(bearer(true)), { caller: { id: 1 } })
    expect(await idsOf(api)).toEqual(['1'])
    expect((await api.delete('/notes/1')).status).toBe(204)
    expectErrors(await api.delete('/notes/2'), [{ status: 404 }])
  })

  test('sends a single request as another caller, or anonymously', async () => {
    const api = testClient(server(bearer(false)), { caller: { id: 1 } })
    expect(await idsOf(api, { caller: { id: 2 } })).toEqual(['2'])
    expectErrors(await api.get('/notes/1', { caller: null }), [{ status: 401 }])
    expect(await idsOf(testClient(server(bearer(true))), { caller: { id: 2 } })).toEqual(['2'])
  })

  test('needs no credentials', async () => {
    const keys = apiKeys({ required: true, find: () => null })
    const api = testClient(server(bearer(false), keys), { caller: { id: 2 } })
    const headers = { Authorization: 'Bearer wrong', 'X-API-Key': createApiKey('x').key }
    expect(await idsOf(api, { headers })).toEqual(['2'])
    expectErrors(await api.get('/notes', { headers, caller: null }), [{ status: 401 }])
  })

  test('gets 401 from a closed server without a caller', async () => {
    const response = await testClient(server(bearer(true)), { caller: null }).get('/notes/99')
    expectErrors(response, [{ status: 401 }])
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('runs all other middleware, which sees the caller', async () => {
    const api = testClient(server(bearer(true), seen), { caller: { id: 1 } })
    expect((await api.get('/notes')).headers.get('x-caller')).toBe('{"id":1}')
    expectErrors(await testClient(server(bearer(true), admins), { caller: { id: 1 } }).get('/notes'), [{ status: 403 }])
  })

  test('needs no middleware', async () => {
    expect(await idsOf(testClient(server(), { caller: { id: 1 } }))).toEqual(['1'])
    expect((await testClient(server()).get('/notes/1')).status).toBe(401)
  })

  test('lets the credentials decide if it has no caller', async () => {
    const api = testClient(server(bearer(false)))
    expectErrors(await api.get('/notes', { headers: { Authorization: 'Bearer wrong' } }), [{ status: 401 }])
  })
})

test('no HTTP request can name its caller', async () => {
  const { fetch, handle } = server(seen)
  const hints = { caller: '{"id":1}', 'x-caller': '{"id":1}' }
  const sent = [
    await fetch(new Request('http://localhost/notes?caller=1', { headers: hints })),
    await fetch(Object.assign(new Request('http://localhost/notes'), { caller: { id: 1 } })),
  ]
  expect(sent.map(({ headers }) => headers.get('x-caller'))).toEqual(['null', 'null'])
  expect(sent[0]?.status).toBe(400)
  // A function around `handle` that takes a request only passes no caller on.
  const wrapped: HttpHandle = (request) => handle(request)
  expect((await testClient({ handle: wrapped }, { caller: { id: 1 } }).get('/notes')).headers.get('x-caller')).toBe(
    'null',
  )
})
