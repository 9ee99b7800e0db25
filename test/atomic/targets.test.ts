import { atomic, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { actingServer } from '../support/acting-albums.js'
import { type LinkedMusic, linkedMusic, linkedRows } from '../support/linked-music.js'
import { shown } from '../support/shown.js'
import { add, batchClient, batchHeaders, type BatchClient, remove } from './batch-client.js'

function shop(settings: LinkedMusic = {}): BatchClient {
  return batchClient(linkedMusic({ extensions: [atomic()], ...settings }))
}

const atFirst = '/atomic:operations/0'
const title = (text: string) => ({ attributes: { title: text } })

describe('a resource that is added', () => {
  test.each<[string, object]>([
    ['only its data', {}],
    ['the address of its collection', { href: '/albums' }],
  ])('belongs to the collection that %s names', async (_name, target) => {
    const api = shop()
    const [result] = await api.results([{ op: 'add', ...target, data: { type: 'albums', ...title('Amnesiac') } }])
    expect(result).toMatchObject({ data: { type: 'albums', id: '5', attributes: { title: 'Amnesiac' } } })
    expect((await api.get('/albums/5')).resource).toMatchObject({ attributes: { title: 'Amnesiac' } })
  })

  test('must be of the collection that the URL refers to', async () => {
    expectErrors(await shop().batch([{ ...add('artists'), href: '/albums' }]), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: `${atFirst}/data/type` },
    ])
  })
})

describe('an existing resource', () => {
  const named = { type: 'albums', id: '1' }

  test.each<[string, object]>([
    ['ref', { ref: named, data: { ...named, ...title('x') } }],
    ['href', { href: '/albums/1', data: { ...named, ...title('x') } }],
    ['its data', { data: { ...named, ...title('x') } }],
  ])('is updated by %s', async (_name, target) => {
    const api = shop()
    expect(await api.results([{ op: 'update', ...target }])).toMatchObject([{ data: { id: '1', ...title('x') } }])
    expect((await api.get('/albums/1')).resource).toMatchObject(title('x'))
  })

  test.each<[string, object]>([
    ['ref', { ref: named }],
    ['href', { href: '/albums/1' }],
    ['href, whatever the data is', { href: '/albums/1', data: 'x' }],
  ])('is removed by %s', async (_name, target) => {
    exemptFromDescription('requests', 'The data of what is removed is ignored, whatever it is.')
    const api = shop()
    expect((await api.batch([{ op: 'remove', ...target }])).status).toBe(204)
    expectErrors(await api.get('/albums/1'), [{ status: 404 }])
  })

  test('must be the one that the data identifies', async () => {
    const other = { ref: named, data: { type: 'albums', id: '2', ...title('x') } }
    expectErrors(await shop().batch([{ op: 'update', ...other }]), [{ status: 409, pointer: `${atFirst}/data/id` }])
  })

  test.each<[string, object]>([
    ['ref', { ref: named }],
    ['href', { href: '/albums/1' }],
  ])('is identified by the data too, together with %s', async (_name, target) => {
    expectErrors(await shop().batch([{ op: 'update', ...target, data: { type: 'albums', ...title('x') } }]), [
      { status: 400, code: 'RESOURCE_ID_MISSING', pointer: `${atFirst}/data` },
    ])
  })

  test('must exist', async () => {
    for (const operation of [remove('albums', '99'), { op: 'update', data: { type: 'albums', id: '99' } }]) {
      expectErrors(await shop().batch([operation]), [{ status: 404, code: 'RESOURCE_NOT_FOUND', pointer: atFirst }])
    }
  })

  test('cannot have an id that URLs of its type cannot have', async () => {
    const products = defineResource('products', {
      model: model<{ id: string }>('products'),
      id: id().matchAs(/prod-[0-9]+/),
    })
    const data = memoryData({ products: [{ id: 'prod-1' }, { id: 'other' }] })
    const api = batchClient(createServer({ resources: [products], data, extensions: [atomic()] }))
    for (const ref of ['other', 'prod-', '-actions', '']) {
      expectErrors(await api.batch([remove('products', ref)]), [
        { status: 404, code: 'RESOURCE_NOT_FOUND', pointer: atFirst },
      ])
    }
    expectErrors(await api.batch([{ op: 'remove', href: '/products/other' }]), [
      { status: 400, code: 'ATOMIC_HREF_UNRESOLVABLE', pointer: `${atFirst}/href` },
    ])
    expect((await api.batch([remove('products', 'prod-1')])).status).toBe(204)
  })
})

const tracks = (...ids: readonly string[]) => ids.map((each) => ({ type: 'tracks', id: each }))

