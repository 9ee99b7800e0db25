import { reply, HttpError } from 'ashlar'
import type { TypeEventName } from '../../src/declare/resource/events/type-events.js'
import { type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { resourceBody } from '../support/client.js'
import { type Music, artists, music } from '../support/event-music.js'

const typeEvents: readonly TypeEventName[] = [
  'BeforeSave',
  'BeforeCreate',
  'BeforeUpdate',
  'AfterCreate',
  'AfterUpdate',
  'AfterSave',
  'BeforeDelete',
  'AfterDelete',
  'BeforeRelationshipMutate',
  'AfterRelationshipMutate',
  'BeforeFetchCollection',
  'AfterFetchCollection',
  'AfterFetchOne',
  'BeforeFetchRelated',
  'BeforeFetchRelationship',
  'BeforeAction',
  'AfterAction',
]

/** Records every event, without the request. */
function noted(server: Music): unknown[] {
  const seen: unknown[] = []
  server.on('Serving', ({ server: name, operation: { kind } }) => void seen.push(`Serving ${name} ${kind}`))
  for (const name of typeEvents) {
    server.on(
      name,
      ({ server: _server, context: _context, ...event }) => void seen.push([name, structuredClone(event)]),
    )
  }
  return seen
}

const stored = { id: 1, title: 'OK Computer', artistId: 1, deletedAt: null }
const linkage = [{ type: 'tracks', id: '1' }]
const change = { relationship: 'tracks', linkage: [{ type: 'tracks', id: '1', meta: null }], mode: 'add' }

describe('each request fires its events, in their order', () => {
  test.each<[string, (api: TestClient) => Promise<{ readonly status: number }>, readonly unknown[]]>([
    [
      'create',
      (api) => api.post('/albums', { body: resourceBody('albums', { title: 'x' }) }),
      [
        'Serving default CreateResource',
        ['BeforeSave', { draft: { title: 'x' }, creating: true, original: null }],
        ['BeforeCreate', { draft: { title: 'x' } }],
        ['AfterCreate', { row: { id: 3, title: 'x' } }],
        ['AfterSave', { row: { id: 3, title: 'x' }, creating: true }],
      ],
    ],
    [
      'update',
      (api) => api.patch('/albums/1', { body: resourceBody('albums', { title: 'x' }, '1') }),
      [
        'Serving default UpdateResource',
        ['BeforeSave', { draft: { title: 'x' }, creating: false, original: stored }],
        ['BeforeUpdate', { draft: { title: 'x' }, original: stored }],
        ['AfterUpdate', { row: { ...stored, title: 'x' } }],
        ['AfterSave', { row: { ...stored, title: 'x' }, creating: false }],
      ],
    ],
    [
      'delete',
      (api) => api.delete('/albums/1'),
      ['Serving default DeleteResource', ['BeforeDelete', { row: stored }], ['AfterDelete', { row: stored }]],
    ],
    [
      'a relationship',
      (api) => api.post('/albums/1/relationships/tracks', { body: { data: linkage } }),
      [
        'Serving default AddToRelationship',
        ['BeforeRelationshipMutate', { parent: stored, ...change }],
        ['AfterRelationshipMutate', { parent: stored, ...change }],
      ],
    ],
    [
      'a collection',
      (api) => api.get('/albums?fields[albums]=artist'),
      [
        'Serving default FetchResource',
        ['BeforeFetchCollection', {}],
        ['AfterFetchCollection', { rows: [stored, { ...stored, id: 2, title: 'Kid A' }] }],
      ],
    ],
    [
      'one resource',
      (api) => api.get('/albums/1?fields[albums]='),
      ['Serving default FetchResource', ['AfterFetchOne', { row: stored }]],
    ],
    [
      'related resources',
      (api) => api.get('/albums/1/tracks'),
      ['Serving default FetchRelated', ['BeforeFetchRelated', { parent: stored, relationship: 'tracks' }]],
    ],
    [
      'linkage',
      (api) => api.get('/albums/1/relationships/artist'),
      ['Serving default FetchRelationship', ['BeforeFetchRelationship', { parent: stored, relationship: 'artist' }]],
    ],
    [
      'an action',
      (api) => api.post('/albums/1/-actions/play'),
      [
        'Serving default CustomAction',
        ['BeforeAction', { action: 'play', row: stored }],
        ['AfterAction', { action: 'play', row: stored }],
      ],
    ],
    [
      'an action on the collection',
      (api) => api.post('/albums/-actions/shuffle'),
      [
        'Serving default CustomAction',
        ['BeforeAction', { action: 'shuffle', row: null }],
        ['AfterAction', { action: 'shuffle', row: null }],
      ],
    ],
    [
      'restore',
      (api) => api.post('/albums/1/-actions/restore'),
      [
        'Serving default CustomAction',
        ['BeforeAction', { action: 'restore', row: stored }],
        ['AfterAction', { action: 'restore', row: stored }],
      ],
    ],
    [
      'force-delete',
      (api) => api.post('/albums/1/-actions/force-delete'),
      [
        'Serving default CustomAction',
        ['BeforeAction', { action: 'force-delete', row: stored }],
        ['BeforeDelete', { row: stored }],
        ['AfterDelete', { row: stored }],
        ['AfterAction', { action: 'force-delete', row: stored }],
      ],
    ],
  ])('%s', async (_name, send, expected) => {
    const { server, api } = music()
    const seen = noted(server)
    expect((await send(api)).status).toBeLessThan(300)
    expect(seen).toMatchObject(expected)
    expect(seen).toHaveLength(expected.length)
  })
})

const titled = (title: string) => ({ body: resourceBody('albums', { title }) })
const renamed = (title: string) => ({ body: resourceBody('albums', { title }, '1') })

const by = (text: string) => () => reply.meta({ by: text })
const refuse = (): never => {
  throw new HttpError(403)
}

describe('listeners', () => {
  test('run in the order in which they were added, after the hooks of the type, each after the one before has ended', async () => {
    const ran: string[] = []
    const { server, api } = music({ beforeSave: () => void ran.push('hook') })
    server.on('BeforeSave', 'albums', async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      ran.push('of albums')
    })
    server.on('BeforeSave', () => void ran.push('of all types'))
    server.on('BeforeSave', 'albums', () => void ran.push('of albums again'))
    await api.post('/albums', titled('x'))
    await api.post('/artists', { body: resourceBody('artists', { name: 'Björk' }) })
    expect(ran).toEqual(['hook', 'of albums', 'of all types', 'of albums again', 'of all types'])
  })

  test('that are added or removed while an event fires take effect from the next one on', async () => {
    const ran: string[] = []
    const { server, api } = music()
    const removeFirst = server.on('AfterFetchOne', () => {
      ran.push('first')
      removeFirst()
      removeSecond()
      server.on('AfterFetchOne', () => void ran.push('third'))
    })
    const removeSecond = server.on('AfterFetchOne', 'albums', () => void ran.push('second'))
    await api.get('/albums/1')
    expect(ran).toEqual(['first', 'second'])
    await api.get('/albums/1')
    expect(ran).toEqual(['first', 'second', 'third'])
  })

  test('are removed, also while a request runs', async () => {
    const ran: string[] = []
    const { server, api } = music()
    const listener = (): void => void ran.push('twice')
    const removeOne = server.on('AfterFetchOne', 'albums', listener)
    server.on('AfterFetchOne', 'albums', listener)
    const removeItself = server.on('AfterFetchOne', 'albums', () => {
      ran.push('once')
      removeItself()
    })
    server.on('AfterFetchOne', 'albums', () => void ran.push('last'))
    await api.get('/albums/1')
    removeOne()
    removeOne()
    await api.get('/albums/1')
    expect(ran).toEqual(['twice', 'twice', 'once', 'last', 'twice', 'last'])
  })

  test('that are added later need a transaction, and no longer when they are removed', async () => {
    const { server } = music()
    const reasonOf = async (operation: string) =>
      (await server.inspect()).writes.find((each) => each.type === 'albums' && each.operation === operation)?.reason
    const before = await reasonOf('update')
    const remove = server.on('BeforeUpdate', 'albums', () => undefined)
    expect(await reasonOf('update')).toMatch(/BeforeUpdate has a listener|persister has no/)
    remove()
    expect(await reasonOf('update')).toBe(before)
  })

  test('can change the draft', async () => {
    const { server, api } = music()
    server.on('BeforeSave', 'albums', ({ draft }) => {
      draft.title = `${draft.title}!`
    })
    server.on('BeforeCreate', 'albums', ({ draft }) => {
      draft.artistId = 1
    })
    const created = await api.post('/albums', titled('x'))
    expect(created.resource).toMatchObject({
      attributes: { title: 'x!' },
      relationships: { artist: { data: { id: '1' } } },
    })
    expect((await api.patch('/albums/1', renamed('y'))).resource.attributes).toMatchObject({ title: 'y!' })
  })

  test.each<[TypeEventName | 'Serving', (api: TestClient) => Promise<unknown>]>([
    ['Serving', (api) => api.get('/artists')],
    ['BeforeSave', (api) => api.post('/albums', titled('x'))],
    ['BeforeCreate', (api) => api.post('/albums', titled('x'))],
    ['BeforeUpdate', (api) => api.patch('/albums/1', renamed('x'))],
    ['BeforeDelete', (api) => api.delete('/albums/1')],
    ['BeforeRelationshipMutate', (api) => api.patch('/albums/1/relationships/tracks', { body: { data: [] } })],
    ['BeforeFetchCollection', (api) => api.get('/albums')],
    ['BeforeFetchRelated', (api) => api.get('/albums/1/tracks')],
    ['BeforeFetchRelationship', (api) => api.get('/albums/1/relationships/tracks')],
    ['BeforeAction', (api) => api.post('/albums/1/-actions/play')],
  ])('of %s refuse the request, and nothing is written', async (name, send) => {
    const { server, api } = music()
    const state = async () => [(await api.get('/albums?include=tracks')).document, (await api.get('/tracks')).document]
    const before = await state()
    const remove = name === 'Serving' ? server.on(name, refuse) : server.on(name, refuse)
    expect(await send(api)).toMatchObject({ status: 403 })
    remove()
    expect(await state()).toEqual(before)
  })

  test('after an operation may replace the response, and the last one wins', async () => {
    const { server, api } = music({ afterCreate: () => reply.meta({ by: 'the hook' }) })
    server.on('AfterSave', by('AfterSave'))
    server.on('AfterSave', () => null)
    for (const name of [
      'AfterCreate',
      'AfterDelete',
      'AfterRelationshipMutate',
      'AfterFetchOne',
      'AfterFetchCollection',
    ] as const) {
      server.on(name, by(name))
    }
    const metas = [
      await api.post('/albums', titled('x')),
      await api.get('/albums/1'),
      await api.get('/albums'),
      await api.patch('/albums/1/relationships/tracks', { body: { data: [] } }),
      await api.delete('/albums/1'),
    ].map(({ document }) => document?.meta?.['by'])
    expect(metas).toEqual([
      'AfterSave',
      'AfterFetchOne',
      'AfterFetchCollection',
      'AfterRelationshipMutate',
      'AfterDelete',
    ])
  })

  test('get the request and the database, inside the transaction before a write', async () => {
    const { server, api } = music()
    server.on('BeforeCreate', 'albums', async ({ context }) => {
      await context.rows(artists).create({ id: 7, name: `by ${context.request?.header('x-who')}` })
    })
    server.on('AfterCreate', 'albums', ({ row, context }) => {
      expect([row.title, context.transaction, context.operation]).toEqual(['x', null, 'CreateResource'])
    })
    const sent = { ...titled('x'), headers: { 'X-Who': 'me' } }
    expect((await api.post('/albums', sent)).status).toBe(201)
    expect((await api.get('/artists/7')).resource.attributes).toEqual({ name: 'by me' })
    server.on('BeforeCreate', 'albums', () => {
      throw new HttpError(409)
    })
    await api.delete('/artists/7')
    expect((await api.post('/albums', sent)).status).toBe(409)
    expect((await api.get('/artists/7')).status).toBe(404)
  })

  test('of reads do not run for an operation that an application dispatches, those of writes do', async () => {
    const { server } = music()
    const seen = noted(server)
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: '1' })
    await server.dispatch({ kind: 'FetchRelated', type: 'albums', id: '1', relationship: 'tracks' })
    expect(seen).toEqual(['Serving default FetchResource', 'Serving default FetchRelated'])
    await server.dispatch({ kind: 'DeleteResource', type: 'albums', id: '1' })
    expect(seen.slice(2)).toMatchObject(['Serving default DeleteResource', ['BeforeDelete', {}], ['AfterDelete', {}]])
  })

  test('of an event or a type that does not exist are refused', () => {
    const { server } = music()
    const untyped = server as unknown as { on(...given: readonly unknown[]): unknown }
    const on = (...given: readonly unknown[]): unknown => untyped.on(...given)
    expect(() => on('AfterCreat', () => null)).toThrow(/no event 'AfterCreat'.*'AfterCreate'/)
    expect(() => on('AfterCreate', 'album', () => null)).toThrow(/'album', which the server does not have.*'albums'/)
    expect(() => on('Serving', 'albums', () => null)).toThrow("'Serving' has no type")
    expect(() => on('AfterCreate', 'albums')).toThrow('must be a function')
  })
})
