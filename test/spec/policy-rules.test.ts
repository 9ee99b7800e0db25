import {
  accepted,
  reply,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  type Policy,
  type RuleKit,
} from 'ashlar'
import type { Abilities } from '../../src/declare/resource/policy/abilities.js'
import { describe, expect, test, vi } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client, resourceBody } from '../support/client.js'
import { byName, isAdmin, own, type User } from '../support/named-callers.js'
import { storedData } from '../support/stored-data.js'

let api: TestClient

interface Sent {
  readonly as?: string
  readonly body?: object
}

const request = (method: string, path: string, { as, body }: Sent = {}): ReturnType<TestClient['request']> =>
  api.request(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: as === undefined ? {} : { Authorization: as },
  })

const status = async (method: string, path: string, sent: Sent = {}): Promise<number> =>
  (await request(method, path, sent)).status

const ids = async (path: string, as?: string): Promise<readonly string[]> => {
  const { document: body } = await request('GET', path, as === undefined ? {} : { as })
  return (body as { readonly data: readonly { readonly id: string }[] }).data.map(({ id: each }) => each)
}

test('operations may require another ability, or none', async () => {
  const albums = defineResource('albums', {
    model: model<{ readonly id: number; readonly title: string; readonly ownerId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    policy: () => ({ view: own, update: own, custom: { publish: (context) => isAdmin(context.caller) } }),
    abilities: { FetchCollection: false, Create: 'publish', Delete: 'publish' },
  })
  const rows = [
    { id: 1, title: 'One', ownerId: 1 },
    { id: 2, title: 'Two', ownerId: 9 },
  ]
  const data = storedData({ albums: rows })
  api = client(createServer({ resources: [albums], data, middleware: [byName] }))
  const body = resourceBody('albums', { title: 'New' })
  expect(await ids('/albums', 'alice')).toEqual(['1'])
  expect(await ids('/albums')).toEqual([])
  expect(await status('GET', '/albums/1')).toBe(401)
  expect(await status('POST', '/albums', { as: 'alice', body })).toBe(403)
  expect(await status('DELETE', '/albums/1', { as: 'alice' })).toBe(403)
  expect(await status('DELETE', '/albums/2', { as: 'root' })).toBe(204)
  expect(await status('DELETE', '/albums/1', { as: 'root' })).toBe(404)
})

describe('an operation that requires another ability', () => {
  interface Row {
    readonly id: number
    readonly title: string
    readonly ownerId: number
    readonly parentId: number | null
  }
  const serve = (browse: Policy['view'] = true): void => {
    const albums = defineResource('albums', {
      model: model<Row>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: {
        parent: belongsTo('albums').via('parentId'),
        open: belongsTo('albums').via('parentId').readOnly().security({ read: false }),
      },
      policy: (p) => ({
        view: true,
        custom: {
          peek: own,
          browse: () => (typeof browse === 'boolean' ? browse : p.eq('ownerId', 1)),
        },
      }),
      abilities: { FetchOne: 'peek', FetchCollection: 'browse' },
    })
    const rows: readonly Row[] = [
      { id: 1, title: 'One', ownerId: 1, parentId: 2 },
      { id: 2, title: 'Two', ownerId: 2, parentId: null },
    ]
    api = client(createServer({ resources: [albums], data: storedData({ albums: rows }), middleware: [byName] }))
  }

  test('of one row is decided by the row', async () => {
    serve()
    expect(await status('GET', '/albums/1')).toBe(401)
    expect(await status('GET', '/albums/7', { as: 'bob' })).toBe(404)
    for (const path of ['', '?fields[albums]=title', '/parent', '/relationships/parent']) {
      expect([path, await status('GET', `/albums/1${path}`, { as: 'bob' })]).toEqual([path, 403])
      expect([path, await status('GET', `/albums/1${path}`, { as: 'alice' })]).toEqual([path, 200])
    }
    expect(await status('GET', '/albums/1/open', { as: 'bob' })).toBe(200)
    expect(await ids('/albums', 'bob')).toEqual(['1', '2'])
  })

  test('cannot be decided by a rule of rows for a list', async () => {
    serve((context) => own(context))
    expect(await status('GET', '/albums', { as: 'alice' })).toBe(500)
    serve(false)
    expect(await status('GET', '/albums', { as: 'alice' })).toBe(403)
  })
})

describe('a rule', () => {
  interface Row {
    readonly id: number
    readonly owner: number
    readonly author: number | null
    readonly level: number | null
  }
  const rows: readonly Row[] = [
    { id: 1, owner: 1, author: 2, level: 1 },
    { id: 2, owner: 2, author: 1, level: null },
  ]
  const serve = (policy: (p: RuleKit<Row>) => Policy): void => {
    const notes = defineResource('notes', {
      model: model<Row>('notes'),
      id: id(),
      attributes: (a) => ({ owner: a.integer().storedAs('author').nullable(), level: a.integer().nullable() }),
      policy,
    })
    const data = storedData({ notes: rows })
    api = client(createServer({ resources: [notes], data, middleware: [byName] }))
  }

  test('tests columns, also if an attribute of that name is stored elsewhere', async () => {
    serve((p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('owner', (caller as User).id)) }))
    expect(await ids('/notes', 'bob')).toEqual(['2'])
  })

  test('may test the key', async () => {
    serve((p) => ({ viewAny: true, view: p.signedIn(({ caller }) => p.eq('id', (caller as User).id)), update: true }))
    expect(await ids('/notes', 'bob')).toEqual(['2'])
    expect(await status('GET', '/notes/1', { as: 'bob' })).toBe(404)
    for (const [of, expected] of [
      ['2', 200],
      ['1', 404],
    ] as const) {
      const body = resourceBody('notes', { level: 5 }, of)
      expect(await status('PATCH', `/notes/${of}`, { as: 'bob', body })).toBe(expected)
    }
  })

  test.each([undefined, null])('with a value of the caller that is %s matches no row', async (value) => {
    const missing = value as unknown as number
    for (const rule of [
      (p: RuleKit<Row>) => p.eq('author', missing),
      (p: RuleKit<Row>) => p.eq('level', missing),
      (p: RuleKit<Row>) => p.range('level', { max: missing }),
      (p: RuleKit<Row>) => p.in('level', [missing]),
      (p: RuleKit<Row>) => p.in('level', missing as unknown as readonly number[]),
    ]) {
      serve((p) => ({ viewAny: true, view: rule(p) }))
      expect(await ids('/notes', 'bob')).toEqual([])
    }
  })
})