describe('a relationship', () => {
  test.each<[string, object]>([
    ['ref', { ref: { type: 'albums', id: '1', relationship: 'tracks' } }],
    ['href', { href: '/albums/1/relationships/tracks' }],
  ])('is changed by %s, and the result is its linkage', async (_name, target) => {
    const results = await shop().results([
      { op: 'add', ...target, data: tracks('3') },
      { op: 'remove', ...target, data: tracks('1', '4') },
      { op: 'update', ...target, data: tracks('4') },
      { op: 'update', ...target, data: [] },
    ])
    expect(results.map(({ data }) => shown(data))).toEqual([
      ['tracks 1', 'tracks 2', 'tracks 3'],
      ['tracks 2', 'tracks 3'],
      ['tracks 4'],
      [],
    ])
  })

  test('to one is replaced and cleared', async () => {
    const ref = { type: 'albums', id: '4', relationship: 'artist' }
    const artist = { type: 'artists', id: '2' }
    const results = await shop().results([
      { op: 'update', ref, data: artist },
      { op: 'update', ref, data: null },
    ])
    expect(results).toEqual([{ data: artist }, { data: null }])
    expectErrors(await shop().batch([{ op: 'add', ref, data: [artist] }]), [
      { status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE' },
    ])
  })

  test('that does not exist is not found', async () => {
    const ref = { type: 'albums', id: '1', relationship: 'singers' }
    expectErrors(await shop().batch([{ op: 'update', ref, data: [] }]), [
      { status: 404, code: 'RELATIONSHIP_NOT_EXISTS', pointer: atFirst },
    ])
  })
})

const based = () => inMemory({ baseUri: 'https://music.example/api/' })

const inMemory = (settings: LinkedMusic = {}) => shop({ data: memoryData(linkedRows()), ...settings })

const removing = (href: string) => [{ op: 'remove', href }]

describe('an href', () => {
  const unresolvable = [{ status: 400, code: 'ATOMIC_HREF_UNRESOLVABLE', pointer: `${atFirst}/href` }]

  test.each([
    '/albums/1',
    'albums/1',
    './albums/1',
    '../../albums/1',
    'http://localhost/albums/1',
    'HTTP://LOCALHOST:80/albums/1',
    '//localhost/albums/1',
    '/%61lbums/%31',
    '/artists/../albums/1',
    '/albums/1?include=tracks',
    '/albums/1#title',
  ])('refers to an album: %s', async (href) => {
    const api = inMemory()
    expect((await api.batch(removing(href))).status).toBe(204)
    expect((await api.get('/albums')).resources.map(({ id: each }) => each)).toEqual(['2', '3', '4'])
  })

  test.each([
    '',
    '#',
    '/',
    '/operations',
    '/singers/1',
    '/albums/1/',
    '/albums/',
    '/albums/1/tracks',
    '/albums/1/artist',
    '/albums/1/2/3/4',
    '/albums/1/-actions/reissue',
    '/albums/%ff',
    'http://elsewhere.example/albums/1',
    '//elsewhere.example/albums/1',
    'https://localhost/albums/1',
    'http://localhost:8080/albums/1',
    'http://[',
    'urn:albums:1',
    'mailto:albums@localhost',
  ])('refers to nothing: %j', async (href) => {
    const response = await inMemory().batch(removing(href))
    expectErrors(response, unresolvable)
    expect(response.errors[0]?.detail).toContain(`'${href}'`)
  })

  test('cannot refer to an action', async () => {
    const api = batchClient(actingServer(undefined, { settings: { extensions: [atomic()] } }))
    expectErrors(await api.batch([{ ...add('albums'), href: '/albums/1/-actions/reissue' }]), unresolvable)
    expectErrors(await api.batch([{ ...add('albums'), href: '/albums/-actions/summary' }]), unresolvable)
  })

  test('refers to the resource at the path, even if the path does not serve the method', async () => {
    const api = inMemory({ members: { albums: { operations: ['FetchCollection', 'Delete'] } } })
    expectErrors(await api.batch([{ ...add('albums'), href: '/albums' }]), [
      { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: atFirst },
    ])
    expect((await api.batch(removing('/albums/1'))).status).toBe(204)
  })

  test('may refer to a path that is not served: the error is that of a ref', async () => {
    const api = inMemory({ members: { albums: { operations: ['Delete'] } } })
    const expected = { status: 403, code: 'ATOMIC_OPERATION_NOT_EXPOSED', pointer: '/atomic:operations/0' }
    expectErrors(await api.batch([{ ...add('albums'), href: '/albums' }]), [expected])
  })

  test('has the path segments of types and relations that differ from their names', async () => {
    const { albums: rows } = linkedRows()
    const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), uriType: 'records' })
    const server = createServer({ resources: [albums], data: memoryData({ albums: rows }), extensions: [atomic()] })
    expectErrors(await batchClient(server).batch(removing('/albums/1')), unresolvable)
    expect((await batchClient(server).batch(removing('/records/1'))).status).toBe(204)
  })

  test('has encoded ids, as URLs have them', async () => {
    const labels = defineResource('labels', { model: model<{ id: string }>('labels'), id: id() })
    const data = memoryData({ labels: [{ id: 'a/b' }, { id: 'ä é' }, { id: '%' }] })
    const api = batchClient(createServer({ resources: [labels], data, extensions: [atomic()] }))
    for (const href of ['/labels/a%2Fb', '/labels/ä%20é', '/labels/%25']) {
      expect((await api.batch(removing(href))).status).toBe(204)
    }
    expect((await api.get('/labels')).resources).toEqual([])
  })

  describe('of a server with its own base URI', () => {
    test.each([
      'https://music.example/api/albums/1',
      'albums/1',
      '/api/albums/1',
      '/albums/1',
      'http://localhost/albums/1',
    ])('refers to an album: %s', async (href) => {
      expect((await based().batch(removing(href))).status).toBe(204)
    })

    test.each(['https://music.example/other/albums/1', '/apis/albums/1', 'https://elsewhere.example/api/albums/1'])(
      'refers to nothing: %s',
      async (href) => {
        expectErrors(await based().batch(removing(href)), unresolvable)
      },
    )

    test('may be a link of the server', async () => {
      const api = based()
      const { links } = (await api.get('/albums/1')).resource
      expect((await api.batch(removing(String(links?.['self'])))).status).toBe(204)
    })
  })
})

