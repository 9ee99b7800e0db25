import {
  createServer,
  defineResource,
  hasMany,
  HttpError,
  id,
  model,
  type ResourceHooks,
  type WorkContext,
} from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { catalogueServer } from '../../support/catalogue.js'
import { catalogueWorld } from '../../support/catalogue-world.js'
import { client, resourceBody } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'
import { storedRows } from '../../support/stored-rows.js'
import { statement } from './statement.js'

/** The requirements for all responses to writes: https://jsonapi.org/format/1.1/#crud */

describe('features that a server offers', () => {
  statement('create-support', 'a type supports creates if its operations include them', async () => {
    const api = client(catalogueServer())
    expect((await api.post('/libraries', { body: resourceBody('libraries') })).status).toBe(201)
    expect((await api.post('/countries', { body: resourceBody('countries') })).status).toBe(405)
  })

  statement('modify-delete-support', 'a type supports updates and deletes if its operations include them', async () => {
    const api = client(catalogueServer())
    const send = (method: string, type: string, sent: string) =>
      api.request(method, `/${type}/${sent}`, method === 'PATCH' ? { body: resourceBody(type, {}, sent) } : {})
    expect((await send('PATCH', 'libraries', '1')).status).toBe(200)
    expect((await send('DELETE', 'libraries', '1')).status).toBe(204)
    expect((await send('PATCH', 'countries', 'is')).status).toBe(405)
    expect((await send('DELETE', 'countries', 'is')).status).toBe(405)
  })
})

interface ShelfRow {
  id: number
  name: string
}

/** Shelves of books, with user-defined hooks that may fail. */
function shelvesWith(hooks: ResourceHooks<ShelfRow>) {
  const shelves = defineResource('shelves', {
    model: model<ShelfRow>('shelves'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { records: hasMany('records').via('shelfId') },
    hooks,
  })
  const records = defineResource('records', {
    model: model<{ id: number; shelfId: number | null }>('records'),
    id: id(),
  })
  const data = storedData({
    shelves: [{ id: 1, name: 'Jazz' }],
    records: [
      { id: 1, shelfId: 1 },
      { id: 2, shelfId: null },
    ],
  })
  const api = client(createServer({ resources: [shelves, records], data }))
  return { api, rows: () => storedRows(data, ['shelves', 'records']) }
}

const records = [{ type: 'records', id: '2' }]
const shelf = (sent?: string) => ({
  body: {
    data: {
      type: 'shelves',
      ...(sent === undefined ? {} : { id: sent }),
      attributes: { name: 'Rock' },
      relationships: { records: { data: records } },
    },
  },
})

/** Every kind of write. */
const writes: Readonly<Record<string, (api: TestClient) => ReturnType<TestClient['get']>>> = {
  'a create': (api) => api.post('/shelves', shelf()),
  'an update': (api) => api.patch('/shelves/1', shelf('1')),
  'a deletion': (api) => api.delete('/shelves/1'),
  'a replacement': (api) => api.patch('/shelves/1/relationships/records', { body: { data: records } }),
  'an addition': (api) => api.post('/shelves/1/relationships/records', { body: { data: records } }),
  'a removal': (api) => api.delete('/shelves/1/relationships/records', { body: { data: records } }),
}

describe('a write', () => {
  statement(
    'crud-atomic',
    'a write that fails at its last step changes nothing, including embedded relationships',
    async () => {
      let written = 0
      const breakAfterWriting = async (context: WorkContext): Promise<never> => {
        await context.rows('records').update(1, { shelfId: null })
        written += 1
        throw new Error('The disk is full.')
      }
      const { api, rows } = shelvesWith({
        beforeSave: (_draft, _creating, context) => breakAfterWriting(context),
        beforeDelete: (_row, context) => breakAfterWriting(context),
        beforeRelationshipMutate: (_row, context) => breakAfterWriting(context),
      })
      const before = await rows()
      for (const write of Object.values(writes)) expect((await write(api)).status).toBe(500)
      expect(written).toBe(6)
      expect(await rows()).toEqual(before)
    },
  )

  statement('crud-atomic', 'a write with one error in any part is refused completely', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    const validValues = { title: 'Amnesiac' }
    const artist = { data: { type: 'artists', id: '2' } }
    const tracks = { data: [{ type: 'tracks', id: '4' }] }
    for (const [attributes, relationships] of [
      [{ title: 7 }, { artist, tracks }],
      [validValues, { artist: { data: { type: 'artists', id: '99' } }, tracks }],
      [validValues, { artist, tracks: { data: [...tracks.data, { type: 'tracks', id: '99' }] } }],
      [validValues, { artist, tracks: { data: [...tracks.data, { type: 'albums', id: '1' }] } }],
      [validValues, { artist, tracks: { data: [...tracks.data, { type: 'tracks' }] } }],
    ] as const) {
      const data = { type: 'albums', attributes, relationships }
      expect((await api.post('/albums', { body: { data } })).status).toBeGreaterThanOrEqual(400)
      const update = await api.patch('/albums/1', { body: { data: { ...data, id: '1' } } })
      expect(update.status).toBeGreaterThanOrEqual(400)
    }
    expect(await rows()).toEqual(before)
  })
})

