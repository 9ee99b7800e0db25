import { atomic, belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model, rowRules } from 'ashlar'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client, resourceBody } from '../support/client.js'
import { byName, isAdmin, own, type User } from '../support/named-callers.js'
import { storedData } from '../support/stored-data.js'

const signedIn = rowRules<{ readonly ownerId: number }>().signedIn(() => true)

interface PlaylistRow {
  readonly id: number
  readonly title: string
  readonly public: boolean
  readonly ownerId: number
}

const playlists = defineResource('playlists', {
  model: model<PlaylistRow>('playlists'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(5),
    public: a.boolean(),
    ownerId: a.integer(),
  }),
  relations: {
    tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }),
    comments: hasMany('comments'),
  },
  filters: (f) => ({ title: f.where() }),
  policy: (p) => ({
    before: ({ caller }) => (isAdmin(caller) ? true : null),
    viewAny: true,
    view: (context) => p.any(p.eq('public', true), own(context)),
    create: own,
    update: own,
    delete: own,
  }),
})

const tracks = defineResource('tracks', {
  model: model<{ readonly id: number; readonly title: string }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    playlists: belongsToMany('playlists').through('entries', { owner: 'trackId', member: 'playlistId' }).countable(),
  },
  filters: (f) => ({ inPlaylist: f.through('playlists.title'), listed: f.has('playlists') }),
  policy: () => ({ viewAny: true, view: true, create: signedIn, update: signedIn }),
})

const comments = defineResource('comments', {
  model: model<{
    readonly id: number
    readonly text: string
    readonly ownerId: number
    readonly playlistId: number | null
  }>('comments'),
  id: id(),
  attributes: (a) => ({ text: a.string().required(), ownerId: a.integer() }),
  relations: { playlist: belongsTo('playlists') },
  policy: (p) => ({
    viewAny: signedIn,
    view: p.related('playlist'),
    create: p.check(({ incoming }, { caller }) => incoming?.attributes['ownerId'] === (caller as User | null)?.id),
    update: p.check(({ row }, { caller }) => row?.ownerId === (caller as User | null)?.id),
  }),
})

let api: TestClient

beforeEach(() => {
  api = client(
    createServer({
      resources: [playlists, tracks, comments],
      data: storedData({
        playlists: [
          { id: 1, title: 'A pub', public: true, ownerId: 1 },
          { id: 2, title: 'A pri', public: false, ownerId: 1 },
          { id: 3, title: 'B pri', public: false, ownerId: 2 },
        ],
        tracks: [
          { id: 1, title: 'Airbag' },
          { id: 2, title: 'Lucky' },
        ],
        entries: [
          { playlistId: 1, trackId: 1 },
          { playlistId: 2, trackId: 1 },
          { playlistId: 3, trackId: 2 },
        ],
        comments: [
          { id: 1, text: 'on public', ownerId: 1, playlistId: 1 },
          { id: 2, text: 'on private of alice', ownerId: 1, playlistId: 2 },
          { id: 3, text: 'by bob', ownerId: 2, playlistId: 1 },
        ],
      }),
      middleware: [byName],
      extensions: [atomic()],
    }),
  )
})

interface Sent {
  readonly as?: string
  readonly body?: object
  readonly accept?: string
}

const request = (method: string, path: string, { as, body, ...rest }: Sent = {}): ReturnType<TestClient['request']> =>
  api.request(method, path, {
    ...rest,
    ...(body === undefined ? {} : { body }),
    headers: as === undefined ? {} : { Authorization: as },
  })

const status = async (method: string, path: string, sent: Sent = {}): Promise<number> =>
  (await request(method, path, sent)).status

const ids = async (path: string, as?: string): Promise<readonly string[]> => {
  const { document: body } = await request('GET', path, as === undefined ? {} : { as })
  return (body as { readonly data: readonly { readonly id: string }[] }).data.map(({ id: each }) => each)
}

const patch = (attributes: Readonly<Record<string, unknown>>, of = '1'): object =>
  resourceBody('playlists', attributes, of)

const commentOn = (playlist: string): object => ({
  data: {
    type: 'comments',
    attributes: { text: 'hi', ownerId: 2 },
    relationships: { playlist: { data: { type: 'playlists', id: playlist } } },
  },
})

const linkage = (type: string, of: string): object => ({ data: [{ type, id: of }] })

const add = (ownerId: number): object => ({
  op: 'add',
  data: { type: 'playlists', attributes: { title: 'New', public: true, ownerId } },
})

