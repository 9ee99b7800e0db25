import type { ServerSettings } from 'ashlar'
import type { Limits } from '../../src/server/assembly/declared/server-settings.js'
import { belongsTo, belongsToMany, createServer, cursorPage, defineResource, hasMany, hasOne, id, model } from 'ashlar'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

type LinkagePolicy = 'always' | 'whenLoaded'

interface Options {
  readonly server?: LinkagePolicy
  readonly playlists?: LinkagePolicy
  readonly limits?: Limits
}

/** Playlist 1 has the tracks 1 and 3 and a cover, playlist 2 has track 2; plays 1 to 4 are of track 1. */
function music({ server, playlists: policy, limits = {} }: Options = {}): TestClient {
  const tracks = defineResource('tracks', {
    model: model<{ id: number; title: string }>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      plays: hasMany('plays').via('trackId').withoutData(),
      playlists: belongsToMany('playlists').through('entries', { owner: 'trackId', member: 'playlistId' }),
      secret: hasMany('plays').via('trackId').hidden(),
    },
  })
  const plays = defineResource('plays', {
    model: model<{ id: number; trackId: number }>('plays'),
    id: id(),
    relations: { track: belongsTo('tracks').via('trackId') },
  })
  const covers = defineResource('covers', { model: model<{ id: number; playlistId: number }>('covers'), id: id() })
  const playlists = defineResource('playlists', {
    model: model<{ id: number; name: string }>('playlists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: {
      tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }),
      sparse: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }).sparseByDefault(),
      cover: hasOne('covers').via('playlistId'),
    },
    ...(policy === undefined ? {} : { linkage: policy }),
  })
  const data = storedData({
    tracks: [1, 2, 3].map((key) => ({ id: key, title: `T${key}` })),
    plays: [1, 2, 3, 4].map((key) => ({ id: key, trackId: 1 })),
    covers: [{ id: 7, playlistId: 1 }],
    playlists: [
      { id: 1, name: 'Road' },
      { id: 2, name: 'Home' },
    ],
    entries: [
      { playlistId: 1, trackId: 1 },
      { playlistId: 1, trackId: 3 },
      { playlistId: 2, trackId: 2 },
    ],
  })
  const settings: Partial<ServerSettings<readonly []>> = server === undefined ? {} : { linkage: server }
  return client(createServer({ ...settings, resources: [tracks, plays, covers, playlists], data, limits }))
}

/** Returns the ids in the linkage of each primary resource, `null` if it has none. */
function linked({ resources }: TestResponse, name: string): readonly unknown[] {
  return resources.map(({ relationships }) => idsIn(relationships?.[name]))
}

function idsIn(relationship: { readonly data?: unknown } | undefined): unknown {
  const data = relationship?.data
  if (data === undefined) return 'none'
  return Array.isArray(data) ? data.map((identifier: { id: string }) => identifier.id) : data
}

const beyondLimit = (parameter: string) => [{ status: 400, code: 'LIMIT_EXCEEDED', parameter }]
const all = ['1', '2', '3'].map((key) => ({ type: 'tracks', id: key }))

