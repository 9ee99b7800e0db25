import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { beforeEach, describe, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/** 400, then the decision by the caller only, then the form of the document, 404, the stored row, 422, the row after the write. */

const albums = defineResource('albums', {
  model: model<{
    readonly id: number
    readonly title: string
    readonly owner: number
    readonly artistId: number | null
  }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().maxLength(5), owner: a.integer() }),
  relations: { artist: belongsTo('artists').nullable() },
  policy(p) {
    const own = p.signedIn(({ caller }) => p.eq('owner', idOf(caller)))
    return {
      viewAny: true,
      view: (context) => p.any(p.eq('id', 1), own(context)),
      create: own,
      update: own,
      delete: own,
    }
  },
})

const artists = defineResource('artists', {
  model: model<{ readonly id: number }>('artists'),
  id: id(),
  policy: 'public',
})

const singles = defineResource('singles', {
  model: model<{ readonly id: number; readonly title: string; readonly deletedAt: Date | null }>('singles'),
  id: id(),
  attributes: (a) => ({ title: a.string().maxLength(5) }),
  softDeletes: true,
  policy(p) {
    const known = p.signedIn(() => true)
    const create = p.check(({ incoming }, { caller }) => caller !== null && incoming?.attributes['title'] !== 'No')
    return { viewAny: true, view: true, create, delete: known, restore: known, forceDelete: known }
  },
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    albums: [
      { id: 1, title: 'One', owner: 1, artistId: null },
      { id: 2, title: 'Two', owner: 1, artistId: null },
    ],
    artists: [{ id: 1 }],
    singles: [{ id: 1, title: 'One', deletedAt: null }],
  })
  send = sender(createServer({ resources: [albums, artists, singles], data, middleware: [byNumber] }))
})

const resource = (members: object): object => ({ data: { type: 'albums', ...members } })

describe('a create', () => {
  test.each([
    ['a malformed document', { data: [] }, 400, 400],
    ['another type', { data: { type: 'artists', attributes: {} } }, 401, 409],
    ['an id', resource({ id: '9', attributes: {} }), 401, 403],
    [
      'linkage of another type',
      resource({ relationships: { artist: { data: { type: 'albums', id: '1' } } } }),
      401,
      409,
    ],
    ['invalid attributes', resource({ attributes: { title: 'too long' } }), 401, 422],
    ['a row for another', resource({ attributes: { title: 'New', owner: 1 } }), 401, 403],
  ])('with %s', async (_name, body, anonymous, authenticated) => {
    expect((await send('POST', '/albums', { body })).status).toBe(anonymous)
    expect((await send('POST', '/albums', { as: 2, body })).status).toBe(authenticated)
  })
})

describe('an update', () => {
  test.each([
    ['a malformed document', '1', { data: [] }, 400, 400],
    ['another id', '1', resource({ id: '2', attributes: {} }), 401, 409],
    ['another type', '1', { data: { type: 'artists', id: '1' } }, 401, 409],
    ['a row out of sight', '2', resource({ id: '2', attributes: { title: 'too long' } }), 401, 404],
    ['the row of another', '1', resource({ id: '1', attributes: { title: 'too long' } }), 401, 403],
  ])('with %s', async (_name, key, body, anonymous, authenticated) => {
    expect((await send('PATCH', `/albums/${key}`, { body })).status).toBe(anonymous)
    expect((await send('PATCH', `/albums/${key}`, { as: 2, body })).status).toBe(authenticated)
  })

  test("of the caller's own row is validated before the row after the update is checked", async () => {
    const body = resource({ id: '2', attributes: { title: 'too long', owner: 2 } })
    expect((await send('PATCH', '/albums/2', { as: 1, body })).status).toBe(422)
    const given = resource({ id: '2', attributes: { owner: 2 } })
    expect((await send('PATCH', '/albums/2', { as: 1, body: given })).status).toBe(403)
  })
})

test('a change of members checks the owner before it reads the linkage', async () => {
  const path = '/albums/1/relationships/artist'
  for (const body of [{ data: { type: 'albums', id: '1' } }, { data: { type: 'artists', id: '7' } }]) {
    expect((await send('PATCH', path, { body })).status).toBe(401)
    expect((await send('PATCH', path, { as: 2, body })).status).toBe(403)
    expect((await send('PATCH', '/albums/2/relationships/artist', { as: 2, body })).status).toBe(404)
  }
})

test.each([
  ['PATCH', '/albums/7/relationships/artist'],
  ['DELETE', '/albums/7'],
  ['DELETE', '/singles/7'],
  ['POST', '/singles/7/-actions/restore'],
  ['POST', '/singles/7/-actions/force-delete'],
])('%s %s reads no row if the caller is denied for all rows', async (method, path) => {
  const sent = method === 'PATCH' ? { body: { data: null } } : {}
  expect((await send(method, path, sent)).status).toBe(401)
  expect((await send(method, path, { as: 1, ...sent })).status).toBe(404)
})

const created = async (title: string, as?: number): Promise<number> => {
  const body = { data: { type: 'singles', attributes: { title } } }
  return (await send('POST', '/singles', as === undefined ? { body } : { as, body })).status
}

test('a function decides on a create before it is validated', async () => {
  expect(await created('too long')).toBe(401)
  expect([await created('No', 1), await created('too long', 1), await created('Yes', 1)]).toEqual([403, 422, 201])
})
