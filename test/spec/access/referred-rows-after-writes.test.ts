import { atomic, belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, sender } from './access-client.js'

/** A write of a key must not hide the row that it refers to, or has referred to, from the caller. */

const open = { viewAny: true, view: true, create: true, update: true, delete: true }

/** An album needs a released track, and no banned one. */
const albums = defineResource('albums', {
  model: model<{ readonly id: number }>('albums'),
  id: id(),
  relations: { tracks: hasMany('tracks').via('albumId') },
  policy: (p) => ({
    ...open,
    view: p.all(
      p.related('tracks', (of) => of.eq('state', 'released')),
      p.not(p.related('tracks', (of) => of.eq('state', 'banned'))),
    ),
  }),
})

const tracks = defineResource('tracks', {
  model: model<{ readonly id: number; readonly state: string; readonly albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ state: a.string() }),
  relations: { album: belongsTo('albums').nullable() },
  policy: () => open,
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    albums: [{ id: 1 }, { id: 2 }, { id: 3 }],
    tracks: [
      { id: 1, state: 'released', albumId: 1 },
      { id: 2, state: 'released', albumId: 2 },
      { id: 3, state: 'released', albumId: 2 },
      { id: 4, state: 'banned', albumId: 3 },
      { id: 5, state: 'banned', albumId: null },
    ],
  })
  send = sender(createServer({ resources: [albums, tracks], data, middleware: [byNumber], extensions: [atomic()] }))
})

const status = async (method: string, path: string, body: object): Promise<number> =>
  (await send(method, path, { as: 1, body })).status

const album = (of: string | null): object => ({ data: of === null ? null : { type: 'albums', id: of } })

test.each([
  ['the only released track is taken out', '1', '2', 403],
  ['the only released track is removed', '1', null, 403],
  ['one of two is taken out', '2', '1', 204],
  ['a banned track is put in', '5', '1', 403],
  // The album was not visible before.
  ['a banned track is taken out', '4', null, 204],
])('%s', async (_, of, to, expected) => {
  expect(await status('PATCH', `/tracks/${of}/relationships/album`, album(to))).toBe(expected)
  const data = { type: 'tracks', id: of, relationships: { album: album(to) } }
  expect(await status('PATCH', `/tracks/${of}`, { data })).toBe(expected === 204 ? 200 : 403)
})

const track = (state: string): object => ({
  type: 'tracks',
  attributes: { state },
  relationships: { album: album('1') },
})

test('a new track', async () => {
  expect(await status('POST', '/tracks', { data: track('banned') })).toBe(403)
  expect(await status('POST', '/tracks', { data: track('released') })).toBe(201)
})

test('new tracks in a batch', async () => {
  const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const create = async (...states: readonly string[]): Promise<number> => {
    const operations = states.map((state) => ({ op: 'add', data: track(state) }))
    return (await send('POST', '/operations', { as: 1, type, body: { 'atomic:operations': operations } })).status
  }
  expect(await create('released', 'banned')).toBe(403)
  expect(await create('banned', 'banned')).toBe(403)
  expect(await create('released', 'released')).toBe(200)
})
