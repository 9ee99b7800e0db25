import { belongsToMany, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const nul = '\u0000'

const songs = defineResource('songs', {
  model: model<{ id: string; title: string; tags: string[] | null; facts: object | null }>('songs'),
  id: id().allowClientId(),
  attributes: (a) => ({
    title: a.string(),
    tags: a.arrayList().nullable(),
    facts: a.arrayHash().nullable(),
  }),
  filters: (f) => ({ title: f.where(), part: f.contains('title'), titles: f.in('title') }),
})
const playlists = defineResource('playlists', {
  model: model<{ id: number; name: string }>('playlists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: {
    songs: belongsToMany('songs').through('entries', { owner: 'playlistId', member: 'songId' }),
  },
})
const calls: string[] = []
/** A type with a custom provider, which must never get such an id. */
const charts = defineResource('charts', {
  model: model<{ id: string }>('charts'),
  operations: ['FetchOne'],
  id: id(),
  attributes: () => ({}),
  provider: {
    fetchOne: (_type, wireId) => {
      calls.push(wireId)
      return Promise.resolve(null)
    },
  },
})

const api = () =>
  client(
    createServer({
      resources: [songs, playlists, charts],
      data: storedData({
        songs: [{ id: 's1', title: 'a', tags: null, facts: null }],
        playlists: [{ id: 1, name: 'p' }],
        entries: [],
      }),
    }),
  )

describe('the character U+0000', () => {
  test('in the id of a path is 404, and no provider is called', async () => {
    for (const path of [
      '/charts/2026-02%00',
      '/charts/%00',
      '/songs/s1%00',
      '/playlists/1%00',
      '/playlists/1%00/songs',
      '/playlists/1%00/relationships/songs',
    ]) {
      expectErrors(await api().get(path), [{ status: 404 }])
    }
    expect(calls).toEqual([])
    const body = { data: { type: 'songs', id: `s1${nul}`, attributes: { title: 'b' } } }
    expectErrors(await api().patch('/songs/s1%00', { body }), [{ status: 404 }])
    expectErrors(await api().delete('/songs/s1%00'), [{ status: 404 }])
  })

  test('in an identifier of a body is 422 at the id', async () => {
    for (const text of [`s1${nul}`, '\ud800']) {
      const body = { data: [{ type: 'songs', id: text }] }
      for (const method of ['post', 'patch'] as const) {
        expectErrors(await api()[method]('/playlists/1/relationships/songs', { body }), [
          { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/0/id' },
        ])
      }
      expect((await api().delete('/playlists/1/relationships/songs', { body })).status).toBe(422)
    }
  })

  test('in a value is 422 at the attribute, at any depth', async () => {
    for (const [attributes, pointer] of [
      [{ title: `a${nul}` }, '/data/attributes/title'],
      [{ title: 'a', tags: ['b', nul] }, '/data/attributes/tags/1'],
      [{ title: 'a', facts: { deep: [nul] } }, '/data/attributes/facts/deep/0'],
      [{ title: 'a', facts: { [nul]: 1 } }, null],
    ] as const) {
      const [error] = expectErrors(await api().post('/songs', { body: { data: { type: 'songs', attributes } } }), [
        { status: 422 },
      ])
      if (pointer !== null) expect(error?.source).toEqual({ pointer })
    }
  })

  test('in an id of the client, and in a filter, is an error of the client', async () => {
    const attributes = { title: 'a' }
    for (const wireId of [nul, `a${nul}`, '\ud800']) {
      const response = await api().post('/songs', { body: { data: { type: 'songs', id: wireId, attributes } } })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(response.status).toBeLessThan(500)
    }
    for (const query of [
      'filter[title]=%00',
      'filter[part]=a%00',
      'filter[titles]=a,%00',
      'filter[%00]=a',
      'sort=%00',
    ]) {
      expectErrors(await api().get(`/songs?${query}`), [{ status: 400 }])
    }
  })
})
