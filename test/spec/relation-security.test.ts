import { atomic, belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestClient } from 'ashlar/testing'
import { client } from '../support/client.js'
import { byName, isAdmin, own, type User } from '../support/named-callers.js'
import { storedData } from '../support/stored-data.js'

interface PlaylistRow {
  readonly id: number
  readonly title: string
  readonly ownerId: number
  readonly editorId: number | null
}

const users = defineResource('users', {
  model: model<{ readonly id: number; readonly name: string }>('users'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  policy: () => ({ viewAny: true, view: true }),
})

const tracks = defineResource('tracks', {
  model: model<{ readonly id: number; readonly title: string }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    playlists: belongsToMany('playlists').through('entries', { owner: 'trackId', member: 'playlistId' }),
  },
  policy: () => ({ viewAny: true, view: true, update: true }),
})

const notes = defineResource('notes', {
  model: model<{ readonly id: number; readonly text: string; readonly playlistId: number | null }>('notes'),
  id: id(),
  attributes: (a) => ({ text: a.string() }),
  relations: { playlist: belongsTo('playlists') },
  policy: () => ({ viewAny: true, view: true, create: true, update: true }),
})

const playlists = defineResource('playlists', {
  model: model<PlaylistRow>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    owner: belongsTo('users').via('ownerId').security({ read: 'update', mutate: 'update' }).filterable(),
    editor: belongsTo('users').via('editorId').security({ mutate: 'appoint' }),
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .countable()
      .security({ mutate: 'contribute' }),
    notes: hasMany('notes').countable().security({ read: 'friends', mutate: false }),
    secrets: hasMany('notes').via('playlistId').countable().security({ read: 'administrate' }).readOnly(),
  },
  sorts: (s) => ({ owner: s.through('owner.name') }),
  filters: (f) => ({
    ownerName: f.through('owner.name'),
    noted: f.has('notes'),
    unnoted: f.doesntHave('notes'),
  }),
  policy: (p) => ({
    viewAny: true,
    view: true,
    create: p.signedIn(() => true),
    update: own,
    custom: {
      friends: p.related('tracks', (q) => q.eq('title', 'Airbag')),
      administrate: ({ caller }) => isAdmin(caller),
      contribute: p.signedIn(() => true),
      appoint: p.check(({ row, incoming }, { caller }) =>
        row === null ? incoming?.attributes['title'] === 'Open' : row.ownerId === (caller as User | null)?.id,
      ),
    },
  }),
})

let api: TestClient

beforeEach(() => {
  const data = storedData({
    users: [
      { id: 1, name: 'Alice' },
      { id: 2, name: 'Bob' },
    ],
    tracks: [
      { id: 1, title: 'Airbag' },
      { id: 2, title: 'Lucky' },
    ],
    playlists: [
      { id: 1, title: 'Of Alice', ownerId: 1, editorId: 2 },
      { id: 2, title: 'Of Bob', ownerId: 2, editorId: null },
    ],
    entries: [
      { playlistId: 1, trackId: 1 },
      { playlistId: 2, trackId: 2 },
    ],
    notes: [
      { id: 1, text: 'on the first', playlistId: 1 },
      { id: 2, text: 'on the second', playlistId: 2 },
    ],
  })
  api = client(
    createServer({ resources: [users, tracks, notes, playlists], data, middleware: [byName], extensions: [atomic()] }),
  )
})

interface Sent {
  readonly as?: string
  readonly body?: object
  readonly prefer?: string
}

const request = (method: string, path: string, { as, body, prefer }: Sent = {}): ReturnType<TestClient['request']> =>
  api.request(method, path, {
    ...(body === undefined ? {} : { body }),
    headers: {
      Accept: `application/vnd.api+json; profile="${countableProfile.uri}"`,
      ...(as === undefined ? {} : { Authorization: as }),
      ...(prefer === undefined ? {} : { Prefer: prefer }),
    },
  })

const status = async (method: string, path: string, sent: Sent = {}): Promise<number> =>
  (await request(method, path, sent)).status

interface Shown {
  readonly id: string
  readonly relationships?: Readonly<Record<string, { readonly data?: unknown; readonly meta?: unknown }>>
}

const list = async (path: string, as?: string): Promise<readonly Shown[]> => {
  const { document } = await request('GET', path, as === undefined ? {} : { as })
  return (document as { readonly data: readonly Shown[] }).data
}

/** Returns the names of the relationships that each resource shows. */
const relationships = async (path: string, as?: string): Promise<readonly (readonly string[])[]> =>
  (await list(path, as)).map((each) => Object.keys(each.relationships ?? {}))

