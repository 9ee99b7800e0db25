import {
  reply,
  created,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  noContent,
  ok,
  type ResourceHooks,
  type ResourceMetadata,
} from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestClient, type TestRequestOptions, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueWorld } from '../support/catalogue-world.js'
import { client, resourceBody } from '../support/client.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const tracks = { data: ['1', '4', '2'].map((track) => ({ type: 'tracks', id: track })) }
const relationships = { artist: { data: { type: 'artists', id: '2' } }, tracks }
const attributes = { title: 'Amnesiac' }
const profiles = [countableProfile, relationshipQueriesProfile].map(({ uri }) => uri).join(' ')
const headers = { Accept: `application/vnd.api+json; profile="${profiles}"` }

type Write = (api: TestClient, query: string, options?: TestRequestOptions) => Promise<TestResponse>

const create: Write = (api, query, options) =>
  api.post(`/albums${query}`, { ...options, body: { data: { type: 'albums', attributes, relationships } } })
const update: Write = (api, query, options) =>
  api.patch(`/albums/1${query}`, { ...options, body: { data: { type: 'albums', id: '1', attributes, relationships } } })

describe.each<readonly [string, Write]>([
  ['a create', create],
  ['an update', update],
])('%s has the same response as a read', (_name, write) => {
  test.each([
    '',
    '?include=artist,tracks',
    '?include=tracks.playlists&fields[playlists]=title&fields[tracks]=title,playlists',
    '?fields[albums]=title,status',
    '?fields[albums]=',
    '?include=artist&fields[albums]=artist&fields[artists]=name',
    '?withCount=tracks',
    '?include=tracks&relatedQuery[tracks][sort]=-duration&relatedQuery[tracks][filter][longerThan]=300',
  ])('with the query %j', async (query) => {
    const { api } = catalogueWorld()
    const written = await write(api, query, { headers })
    const self = `/albums/${written.resource.id}`
    const read = await api.get(`${self}${query}`, { headers })
    expect({ ...written.document, links: null }).toEqual({ ...read.document, links: null })
    expect(written.headers.get('Content-Type')).toBe(read.headers.get('Content-Type'))
  })

  test.each([
    ['?include=producer', 'INCLUSION_UNRECOGNIZED'],
    ['?include=tracks.playlists.tracks', 'INCLUSION_DEPTH_EXCEEDED'],
    ['?fields[albums]=producer', 'FIELDSET_MEMBER_UNRECOGNIZED'],
    ['?fields[producers]=name', 'FIELDSET_MEMBER_UNRECOGNIZED'],
    ['?withCount=artist', 'RELATIONSHIP_COUNT_NOT_ALLOWED'],
    ['?withCount=_self_', 'RELATIONSHIP_COUNT_NOT_ALLOWED'],
    ['?sort=title', 'SORTING_UNSUPPORTED'],
    ['?filter[title]=x', 'FILTERING_UNRECOGNIZED'],
    ['?page[size]=1', 'QUERY_PARAM_UNRECOGNIZED'],
    ['?producer=x', 'QUERY_PARAM_UNRECOGNIZED'],
  ])('an invalid query, %s, is 400, and nothing is written', async (query, code) => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    expectErrors(await write(api, query, { headers }), [{ status: 400, code }])
    expect(await rows()).toEqual(before)
  })

  test('with the stored values, not with the sent ones', async () => {
    const { api } = catalogueWorld()
    const { document, resource } = await write(api, '?include=tracks,artist')
    expect(resource.relationships?.['artist']?.data).toEqual(relationships.artist.data)
    expect(shown(document?.included).toSorted()).toEqual(['artists 2', 'tracks 1', 'tracks 2', 'tracks 4'])
    for (const included of document?.included ?? []) {
      if (included.type !== 'tracks') continue
      expect(included.relationships?.['album']?.data).toEqual({ type: 'albums', id: resource.id })
    }
  })
})

const shelf = (metadata: ResourceMetadata & { readonly uriType?: string; readonly selfLink?: boolean }) =>
  defineResource('shelves', { model: model<{ id: string }>('shelves'), id: id().requireClientId(), ...metadata })

