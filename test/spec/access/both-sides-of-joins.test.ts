import { atomic, belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, sender } from './access-client.js'

/** A join row belongs to both of its ends: a write from either side must leave both in a state that the rules permit. */

const open = { viewAny: true, view: true, create: true, update: true, delete: true }

/** Songs of a secret list are not visible, and no song may be in a sealed list. */
const songs = defineResource('songs', {
  model: model<{ readonly id: number; readonly title: string }>('songs'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    lists: belongsToMany('lists').through('entries', { owner: 'songId', member: 'listId' }),
    entries: hasMany('entries').via('songId'),
  },
  policy: (p) => ({
    ...open,
    view: p.not(p.related('lists', (of) => of.eq('secret', true))),
    updated: p.not(p.related('lists', (of) => of.eq('sealed', true))),
  }),
})

/** Nothing may change in the last list. Its rule does not look at its songs. */
const lists = defineResource('lists', {
  model: model<{ readonly id: number; readonly secret: boolean; readonly sealed: boolean }>('lists'),
  id: id(),
  attributes: (a) => ({ secret: a.boolean(), sealed: a.boolean() }),
  relations: {
    songs: belongsToMany('songs').through('entries', { owner: 'listId', member: 'songId' }).withData(),
    tunes: belongsToMany('tunes').through('entries', { owner: 'listId', member: 'songId' }),
  },
  policy: (p) => ({ ...open, updated: p.range('id', { max: 4 }) }),
})

/** The same rows as songs, seen through the rows of the join table. A tune needs at least one entry. */
const tunes = defineResource('tunes', {
  model: model<{ readonly id: number; readonly title: string }>('songs'),
  id: id(),
  relations: { entries: hasMany('entries').via('songId') },
  policy: (p) => ({ ...open, view: p.related('entries', (of) => of.not(of.eq('listId', 9))) }),
})

/** The same rows as lists, without a rule about the row after a write, so that one statement can change their tunes. */
const shelves = defineResource('shelves', {
  model: model<{ readonly id: number }>('lists'),
  id: id(),
  relations: { tunes: belongsToMany('tunes').through('entries', { owner: 'listId', member: 'songId' }) },
  policy: () => open,
})

/** Gives the join table a key, so that one statement can write join rows. */
const entries = defineResource('entries', {
  model: model<{ readonly listId: number; readonly songId: number }>('entries'),
  id: id(['listId', 'songId']),
  relations: { song: belongsTo('songs').via('songId') },
  operations: [],
  policy: 'public',
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    songs: [
      { id: 1, title: 'One' },
      { id: 2, title: 'Two' },
      { id: 3, title: 'Three' },
    ],
    lists: [
      { id: 1, secret: false, sealed: false },
      { id: 2, secret: true, sealed: false },
      { id: 3, secret: false, sealed: true },
      { id: 4, secret: false, sealed: false },
      { id: 5, secret: false, sealed: false },
    ],
    entries: [
      { listId: 1, songId: 1 },
      { listId: 1, songId: 2 },
      { listId: 4, songId: 2 },
    ],
  })
  const resources = [songs, lists, tunes, shelves, entries] as const
  send = sender(createServer({ resources, data, middleware: [byNumber], extensions: [atomic()] }))
})

const song = (of: string): object => ({ type: 'songs', id: of })
const list = (of: string): object => ({ type: 'lists', id: of })

const status = async (method: string, path: string, body: object): Promise<number> =>
  (await send(method, path, { as: 1, body })).status

const membersOf = async (of: string): Promise<unknown> =>
  (await send('GET', `/lists/${of}`, { as: 1 })).resource.relationships?.['songs']?.data

test.each([
  ['a secret list', '2'],
  ['a sealed list', '3'],
])('a song cannot be added to %s from either side', async (_, to) => {
  expect(await status('POST', '/songs/1/relationships/lists', { data: [list(to)] })).toBe(403)
  for (const method of ['POST', 'PATCH']) {
    expect(await status(method, `/lists/${to}/relationships/songs`, { data: [song('1')] }), method).toBe(403)
  }
  const relationships = { songs: { data: [song('1')] } }
  expect(await status('PATCH', `/lists/${to}`, { data: { ...list(to), relationships } })).toBe(403)
  expect(await membersOf(to)).toEqual([])
})

test('the songs of a list whose columns do not meet updated cannot be changed from either side', async () => {
  expect(await status('POST', '/lists/5/relationships/songs', { data: [song('1')] })).toBe(403)
  expect(await status('POST', '/songs/1/relationships/lists', { data: [list('5')] })).toBe(403)
  expect(await membersOf('5')).toEqual([])
})

const createdList = async (secret: boolean, sealed: boolean): Promise<number> => {
  const data = { type: 'lists', attributes: { secret, sealed }, relationships: { songs: { data: [song('1')] } } }
  return status('POST', '/lists', { data })
}

test('a new list cannot hide or seal songs', async () => {
  expect(await createdList(true, false)).toBe(403)
  expect(await createdList(false, true)).toBe(403)
  expect(await createdList(false, false)).toBe(201)
})

test('in a batch', async () => {
  const type = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
  const add = (to: string): object => ({
    op: 'add',
    ref: { ...list(to), relationship: 'songs' },
    data: [song('1')],
  })
  const together = async (...to: readonly string[]): Promise<number> =>
    (await send('POST', '/operations', { as: 1, type, body: { 'atomic:operations': to.map(add) } })).status
  expect(await together('4', '2')).toBe(403)
  expect(await membersOf('4')).toEqual([song('2')])
  expect(await together('4', '3')).toBe(403)
  expect(await together('4')).toBe(200)
})

test('other changes are permitted', async () => {
  expect(await status('POST', '/lists/4/relationships/songs', { data: [song('1')] })).toBe(204)
  expect(await membersOf('4')).toEqual([song('1'), song('2')])
  expect(await status('DELETE', '/lists/4/relationships/songs', { data: [song('1')] })).toBe(204)
  expect(await membersOf('4')).toEqual([song('2')])
})

const tune = (of: string): object => ({ type: 'tunes', id: of })

test.each(['lists', 'shelves'])(
  'a member of %s that a rule sees through the join rows must stay visible',
  async (type) => {
    const removed = (from: string, of: string): Promise<number> =>
      status('DELETE', `/${type}/${from}/relationships/tunes`, { data: [tune(of)] })
    expect(await removed('1', '1')).toBe(403)
    expect(await removed('1', '2')).toBe(204)
    expect(await removed('4', '2')).toBe(403)
  },
)
