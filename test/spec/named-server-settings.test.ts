import type { NamedServer, ServerSettings } from 'ashlar'
import { atomic, authenticate, belongsTo, createServer, cursorPage, defineResource, HttpError, id, model } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { memoryData } from 'ashlar/memory'
import type { TestClient } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { client } from '../support/client.js'

/** A named server has the settings of the default server, except those that it declares itself. */

type Settings = Partial<Omit<ServerSettings<readonly []>, 'resources' | 'data' | 'servers'>>

const labels = defineResource('labels', {
  model: model<{ id: number; partOf: number | null }>('labels'),
  id: id(),
  countable: true,
  relations: { parent: belongsTo('labels').via('partOf').nullable() },
  policy: 'public',
})

function music(partner: NamedServer, settings: Settings = {}): TestClient {
  const rows = [1, 2, 3].map((key) => ({ id: key, partOf: key === 1 ? null : key - 1 }))
  const onPartner = labels.with({ server: 'partner' })
  const data = memoryData({ labels: rows })
  const servers = { partner: { prefix: '/partner', ...partner } }
  return client(createServer({ resources: [labels, onPartner], data, ...settings, servers }))
}

const fail = (): never => {
  throw new RangeError('secret')
}

const both = async (api: TestClient, path: string): Promise<readonly number[]> => [
  (await api.request('GET', path)).status,
  (await api.request('GET', `/partner${path}`)).status,
]