const playlist = (title: string, relations: object, of?: string): object => ({
  data: {
    type: 'playlists',
    ...(of === undefined ? {} : { id: of }),
    attributes: { title },
    relationships: relations,
  },
})

const toUser = (of: string): object => ({ data: { type: 'users', id: of } })

const add = (owner: string): object => ({ op: 'add', ...playlist('Added', { owner: toUser(owner) }) })

const idsIn = async (query: string, as?: string): Promise<readonly string[]> =>
  (await list(`/playlists?${query}`, as)).map((each) => each.id)
const toTracks = (...ids: readonly string[]): object => ({ data: ids.map((each) => ({ type: 'tracks', id: each })) })

describe('reading a relation with its own ability', () => {
  test('is 401 without a caller, 404 for a missing owner, then 403', async () => {
    for (const path of ['/playlists/1/owner', '/playlists/1/relationships/owner']) {
      expect(await status('GET', path, { as: 'alice' })).toBe(200)
      expect(await status('GET', path, { as: 'bob' })).toBe(403)
      expect(await status('GET', path)).toBe(401)
      expect(await status('GET', path.replace('1', '7'))).toBe(401)
      expect(await status('GET', path.replace('1', '7'), { as: 'bob' })).toBe(404)
    }
    expect(await status('GET', '/playlists/1/unknown')).toBe(404)
    const denied = await request('GET', '/playlists/1/owner')
    expect(denied.headers.get('WWW-Authenticate')).toBe('Name')
  })

  test('shows the relationship only of resources for which the caller has the ability', async () => {
    expect(await relationships('/playlists', 'alice')).toEqual([
      ['owner', 'editor', 'tracks', 'notes'],
      ['editor', 'tracks'],
    ])
    expect(await relationships('/playlists', 'root')).toEqual([
      ['editor', 'tracks', 'notes', 'secrets'],
      ['editor', 'tracks', 'secrets'],
    ])
    expect(await relationships('/playlists?fields[playlists]=owner,title', 'bob')).toEqual([[], ['owner']])
    expect(await relationships('/playlists?fields[playlists]=title', 'bob')).toEqual([[], []])
  })

  test('may depend on related rows', async () => {
    expect(await status('GET', '/playlists/1/notes')).toBe(200)
    expect(await status('GET', '/playlists/2/notes', { as: 'bob' })).toBe(403)
    const counted = await list('/playlists?withCount=notes', 'bob')
    expect(counted.map((each) => each.relationships?.['notes']?.meta)).toEqual([{ total: 1 }, undefined])
  })

  test('includes nothing of other resources', async () => {
    const { document } = await request('GET', '/playlists?include=owner,notes', { as: 'bob' })
    const { included } = document as { readonly included: readonly { readonly type: string; readonly id: string }[] }
    expect(included.map(({ type, id: each }) => `${type} ${each}`).toSorted()).toEqual(['notes 1', 'users 2'])
    const nested = await request('GET', '/notes?include=playlist.owner', { as: 'alice' })
    const text = JSON.stringify(nested.document)
    expect(text).toContain('"name":"Alice"')
    expect(text).not.toContain('"name":"Bob"')
    const second = (nested.document as { readonly included: readonly Shown[] }).included.find(
      (each) => each.id === '2' && each.relationships?.['editor'] !== undefined,
    )
    expect(Object.keys(second?.relationships ?? {})).not.toContain('owner')
  })

  test('is filtered as if other resources had no related ones', async () => {
    for (const as of ['alice', 'bob', 'alice']) {
      const seen = as === 'alice' ? '1' : '2'
      expect(await idsIn('filter[owner]=1', as)).toEqual(seen === '1' ? ['1'] : [])
      expect(await idsIn('filter[ownerName]=Bob', as)).toEqual(seen === '2' ? ['2'] : [])
    }
    expect(await idsIn('filter[noted]=true', 'bob')).toEqual(['1'])
    expect(await idsIn('filter[unnoted]=true', 'bob')).toEqual(['2'])
    expect(await status('GET', '/playlists?sort=owner', { as: 'alice' })).toBe(400)
    expect(await status('GET', '/playlists?filter[ownerName]=Bob')).toBe(400)
  })

  test('is unknown to a caller who has the ability for no resource', async () => {
    for (const query of ['include=owner', 'include=secrets', 'withCount=secrets', 'filter[owner]=1', 'sort=owner']) {
      const refused = await request('GET', `/playlists?${query}`)
      expect([query, refused.status]).toEqual([query, 400])
    }
    expect(await status('GET', '/playlists?include=secrets', { as: 'alice' })).toBe(400)
    expect(await status('GET', '/playlists?include=secrets', { as: 'root' })).toBe(200)
    expect(await status('GET', '/playlists?withCount=secrets', { as: 'root' })).toBe(200)
    expect(await status('GET', '/playlists/1/secrets', { as: 'alice' })).toBe(403)
    expect(await status('GET', '/playlists/1/secrets')).toBe(401)
    // Callers in turn, with the same query: no plan of one serves another.
    expect(await status('GET', '/playlists?include=owner', { as: 'alice' })).toBe(200)
    expect(await status('GET', '/playlists?include=owner')).toBe(400)
    expect(await status('GET', '/playlists?include=owner', { as: 'bob' })).toBe(200)
  })
})

