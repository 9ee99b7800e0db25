import { atomic, belongsTo, createServer, defineResource, hasMany, hasOne, id, model, morphTo } from 'ashlar'
import { beforeEach, describe, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/**
 * A key in a row is shown by two relations: `security({ mutate })` of the has-many side also decides about writes from the
 * belongs-to side, for the parent that loses the row and for the one that gets it. Album 1 belongs to caller 1, album 2 to caller
 * 2, who may change everything else.
 */

const open = { viewAny: true, view: true, create: true, update: true, delete: true }

const albums = defineResource('albums', {
  model: model<{ readonly id: number; readonly owner: number }>('albums'),
  id: id(),
  attributes: (a) => ({ owner: a.integer() }),
  relations: {
    tracks: hasMany('tracks').via('albumId').security({ mutate: 'arrange' }).withData(),
    cover: hasOne('covers').via('albumId').security({ mutate: 'arrange' }),
    remarks: hasMany('remarks').security({ mutate: 'arrange' }),
    copies: hasMany('copies').via('albumId').security({ mutate: 'inspect' }),
    open: hasMany('notes').via('albumId'),
  },
  policy: (p) => ({
    ...open,
    custom: {
      arrange: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))),
      inspect: p.check(({ row }, { caller }) => (row as { owner: number } | null)?.owner === idOf(caller)),
    },
  }),
})

interface Part {
  readonly id: number
  readonly title: string
  readonly albumId: number | null
}

const tracks = defineResource('tracks', {
  model: model<Part>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums').nullable().withData() },
  policy: () => open,
})

const covers = defineResource('covers', {
  model: model<Part>('covers'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums').nullable() },
  policy: () => open,
})

/** The key is written by an attribute. */
const copies = defineResource('copies', {
  model: model<Part>('copies'),
  id: id(),
  attributes: (a) => ({ albumId: a.integer().nullable() }),
  relations: { album: belongsTo('albums').nullable().readOnly() },
  policy: () => open,
})

const remarks = defineResource('remarks', {
  model: model<{ readonly id: number; readonly subjectId: number | null; readonly subjectType: string | null }>(
    'remarks',
  ),
  id: id(),
  relations: { subject: morphTo(['albums', 'tracks']).nullable() },
  policy: () => open,
})

/** The relation of the albums needs no separate ability. */
const notes = defineResource('notes', {
  model: model<Part>('notes'),
  id: id(),
  relations: { album: belongsTo('albums').nullable() },
  policy: () => open,
})

/** Reviews write the key of a copy through a flattened attribute. */
const reviews = defineResource('reviews', {
  model: model<{ readonly id: number; readonly copyId: number }>('reviews'),
  id: id(),
  attributes: (a) => ({ albumOfCopy: a.integer().nullable().on('copy').storedAs('albumId') }),
  relations: { copy: belongsTo('copies') },
  policy: () => open,
})

/** A folder that is put into itself changes its own relation. */
const folders = defineResource('folders', {
  model: model<{ readonly id: number; readonly owner: number; readonly parentId: number | null }>('folders'),
  id: id(),
  attributes: (a) => ({ owner: a.integer() }),
  relations: {
    parent: belongsTo('folders').via('parentId').nullable(),
    children: hasMany('folders').via('parentId').security({ mutate: 'fill' }),
  },
  policy: (p) => ({ ...open, custom: { fill: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))) } }),
})

const part = (key: number, albumId: number | null): Part => ({ id: key, title: 'x', albumId })

let send: ReturnType<typeof sender>

beforeEach(() => {
  const parts = [part(1, 1), part(2, 2), part(3, null)]
  const data = storedData({
    albums: [
      { id: 1, owner: 1 },
      { id: 2, owner: 2 },
      { id: 3, owner: 1 },
    ],
    tracks: parts,
    covers: parts,
    copies: parts,
    notes: parts,
    remarks: [
      { id: 1, subjectId: 1, subjectType: 'albums' },
      { id: 2, subjectId: 2, subjectType: 'albums' },
      { id: 3, subjectId: 1, subjectType: 'tracks' },
    ],
    reviews: [
      { id: 1, copyId: 1 },
      { id: 2, copyId: 2 },
      { id: 3, copyId: 3 },
    ],
    folders: [{ id: 1, owner: 1, parentId: null }],
  })
  const resources = [albums, tracks, covers, copies, remarks, notes, reviews, folders] as const
  send = sender(createServer({ resources, data, middleware: [byNumber], extensions: [atomic()] }))
})

const album = (of: string | null): object => ({ data: of === null ? null : { type: 'albums', id: of } })

const status = async (method: string, path: string, body: object): Promise<number> =>
  (await send(method, path, { as: 1, body })).status

