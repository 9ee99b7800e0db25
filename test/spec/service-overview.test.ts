import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

describe('each declared resource type gets endpoints for reading and writing its resources', () => {
  test('a collection is read at /{type}', async () => {
    const response = await client(catalogueServer()).get('/artists')
    expect(response.status).toBe(200)
    expect(response.resources.map(({ attributes }) => attributes?.['name'])).toEqual([
      'Radiohead',
      'Björk',
      'Miles Davis',
    ])
  })

  test('a resource is read at /{type}/{id}', async () => {
    const response = await client(catalogueServer()).get('/artists/2')
    expect(response.status).toBe(200)
    expect(response.resource).toMatchObject({ type: 'artists', id: '2', attributes: { slug: 'bjork' } })
  })

  test('a resource is created, changed and deleted, and each step can be read back', async () => {
    const api = client(catalogueServer())
    const created = await api.post('/artists', {
      body: resourceBody('artists', { name: 'Portishead', slug: 'portishead' }),
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('Location')).toBe(`http://localhost/artists/${created.resource.id}`)

    const path = `/artists/${created.resource.id}`
    const changed = await api.patch(path, {
      body: resourceBody('artists', { bio: 'From Bristol.' }, created.resource.id),
    })
    expect(changed.status).toBe(200)
    expect(changed.resource.attributes).toMatchObject({ name: 'Portishead', bio: 'From Bristol.' })
    expect((await api.get(path)).resource).toEqual(changed.resource)

    expect((await api.delete(path)).status).toBe(204)
    expectErrors(await api.get(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('a resource that does not exist is 404 for reading, changing and deleting', async () => {
    const api = client(catalogueServer())
    for (const response of [
      await api.get('/artists/99'),
      await api.patch('/artists/99', { body: resourceBody('artists', {}, '99') }),
      await api.delete('/artists/99'),
    ]) {
      expectErrors(response, [{ status: 404, code: 'RESOURCE_NOT_FOUND', pointer: null, parameter: null }])
    }
  })
})

describe('a request passes negotiation, body parsing, routing and the handler in this order', () => {
  const long = `/albums?page[x]=${'x'.repeat(20_000)}`
  const unacceptable = { Accept: 'application/vnd.api+json; charset=utf-8' }
  const unsupported = { 'Content-Type': 'application/json' }

  test('the length of the target (414) is checked before the media types', async () => {
    const response = await client(catalogueServer()).get(long, { headers: unacceptable })
    expectErrors(response, [{ status: 414, code: 'URI_TOO_LONG' }])
  })

  test('Content-Type (415) is checked before Accept (406)', async () => {
    const headers = { ...unacceptable, ...unsupported }
    const response = await client(catalogueServer()).post('/albums', { raw: '{', headers })
    expectErrors(response, [{ status: 415, code: 'MEDIA_TYPE_UNSUPPORTED', header: 'Content-Type' }])
  })

  test('the media types (415, 406) are checked before the query and the body (400)', async () => {
    const api = client(catalogueServer())
    const target = '/albums?nonsense=1'
    expectErrors(await api.post(target, { raw: '{', headers: unsupported }), [{ status: 415 }])
    expectErrors(await api.post(target, { raw: '{', headers: unacceptable }), [
      { status: 406, code: 'MEDIA_TYPE_UNACCEPTABLE', header: 'Accept' },
    ])
  })

  test('the query (400) is checked before the body (400)', async () => {
    const response = await client(catalogueServer()).post('/albums?nonsense=1', { raw: '{' })
    expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'nonsense' }])
  })

  test('the body (400) is checked before the route (404, 405)', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.post('/albums/1', { raw: '{' }), [{ status: 400, code: 'REQUEST_BODY_INVALID_JSON' }])
    expectErrors(await api.post('/albums/1/x/y/z', { raw: '{' }), [{ status: 400, code: 'REQUEST_BODY_INVALID_JSON' }])
  })

  test('the route (404, 405) is checked before the handler sees the document', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.post('/albums/1', { body: resourceBody('nonsense') }), [{ status: 405 }])
    expectErrors(await api.post('/albums/1/x/y/z', { body: resourceBody('nonsense') }), [
      { status: 404, code: 'PATH_NOT_FOUND' },
    ])
  })

  test('the document (400, 409) is checked before the resource is read (404), and that before its values (422)', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.patch('/albums/99', { body: resourceBody('artists', {}, '99') }), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
    ])
    expectErrors(await api.patch('/albums/99', { body: resourceBody('albums', { title: 5 }, '99') }), [
      { status: 404, code: 'RESOURCE_NOT_FOUND' },
    ])
  })

  test('nothing is checked for a path of no declared type', async () => {
    const response = await client(catalogueServer()).post('/nothing?nonsense=1', { raw: '{', headers: unsupported })
    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(response.document).toBeUndefined()
  })
})

