import { accepted, createServer, defineResource, id, model, noContent } from 'ashlar'
import type { IdDeclaration } from '../../../src/declare/resource/fields/id-declaration.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { catalogueWorld } from '../../support/catalogue-world.js'
import { client, resourceBody } from '../../support/client.js'
import { importing, later, post } from '../../support/imports.js'
import { storedData } from '../../support/stored-data.js'
import { statement } from './statement.js'

/** https://jsonapi.org/format/1.1/#crud-creating */

function labelsWith(
  declared: IdDeclaration,
  metadata: { readonly create?: ReturnType<typeof noContent> } = {},
): TestClient {
  const labels = defineResource('labels', {
    model: model<{ id: string; name: string }>('labels'),
    id: declared,
    attributes: (a) => ({ name: a.string() }),
    ...metadata,
  })
  return client(createServer({ resources: [labels], data: storedData({ labels: [{ id: 'ecm', name: 'ECM' }] }) }))
}

const label = (sent?: unknown) => ({ body: resourceBody('labels', { name: 'Warp' }, sent) })
const artist = { type: 'artists', attributes: { name: 'Portishead', slug: 'portishead' } }

describe('the document of a create', () => {
  statement('create-single-resource', 'the data of a create is one resource object; anything else is 400', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    for (const data of [[], [artist], 'artists', 7, true]) {
      expectErrors(await api.post('/artists', { body: { data } }), [
        { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data' },
      ])
    }
    for (const body of [{}, { links: {} }]) {
      expectErrors(await api.post('/artists', { body }), [{ status: 400, code: 'REQUIRED_TOP_LEVEL_MEMBERS_MISSING' }])
    }
    expectErrors(await api.post('/artists', { body: { meta: {} } }), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
    expectErrors(await api.post('/artists'), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
    expect(await rows()).toEqual(before)
    expect((await api.post('/artists', { body: { data: artist } })).status).toBe(201)
  })

  statement(
    'create-type-member',
    'the resource object of a create must have its type, and the members that the type requires',
    async () => {
      const { api } = catalogueWorld()
      const { attributes } = artist
      expectErrors(await api.post('/artists', { body: { data: { attributes } } }), [
        { status: 400, code: 'RESOURCE_TYPE_MISSING', pointer: '/data' },
      ])
      const created = await api.post('/libraries', { body: { data: { type: 'libraries' } } })
      expect(created.resource).toMatchObject({ type: 'libraries', id: '2' })
    },
  )

  statement(
    'create-relationships-member',
    'a relationship of a new resource is an object, and its data lists the members',
    async () => {
      const { api } = catalogueWorld()
      const create = (relationships: unknown) =>
        api.post('/albums', { body: { data: { type: 'albums', attributes: { title: 'Amnesiac' }, relationships } } })
      const created = await create({ artist: { data: { type: 'artists', id: '1' } } })
      expect(created.resource.relationships?.['artist']?.data).toEqual({ type: 'artists', id: '1' })
      const silent = await create({ artist: { links: { self: '/nowhere' } }, tracks: { meta: {} } })
      expect(silent.resource.relationships?.['artist']?.data).toBeNull()
      for (const wrong of [null, 'artists', [], 1]) {
        expectErrors(await create({ artist: wrong }), [
          { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data/relationships/artist' },
        ])
      }
      expectErrors(await create([]), [
        { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data/relationships' },
      ])
    },
  )
})

describe('the id of a new resource', () => {
  statement(
    'create-accept-client-generated-ids',
    'a new resource has the id that the client sends, if the type allows it',
    async () => {
      const api = labelsWith(id().allowClientId())
      expect((await api.post('/labels', label('warp'))).resource).toMatchObject({ id: 'warp' })
      expect((await api.get('/labels/warp')).resource.attributes).toEqual({ name: 'Warp' })
    },
  )

  statement(
    'create-client-generated-ids-key',
    'an id that the client sends is the member id, a string in the format that the type declares',
    async () => {
      const api = labelsWith(id().uuid().allowClientId())
      const sent = 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
      expect((await api.post('/labels', label(sent))).resource.id).toBe(sent)
      for (const wrong of [7, true, [sent], { id: sent }]) {
        expectErrors(await api.post('/labels', label(wrong)), [
          { status: 400, code: 'RESOURCE_ID_INVALID', pointer: '/data/id' },
        ])
      }
      expectErrors(await api.post('/labels', label('warp')), [
        { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
      ])
    },
  )

  statement(
    'create-client-generated-ids-forbidden',
    'an id that the client sends is 403 if the type does not allow it',
    async () => {
      const { api, rows } = catalogueWorld()
      const before = await rows()
      expectErrors(await api.post('/artists', { body: { data: { ...artist, id: '9' } } }), [
        { status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/data/id' },
      ])
      expect(await rows()).toEqual(before)
    },
  )
})

describe('201 Created', () => {
  statement('create-responses-201-status', 'a create without an id is 201', async () => {
    expect((await catalogueWorld().api.post('/artists', { body: { data: artist } })).status).toBe(201)
  })

  statement('create-responses-201-location', 'a 201 has the URL of the new resource as its Location', async () => {
    const { api } = catalogueWorld()
    const created = await api.post('/artists', { body: { data: artist } })
    const location = created.headers.get('Location') ?? ''
    expect(location).toBe('http://localhost/artists/4')
    expect((await api.get(new URL(location).pathname)).resource).toEqual(created.resource)
  })

  statement('create-responses-201-document', 'a 201 has a document with the new resource as its data', async () => {
    const { resource } = await catalogueWorld().api.post('/artists', { body: { data: artist } })
    expect(resource).toMatchObject({ ...artist, id: '4' })
  })

  statement(
    'create-responses-201-self',
    'a 201 has the same URL in Location and in links.self of the resource',
    async () => {
      const { api } = catalogueWorld()
      for (const [path, data] of [
        ['/artists', artist],
        ['/playlists', { type: 'playlists', attributes: { title: 'Morning' } }],
        ['/favorites', { type: 'favorites' }],
        ['/genres', { type: 'genres', id: 'trip-hop', attributes: { name: 'Trip hop' } }],
      ] as const) {
        const { headers, resource } = await api.post(path, { body: { data } })
        expect(headers.get('Location')).toBe(resource.links?.['self'])
        expect(headers.get('Location')).toBe(`http://localhost${path}/${resource.id}`)
      }
    },
  )
})

describe('other responses', () => {
  statement('create-responses-202', 'a create that continues after the response is 202', async () => {
    const response = await post(importing({ create: accepted('jobs'), persister: later() }))
    expect(response.status).toBe(202)
    expect(response.resource).toMatchObject({ type: 'jobs', attributes: { status: 'running' } })
  })

  statement('create-responses-204', 'a create with an id is 201 with a document, or 204 without', async () => {
    const withId = await labelsWith(id().requireClientId()).post('/labels', label('warp'))
    expect(withId.status).toBe(201)
    expect(withId.resource.id).toBe('warp')
    const silent = labelsWith(id().requireClientId(), { create: noContent() })
    const response = await silent.post('/labels', label('warp'))
    expect(response.status).toBe(204)
    expect(response.text).toBe('')
    expect((await silent.get('/labels/warp')).status).toBe(200)
  })

  statement('create-responses-403', 'a create of a type without creates is 405', async () => {
    const { api } = catalogueWorld()
    const refused = await api.post('/public-profiles', { body: { data: { type: 'public-profiles' } } })
    expectErrors(refused, [{ status: 405, code: 'METHOD_NOT_ALLOWED' }])
    expect(refused.headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
  })

  statement('create-responses-404-related', 'a related resource that does not exist is 404', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    const tracks = [
      { type: 'tracks', id: '1' },
      { type: 'tracks', id: '99' },
      { type: 'tracks', id: '01' },
    ]
    const relationships = { artist: { data: { type: 'artists', id: '98' } }, tracks: { data: tracks } }
    const body = { data: { type: 'albums', attributes: { title: 'Amnesiac' }, relationships } }
    expectErrors(await api.post('/albums', { body }), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/artist/data' },
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/tracks/data/1' },
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/tracks/data/2' },
    ])
    expect(await rows()).toEqual(before)
  })

  statement('create-responses-409-exists', 'an id that is taken is 409', async () => {
    const api = labelsWith(id().requireClientId())
    expectErrors(await api.post('/labels', label('ecm')), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
    expect((await api.get('/labels/ecm')).resource.attributes).toEqual({ name: 'ECM' })
  })

  statement('create-responses-409-bad-type', 'another type than that of the collection is 409', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    for (const type of ['albums', 'Artists', 'nothing', '']) {
      expectErrors(await api.post('/artists', { body: { data: { ...artist, type } } }), [
        { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
      ])
    }
    expect(await rows()).toEqual(before)
  })

  statement('create-responses-409-error-details', 'a conflict names both sides', async () => {
    const wrongType = await catalogueWorld().api.post('/artists', { body: { data: { ...artist, type: 'albums' } } })
    expect(wrongType.errors[0]?.detail).toMatch(/albums.*artists/)
    const taken = await labelsWith(id().requireClientId()).post('/labels', label('ecm'))
    expect(taken.errors[0]?.detail).toBe("A resource with the id 'ecm' already exists.")
  })
})