describe.each(['tracks', 'covers', 'notes'])('%s', (type) => {
  const isOpen = type === 'notes'
  const put = (of: string, to: string | null): Promise<number> =>
    status('PATCH', `/${type}/${of}/relationships/album`, album(to))
  const update = (of: string, to: string | null): Promise<number> =>
    status('PATCH', `/${type}/${of}`, { data: { type, id: of, relationships: { album: album(to) } } })
  const create = (to: string): Promise<number> =>
    status('POST', `/${type}`, { data: { type, relationships: { album: album(to) } } })

  test('get another parent at the relationship endpoint', async () => {
    const refused = isOpen ? 204 : 403
    expect([await put('1', '2'), await put('3', '2')]).toEqual([refused, refused])
    expect([await put('2', '1'), await put('2', null)]).toEqual([refused, refused])
    expect([await put('1', '3'), await put('1', null), await put('3', '1')]).toEqual([204, 204, 204])
  })

  test('get another parent in a document', async () => {
    const refused = isOpen ? 200 : 403
    expect([await update('1', '2'), await update('3', '2')]).toEqual([refused, refused])
    expect([await update('2', '1'), await update('2', null)]).toEqual([refused, refused])
    expect([await update('1', '3'), await update('1', null), await update('3', '1')]).toEqual([200, 200, 200])
  })

  test('are created with a parent', async () => {
    expect([await create('2'), await create('1')]).toEqual([isOpen ? 201 : 403, 201])
  })

  test('are created with a parent in a batch', async () => {
    const atomicType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
    const add = (to: string): object => ({ op: 'add', data: { type, relationships: { album: album(to) } } })
    const together = async (...to: readonly string[]): Promise<number> =>
      (await send('POST', '/operations', { as: 1, type: atomicType, body: { 'atomic:operations': to.map(add) } }))
        .status
    expect([await together('2', '2'), await together('1', '2')]).toEqual(isOpen ? [200, 200] : [403, 403])
    expect(await together('1', '3')).toBe(200)
    expect((await send('GET', `/${type}`, { as: 1 })).resources).toHaveLength(isOpen ? 9 : 5)
  })
})

test('a parent that sends the row again is not changed', async () => {
  expect(await status('PATCH', '/tracks/2/relationships/album', album('2'))).toBe(204)
  const attributes = { title: 'New' }
  const data = { type: 'tracks', id: '2', attributes, relationships: { album: album('2') } }
  expect(await status('PATCH', '/tracks/2', { data })).toBe(200)
})

test('a row is deleted by its own ability', async () => {
  expect((await send('DELETE', '/tracks/2', { as: 1 })).status).toBe(204)
})

test('the has-many side takes no row from a parent of others', async () => {
  const take = (method: string, of: string): Promise<number> =>
    status(method, '/albums/1/relationships/tracks', { data: [{ type: 'tracks', id: of }] })
  expect([await take('POST', '2'), await take('PATCH', '2'), await take('POST', '3')]).toEqual([403, 403, 204])
  const relationships = { tracks: { data: [{ type: 'tracks', id: '2' }] } }
  expect(await status('POST', '/albums', { data: { type: 'albums', attributes: { owner: 1 }, relationships } })).toBe(
    403,
  )
  expect(await status('PATCH', '/albums/1', { data: { type: 'albums', id: '1', relationships } })).toBe(403)
  expect((await send('GET', '/albums/2', { as: 1 })).resource.relationships?.['tracks']?.data).toEqual([
    { type: 'tracks', id: '2' },
  ])
})

const putRemark = (of: string, type: string, to: string): Promise<number> =>
  status('PATCH', `/remarks/${of}/relationships/subject`, { data: { type, id: to } })

test('a polymorphic key', async () => {
  expect([
    await putRemark('1', 'albums', '2'),
    await putRemark('2', 'tracks', '1'),
    await putRemark('3', 'albums', '2'),
  ]).toEqual([403, 403, 403])
  expect([await putRemark('1', 'tracks', '2'), await putRemark('3', 'albums', '1')]).toEqual([204, 204])
})

const updateAttributes = (type: string, of: string, attributes: object): Promise<number> =>
  status('PATCH', `/${type}/${of}`, { data: { type, id: of, attributes } })

const createCopy = (to: number): Promise<number> =>
  status('POST', '/copies', { data: { type: 'copies', attributes: { albumId: to } } })

const putCopy = (of: string, to: number | null): Promise<number> => updateAttributes('copies', of, { albumId: to })

const putReview = (of: string, to: number | null): Promise<number> =>
  updateAttributes('reviews', of, { albumOfCopy: to })

test('an attribute over the key, and a flattened one', async () => {
  expect([await putCopy('1', 2), await putCopy('2', 1), await putCopy('2', null)]).toEqual([403, 403, 403])
  expect([await createCopy(2), await createCopy(1)]).toEqual([403, 201])
  expect([await putReview('1', 2), await putReview('2', null), await putReview('1', 3)]).toEqual([403, 403, 200])
  expect([await putCopy('1', null), await putCopy('3', 1)]).toEqual([200, 200])
})

const createFolder = (owner: number): Promise<number> =>
  status('POST', '/folders', {
    data: {
      type: 'folders',
      lid: 'new',
      attributes: { owner },
      relationships: { parent: { data: { type: 'folders', lid: 'new' } } },
    },
  })

test('a row that is linked to itself', async () => {
  expect([await createFolder(2), await createFolder(1)]).toEqual([403, 201])
})
