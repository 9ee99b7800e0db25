import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const tracks = defineResource('tracks', {
  model: model<{ id: number; albumId: number | null }>('tracks'),
  id: id(),
  relations: { album: belongsTo('albums') },
})

const entries = { owner: 'albumId', member: 'trackId' } as const

const albums = defineResource('albums', {
  model: model<{ id: number; firstId: number | null }>('albums'),
  id: id(),
  relations: {
    first: belongsTo('tracks'),
    fixedFirst: belongsTo('tracks').via('firstId').readOnly(),
    tracks: hasMany('tracks'),
    readOnly: belongsToMany('tracks').through('entries', entries).readOnly(),
    growing: belongsToMany('tracks').through('entries', entries).cannotReplace().cannotRemove(),
    shrinking: belongsToMany('tracks').through('entries', entries).cannotReplace().cannotAdd(),
    guarded: belongsToMany('tracks')
      .through('entries', entries)
      .cannotAdd((row) => row.id === 1),
    secret: belongsTo('tracks').via('firstId').hidden(),
  },
})

const api = client(
  createServer({
    resources: [albums, tracks],
    data: storedData({ albums: [{ id: 1, firstId: null }], tracks: [], entries: [] }),
  }),
)

test.each([
  ['first', 'GET, HEAD, QUERY, PATCH, OPTIONS'],
  ['fixedFirst', 'GET, HEAD, QUERY, OPTIONS'],
  ['tracks', 'GET, HEAD, QUERY, PATCH, POST, DELETE, OPTIONS'],
  ['readOnly', 'GET, HEAD, QUERY, OPTIONS'],
  ['growing', 'GET, HEAD, QUERY, POST, OPTIONS'],
  ['shrinking', 'GET, HEAD, QUERY, DELETE, OPTIONS'],
  ['guarded', 'GET, HEAD, QUERY, PATCH, POST, DELETE, OPTIONS'],
])('Allow lists the methods of the relationship %s', async (name, allow) => {
  const path = `/albums/1/relationships/${name}`
  const options = await api.request('OPTIONS', path)
  expect([options.status, options.headers.get('Allow')]).toEqual([204, allow])
  const refused = await api.request('PUT', path, { body: { data: null } })
  expect([refused.status, refused.headers.get('Allow')]).toEqual([405, allow])
})

test('Allow does not distinguish a hidden relation from one that does not exist', async () => {
  const hidden = await api.request('OPTIONS', '/albums/1/relationships/secret')
  const unknown = await api.request('OPTIONS', '/albums/1/relationships/no-such-thing')
  expect([hidden.status, hidden.headers.get('Allow')]).toEqual([unknown.status, unknown.headers.get('Allow')])
})