const postAlbum = (body: unknown) => client(catalogueServer()).post('/albums', { body })

describe('the request document', () => {
  test('a write without a body has no data', async () => {
    const api = client(catalogueServer())
    const missing = [{ status: 400, code: 'DATA_MEMBER_MISSING', pointer: '' }]
    expectErrors(await api.post('/albums'), missing)
    expectErrors(await api.post('/albums', { raw: ' \n ' }), missing)
    expectErrors(await api.patch('/albums/1'), missing)
  })

  test('a document with only meta has no data either', async () => {
    expectErrors(await postAlbum({ meta: {} }), [{ status: 400, code: 'DATA_MEMBER_MISSING', pointer: '' }])
  })

  test.each([['[]'], ['"data"'], ['5'], ['true'], ['null'], ['{}'], ['{"jsonapi":{}}']])(
    'a body %s has none of the members that a document needs',
    async (raw) => {
      const response = await client(catalogueServer()).post('/albums', { raw })
      expectErrors(response, [{ status: 400, code: 'REQUIRED_TOP_LEVEL_MEMBERS_MISSING' }])
    },
  )

  test('null as data is no resource object, and is reported as such', async () => {
    const raw = '{"data":null}'
    const problem = { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data' }
    expectErrors(await client(catalogueServer()).post('/albums', { raw }), [problem])
    expectErrors(await client(catalogueServer()).patch('/albums/1', { raw }), [problem])
  })

  test('data and errors exclude each other', async () => {
    expectErrors(await postAlbum({ data: {}, errors: [] }), [{ status: 400, code: 'TOP_LEVEL_MEMBERS_INCOMPATIBLE' }])
  })

  test('included requires data', async () => {
    expectErrors(await postAlbum({ meta: {}, included: [] }), [{ status: 400, code: 'TOP_LEVEL_MEMBER_NOT_ALLOWED' }])
  })

  test('the data of a write is one resource object', async () => {
    for (const data of [[], 'x', 5, true]) {
      expectErrors(await postAlbum({ data }), [
        { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data' },
      ])
    }
  })

  test('attributes and relationships are objects', async () => {
    for (const member of ['attributes', 'relationships']) {
      for (const value of [[], 'x', null]) {
        expectErrors(await postAlbum({ data: { type: 'albums', [member]: value } }), [
          { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: `/data/${member}` },
        ])
      }
    }
  })

  test('the resource object has the type of the endpoint', async () => {
    expectErrors(await postAlbum({ data: {} }), [{ status: 400, code: 'RESOURCE_TYPE_MISSING', pointer: '/data' }])
    for (const type of ['artists', '', 5, null, ['albums'], { albums: 1 }]) {
      expectErrors(await postAlbum({ data: { type } }), [
        { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
      ])
    }
  })

  test('the id of a resource object is a string', async () => {
    for (const sent of [1, true, ['1']]) {
      expectErrors(await postAlbum(resourceBody('albums', {}, sent)), [
        { status: 400, code: 'RESOURCE_ID_INVALID', pointer: '/data/id' },
      ])
    }
  })

  test('an update has the id of the endpoint', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.patch('/albums/1', { body: resourceBody('albums') }), [
      { status: 400, code: 'RESOURCE_ID_MISSING', pointer: '/data' },
    ])
    const [error] = expectErrors(await api.patch('/albums/1', { body: resourceBody('albums', {}, '2') }), [
      { status: 409, code: 'RESOURCE_ID_CONFLICT', pointer: '/data/id' },
    ])
    expect(error?.detail).toBe("The document has the id '2', but the URL has the id '1'.")
  })

  test('a local id is a string', async () => {
    for (const lid of [5, null]) {
      expectErrors(await postAlbum({ data: { type: 'albums', lid } }), [
        { status: 400, code: 'LOCAL_ID_NOT_SUPPORTED', pointer: '/data/lid' },
      ])
    }
    const response = await postAlbum({ data: { type: 'albums', lid: '', attributes: { title: 'Amnesiac' } } })
    expect(response.status).toBe(201)
    const named = await postAlbum({ data: { type: 'albums', lid: 'a', attributes: { title: 'Amnesiac' } } })
    expect(named.status).toBe(201)
  })
})

describe('the media types', () => {
  test.each([
    'application/json',
    'text/plain',
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
    'application/vnd.api+json, application/vnd.api+json',
    'nonsense',
    '',
  ])('a body of the type %j is 415', async (type) => {
    const response = await client(catalogueServer()).post('/albums', {
      body: resourceBody('albums', { title: 'Amnesiac' }),
      headers: { 'Content-Type': type },
    })
    expectErrors(response, [{ status: 415, code: 'MEDIA_TYPE_UNSUPPORTED', header: 'Content-Type' }])
  })

  test('a body without a Content-Type is 415', async () => {
    const response = await client(catalogueServer()).post('/albums', {
      body: resourceBody('albums', { title: 'Amnesiac' }),
      headers: { 'Content-Type': null },
    })
    expectErrors(response, [{ status: 415, code: 'MEDIA_TYPE_UNSUPPORTED' }])
  })

  test('a profile in the Content-Type is accepted', async () => {
    const response = await client(catalogueServer()).post('/albums', {
      body: resourceBody('albums', { title: 'Amnesiac' }),
      headers: { 'Content-Type': 'application/vnd.api+json; profile="https://music.example/profile"' },
    })
    expect(response.status).toBe(201)
  })

  test('a read or a deletion with a Content-Type but no body is accepted', async () => {
    const api = client(catalogueServer(), { headers: { 'Content-Type': 'application/json' } })
    expect((await api.get('/albums/1')).status).toBe(200)
    expect((await api.delete('/albums/1')).status).toBe(204)
  })

  test('the body of a read or of a resource deletion is ignored', async () => {
    const api = client(catalogueServer())
    expect((await api.request('GET', '/albums/1', { raw: '{' })).status).toBe(200)
    expect((await api.delete('/albums/1', { raw: '{' })).status).toBe(204)
  })

  test.each([
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
    'application/vnd.api+json; q=0',
    'text/html, application/vnd.api+json; version=1',
  ])('Accept: %s is 406', async (accept) => {
    const response = await client(catalogueServer()).get('/albums', { headers: { Accept: accept } })
    expectErrors(response, [{ status: 406, code: 'MEDIA_TYPE_UNACCEPTABLE', header: 'Accept' }])
  })

  test.each([
    null,
    '*/*',
    'application/*',
    'text/html',
    'application/vnd.api+json; charset=utf-8, application/vnd.api+json',
    'application/vnd.api+json; profile="https://music.example/unknown"',
  ])('Accept: %s is served JSON:API', async (accept) => {
    const response = await client(catalogueServer()).get('/albums', { headers: { Accept: accept } })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/vnd.api+json')
    expect(response.headers.get('Vary')).toBe('Accept')
  })
})

describe('a service can expose several named servers', () => {
  test('each type is served under the prefix of its servers, and nowhere else', async () => {
    const api = client(catalogueServer())
    expect((await api.get('/admin/users/1')).resource.links).toEqual({ self: 'http://localhost/admin/users/1' })
    expect((await api.get('/users/1')).document).toBeUndefined()
    expect((await api.get('/admin/artists')).document).toBeUndefined()
  })

  test('a type can be on several servers, with the same rows', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number; name: string }>('labels'),
      id: id(),
      server: ['default', 'admin'],
      attributes: (a) => ({ name: a.string() }),
    })
    const api = client(
      createServer({ resources: [labels], data: storedData(), servers: { admin: { prefix: '/admin' } } }),
    )
    const created = await api.post('/admin/labels', { body: resourceBody('labels', { name: 'ECM' }) })
    expect(created.headers.get('Location')).toBe('http://localhost/admin/labels/1')
    expect((await api.get('/labels/1')).resource).toEqual({
      type: 'labels',
      id: '1',
      attributes: { name: 'ECM' },
      links: { self: 'http://localhost/labels/1' },
    })
  })

  test('a server with a host responds on that host only', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number }>('labels'),
      id: id(),
      server: 'backstage',
    })
    const server = createServer({
      resources: [labels],
      data: storedData({ labels: [{ id: 1 }] }),
      servers: { backstage: { host: 'backstage.example' } },
    })
    for (const origin of ['https://backstage.example', 'http://BACKSTAGE.example:8080']) {
      expect((await client(server, { origin }).get('/labels/1')).status).toBe(200)
    }
    for (const origin of ['https://music.example', 'https://not.backstage.example']) {
      expect((await client(server, { origin }).get('/labels/1')).document).toBeUndefined()
    }
  })

  test('two servers in one process are independent', async () => {
    const [one, other] = [client(catalogueServer()), client(catalogueServer({ debug: true, unknownMembers: 'reject' }))]
    await one.delete('/albums/1')
    expect((await one.get('/albums')).resources).toHaveLength(3)
    expect((await other.get('/albums')).resources).toHaveLength(4)
    const strange = { body: resourceBody('genres', { name: 'Dub', strange: 1 }, 'dub') }
    expect((await one.post('/genres', strange)).status).toBe(201)
    expectErrors(await other.post('/genres', strange), [{ status: 422, code: 'ATTRIBUTE_UNRECOGNIZED' }])
  })
})