describe('changing a relation with its own ability', () => {
  const path = '/playlists/1/relationships/tracks'

  test('replaces the ability of the owner, and may be looser', async () => {
    expect(await status('POST', path, { body: toTracks('2') })).toBe(401)
    expect(await status('POST', path, { as: 'bob', body: toTracks('2') })).toBeLessThan(300)
    expect(await status('DELETE', path, { as: 'bob', body: toTracks('1') })).toBeLessThan(300)
    expect((await list('/playlists/1/tracks')).map((each) => each.id)).toEqual(['2'])
    expect(await status('PATCH', '/playlists/1/relationships/editor', { as: 'bob', body: toUser('1') })).toBe(403)
    expect(await status('PATCH', '/playlists/1/relationships/editor', { as: 'alice', body: toUser('1') })).toBe(204)
  })

  test('needs the ability of the relation from the other side too', async () => {
    const body = { data: [{ type: 'playlists', id: '1' }] }
    expect(await status('POST', '/tracks/2/relationships/playlists', { body })).toBe(401)
    expect(await status('POST', '/tracks/2/relationships/playlists', { as: 'bob', body })).toBeLessThan(300)
    const note = { data: [{ type: 'notes', id: '2' }] }
    expect(await status('POST', '/playlists/1/relationships/notes', { body: note })).toBeLessThan(300)
  })

  test('with only the ability of the owner cannot give the owner away', async () => {
    const ownerPath = '/playlists/1/relationships/owner'
    expect(await status('PATCH', ownerPath, { as: 'bob', body: toUser('2') })).toBe(403)
    expect(await status('PATCH', ownerPath, { as: 'alice', body: toUser('2') })).toBe(403)
    expect(await status('PATCH', ownerPath, { as: 'alice', body: toUser('1') })).toBe(204)
  })

  test('does not show the linkage to a caller who may not read it', async () => {
    const body = { data: [{ type: 'notes', id: '1' }] }
    const sent = { as: 'bob', body, prefer: 'return=representation' }
    const hidden = await request('POST', '/playlists/2/relationships/notes', sent)
    expect([hidden.status, hidden.text]).toEqual([204, ''])
    const shown = await request('POST', '/playlists/1/relationships/notes', sent)
    expect(shown.status).toBe(200)
  })

  test('in the document of a resource needs the ability in addition to that of the write', async () => {
    const added = { tracks: toTracks('2') }
    expect(await status('PATCH', '/playlists/1', { as: 'bob', body: playlist('New', added, '1') })).toBe(403)
    expect(await status('PATCH', '/playlists/1', { as: 'alice', body: playlist('New', added, '1') })).toBe(200)
    const appointed = { owner: toUser('1'), editor: toUser('2') }
    expect(await status('POST', '/playlists', { as: 'alice', body: playlist('Closed', appointed) })).toBe(403)
    expect(await status('POST', '/playlists', { as: 'alice', body: playlist('Open', appointed) })).toBe(201)
    expect(await status('POST', '/playlists', { as: 'alice', body: playlist('Own', { owner: toUser('1') }) })).toBe(201)
    expect(await status('POST', '/playlists', { as: 'alice', body: playlist('His', { owner: toUser('2') }) })).toBe(403)
    expect((await list('/playlists')).length).toBe(4)
  })

  test('applies to each operation of a batch, and nothing is stored if one is denied', async () => {
    const media = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const run = async (as: string, ...operations: readonly object[]): Promise<number> => {
      const headers = { Authorization: as, Accept: media, 'Content-Type': media }
      return (await api.request('POST', '/operations', { body: { 'atomic:operations': operations }, headers })).status
    }
    const ref = { type: 'playlists', id: '1', relationship: 'editor' }
    expect(await run('alice', add('1'), add('2'))).toBe(403)
    expect(await run('bob', add('2'), { op: 'update', ref, data: { type: 'users', id: '1' } })).toBe(403)
    expect((await list('/playlists')).length).toBe(2)
    expect(await run('alice', add('1'), add('1'), { op: 'update', ref, data: null })).toBe(200)
    expect((await list('/playlists')).length).toBe(4)
  })
})
