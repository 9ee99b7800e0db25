import { connect } from 'node:net'
import { createServer, defineResource, defineType, HttpError, id, model } from 'ashlar'
import { listen } from 'ashlar/node'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id().numeric(),
  attributes: (a) => ({ title: a.string() }),
})
const rows = { albums: [{ id: 1, title: 'OK Computer' }] }

describe('behind a trusted proxy', () => {
  const server = createServer({ resources: [albums], data: storedData(rows), trustProxy: true })
  const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'music.example' }

  test('links have the origin of the proxy if the server listens itself', async () => {
    const listening = await listen(server)
    try {
      const reply = await fetch(`${listening.url}/albums/1`, { headers })
      expect(await reply.json()).toMatchObject({ links: { self: 'https://music.example/albums/1' } })
    } finally {
      await listening.close()
    }
  })

  test('and if it is called with a Web request', async () => {
    const reply = await server.fetch(new Request('http://inner:8080/albums/1', { headers }))
    expect(await reply.json()).toMatchObject({ links: { self: 'https://music.example/albums/1' } })
    const untrusting = createServer({ resources: [albums], data: storedData(rows) })
    const plain = await untrusting.fetch(new Request('http://inner:8080/albums/1', { headers }))
    expect(await plain.json()).toMatchObject({ links: { self: 'http://inner:8080/albums/1' } })
  })
})

test('exception maps and mappers do not apply to errors of the router', async () => {
  const server = createServer({
    resources: [albums],
    data: storedData(rows),
    exceptionMap: [[Error, 409]],
    mappers: [{ map: () => new HttpError(418) }],
  })
  const api = client(server)
  const refused = await api.request('PUT', '/albums/1')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, QUERY, PATCH, DELETE, OPTIONS'])
  expect((await api.get('/albums/not-a-number')).status).toBe(404)
  expect((await api.get('/albums/%ff')).status).toBe(400)
})

describe('the target of a custom router', () => {
  const readOnly = createServer({ resources: [albums.with({ readOnly: true })], data: storedData(rows) })
  const collection = { type: 'albums', id: null, relationship: null, isRelationshipEndpoint: false }
  const at = (target: typeof collection | { id: string } | null | undefined) => ({
    handle: (request: Parameters<typeof readOnly.handleAt>[0]) => readOnly.handleAt(request, target as never),
  })

  test('is served only as far as the type is', async () => {
    const reply = await client(at(collection)).post('/anywhere', { body: resourceBody('albums', { title: 'x' }) })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, QUERY, OPTIONS'])
    expect((await client(at({ ...collection, id: 'x' })).get('/anywhere')).status).toBe(404)
    expect((await client(at({ ...collection, id: '1' })).get('/anywhere')).status).toBe(200)
  })

  test('that is invalid in any way is a 500', async () => {
    for (const target of [null, undefined]) {
      expect((await client(at(target)).get('/anywhere')).errors).toMatchObject([{ code: 'APPLICATION_ERROR' }])
    }
  })
})

test('deprecation headers are on every response of the type, also for unknown paths', async () => {
  const server = createServer({ resources: [albums.with({ deprecation: true })], data: storedData(rows) })
  for (const path of ['/albums', '/albums/1', '/albums/x', '/albums/1/2/3/4', '/albums/%ff', '/albums/1/nothing']) {
    expect((await client(server).get(path)).headers.get('deprecation')).toBe('true')
  }
})

test('a serializer returns the id, also for the Location', async () => {
  const things = defineType('things', {
    model: model<{ id: number }>('things'),
    fields: () => ({ id: id() }),
    serializer: { members: [], serialize: (row) => ({ id: `x-${String(row['id'])}` }) },
    hydrator: { hydrate: () => ({}) },
    operations: ['Create'],
  })
  const created = await client(createServer({ resources: [things], data: storedData() })).post('/things', {
    body: resourceBody('things'),
  })
  expect(created.headers.get('location')).toBe(created.resource.links?.['self'])
})

function returning(value: object) {
  return createServer({
    resources: [albums],
    data: storedData(rows),
    handler: () => () => Promise.resolve(value as never),
  })
}