describe('Location is the self link of the new resource', () => {
  const body = resourceBody('shelves', {}, 'jazz & blues')

  test.each([
    ['of the host', {}, '', 'http://music.example/shelves/jazz%20%26%20blues'],
    ['of the base URI', { baseUri: 'https://api.example/v1' }, '', 'https://api.example/v1/shelves/jazz%20%26%20blues'],
    [
      'under the prefix of a server',
      { servers: { admin: { prefix: '/admin' } } },
      '/admin',
      'http://music.example/admin/shelves/jazz%20%26%20blues',
    ],
  ])('%s', async (_name, settings, prefix, location) => {
    const metadata = prefix === '' ? {} : { server: 'admin' }
    const server = createServer({ ...settings, resources: [shelf(metadata)], data: storedData() })
    const response = await client(server, { origin: 'http://music.example' }).post(`${prefix}/shelves`, { body })
    expect([response.headers.get('Location'), response.resource.links?.['self']]).toEqual([location, location])
  })

  test('by the uriType', async () => {
    const api = client(createServer({ resources: [shelf({ uriType: 'racks' })], data: storedData() }))
    const response = await api.post('/racks', { body })
    expect(response.headers.get('Location')).toBe('http://localhost/racks/jazz%20%26%20blues')
    expect(response.resource.links?.['self']).toBe('http://localhost/racks/jazz%20%26%20blues')
  })

  test('and is present if the type shows none', async () => {
    const api = client(createServer({ resources: [shelf({ selfLink: false })], data: storedData() }))
    const response = await api.post('/shelves', { body })
    expect(response.resource.links).toBeUndefined()
    expect(response.headers.get('Location')).toBe('http://localhost/shelves/jazz%20%26%20blues')
  })

  test('with any requested fields', async () => {
    const api = client(createServer({ resources: [shelf({})], data: storedData() }))
    const response = await api.post('/shelves?fields[shelves]=', { body })
    expect(response.headers.get('Location')).toBe(response.resource.links?.['self'])
  })
})

interface ShelfRow {
  id: number
  name: string
}

/** Shelves of records, with declared responses and hooks. */
function shelves(choices: ResourceMetadata & { readonly hooks?: ResourceHooks<ShelfRow> }): TestClient {
  const holder = defineResource('shelves', {
    model: model<ShelfRow>('shelves'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { records: hasMany('records').via('shelfId') },
    ...choices,
  })
  const records = defineResource('records', {
    model: model<{ id: number; shelfId: number | null }>('records'),
    id: id(),
  })
  const data = storedData({ shelves: [{ id: 1, name: 'Jazz' }], records: [{ id: 1, shelfId: 1 }] })
  return client(createServer({ resources: [holder, records], data }))
}

const writes = {
  create: (api: TestClient) => api.post('/shelves', { body: resourceBody('shelves', { name: 'Rock' }) }),
  update: (api: TestClient) => api.patch('/shelves/1', { body: resourceBody('shelves', { name: 'Rock' }, '1') }),
  delete: (api: TestClient) => api.delete('/shelves/1'),
}

describe('each operation has the declared responses', () => {
  test.each<readonly [name: string, keyof typeof writes, ResourceMetadata, status: number, body: string]>([
    ['nothing', 'create', {}, 201, 'data'],
    ['created()', 'create', { create: created() }, 201, 'data'],
    ['noContent()', 'create', { create: noContent() }, 204, ''],
    ['created() or noContent()', 'create', { create: [noContent(), created()] }, 201, 'data'],
    ['nothing', 'update', {}, 200, 'data'],
    ['ok()', 'update', { update: ok() }, 200, 'data'],
    ['noContent()', 'update', { update: noContent() }, 204, ''],
    ['nothing', 'delete', {}, 204, ''],
    ['noContent()', 'delete', { delete: noContent() }, 204, ''],
    ['metaResult()', 'delete', { delete: metaResult() }, 200, 'meta'],
    ['noContent() or metaResult()', 'delete', { delete: [noContent(), metaResult()] }, 200, 'meta'],
  ])('%s on %s', async (_declared, operation, metadata, status, body) => {
    const api = shelves(metadata)
    const response = await writes[operation](api)
    expect(response.status).toBe(status)
    if (body === '') expect(response.text).toBe('')
    else expect(response.document).toHaveProperty(body)
    const names = (await api.get('/shelves')).resources.map((resource) => resource.attributes?.['name'])
    expect(names).toEqual({ create: ['Jazz', 'Rock'], update: ['Rock'], delete: [] }[operation])
  })

  test('a hook may replace the response after the write', async () => {
    const replaced = shelves({
      hooks: {
        afterCreate: () => reply.meta({ made: true }),
        afterUpdate: () => reply.noContent(),
        afterDelete: () => reply.meta({ gone: true }),
      },
    })
    expect((await writes.create(replaced)).document?.meta).toEqual({ made: true })
    expect((await writes.update(replaced)).status).toBe(204)
    expect((await writes.delete(replaced)).document?.meta).toEqual({ gone: true })
    expect((await replaced.get('/shelves')).resources).toMatchObject([{ id: '2' }])
  })
})
