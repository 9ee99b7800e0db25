import {
  reply,
  atomic,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  HttpError,
  id,
  metaResult,
  model,
  type Server,
} from 'ashlar'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().unique() }),
  relations: { tracks: hasMany('tracks') },
  actions: (a) => ({
    empty: a.resource({
      responds: metaResult(),
      handle: async ({ entity, context }) => {
        const rows = await context.rows(tracks).list({ albumId: entity.id })
        for (const { id: key } of rows) await context.rows(tracks).delete(key)
        return reply.meta({ deleted: rows.length })
      },
    }),
  }),
})
const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
})

function world(dryRun = true): {
  readonly server: Server<readonly [typeof albums, typeof tracks]>
  readonly api: TestClient
} {
  const server = createServer({
    resources: [albums, tracks],
    data: storedData({
      albums: [{ id: 1, title: 'OK Computer' }],
      tracks: [
        { id: 1, title: 'Airbag', albumId: 1 },
        { id: 2, title: 'Idioteque', albumId: null },
      ],
    }),
    extensions: [atomic()],
    dryRun,
  })
  return { server, api: client(server) }
}

const Prefer = 'tx=rollback'
const dry = { headers: { Prefer } }
const atomicType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
const titled = (title: string) => ({ ...dry, body: resourceBody('albums', { title }) })
const strictly = (preference: string) => ({ ...titled('x'), headers: { Prefer: preference } })
const idioteque = [{ type: 'tracks', id: '2' }]
const operations = [
  { op: 'add', data: { type: 'albums', lid: 'new', attributes: { title: 'Kid A' } } },
  { op: 'update', ref: { type: 'albums', lid: 'new', relationship: 'tracks' }, data: idioteque },
]

describe('a request that prefers tx=rollback', () => {
  test.each<[string, (api: TestClient) => Promise<TestResponse>, number, object | null]>([
    ['a create', (api) => api.post('/albums', titled('Kid A')), 201, { data: { attributes: { title: 'Kid A' } } }],
    [
      'an update',
      (api) => api.patch('/albums/1', { ...dry, body: resourceBody('albums', { title: 'x' }, '1') }),
      200,
      { data: { id: '1', attributes: { title: 'x' } } },
    ],
    ['a delete', (api) => api.request('DELETE', '/tracks/1', dry), 204, null],
    [
      'a relationship',
      (api) =>
        api.patch('/albums/1/relationships/tracks', {
          headers: { Prefer: 'return=representation, tx=rollback' },
          body: { data: idioteque },
        }),
      200,
      { data: idioteque },
    ],
    ['an action', (api) => api.request('POST', '/albums/1/-actions/empty', dry), 200, { meta: { deleted: 1 } }],
    [
      'a batch',
      (api) =>
        api.post('/operations', {
          headers: { Prefer, 'Content-Type': atomicType, Accept: atomicType },
          body: { 'atomic:operations': operations },
        }),
      200,
      { 'atomic:results': [{ data: { attributes: { title: 'Kid A' } } }, { data: idioteque }] },
    ],
  ])('%s: the response is the same as of the write, and nothing is written', async (_name, send, status, document) => {
    const { server, api } = world()
    const fired: string[] = []
    for (const event of ['BeforeSave', 'AfterSave', 'AfterDelete', 'AfterAction'] as const) {
      server.on(event, () => void fired.push(event))
    }
    const state = async () => [(await api.get('/albums?include=tracks')).document, (await api.get('/tracks')).document]
    const before = await state()
    const response = await send(api)
    expect(response.status).toBe(status)
    if (document !== null) expect(response.document).toMatchObject(document)
    expect(response.headers.get('Preference-Applied')).toMatch(/(?:^|, )tx=rollback$/)
    expect(await state()).toEqual(before)
    expect(fired.filter((name) => name.startsWith('After'))).toEqual([])
  })

  test('validation, rules of the store and listeners before the write refuse it as they would', async () => {
    const { server, api } = world()
    expectErrors(await api.post('/albums', titled('')), [{ status: 422, pointer: '/data/attributes/title' }])
    expectErrors(await api.post('/albums', titled('OK Computer')), [{ status: 422, pointer: '/data/attributes/title' }])
    expectErrors(await api.request('DELETE', '/albums/9', dry), [{ status: 404 }])
    server.on('BeforeCreate', 'albums', () => {
      throw new HttpError(409)
    })
    expectErrors(await api.post('/albums', titled('x')), [{ status: 409 }])
  })

  test('a read ignores it', async () => {
    const { api } = world()
    const response = await api.get('/albums/1', dry)
    expect([response.status, response.headers.has('Preference-Applied')]).toEqual([200, false])
  })

  test('a server without the setting ignores it, and sends no Preference-Applied', async () => {
    const { api } = world(false)
    const response = await api.post('/albums', titled('Kid A'))
    expect([response.status, response.headers.has('Preference-Applied')]).toEqual([201, false])
    expect((await api.get('/albums')).resources).toHaveLength(2)
  })
})

describe('handling=strict', () => {
  test.each([
    ['handling=strict, tx=rollback', 'tx=rollback'],
    ['handling=strict; tx=rollback', 'tx=rollback'],
    ['handling=strict, respond-async', 'respond-async'],
    ['return=some, handling=strict', 'return=some'],
  ])('%s is 400 if it is not applied, and nothing is written', async (preference, named) => {
    const { api } = world(false)
    const error = { status: 400, code: 'PREFERENCE_NOT_SUPPORTED', header: 'Prefer' }
    const [found] = expectErrors(await api.post('/albums', strictly(preference)), [error])
    expect(found?.detail).toContain(`'${named}'`)
    expect((await api.get('/albums')).resources).toHaveLength(1)
  })

  test('an applied preference passes', async () => {
    const { api } = world()
    for (const preference of ['handling=strict; tx=rollback', 'handling=strict, return=representation, tx=rollback']) {
      expect((await api.post('/albums', strictly(preference))).status).toBe(201)
    }
    expect((await api.get('/albums')).resources).toHaveLength(1)
    expect((await api.post('/albums', strictly('handling=lenient, respond-async'))).status).toBe(201)
  })
})