describe('the visibility of a row for a caller', () => {
  test('is the same in lists, at its URL, as linkage, included, counted and in filters', async () => {
    expect(await ids('/playlists')).toEqual(['1'])
    expect(await ids('/playlists', 'alice')).toEqual(['1', '2'])
    expect(await ids('/playlists', 'bob')).toEqual(['1', '3'])
    expect(await ids('/playlists', 'root')).toEqual(['1', '2', '3'])
    expect(await status('GET', '/playlists/2', { as: 'alice' })).toBe(200)
    expect(await status('GET', '/playlists/2', { as: 'bob' })).toBe(404)
    expect(await status('GET', '/playlists/2/tracks', { as: 'bob' })).toBe(404)
    expect(await status('GET', '/playlists/2/relationships/tracks')).toBe(404)
    expect(await ids('/tracks/1/playlists', 'bob')).toEqual(['1'])
    expect(await ids('/tracks/1/relationships/playlists', 'bob')).toEqual(['1'])
    expect(await ids('/tracks/1/relationships/playlists', 'alice')).toEqual(['1', '2'])
    expect(await ids('/tracks?filter[inPlaylist]=B pri', 'alice')).toEqual([])
    expect(await ids('/tracks?filter[inPlaylist]=B pri', 'bob')).toEqual(['2'])
    expect(await ids('/tracks?filter[listed]=true', 'alice')).toEqual(['1'])
    expect(await ids('/comments', 'bob')).toEqual(['1', '3'])
    const included = await request('GET', '/tracks/1?include=playlists', { as: 'bob' })
    expect(JSON.stringify(included.document)).not.toContain('A pri')
  })

  test('needs a permitted caller, before a resource is read', async () => {
    const denied = await request('GET', '/comments')
    expect([denied.status, denied.headers.get('WWW-Authenticate')]).toEqual([401, 'Name'])
    expect(denied.errors[0]).toMatchObject({ status: '401', title: 'Unauthorized' })
  })
})

describe('a create', () => {
  test('is 401 without a caller, and 403 for a row that the policy does not permit', async () => {
    const body = resourceBody('playlists', { title: 'New', public: true, ownerId: 1 })
    expect(await status('POST', '/playlists', { body })).toBe(401)
    expect(await status('POST', '/playlists', { as: 'bob', body })).toBe(403)
    expect(await status('POST', '/playlists', { as: 'alice', body })).toBe(201)
    expect(await ids('/playlists?filter[title]=New', 'root')).toHaveLength(1)
  })

  test('is decided by its policy before it is validated', async () => {
    const body = resourceBody('playlists', { title: 'too long a title' })
    expect(await status('POST', '/playlists', { body })).toBe(401)
    const comment = { data: { type: 'comments', attributes: { ownerId: 1 } } }
    expect(await status('POST', '/comments', { as: 'bob', body: comment })).toBe(403)
    expect(await status('POST', '/comments', { as: 'alice', body: comment })).toBe(422)
  })

  test('cannot refer to rows that the caller does not see', async () => {
    expect(await status('POST', '/comments', { as: 'bob', body: commentOn('2') })).toBe(404)
    expect(await status('POST', '/comments', { as: 'bob', body: commentOn('1') })).toBe(201)
  })
})

describe('an update', () => {
  test('is 404 for an invisible row, 403 for the row of another, before validation', async () => {
    expect(await status('PATCH', '/playlists/2', { as: 'bob', body: patch({ title: 'Mine' }, '2') })).toBe(404)
    expect(await status('PATCH', '/playlists/1', { as: 'bob', body: patch({ title: 'Mine' }) })).toBe(403)
    expect(await status('PATCH', '/playlists/1', { as: 'bob', body: patch({ title: 'too long' }) })).toBe(403)
    expect(await status('PATCH', '/playlists/1', { body: patch({ title: 'Mine' }) })).toBe(401)
    expect(await status('PATCH', '/playlists/1', { as: 'alice', body: patch({ title: 'Ours' }) })).toBe(200)
    expect(await status('PATCH', '/playlists/1', { as: 'root', body: patch({ title: 'Root' }) })).toBe(200)
  })

  test('cannot transfer a row to another owner', async () => {
    expect(await status('PATCH', '/playlists/1', { as: 'alice', body: patch({ ownerId: 2 }) })).toBe(403)
    expect(await status('PATCH', '/playlists/1', { as: 'alice', body: patch({ ownerId: 1, title: 'Same' }) })).toBe(200)
    const { document: body } = await request('GET', '/playlists/1', { as: 'alice' })
    expect(body).toMatchObject({ data: { attributes: { ownerId: 1, title: 'Same' } } })
  })

  test('is decided by a function with the stored row', async () => {
    const body = resourceBody('comments', { text: 'mine' }, '3')
    expect(await status('PATCH', '/comments/3', { as: 'alice', body })).toBe(403)
    expect(await status('PATCH', '/comments/3', { as: 'bob', body })).toBe(200)
  })
})