describe('the linkage of to-many relationships', () => {
  test('is left out by default', async () => {
    const response = await music().get('/playlists')
    expect(linked(response, 'tracks')).toEqual(['none', 'none'])
    expect(linked(response, 'cover')).toEqual(['none', 'none'])
  })

  test.each([
    ['a server', { server: 'always' }],
    ['a type', { playlists: 'always' }],
  ] as const)('is shown by %s', async (_name, options) => {
    const api = music(options)
    const list = await api.get('/playlists')
    expect(linked(list, 'tracks')).toEqual([['1', '3'], ['2']])
    expect(linked(list, 'cover')).toEqual([{ type: 'covers', id: '7' }, null])
    expect(linked(list, 'sparse')).toEqual(['none', 'none'])
    const { resource } = await api.get('/playlists/1')
    expect(idsIn(resource?.relationships?.['tracks'])).toEqual(['1', '3'])
    const written = await api.patch('/playlists/1', {
      body: { data: { type: 'playlists', id: '1', attributes: { name: 'Route' } } },
    })
    expect(idsIn(written.resource?.relationships?.['tracks'])).toEqual(['1', '3'])
  })

  test('is left out by a type, whatever the server declares, and by a relation', async () => {
    const api = music({ server: 'always', playlists: 'whenLoaded' })
    expect(linked(await api.get('/playlists'), 'tracks')).toEqual(['none', 'none'])
    const tracks = await api.get('/tracks')
    expect(linked(tracks, 'playlists')).toEqual([['1'], ['2'], ['1']])
    expect(linked(tracks, 'plays')).toEqual(['none', 'none', 'none'])
    expect(linked(await api.get('/tracks?include=plays'), 'plays')).toEqual([['1', '2', '3', '4'], [], []])
  })

  test('is shown to a request that names it, by type', async () => {
    const api = music()
    const list = await api.get('/playlists?withLinkage[playlists]=tracks,cover,sparse')
    expect(linked(list, 'tracks')).toEqual([['1', '3'], ['2']])
    expect(linked(list, 'sparse')).toEqual([['1', '3'], ['2']])
    expect(linked(list, 'cover')).toEqual([{ type: 'covers', id: '7' }, null])
    expect(list.document).not.toHaveProperty('included')
    const one = await api.get('/playlists/2?include=tracks&withLinkage[tracks]=playlists')
    expect(one.document?.included?.map(({ relationships }) => idsIn(relationships?.['playlists']))).toEqual([['2']])
    const related = await api.get('/playlists/1/tracks?withLinkage[tracks]=playlists')
    expect(linked(related, 'playlists')).toEqual([['1'], ['1']])
    expect(linked(await api.get('/plays?withLinkage[plays]=track'), 'track')).toHaveLength(4)
  })

  test('is whole, also of a relation with cursor pages', async () => {
    const albums = defineResource('albums', { model: model<{ id: number; artistId: number }>('albums'), id: id() })
    const relations = {
      albums: hasMany('albums')
        .via('artistId')
        .paginate(cursorPage({ size: 2 })),
    }
    const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id(), relations })
    const rows = [1, 2, 3].map((key) => ({ id: key, artistId: 1 }))
    const data = storedData({ artists: [{ id: 1 }], albums: rows })
    const api = client(createServer({ resources: [albums, artists], data }))
    expect(linked(await api.get('/artists?withLinkage[artists]=albums'), 'albums')).toEqual([['1', '2', '3']])
    // An included relationship shows its first page, with a link to the next.
    expect(linked(await api.get('/artists?include=albums'), 'albums')).toEqual([['1', '2']])
  })

  test('obeys the fieldset, as an included relationship does', async () => {
    const response = await music().get('/playlists?withLinkage[playlists]=tracks&fields[playlists]=name')
    expect(response.resources.every(({ relationships }) => relationships === undefined)).toBe(true)
  })

  test('is shown in the response to a write that names it', async () => {
    const body = { data: { type: 'playlists', id: '1', attributes: { name: 'Route' } } }
    const { resource } = await music().patch('/playlists/1?withLinkage[playlists]=tracks', { body })
    expect(idsIn(resource?.relationships?.['tracks'])).toEqual(['1', '3'])
  })

  test.each([
    ['playlists', 'nothing', 'tracks, sparse, cover'],
    ['tracks', 'plays', 'playlists'],
    ['tracks', 'secret', 'playlists'],
    ['unknown', 'tracks', 'nothing'],
  ])('is refused for %s.%s', async (type, name, offered) => {
    const response = await music().get(`/playlists?withLinkage[${type}]=${name}`)
    expectErrors(response, [
      { status: 400, code: 'RELATIONSHIP_LINKAGE_NOT_ALLOWED', parameter: `withLinkage[${type}]` },
    ])
    expect(response.errors[0]?.detail).toContain(offered)
  })

  test.each(['withLinkage', 'withLinkage[]', 'withLinkage[playlists][tracks]'])(
    'cannot be selected by %s',
    async (name) => {
      const response = await music().get(`/playlists?${name}=tracks`)
      expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_MALFORMED', parameter: 'withLinkage' }])
    },
  )

  test('cannot be selected if no resources are shown', async () => {
    const refused = [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'withLinkage[tracks]' }]
    expectErrors(await music().get('/playlists/1/relationships/tracks?withLinkage[tracks]=playlists'), refused)
    expectErrors(await music().delete('/playlists/1?withLinkage[tracks]=playlists'), refused)
  })

  test('has a limit for each document that is read', async () => {
    const [requested, declared] = [
      music({ limits: { linkage: 2 } }),
      music({ server: 'always', limits: { linkage: 2 } }),
    ]
    expect((await requested.get('/playlists/1?withLinkage[playlists]=tracks')).status).toBe(200)
    const path = '/playlists?withLinkage[playlists]=tracks'
    expectErrors(await requested.get(path), beyondLimit('withLinkage[playlists]'))
    expectErrors(await requested.get(path), beyondLimit('withLinkage[playlists]'))
    expectErrors(await declared.get('/playlists'), beyondLimit('fields[playlists]'))
    expect((await declared.get('/playlists?fields[playlists]=name')).status).toBe(200)
    // A write is committed before its document is read, so it is not refused: its document has no such linkage.
    const body = { data: { type: 'playlists', attributes: { name: 'All' }, relationships: { tracks: { data: all } } } }
    const created = await declared.post('/playlists', { body })
    expect(created.status).toBe(201)
    expect(idsIn(created.resource?.relationships?.['tracks'])).toBe('none')
    expect(idsIn((await declared.get('/playlists/1')).resource?.relationships?.['tracks'])).toEqual(['1', '3'])
  })
})
