import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

describe('routes', () => {
  test('are registered per type, per allowed operation, per server, under its prefix, and named after the type', () => {
    const routes = catalogueServer().routes()
    const named = (type: string) => routes.filter(({ name }) => name.includes(`.${type}.`))
    expect(named('artists')).toMatchObject([
      { name: 'jsonapi.artists.index', method: 'GET', path: '/artists' },
      { name: 'jsonapi.artists.create', method: 'POST', path: '/artists' },
      { name: 'jsonapi.artists.show', method: 'GET', path: '/artists/{id}' },
      { name: 'jsonapi.artists.update', method: 'PATCH', path: '/artists/{id}' },
      { name: 'jsonapi.artists.delete', method: 'DELETE', path: '/artists/{id}' },
      { name: 'jsonapi.artists.related.show', method: 'GET', path: '/artists/{id}/{rel}' },
      { name: 'jsonapi.artists.relationship.show', method: 'GET', path: '/artists/{id}/relationships/{rel}' },
      { name: 'jsonapi.artists.relationship.update', method: 'PATCH', path: '/artists/{id}/relationships/{rel}' },
      { name: 'jsonapi.artists.relationship.add', method: 'POST', path: '/artists/{id}/relationships/{rel}' },
      { name: 'jsonapi.artists.relationship.remove', method: 'DELETE', path: '/artists/{id}/relationships/{rel}' },
    ])
    const servers = named('albums').map(({ path }) => (path.startsWith('/admin/') ? 'admin' : 'default'))
    expect(servers.toSorted()).toEqual([...Array(10).fill('admin'), ...Array(10).fill('default')])
    expect(named('countries')).toMatchObject([
      { name: 'jsonapi.countries.index', method: 'GET', path: '/countries' },
      { name: 'jsonapi.countries.show', method: 'GET', path: '/countries/{id}' },
    ])
    expect(named('users').map(({ name, path }) => `${name} ${path}`)).toEqual([
      'jsonapi.admin.users.index /admin/users',
      'jsonapi.admin.users.create /admin/users',
      'jsonapi.admin.users.show /admin/users/{id}',
      'jsonapi.admin.users.update /admin/users/{id}',
      'jsonapi.admin.users.delete /admin/users/{id}',
      'jsonapi.admin.users.related.show /admin/users/{id}/{rel}',
      'jsonapi.admin.users.relationship.show /admin/users/{id}/relationships/{rel}',
      'jsonapi.admin.users.relationship.update /admin/users/{id}/relationships/{rel}',
      'jsonapi.admin.users.relationship.add /admin/users/{id}/relationships/{rel}',
      'jsonapi.admin.users.relationship.remove /admin/users/{id}/relationships/{rel}',
    ])
  })

  test('are named after the type if the URL segment is another', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number }>('labels'),
      id: id(),
      uriType: 'record-labels',
      readOnly: true,
    })
    const server = createServer({ resources: [labels], data: storedData({ labels: [{ id: 1 }] }) })
    expect(server.routes().map(({ name, path }) => `${name} ${path}`)).toEqual([
      'jsonapi.labels.index /record-labels',
      'jsonapi.labels.show /record-labels/{id}',
    ])
    expect((await client(server).get('/record-labels/1')).resource.type).toBe('labels')
    expect((await client(server).get('/labels/1')).document).toBeUndefined()
  })
})

describe('methods', () => {
  test('a path of the type without the method is 405 with Allow, as a document', async () => {
    const api = client(catalogueServer())
    for (const [method, path, allow] of [
      ['PUT', '/albums', 'GET, HEAD, QUERY, POST, OPTIONS'],
      ['DELETE', '/albums', 'GET, HEAD, QUERY, POST, OPTIONS'],
      ['POST', '/albums/1', 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'],
      ['BREW', '/albums/1', 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'],
      ['get', '/albums/1', 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'],
      ['PATCH', '/countries/is', 'GET, HEAD, QUERY, OPTIONS'],
    ] as const) {
      const options = method === 'POST' || method === 'PATCH' ? { body: resourceBody('x') } : {}
      const response = await api.request(method, path, options)
      expectErrors(response, [
        {
          status: 405,
          code: 'METHOD_NOT_ALLOWED',
          title: 'Method Not Allowed',
          detail: `This path does not serve the method of the request. It serves ${allow}.`,
        },
      ])
      expect(response.headers.get('Allow')).toBe(allow)
    }
  })

  test('OPTIONS responds 204 with Allow', async () => {
    const response = await client(catalogueServer()).request('OPTIONS', '/albums')
    expect(response.status).toBe(204)
    expect(response.headers.get('Allow')).toBe('GET, HEAD, QUERY, POST, OPTIONS')
    expect(response.text).toBe('')
  })

  test('HEAD responds like GET, without a body', async () => {
    const api = client(catalogueServer())
    for (const path of ['/albums', '/albums/1', '/albums/99', '/albums?nonsense=1', '/nothing']) {
      const [got, head] = [await api.get(path), await api.request('HEAD', path)]
      expect(head.status).toBe(got.status)
      expect([...head.headers]).toEqual([...got.headers])
      expect(head.text).toBe('')
    }
  })
})

describe('paths', () => {
  test('an unknown type is a plain 404 of the router', async () => {
    const api = client(catalogueServer())
    for (const path of ['/nothing', '/Albums', '/albums%20', '//albums', '/constructor', '/__proto__', '/%']) {
      const response = await api.get(path)
      expect(response.status).toBe(404)
      expect(response.text).toBe('Not Found\n')
    }
  })

  test('an unknown path below a type is a 404 document', async () => {
    const api = client(catalogueServer())
    for (const path of ['/albums/', '/albums/1/', '/albums/1/a/b', '/albums/1/relationships/', '/albums/-actions']) {
      expectErrors(await api.get(path), [{ status: 404, code: 'PATH_NOT_FOUND', title: 'Not Found' }])
    }
  })

  test('a path that is not percent-encoded text is a 400 document', async () => {
    const api = client(catalogueServer())
    for (const path of ['/albums/%', '/albums/%zz', '/albums/%ff', '/albums/1/%c3']) {
      expectErrors(await api.get(path), [{ status: 400, code: 'PATH_MALFORMED', title: 'Bad Request' }])
    }
  })

  test('an unknown relationship is RELATIONSHIP_NOT_EXISTS, on a type without relations too', async () => {
    const api = client(catalogueServer())
    for (const path of [
      '/albums/1/label',
      '/albums/1/relationships/label',
      '/albums/1/relationships',
      '/albums/1/toString',
    ]) {
      expectErrors(await api.get(path), [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }])
    }
    const [error] = expectErrors(await api.delete('/albums/1/relationships/label'), [{ status: 404 }])
    expect(error?.detail).toContain("'label'")
  })
})