test('a delete needs its own ability', async () => {
  expect(await status('DELETE', '/tracks/1', { as: 'alice' })).toBe(403)
  expect(await status('DELETE', '/tracks/1')).toBe(401)
  expect(await status('DELETE', '/playlists/3', { as: 'alice' })).toBe(404)
  expect(await status('DELETE', '/playlists/1', { as: 'bob' })).toBe(403)
  await request('PATCH', '/playlists/3/relationships/tracks', { as: 'bob', body: { data: [] } })
  expect(await status('DELETE', '/playlists/3', { as: 'bob' })).toBe(204)
})

describe('members', () => {
  const track = { data: [{ type: 'tracks', id: '2' }] }

  test('are changed by callers who may update the owner', async () => {
    expect(await status('POST', '/playlists/1/relationships/tracks', { as: 'bob', body: track })).toBe(403)
    expect(await status('POST', '/playlists/2/relationships/tracks', { as: 'bob', body: track })).toBe(404)
    expect(await status('POST', '/playlists/1/relationships/tracks', { body: track })).toBe(401)
    expect(await status('POST', '/playlists/1/relationships/tracks', { as: 'alice', body: track })).toBeLessThan(300)
    expect(await ids('/playlists/1/relationships/tracks', 'bob')).toEqual(['1', '2'])
  })

  test('are not changed from the other side by callers who may not', async () => {
    const path = '/tracks/2/relationships/playlists'
    expect(await status('POST', path, { as: 'bob', body: linkage('playlists', '1') })).toBe(403)
    expect(await status('POST', path, { as: 'bob', body: linkage('playlists', '2') })).toBe(404)
    expect(await status('POST', path, { as: 'alice', body: linkage('playlists', '1') })).toBeLessThan(300)
    expect(
      await status('DELETE', '/tracks/1/relationships/playlists', { as: 'bob', body: linkage('playlists', '1') }),
    ).toBe(403)
    // Members that the caller does not see stay after a replacement.
    expect(await status('PATCH', path, { as: 'alice', body: linkage('playlists', '2') })).toBeLessThan(300)
    expect(await ids('/playlists/3/relationships/tracks', 'bob')).toEqual(['2'])
  })

  test('whose rows hold the key are changed by callers who may update them', async () => {
    const path = '/playlists/2/relationships/comments'
    expect(await status('POST', path, { as: 'alice', body: linkage('comments', '3') })).toBe(403)
    expect(await status('POST', path, { as: 'alice', body: linkage('comments', '1') })).toBeLessThan(300)
    expect(await ids('/comments', 'bob')).toEqual(['3'])
  })
})

const run = (as: string, ...each: readonly object[]): ReturnType<TestClient['request']> =>
  api.request('POST', '/operations', {
    body: { 'atomic:operations': each },
    headers: {
      Authorization: as,
      Accept: 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
      'Content-Type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
    },
  })

describe('a batch', () => {
  test('checks access for each operation, and stores nothing if one is denied', async () => {
    expect((await run('alice', add(1), add(1), add(1))).status).toBe(200)
    expect(await ids('/playlists?filter[title]=New', 'root')).toHaveLength(3)
    const denied = await run('alice', add(1), add(2), add(1))
    expect(denied.status).toBe(403)
    expect(denied.errors[0]?.source?.pointer).toMatch(/^\/atomic:operations\/1/)
    expect(await ids('/playlists?filter[title]=New', 'root')).toHaveLength(3)
    const update = { op: 'update', data: { type: 'playlists', id: '1', attributes: { title: 'Mine' } } }
    expect((await run('bob', add(2), update)).status).toBe(403)
    const hidden = { op: 'update', data: { type: 'playlists', id: '2', attributes: { title: 'Mine' } } }
    expect((await run('bob', add(2), hidden)).status).toBe(404)
    expect(await ids('/playlists?filter[title]=New', 'root')).toHaveLength(3)
  })
})