function teapot(): never {
  throw new HttpError(418, 'Only tea.')
}

describe('errors of user-defined code', () => {
  const broken = { beforeSave: teapot, beforeDelete: teapot, beforeRelationshipMutate: teapot }

  statement(
    [
      'create-responses-other-status',
      'update-resource-other-status',
      'updating-relationship-other-status',
      'deleting-other-status',
    ],
    'user-defined code may set any status of HTTP, and the response is still a document',
    async () => {
      const { api } = shelvesWith(broken)
      for (const write of Object.values(writes)) {
        expectErrors(await write(api), [{ status: 418, code: null, title: 'Error' }])
      }
    },
  )
})

describe('an error', () => {
  statement(
    [
      'create-responses-other-error-details',
      'update-resource-other-semantics',
      'updating-relationship-other-details',
      'deleting-other-details',
    ],
    'an error has a status, a code, a title, a detail and a source',
    async () => {
      const { api } = catalogueWorld()
      const sent = { body: { data: { type: 'albums', id: '1', attributes: { title: '' } } } }
      const wrongType = { body: { data: { type: 'tracks', id: '1' } } }
      const responses = [
        await api.post('/genres', { body: resourceBody('genres', {}, 'dub') }),
        await api.patch('/albums/1', sent),
        await api.patch('/albums/1/relationships/artist', wrongType),
        await api.delete('/albums/1?sort=title'),
      ]
      for (const { status, errors } of responses) {
        expect(errors).toHaveLength(1)
        expect(errors[0]).toEqual({
          status: String(status),
          code: expect.stringMatching(/^[A-Z_]+$/),
          title: expect.stringMatching(/\w/),
          detail: expect.stringMatching(/\w/),
          source: { [status === 400 ? 'parameter' : 'pointer']: expect.any(String) },
        })
      }
    },
  )
})

describe('HTTP', () => {
  statement(
    [
      'create-http-semantics',
      'update-resource-http-semantics',
      'update-relationship-http-semantics',
      'deleting-http-semantics',
    ],
    'methods, bodies, Location and Allow follow HTTP',
    async () => {
      const created = await shelvesWith({}).api.post('/shelves', shelf())
      expect([created.status, created.headers.get('Location')]).toEqual([201, created.resource.links?.['self']])
      for (const [name, write] of Object.entries(writes)) {
        const response = await write(shelvesWith({}).api)
        expect(response.text === '').toBe(response.status === 204)
        expect(response.headers.has('Location')).toBe(name === 'a create')
        expect(response.headers.has('Content-Type')).toBe(response.status !== 204)
        expect(response.headers.get('Cache-Control')).toBeNull()
      }
      const { api } = shelvesWith({})
      for (const [path, allow] of [
        ['/shelves', 'GET, HEAD, QUERY, POST, OPTIONS'],
        ['/shelves/1', 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'],
        ['/shelves/1/relationships/records', 'GET, HEAD, QUERY, PATCH, POST, DELETE, OPTIONS'],
      ] as const) {
        const refused = await api.request('PUT', path, shelf('1'))
        expect([refused.status, refused.headers.get('Allow')]).toEqual([405, allow])
        const options = await api.request('OPTIONS', path)
        expect([options.status, options.headers.get('Allow')]).toEqual([204, allow])
      }
    },
  )

  statement('deleting-http-semantics', 'a DELETE and a PATCH can be repeated without a further effect', async () => {
    const { api, rows } = shelvesWith({})
    await api.patch('/shelves/1', shelf('1'))
    const patched = await rows()
    await api.patch('/shelves/1', shelf('1'))
    expect(await rows()).toEqual(patched)
    await api.delete('/shelves/1')
    const deleted = await rows()
    expect((await api.delete('/shelves/1')).status).toBe(404)
    expect(await rows()).toEqual(deleted)
  })
})
