import { createServer, defineResource, hasMany, id, model } from 'ashlar'
import { beforeEach, expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, sender } from './access-client.js'

/**
 * The application reads tracks by its own provider, which does not see a write before the commit, while the store writes them. A
 * write must leave them in a state that the rules permit all the same.
 */

interface Track {
  readonly id: number
  readonly albumId: number | null
  readonly labelId: number | null
}

const stored: readonly Track[] = [
  { id: 1, albumId: null, labelId: null },
  { id: 2, albumId: 2, labelId: 3 },
]

const tracks = defineResource('tracks', {
  model: model<Track>('tracks', { columns: ['id', 'albumId', 'labelId'] }),
  id: id(),
  provider: {
    fetchOne: (_, key) => stored.find((row) => String(row.id) === key) ?? null,
    fetchCollection: () => stored,
  },
  policy: (p) => ({
    viewAny: true,
    view: p.not(p.eq('albumId', 1)),
    update: true,
    updated: p.isNotNull('labelId'),
  }),
})

const albums = defineResource('albums', {
  model: model<{ readonly id: number }>('albums'),
  id: id(),
  relations: { tracks: hasMany('tracks').via('albumId') },
  policy: () => ({ viewAny: true, view: true, update: true }),
})

const labels = defineResource('labels', {
  model: model<{ readonly id: number }>('labels'),
  id: id(),
  relations: { tracks: hasMany('tracks').via('labelId') },
  policy: () => ({ viewAny: true, view: true, update: true }),
})

let send: ReturnType<typeof sender>

beforeEach(() => {
  const data = storedData({
    tracks: stored,
    albums: [{ id: 1 }, { id: 2 }, { id: 3 }],
    labels: [{ id: 3 }, { id: 4 }],
  })
  send = sender(createServer({ resources: [tracks, albums, labels], data, middleware: [byNumber] }))
})

const change = async (method: string, path: string, track: string): Promise<number> => {
  const body = { data: [{ type: 'tracks', id: track }] }
  return (await send(method, `${path}/relationships/tracks`, { as: 1, body })).status
}

test('a track must stay visible', async () => {
  expect(await change('POST', '/albums/1', '2')).toBe(403)
  expect(await change('POST', '/albums/3', '2')).toBe(204)
})

test('a track must meet the rule after the write', async () => {
  expect(await change('DELETE', '/labels/3', '2')).toBe(403)
  expect(await change('POST', '/albums/3', '1')).toBe(403)
  expect(await change('POST', '/labels/4', '1')).toBe(204)
})