test('fields of join rows are not changed from the other side by callers who may not', async () => {
  const entries = { owner: 'postId', member: 'tagId' } as const
  const posts = defineResource('posts', {
    model: model<{ readonly id: number; readonly ownerId: number }>('posts'),
    id: id(),
    relations: {
      tags: belongsToMany('tags')
        .through('postTags', entries)
        .fields((a) => ({ note: a.string().nullable() })),
    },
    policy: () => ({ viewAny: true, view: true, update: own }),
  })
  const tags = defineResource('tags', {
    model: model<{ readonly id: number }>('tags'),
    id: id(),
    relations: {
      posts: belongsToMany('posts')
        .through('postTags', { owner: 'tagId', member: 'postId' })
        .fields((a) => ({ note: a.string().nullable() })),
    },
    policy: () => ({ viewAny: true, view: true, update: true }),
  })
  const data = storedData({
    posts: [{ id: 1, ownerId: 1 }],
    tags: [{ id: 1 }],
    postTags: [{ postId: 1, tagId: 1, note: 'old' }],
  })
  api = client(createServer({ resources: [posts, tags], data, middleware: [byName] }))
  const body = { data: [{ type: 'posts', id: '1', meta: { pivot: { note: 'new' } } }] }
  expect(await status('PATCH', '/tags/1/relationships/posts', { as: 'bob', body })).toBe(403)
  expect(await status('POST', '/tags/1/relationships/posts', { as: 'bob', body })).toBe(403)
  expect(await status('PATCH', '/tags/1/relationships/posts', { as: 'alice', body })).toBeLessThan(300)
})

const send = (attributes: Readonly<Record<string, unknown>>, of?: string): Sent => ({
  as: 'bob',
  body: resourceBody('imports', attributes, of),
})

