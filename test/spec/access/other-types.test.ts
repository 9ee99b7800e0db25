import { belongsToMany, createServer, defineResource, id, model, rowRules } from 'ashlar'
import { expect, test } from 'vitest'
import { storedData } from '../../support/stored-data.js'
import { byNumber, idOf, idsIn, sender } from './access-client.js'

const p = rowRules<{ readonly owner: number }>()
const own = p.signedIn(({ caller }) => p.eq('owner', idOf(caller)))

interface PlaylistRow {
  readonly id: number
  readonly owner: number
}

const playlistModel = model<PlaylistRow>('playlists')

const playlists = defineResource('playlists', {
  model: playlistModel,
  id: id(),
  relations: { tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }) },
  policy: () => ({ viewAny: true, view: true, update: own }),
})

/** The same rows without their tracks. */
const mixes = defineResource('mixes', {
  model: playlistModel,
  id: id(),
  policy: () => ({ viewAny: true, view: true, update: own }),
})

const tracks = defineResource('tracks', {
  model: model<{ readonly id: number }>('tracks'),
  id: id(),
  relations: { mixes: belongsToMany('mixes').through('entries', { owner: 'trackId', member: 'playlistId' }) },
  policy: () => ({ viewAny: true, view: true, update: p.signedIn(() => true) }),
})

test('join rows that another type with the model of the members shows are changed by callers who may update the members', async () => {
  const data = storedData({
    playlists: [
      { id: 1, owner: 1 },
      { id: 2, owner: 2 },
    ],
    tracks: [{ id: 1 }],
    entries: [],
  })
  const send = sender(createServer({ resources: [playlists, mixes, tracks], data, middleware: [byNumber] }))
  const add = async (mix: string, as: number): Promise<number> => {
    const body = { data: [{ type: 'mixes', id: mix }] }
    return (await send('POST', '/tracks/1/relationships/mixes', { as, body })).status
  }
  expect(await add('1', 2)).toBe(403)
  expect(idsIn(await send('GET', '/playlists/1/tracks', { as: 1 }))).toEqual([])
  expect(await add('2', 2)).toBeLessThan(300)
  expect(await add('1', 1)).toBeLessThan(300)
  expect(idsIn(await send('GET', '/playlists/1/tracks', { as: 1 }))).toEqual(['1'])
})