describe('a user-defined handler', () => {
  test('may return another status without a document', async () => {
    const value = { kind: 'noContent', status: 303, headers: ['Location', 'https://music.example/albums/1'] }
    const reply = await client(returning(value), { validate: false, isDescribed: false }).get('/albums/1')
    expect([reply.status, reply.headers.get('location')]).toEqual([303, 'https://music.example/albums/1'])
  })

  test('whose headers are invalid gets a 500 that is logged', async () => {
    const logged: unknown[] = []
    const server = createServer({
      resources: [albums],
      data: storedData(rows),
      handler: () => () => Promise.resolve({ kind: 'noContent', status: 204, headers: ['X-Note', 'a\r\nb'] }),
      logger: { error: (members) => logged.push(members) },
    })
    expect((await client(server).get('/albums/1')).status).toBe(500)
    expect(logged).toHaveLength(1)
  })
})

test('an operation of unknown kind is refused', async () => {
  const server = createServer({ resources: [albums], data: storedData(rows) })
  await expect(server.dispatch({ kind: 'Nope', type: 'albums' } as never)).rejects.toThrow(
    "There is no operation 'Nope'.",
  )
})

test('a provider that returns undefined has no such row', async () => {
  const things = defineType('things', {
    fields: () => ({ id: id() }),
    serializer: { members: [], serialize: () => ({ id: '1' }) },
    provider: { fetchOne: () => undefined as never },
    operations: ['FetchOne'],
  })
  expect((await client(createServer({ resources: [things] })).get('/things/1')).status).toBe(404)
})

test('a plain object with lists named columns and rows is a row, not a row set', async () => {
  const tables = defineResource('tables', {
    model: model<{ id: number; columns: readonly string[]; rows: readonly string[] }>('tables'),
    id: id(),
    attributes: (a) => ({ columns: a.arrayList(), rows: a.arrayList() }),
    provider: { fetchOne: () => ({ id: 1, columns: ['a'], rows: ['b'] }) },
    operations: ['FetchOne'],
  })
  const { resource } = await client(createServer({ resources: [tables] })).get('/tables/1')
  expect(resource).toMatchObject({ id: '1', attributes: { columns: ['a'], rows: ['b'] } })
})

test('CONNECT gets a response', async () => {
  const listening = await listen(createServer({ resources: [albums], data: storedData(rows) }))
  try {
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(listening.port, '127.0.0.1', () => socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'))
      let reply = ''
      socket.on('data', (chunk: Buffer) => {
        reply += chunk.toString()
      })
      socket.on('end', () => resolve(reply)).on('error', reject)
    })
    expect(text).toMatch(/^HTTP\/1\.1 405 .*"errors":\[/s)
  } finally {
    await listening.close()
  }
})

test('declared attributes obey their modifiers under a user-defined serializer too', async () => {
  const names = ['plain', 'secret', 'rare', 'steady', 'guarded', 'own', 'constructor']
  const members = Object.fromEntries(names.map((name) => [name, { type: 'integer' }]))
  const things = defineResource('things', {
    model: model<{ id: number }>('things'),
    id: id(),
    attributes: (a) => ({
      plain: a.string().computed(() => ''),
      secret: a
        .string()
        .computed(() => '')
        .hidden(),
      rare: a
        .string()
        .computed(() => '')
        .sparseByDefault(),
      steady: a
        .string()
        .computed(() => '')
        .notSparseField(),
      guarded: a
        .string()
        .computed(() => '')
        .hidden(() => true),
    }),
    serializer: {
      members,
      serialize: () => ({
        id: '1',
        attributes: { plain: 1, secret: 2, rare: 3, steady: 4, guarded: 5, own: 6 },
      }),
    },
  })
  const api = client(createServer({ resources: [things], data: storedData({ things: [{ id: 1 }] }) }))
  expect((await api.get('/things/1')).resource.attributes).toEqual({ plain: 1, steady: 4, own: 6 })
  const sparse = await api.get('/things/1?fields[things]=rare,secret')
  expect(sparse.resource.attributes).toEqual({ rare: 3, steady: 4 })
})
