import {
  accepted,
  reply,
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
} from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/** Abilities of relations, for each kind of write. */

interface Owned {
  readonly id: number
  readonly owner: number
}

const albums = defineResource('albums', { model: model<{ readonly id: number }>('albums'), id: id(), policy: 'public' })

/** There is no inverse relation to playlists. */
const copies = defineResource('copies', {
  model: model<Owned & { readonly playlistId: number | null }>('copies'),
  id: id(),
  policy: (p) => ({ view: true, update: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
})

const playlists = defineResource('playlists', {
  model: model<Owned & { readonly title: string; readonly favouriteId: number | null }>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().maxLength(5), owner: a.integer() }),
  relations: {
    favourite: belongsTo('albums').nullable().withData().security({ mutate: 'appoint' }),
    copies: hasMany('copies').via('playlistId'),
    members: belongsToMany('albums')
      .through('playlist_albums', { owner: 'playlistId', member: 'albumId' })
      .security({ mutate: 'appoint' }),
  },
  policy: (p) => ({
    viewAny: true,
    view: true,
    create: true,
    update: true,
    custom: { appoint: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) },
  }),
})

/** Gives the join table a key, so that one statement can write join rows. */
const memberships = defineResource('memberships', {
  model: model<{ readonly playlistId: number; readonly albumId: number }>('playlist_albums'),
  id: id(['playlistId', 'albumId']),
  operations: [],
  policy: 'public',
})

const jobs = defineResource('jobs', { model: model<{ readonly id: number }>('jobs'), id: id(), policy: 'public' })

/** Their writes are deferred. */
const imports = defineResource('imports', {
  model: model<Owned & { readonly albumId: number | null; readonly nextId: number | null }>('imports'),
  id: id(),
  attributes: (a) => ({ owner: a.integer() }),
  relations: {
    album: belongsTo('albums').nullable().security({ mutate: 'attach' }),
    next: belongsTo('albums').via('nextId').nullable(),
  },
  create: accepted('jobs'),
  update: accepted('jobs'),
  persister: (store) => ({
    ...store,
    create: () => reply.accepted({ job: { id: 1 } }),
    update: () => reply.accepted({ job: { id: 1 } }),
  }),
  policy: (p) => ({
    viewAny: true,
    view: true,
    create: true,
    update: p.in('nextId', [1]),
    custom: { attach: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) },
  }),
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    albums: [{ id: 1 }, { id: 2 }],
    copies: [
      { id: 1, owner: 1, playlistId: null },
      { id: 2, owner: 2, playlistId: null },
    ],
    playlists: [{ id: 1, title: 'One', owner: 1, favouriteId: 1 }],
    playlist_albums: [{ playlistId: 1, albumId: 1 }],
    jobs: [{ id: 1 }],
    imports: [{ id: 1, owner: 1, albumId: 1, nextId: 1 }],
  })
  const resources = [albums, copies, playlists, memberships, jobs, imports] as const
  send = sender(createServer({ resources, data, middleware: [byNumber], extensions: [atomic()] }))
})

const album = (of: string): object => ({ data: { type: 'albums', id: of } })
const named = (favourite: string): object => ({ relationships: { favourite: album(favourite) } })

const favouriteOf = async (path: string): Promise<unknown> =>
  (await send('GET', path, { as: 1 })).resource.relationships?.['favourite']?.data

test('a document with the relation needs them for the stored row', async () => {
  const body = { data: { type: 'playlists', id: '1', ...named('2') } }
  expect((await send('PATCH', '/playlists/1', { as: 2, body })).status).toBe(403)
  expect(await favouriteOf('/playlists/1')).toEqual({ type: 'albums', id: '1' })
  expect((await send('PATCH', '/playlists/1', { as: 1, body })).status).toBe(200)
  expect(await favouriteOf('/playlists/1')).toEqual({ type: 'albums', id: '2' })
})

test('a caller who has them for no row is denied before anything is read or validated', async () => {
  const attributes = { title: 'too long', owner: 1 }
  const statuses = async (member: object): Promise<readonly number[]> => [
    (await send('PATCH', '/playlists/7', { body: { data: { type: 'playlists', id: '7', ...member } } })).status,
    (await send('POST', '/playlists', { body: { data: { type: 'playlists', attributes, ...member } } })).status,
  ]
  expect(await statuses({})).toEqual([404, 422])
  expect(await statuses(named('1'))).toEqual([401, 401])
})

test('join rows need them, also if one statement writes them', async () => {
  const path = '/playlists/1/relationships/members'
  const members = async (): Promise<unknown> => (await send('GET', path, { as: 1 })).document
  const before = await members()
  const change = async (method: string, of: string, as: number): Promise<number> =>
    (await send(method, path, { as, body: { data: [{ type: 'albums', id: of }] } })).status
  const changes = [
    ['DELETE', '1'],
    ['POST', '2'],
    ['PATCH', '2'],
  ] as const
  for (const [method, of] of changes) expect(await change(method, of, 2)).toBe(403)
  expect(await members()).toEqual(before)
  for (const [method, of] of changes) expect(await change(method, of, 1)).toBe(204)
})

const addOperation = (owner: number): object => ({
  op: 'add',
  data: { type: 'playlists', attributes: { title: 'New', owner }, ...named('1') },
})
const atomicType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
const createdTogether = (owner: number) =>
  send('POST', '/operations', {
    as: 1,
    type: atomicType,
    body: { 'atomic:operations': [addOperation(1), addOperation(owner)] },
  })

test('several new resources need them as a single one does', async () => {
  expect((await createdTogether(2)).status).toBe(403)
  expect((await send('GET', '/playlists', { as: 1 })).resources).toHaveLength(1)
  expect((await createdTogether(1)).status).toBe(200)
})

const addedCopy = async (of: string): Promise<number> => {
  const body = { data: [{ type: 'copies', id: of }] }
  return (await send('POST', '/playlists/1/relationships/copies', { as: 1, body })).status
}

test('members whose rows hold the key are updated, also if there is no inverse relation', async () => {
  expect(await addedCopy('2')).toBe(403)
  expect(await addedCopy('1')).toBe(204)
})

const createdImport = async (owner: number): Promise<number> => {
  const data = { type: 'imports', attributes: { owner }, relationships: { album: album('1') } }
  return (await send('POST', '/imports', { as: 1, body: { data } })).status
}

const changedImport = async (of: string): Promise<number> =>
  (await send('PATCH', '/imports/1/relationships/next', { as: 1, body: album(of) })).status

test('deferred work is decided by the sent values', async () => {
  expect([await createdImport(2), await createdImport(1)]).toEqual([403, 202])
  expect([await changedImport('2'), await changedImport('1')]).toEqual([403, 202])
})
