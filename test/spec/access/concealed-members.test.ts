import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { beforeEach, describe, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/**
 * A caller who may change a relation, but not read it, learns nothing about its members: no response depends on whether a
 * resource that the caller names is one. Caller 1 owns the playlist, and caller 2 may only write to it.
 */

const open = { viewAny: true, view: true, create: true, update: true, delete: true }

const tracks = defineResource('tracks', {
  model: model<{ readonly id: number; readonly owner: number; readonly homeId: number | null }>('tracks'),
  id: id(),
  relations: {
    playlists: belongsToMany('playlists').through('entries', { owner: 'trackId', member: 'playlistId' }),
    home: belongsTo('playlists').via('homeId').nullable(),
  },
  policy: (p) => ({ ...open, update: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) }),
})

const albums = defineResource('albums', {
  model: model<{ readonly id: number; readonly owner: number }>('albums'),
  id: id(),
  relations: { featuredIn: hasMany('playlists').via('albumId').security({ mutate: 'arrange' }) },
  policy: (p) => ({ ...open, custom: { arrange: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) } }),
})

const hidden = { read: 'own', mutate: false } as const

const playlists = defineResource('playlists', {
  model: model<{ readonly id: number; readonly owner: number; readonly version: number; readonly albumId: number }>(
    'playlists',
  ),
  id: id(),
  version: 'version',
  relations: {
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .security(hidden)
      .cannotReplace(({ owner }) => owner === 9),
    fixed: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .security(hidden)
      .cannotReplace(),
    residents: hasMany('tracks').via('homeId').security(hidden),
    album: belongsTo('albums').via('albumId').nullable().security(hidden),
    single: belongsTo('albums').via('albumId').nullable().security(hidden).cannotReplace(),
  },
  policy: (p) => ({ ...open, custom: { own: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) } }),
})

let send: ReturnType<typeof sender>

/** Tracks 1 and 2 belong to caller 2, tracks 3 and 4 do not; 1 and 3 are members. */
beforeEach(() => {
  const data = storedData({
    albums: [
      { id: 1, owner: 1 },
      { id: 2, owner: 1 },
      { id: 3, owner: 2 },
    ],
    playlists: [{ id: 1, owner: 1, version: 1, albumId: 1 }],
    tracks: [
      { id: 1, owner: 2, homeId: 1 },
      { id: 2, owner: 2, homeId: null },
      { id: 3, owner: 1, homeId: 1 },
      { id: 4, owner: 1, homeId: null },
    ],
    entries: [
      { playlistId: 1, trackId: 1 },
      { playlistId: 1, trackId: 3 },
    ],
  })
  send = sender(createServer({ resources: [tracks, albums, playlists], data, middleware: [byNumber] }))
})

const track = (of: string): object => ({ type: 'tracks', id: of })

async function seen(method: string, relation: string, data: unknown, as = 2): Promise<string> {
  const path = `/playlists/1/relationships/${relation}`
  const { status, headers, text } = await send(method, path, { as, body: { data } })
  const version = (await send('GET', '/playlists/1', { as: 2 })).headers.get('etag')?.replace(/\..*/, '"')
  return [status, headers.get('etag'), version, text].join(' ')
}

describe.each(['tracks', 'residents'])('%s', (relation) => {
  test.each(['POST', 'DELETE'])('%s of a member and of another resource', async (method) => {
    expect(await seen(method, relation, [track('3')])).toBe(await seen(method, relation, [track('4')]))
    const member = await seen(method, relation, [track('1')])
    expect(member).toBe('204 "2" "2" ')
    expect(await seen(method, relation, [track('2')])).toBe('204 "3" "3" ')
  })

  test('the owner still sees what a change does', async () => {
    expect(await seen('POST', relation, [track('1')], 1)).toMatch(/^204 "1" /)
  })
})

test('an equal replacement of members that cannot be replaced', async () => {
  const equal = await seen('PATCH', 'fixed', [track('1'), track('3')])
  expect(equal).toMatch(/^403 /)
  expect(equal).toBe(await seen('PATCH', 'fixed', [track('1')]))
  expect(await seen('PATCH', 'fixed', [track('1'), track('3')], 1)).toMatch(/^204 /)
})

const putAlbum = (relation: string, of: string, as = 2): Promise<string> =>
  seen('PATCH', relation, { type: 'albums', id: of }, as)

test('an equal replacement of one member', async () => {
  expect(await putAlbum('single', '1')).toBe(await putAlbum('single', '2'))
  expect(await putAlbum('single', '1', 1)).toMatch(/^204 "1" /)
  // Caller 2 may not arrange either album.
  expect(await putAlbum('album', '1')).toBe(await putAlbum('album', '2'))
  expect(await putAlbum('album', '1')).toMatch(/^403 /)
})

const putFixed = async (members: readonly string[]): Promise<number> => {
  const relationships = { fixed: { data: members.map(track) } }
  return (await send('PATCH', '/playlists/1', { as: 2, body: { data: { type: 'playlists', id: '1', relationships } } }))
    .status
}

test('an equal replacement in a document', async () => {
  expect([await putFixed(['1', '3']), await putFixed(['1'])]).toEqual([403, 403])
})