test('deferred work is decided by its values, since its row is unknown', async () => {
  const jobs = defineResource('jobs', { model: model<{ readonly id: number }>('jobs'), id: id(), policy: 'public' })
  const imports = defineResource('imports', {
    model: model<{ readonly id: number; readonly ownerId: number }>('imports'),
    id: id(),
    attributes: (a) => ({ ownerId: a.integer() }),
    create: accepted('jobs'),
    update: accepted('jobs'),
    persister: (store) => ({
      ...store,
      create: () => reply.accepted({ job: { id: 1 } }),
      update: () => reply.accepted({ job: { id: 1 } }),
    }),
    policy: () => ({ viewAny: true, view: true, create: own, update: own }),
  })
  const data = storedData({ jobs: [{ id: 1 }], imports: [{ id: 1, ownerId: 2 }] })
  api = client(createServer({ resources: [jobs, imports], data, middleware: [byName] }))
  expect(await status('POST', '/imports', send({ ownerId: 1 }))).toBe(403)
  expect(await status('POST', '/imports', send({}))).toBe(403)
  expect(await status('POST', '/imports', send({ ownerId: 2 }))).toBe(202)
  expect(await status('PATCH', '/imports/1', send({ ownerId: 1 }, '1'))).toBe(403)
})

test('a row cannot leave a rule that follows a relation back to its own model', async () => {
  const projects = defineResource('projects', {
    model: model<{ readonly id: number }>('projects'),
    id: id(),
    relations: { memberships: hasMany('memberships') },
    policy: 'public',
  })
  const memberships = defineResource('memberships', {
    model: model<{ readonly id: number; readonly userId: number; readonly projectId: number }>('memberships'),
    id: id(),
    attributes: (a) => ({ userId: a.integer() }),
    relations: { project: belongsTo('projects') },
    policy: (p) => ({
      viewAny: true,
      view: true,
      update: p.signedIn(({ caller }) => {
        const me = (caller as User).id
        return p.related('project', (q) => q.related('memberships', (r) => r.eq('userId', me)))
      }),
    }),
  })
  const data = storedData({ projects: [{ id: 1 }], memberships: [{ id: 1, userId: 2, projectId: 1 }] })
  api = client(createServer({ resources: [projects, memberships], data, middleware: [byName] }))
  const body = resourceBody('memberships', { userId: 1 }, '1')
  expect(await status('PATCH', '/memberships/1', { as: 'bob', body })).toBe(403)
})

const serveWith = (abilities: Abilities): ReturnType<typeof createServer> => {
  const albums = defineResource('albums', {
    model: model<{ readonly id: number; readonly title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    policy: () => ({ viewAny: false, view: true, create: false, update: false, delete: false }),
    abilities,
  })
  const data = storedData({ albums: [{ id: 1, title: 'One' }] })
  const server = createServer({ resources: [albums], data, middleware: [byName] })
  api = client(server)
  return server
}
const statuses = async (as?: string): Promise<readonly number[]> => {
  const sent = as === undefined ? {} : { as }
  return [
    await status('GET', '/albums', sent),
    await status('POST', '/albums', { ...sent, body: resourceBody('albums', { title: 'New' }) }),
    await status('PATCH', '/albums/1', { ...sent, body: resourceBody('albums', { title: 'New' }, '1') }),
    await status('DELETE', '/albums/1', sent),
  ]
}

describe('abilities of operations that are booleans', () => {
  test('true means the usual ability: it opens nothing', async () => {
    serveWith({ FetchCollection: true, FetchOne: true, Create: true, Update: true, Delete: true })
    expect(await statuses()).toEqual([401, 401, 401, 401])
    expect(await statuses('alice')).toEqual([403, 403, 403, 403])
  })

  test('false opens the operation, and the build warns of it', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const server = serveWith({ FetchCollection: false, Create: false, Update: false, Delete: false })
    const warnings = warned.mock.calls
    warned.mockRestore()
    const sentences = [
      "'albums.abilities.FetchCollection: false' lets every caller list the 'albums' that 'view' shows.",
      "'albums.abilities.Create: false' lets every caller create 'albums'.",
      "'albums.abilities.Update: false' lets every caller update the 'albums' that 'view' shows.",
      "'albums.abilities.Delete: false' lets every caller delete the 'albums' that 'view' shows.",
    ]
    expect(warnings).toEqual([[sentences.join(' '), { code: 'ASHLAR_OPEN_OPERATIONS' }]])
    expect((await server.inspect()).advice).toEqual(expect.arrayContaining(sentences))
    expect(await statuses()).toEqual([200, 201, 200, 204])
  })
})