function servers() {
  const rows = { albums: [{ id: 1 }, { id: 2 }], notes: [{ id: 1 }] }
  const albums = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id(),
    server: ['default', 'admin', 'inside'],
  })
  const notes = defineResource('notes', { model: model<{ id: number }>('notes'), id: id(), server: 'admin' })
  return createServer({
    resources: [albums, notes],
    data: memoryData(rows),
    servers: { admin: { prefix: '/admin' }, inside: { prefix: '/inside', host: 'inside.example' } },
    extensions: [atomic({ path: '/batch/run' })],
  })
}

describe('named servers', () => {
  test('have an endpoint each, under their prefix and on their host', async () => {
    expect((await batchClient(servers()).batch([remove('albums', '1')], '/batch/run')).status).toBe(204)
    expect((await batchClient(servers()).batch([remove('albums', '1')], '/admin/batch/run')).status).toBe(204)
    const internal = batchClient(servers(), { origin: 'http://inside.example' })
    expect((await internal.batch([remove('albums', '1')], '/inside/batch/run')).status).toBe(204)
    expect((await batchClient(servers()).batch([remove('albums', '1')], '/inside/batch/run')).status).toBe(404)
  })

  test('know only their own types', async () => {
    const api = batchClient(servers())
    expectErrors(await api.batch([remove('notes', '1')], '/batch/run'), [
      { status: 404, code: 'ATOMIC_TARGET_TYPE_UNKNOWN', pointer: `${atFirst}/ref/type` },
    ])
    expect((await api.batch([remove('notes', '1')], '/admin/batch/run')).status).toBe(204)
  })

  test('know only their own URLs', async () => {
    const api = batchClient(servers())
    const foreign = ['/albums/1', 'http://localhost/albums/1', '../../albums/1', 'albums/1', '/inside/albums/1']
    for (const href of foreign) {
      const response = await api.batch([{ op: 'remove', href }], '/admin/batch/run')
      expectErrors(response, [{ status: 400, code: 'ATOMIC_HREF_UNRESOLVABLE' }])
    }
    for (const href of ['/admin/albums/1', '../albums/2', 'http://localhost/admin/notes/1']) {
      expect((await api.batch([{ op: 'remove', href }], '/admin/batch/run')).status).toBe(204)
    }
  })
})

describe('a batch from another source', () => {
  const extension = 'https://jsonapi.org/ext/atomic'
  const operations = [add('albums', { title: 'New' }), { op: 'remove', href: '/albums/1' }]

  test('can be dispatched by the application', async () => {
    const server = linkedMusic({ extensions: [atomic()] })
    const document = { 'atomic:operations': operations }
    expect(await server.dispatch({ kind: 'Extension', extension, document })).toMatchObject({
      kind: 'results',
      member: 'atomic:results',
      results: [{ kind: 'data' }, { kind: 'noContent' }],
    })
    expect(shown((await batchClient(server).get('/albums')).resources)).toEqual(
      ['2', '3', '4', '5'].map((key) => `albums ${key}`),
    )
  })

  test('that is dispatched rejects with its errors', async () => {
    const server = linkedMusic({ extensions: [atomic()] })
    const document = { 'atomic:operations': [add('albums', { title: 'New' }), remove('albums', '99')] }
    await expect(server.dispatch({ kind: 'Extension', extension, document })).rejects.toMatchObject({
      status: 404,
      problems: [{ code: 'RESOURCE_NOT_FOUND', source: { pointer: '/atomic:operations/1' } }],
    })
    expect((await batchClient(server).get('/albums')).resources).toHaveLength(4)
  })

  test('may be routed by a user-defined router', async () => {
    const server = linkedMusic({
      data: memoryData(linkedRows()),
      extensions: [atomic()],
      servers: { admin: { prefix: '/admin' } },
    })
    const onServer = (name?: string) =>
      batchClient({ handle: (request) => server.handleAt(request, { extension }, name) })
    expect((await onServer().batch([remove('albums', '1')], '/my/own/path')).status).toBe(204)
    expectErrors(await onServer('admin').batch([remove('albums', '2')], '/my/own/path'), [
      { status: 404, code: 'ATOMIC_TARGET_TYPE_UNKNOWN' },
    ])
    expect((await onServer().request('PATCH', '/x', { headers: batchHeaders })).status).toBe(405)
  })
})