describe('a named server has its own', () => {
  test('base URI and version', async () => {
    const api = music({ baseUri: 'https://partner.example/api/', version: '' }, { baseUri: 'https://music.example' })
    const [ours, theirs] = [await api.request('GET', '/labels/1'), await api.request('GET', '/partner/labels/1')]
    expect(ours.resource.links).toEqual({ self: 'https://music.example/labels/1' })
    expect(theirs.resource.links).toEqual({ self: 'https://partner.example/api/partner/labels/1' })
    expect([ours.document?.jsonapi, theirs.document?.jsonapi]).toEqual([{ version: '1.1' }, undefined])
    const created = await api.request('POST', '/partner/labels', { body: { data: { type: 'labels' } } })
    expect(created.headers.get('Location')).toBe('https://partner.example/api/partner/labels/4')
  })

  test('pages', async () => {
    const api = music({ maxPageSize: 1 })
    expect((await api.request('GET', '/labels')).resources).toHaveLength(3)
    expect((await api.request('GET', '/partner/labels')).resources).toHaveLength(1)
    const paged = music({ pagination: cursorPage() })
    const next = async (path: string): Promise<string> =>
      decodeURIComponent(String((await paged.request('GET', path)).document?.links?.['next']))
    expect(await next('/labels?page[size]=2')).toContain('page[number]=2')
    expect(await next('/partner/labels?page[size]=2')).toContain('page[after]=')
  })

  test('depth of include, limits and strictness', async () => {
    const path = '/labels/3?include=parent.parent'
    expect(await both(music({ maxIncludeDepth: 1 }), path)).toEqual([200, 400])
    expect(await both(music({ maxIncludeDepth: 0 }, { maxIncludeDepth: 1 }), path)).toEqual([400, 200])
    const limited = music({ limits: { sortKeys: 1 } }, { limits: { uriLength: 40 } })
    expect(await both(limited, '/labels?sort=id,-id')).toEqual([200, 400])
    expect(await both(limited, `/labels?sort=${'id,'.repeat(12)}id`)).toEqual([414, 414])
    expect(await both(music({ strictQueryParameters: false }), '/labels?myOwn=1')).toEqual([400, 200])
    expect(await both(music({ strictPages: true }), '/labels?page[offset]=1')).toEqual([200, 400])
  })

  test('profiles', async () => {
    const api = music({ profiles: [] })
    const headers = { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` }
    const applied = async (path: string): Promise<unknown> =>
      (await api.request('GET', path, { headers })).document?.jsonapi
    expect(await applied('/labels?withCount=_self_')).toEqual({ version: '1.1', profile: [countableProfile.uri] })
    expect(await applied('/partner/labels')).toEqual({ version: '1.1' })
    expect((await api.request('GET', '/partner/labels?withCount=_self_', { headers })).status).toBe(400)
  })

  test('rules for unknown members', async () => {
    const api = music({ unknownMembers: 'reject' })
    const body = { data: { type: 'labels', attributes: { nothing: 1 } } }
    expect((await api.request('POST', '/labels', { body })).status).toBe(201)
    expectErrors(await api.request('POST', '/partner/labels', { body }), [{ code: 'ATTRIBUTE_UNRECOGNIZED' }])
  })

  test('error settings, also for errors of its middleware', async () => {
    const api = music(
      { middleware: [fail], exceptionMap: [[RangeError, 409]], logger: null },
      { middleware: [fail], logger: null },
    )
    expect(await both(api, '/labels')).toEqual([500, 409])
    const shared = { middleware: [fail], logger: null }
    const debug = music({ ...shared, debug: true }, shared)
    const detail = async (path: string): Promise<unknown> => (await debug.request('GET', path)).errors[0]?.detail
    expect([await detail('/labels'), await detail('/partner/labels')]).toEqual([undefined, 'secret'])
  })

  test('headers of deprecation and of caches', async () => {
    const api = music({ deprecation: true, cacheHeaders: { max_age: 5 } }, { cacheHeaders: { max_age: 60 } })
    const headers = async (path: string): Promise<readonly (string | null)[]> => {
      const { headers: sent } = await api.request('GET', path)
      return [sent.get('Deprecation'), sent.get('Cache-Control')]
    }
    expect(await headers('/labels')).toEqual([null, 'max-age=60'])
    expect(await headers('/partner/labels')).toEqual(['true', 'max-age=5'])
    expect(await headers('/partner')).toEqual(['true', null])
  })
})

test("settings of the entry 'default' are those of the default server, which the others inherit", async () => {
  const other = labels.with({ server: ['other', 'plain'] })
  const server = createServer({
    resources: [labels, other],
    data: memoryData({ labels: [1, 2, 3].map((key) => ({ id: key, partOf: null })) }),
    servers: {
      default: {
        baseUri: 'https://music.example',
        maxPageSize: 2,
        limits: { sortKeys: 1, uriLength: 40 },
        cors: { origins: '*' },
        sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
      },
      other: { prefix: '/other', limits: { sortKeys: 2 }, sunsetLink: 'https://music.example/sunset' },
      plain: { prefix: '/plain' },
    },
  })
  const api = client(server)
  for (const prefix of ['', '/other', '/plain']) {
    const response = await api.request('GET', `${prefix}/labels`, { headers: { Origin: 'https://app.example' } })
    expect(response.resources, prefix).toHaveLength(2)
    expect(response.resources[0]?.links).toEqual({ self: `https://music.example${prefix}/labels/1` })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(response.headers.get('Link')).toBe(
      prefix === '/other' ? '<https://music.example/sunset>; rel="sunset"' : null,
    )
    const status = async (path: string): Promise<number> => (await api.request('GET', `${prefix}${path}`)).status
    expect(await status('/labels?sort=id,-id')).toBe(prefix === '/other' ? 200 : 400)
    expect(await status(`/labels?sort=${'id,'.repeat(12)}id`)).toBe(414)
  }
})

test('batches and dispatched operations have the settings of their server', async () => {
  const onPartner = labels.with({ server: 'partner' })
  const server = createServer({
    resources: [labels, onPartner],
    data: memoryData({ labels: [{ id: 1, partOf: null }] }),
    extensions: [atomic()],
    servers: { partner: { prefix: '/partner', unknownMembers: 'reject', maxIncludeDepth: 1 } },
  })
  const body = { 'atomic:operations': [{ op: 'add', data: { type: 'labels', attributes: { nothing: 1 } } }] }
  const send = (path: string) => client(server).request('POST', path, { headers: batchHeaders, body })
  expect((await send('/operations')).status).toBe(200)
  expect((await send('/partner/operations')).status).toBe(422)
  const input = { kind: 'FetchResource', type: 'labels', id: '1', query: 'include=parent.parent' } as const
  expect((await server.dispatch(input)).kind).toBe('data')
  await expect(server.dispatch({ ...input, server: 'partner' })).rejects.toThrow()
})

test('servers differ in hosts, prefixes and middleware', async () => {
  const staff = authenticate({
    challenge: 'Staff',
    required: true,
    caller(request) {
      const name = request.header('authorization')
      if (name === 'wrong') throw new HttpError(401)
      return name === undefined ? null : { name }
    },
  })
  const server = createServer({
    resources: [labels.with({ server: 'public' }), labels.with({ server: 'staff' })],
    data: memoryData({ labels: [{ id: 1, partOf: null }] }),
    servers: {
      public: { host: 'music.example', prefix: '/v1' },
      staff: { host: 'staff.music.example', middleware: [staff] },
    },
  })
  const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
    (await server.fetch(new Request(url, { headers }))).status
  expect(await status('https://music.example/v1/labels')).toBe(200)
  expect(await status('https://music.example/labels')).toBe(404)
  expect(await status('https://staff.music.example/labels')).toBe(401)
  expect(await status('https://staff.music.example/labels', { Authorization: 'alice' })).toBe(200)
  expect(await status('https://staff.music.example/v1/labels', { Authorization: 'alice' })).toBe(404)
  expect(await status('https://other.example/labels')).toBe(404)
})
