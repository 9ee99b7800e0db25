import { belongsTo, belongsToMany, createServer, defineResource, id, model, rowRules } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, idsIn, sender } from './access-client.js'

/** Members whose join rows have no fields are added and removed by one statement: it checks the owner and the members. */

interface Row {
  readonly id: number
  readonly owner: number
  readonly open: boolean
}

const p = rowRules<Row>()
const own = p.signedIn(({ caller }) => p.eq('owner', idOf(caller)))
const signedIn = p.signedIn(() => true)

const playlists = defineResource('playlists', {
  model: model<Row>('playlists'),
  id: id(),
  relations: {
    guests: belongsToMany('artists').through('guests', { owner: 'playlistId', member: 'artistId' }),
    tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }),
  },
  policy: () => ({
    viewAny: true,
    view: (context) => p.any(p.eq('open', true), own(context)),
    update: (context) => p.any(p.range('id', { max: 3 }), own(context)),
  }),
})

const artists = defineResource('artists', {
  model: model<Row>('artists'),
  id: id(),
  policy: () => ({ viewAny: true, view: (context) => p.any(p.eq('open', true), own(context)) }),
})

const tracks = defineResource('tracks', {
  model: model<Row>('tracks'),
  id: id(),
  relations: { playlists: belongsToMany('playlists').through('entries', { owner: 'trackId', member: 'playlistId' }) },
  policy: () => ({ viewAny: true, view: signedIn, update: own }),
})

/** The same rows as playlists. Only the first caller may change the relations. */
const stages = defineResource('stages', {
  model: model<Row>('playlists'),
  id: id(),
  relations: {
    guests: belongsToMany('artists')
      .through('guests', { owner: 'playlistId', member: 'artistId' })
      .readOnlyOnUpdate(({ caller }) => idOf(caller) !== 1),
    star: belongsTo('artists')
      .via('owner')
      .readOnlyOnUpdate(({ caller }) => idOf(caller) !== 1),
  },
  policy: () => ({ viewAny: true, view: signedIn, update: signedIn }),
})

/** With a key of both columns, one statement can decide whether a join row exists. */
const joins = [
  defineResource('guestlist', {
    model: model<{ readonly playlistId: number; readonly artistId: number }>('guests'),
    id: id(['playlistId', 'artistId']),
    operations: [],
    policy: 'public',
  }),
  defineResource('entries', {
    model: model<{ readonly playlistId: number; readonly trackId: number }>('entries'),
    id: id(['playlistId', 'trackId']),
    operations: [],
    policy: 'public',
  }),
] as const

let send: ReturnType<typeof sender>

beforeEach(() => {
  const rows: readonly Row[] = [
    { id: 1, owner: 1, open: false },
    { id: 2, owner: 2, open: false },
    { id: 3, owner: 1, open: true },
    { id: 4, owner: 1, open: true },
  ]
  const data = storedData({
    playlists: rows,
    artists: rows,
    tracks: rows,
    guests: [{ playlistId: 1, artistId: 3 }],
    entries: [],
  })
  send = sender(
    createServer({ resources: [playlists, artists, tracks, stages, ...joins], data, middleware: [byNumber] }),
  )
})

const change = async (method: string, playlist: number, type: string, member: number): Promise<number> => {
  const path = `/playlists/${playlist}/relationships/${type === 'artists' ? 'guests' : type}`
  return (await send(method, path, { as: 2, body: { data: [{ type, id: String(member) }] } })).status
}

test('the owner must be visible', async () => {
  expect(await change('POST', 1, 'artists', 4)).toBe(404)
  expect(await change('DELETE', 1, 'artists', 3)).toBe(404)
  expect(idsIn(await send('GET', '/playlists/1/guests', { as: 1 }))).toEqual(['3'])
})

test('the caller must be allowed to update the owner', async () => {
  expect(await change('POST', 4, 'artists', 3)).toBe(403)
  expect(await change('POST', 3, 'artists', 3)).toBeLessThan(300)
  expect(idsIn(await send('GET', '/playlists/4/guests', { as: 1 }))).toEqual([])
})

test('the members must be visible', async () => {
  expect(await change('POST', 2, 'artists', 1)).toBe(404)
  expect(await change('POST', 2, 'artists', 2)).toBeLessThan(300)
  expect(idsIn(await send('GET', '/playlists/2/guests', { as: 2 }))).toEqual(['2'])
})

test('the caller must be allowed to update the members that share the join rows', async () => {
  expect(await change('POST', 2, 'tracks', 1)).toBe(403)
  expect(await change('POST', 2, 'tracks', 2)).toBeLessThan(300)
  expect(idsIn(await send('GET', '/playlists/2/tracks', { as: 2 }))).toEqual(['2'])
})

test('the relation must be writable for the caller', async () => {
  const [guest, star] = [{ data: [{ type: 'artists', id: '4' }] }, { data: { type: 'artists', id: '4' } }]
  for (const [as, expected] of [
    [2, 403],
    [1, 204],
  ] as const) {
    expect((await send('POST', '/stages/3/relationships/guests', { as, body: guest })).status).toBe(expected)
    expect((await send('PATCH', '/stages/3/relationships/star', { as, body: star })).status).toBe(expected)
  }
})
