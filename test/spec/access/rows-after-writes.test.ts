import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, sender } from './access-client.js'

/** Rules about rows as a write leaves them. */

const labels = defineResource('labels', {
  model: model<{ readonly id: number; readonly open: boolean; readonly bestId: number | null }>('labels'),
  id: id(),
  attributes: (a) => ({ open: a.boolean() }),
  relations: {
    best: belongsTo('albums').nullable().withData(),
    songs: hasMany('songs').via('labelId'),
  },
  policy: (p) => ({
    viewAny: true,
    view: true,
    update: true,
    updated: ({ caller }) => (caller !== null && idOf(caller) === 1 ? true : p.eq('id', 1)),
  }),
})

/** An album is visible if its label is open. */
const albums = defineResource('albums', {
  model: model<{ readonly id: number; readonly labelId: number }>('albums'),
  id: id(),
  relations: { label: belongsTo('labels') },
  policy: (p) => ({ viewAny: true, view: p.related('label', (of) => of.eq('open', true)) }),
})

/** The songs of the second label are not visible. */
const songs = defineResource('songs', {
  model: model<{ readonly id: number; readonly labelId: number | null }>('songs'),
  id: id(),
  policy: (p) => ({ viewAny: true, view: p.not(p.eq('labelId', 2)), update: true, updated: true }),
})

const artists = defineResource('artists', {
  model: model<{ readonly id: number; readonly labelId: number }>('artists'),
  id: id(),
  attributes: (a) => ({ labelOpen: a.boolean().on('label').storedAs('open') }),
  relations: { label: belongsTo('labels') },
  policy: () => ({ viewAny: true, view: true, update: true }),
})

/** A note is visible to its owner, who may give it away, but not with a write that it could not see the result of. */
const notes = defineResource('notes', {
  model: model<{ readonly id: number; readonly owner: number }>('notes'),
  id: id(),
  attributes: (a) => ({ owner: a.integer() }),
  policy: (p) => ({
    viewAny: true,
    view: p.signedIn(({ caller }) => p.eq('owner', idOf(caller))),
    update: true,
  }),
})

/** A draft is visible to the caller with the number of its label. */
const drafts = defineResource('drafts', {
  model: model<{ readonly id: number; readonly labelId: number }>('drafts'),
  id: id(),
  relations: { label: belongsTo('labels') },
  policy: (p) => ({
    viewAny: true,
    view: p.signedIn(({ caller }) => p.eq('labelId', idOf(caller))),
    update: true,
  }),
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    labels: [
      { id: 1, open: false, bestId: 1 },
      { id: 2, open: false, bestId: null },
    ],
    albums: [{ id: 1, labelId: 1 }],
    songs: [{ id: 1, labelId: null }],
    artists: [
      { id: 1, labelId: 1 },
      { id: 2, labelId: 2 },
    ],
    notes: [{ id: 1, owner: 1 }],
    drafts: [{ id: 1, labelId: 1 }],
  })
  send = sender(
    createServer({ resources: [labels, albums, songs, artists, notes, drafts], data, middleware: [byNumber] }),
  )
})

const bestAfter = async (open: boolean): Promise<unknown> => {
  const body = { data: { type: 'labels', id: '1', attributes: { open } } }
  return (await send('PATCH', '/labels/1', { as: 1, body })).resource.relationships?.['best']?.data
}

test('linkage is shown as far as the caller may see it after the update', async () => {
  expect(await bestAfter(true)).toEqual({ type: 'albums', id: '1' })
  expect(await bestAfter(false)).toBeNull()
})

test('the row of a flattened attribute must meet the rule after the update', async () => {
  const update = async (of: string): Promise<number> => {
    const body = { data: { type: 'artists', id: of, attributes: { labelOpen: true } } }
    return (await send('PATCH', `/artists/${of}`, { as: 2, body })).status
  }
  expect(await update('2')).toBe(403)
  expect((await send('GET', '/labels/2', { as: 2 })).resource.attributes).toEqual({ open: false })
  expect(await update('1')).toBe(200)
  expect((await send('GET', '/labels/1', { as: 2 })).resource.attributes).toEqual({ open: true })
})

test('rows of other types must stay visible', async () => {
  const add = async (label: string): Promise<number> => {
    const body = { data: [{ type: 'songs', id: '1' }] }
    return (await send('POST', `/labels/${label}/relationships/songs`, { as: 1, body })).status
  }
  expect(await add('2')).toBe(403)
  expect((await send('GET', '/songs/1', { as: 1 })).status).toBe(200)
  expect(await add('1')).toBe(204)
})

test('an update may not make a row invisible to the caller', async () => {
  const give = { data: { type: 'notes', id: '1', attributes: { owner: 2 } } }
  expect((await send('PATCH', '/notes/1', { as: 1, body: give })).status).toBe(403)
  const label = { data: { type: 'labels', id: '2' } }
  expect((await send('PATCH', '/drafts/1/relationships/label', { as: 1, body: label })).status).toBe(403)
  expect((await send('GET', '/notes/1', { as: 1 })).resource.attributes).toEqual({ owner: 1 })
  expect((await send('GET', '/drafts/1', { as: 1 })).status).toBe(200)
  const keep = { data: { type: 'notes', id: '1', attributes: { owner: 1 } } }
  expect((await send('PATCH', '/notes/1', { as: 1, body: keep })).status).toBe(200)
})
