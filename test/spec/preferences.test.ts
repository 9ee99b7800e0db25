import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model, noContent } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { one, some } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

const minimal = { headers: { Prefer: 'return=minimal' } }
const whole = { headers: { Prefer: 'return=representation' } }

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required(), year: a.integer().nullable() }),
  relations: { tracks: hasMany('tracks') },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
})

const entries = { owner: 'playlistId', member: 'trackId' } as const

const playlists = defineResource('playlists', {
  model: model<{ id: string; title: string }>('playlists'),
  id: id().allowClientId().uuid().generated(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    tracks: belongsToMany('tracks').through('entries', entries),
    placedTracks: belongsToMany('tracks')
      .through('places', entries)
      .fields((a) => ({ position: a.integer().nullable(), addedBy: a.string().nullable() })),
  },
})

const [first, second] = ['b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', 'c1d8f4b5-7b6a-4f75-9a1f-1a5a6f7b8c9d']

function music(settings: object = {}) {
  const data = storedData({
    albums: [{ id: 1, title: 'Kid A', year: 2000 }],
    tracks: [1, 2, 3].map((key) => ({ id: key, title: `Track ${key}`, albumId: 1 })),
    playlists: [{ id: first, title: 'Road Trip' }],
    entries: [{ playlistId: first, trackId: 1 }],
    places: [{ playlistId: first, trackId: 1, position: 1, addedBy: 'ann' }],
  })
  return client(createServer({ resources: [albums, tracks, playlists], data, ...settings }))
}

const album = (attributes: object, key?: string) => ({
  body: { data: { type: 'albums', ...(key === undefined ? {} : { id: key }), attributes } },
})
const playlist = (key?: string) => ({
  body: { data: { type: 'playlists', ...(key === undefined ? {} : { id: key }), attributes: { title: 'New' } } },
})

describe('Prefer: return=minimal', () => {
  test('of an update is 204', async () => {
    const api = music()
    const response = await api.patch('/albums/1', { ...album({ year: 2001 }, '1'), ...minimal })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.get('Preference-Applied')).toBe('return=minimal')
    expect(response.headers.get('Vary')).toBe('Accept, Prefer')
    expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ year: 2001 })
  })

  test('of a create is 204 with its address if the client chose the id', async () => {
    const response = await music().post('/playlists', { ...playlist(second), ...minimal })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.get('Location')).toBe(`http://localhost/playlists/${second}`)
    expect(response.headers.get('Preference-Applied')).toBe('return=minimal')
  })

  test('of a create is not applied if the server chose the id', async () => {
    const response = await music().post('/playlists', { ...playlist(), ...minimal })
    expect(response.status).toBe(201)
    expect(response.resource.attributes).toEqual({ title: 'New' })
    expect(response.headers.get('Preference-Applied')).toBeNull()
    expect(response.headers.get('Vary')).toBe('Accept, Prefer')
  })

  test('does not change errors', async () => {
    const response = await music().patch('/albums/1', { ...album({ year: 'x' }, '1'), ...minimal })
    expectErrors(response, [{ status: 422, code: 'VALIDATION_FAILED' }])
  })

  test.each([
    'RETURN=minimal',
    'return="minimal"',
    'respond-async, return=minimal; foo=bar',
    'return=minimal, return=representation',
    'foo="a, return=representation"; bar="; \\" ,", return=minimal',
    'foo; bar=", return=x", return=minimal; foo',
  ])('is parsed as RFC 7240 defines: %s', async (Prefer) => {
    expect((await music().patch('/albums/1', { ...album({ year: 1 }, '1'), headers: { Prefer } })).status).toBe(204)
  })

  test.each([
    'return=everything',
    'return',
    'returns=minimal',
    'handling=lenient',
    '',
    ',,;=',
    'foo=", return=minimal',
  ])('is ignored in other forms: %s', async (Prefer) => {
    const response = await music().patch('/albums/1', { ...album({ year: 1 }, '1'), headers: { Prefer } })
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([200, null])
  })
})

describe('Prefer: return=representation', () => {
  test('of a create and an update is the default', async () => {
    const api = music()
    const responses = [
      await api.post('/albums', { ...album({ title: 'New' }), ...whole }),
      await api.patch('/albums/1', { ...album({ year: 1 }, '1'), ...whole }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([201, 200])
    for (const { headers } of responses) expect(headers.get('Preference-Applied')).toBe('return=representation')
  })

  test('has no effect on a type that declares only no content', async () => {
    const silent = defineResource('albums', {
      model: model<{ id: number; title: string }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      update: noContent(),
    })
    const server = createServer({ resources: [silent], data: storedData({ albums: [{ id: 1, title: 'Kid A' }] }) })
    const response = await client(server).patch('/albums/1', { ...album({ title: 'x' }, '1'), ...whole })
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([204, null])
  })
})

describe('a relationship write', () => {
  const joined = `/playlists/${first}/relationships/tracks`
  const url = `/playlists/${first}/relationships/placedTracks`

  test.each([
    ['replaces a to-one', 'PATCH', '/tracks/1/relationships/album', null],
    ['replaces keys in related rows', 'PATCH', '/albums/1/relationships/tracks', some('tracks', '1')],
    ['adds keys in related rows', 'POST', '/albums/1/relationships/tracks', some('tracks', '1')],
    ['removes keys in related rows', 'DELETE', '/albums/1/relationships/tracks', some('tracks', '1')],
    ['replaces join rows', 'PATCH', joined, some('tracks', '2', '3')],
    ['adds join rows', 'POST', joined, some('tracks', '2')],
    ['adds existing members', 'POST', joined, some('tracks', '1')],
    ['removes join rows', 'DELETE', joined, some('tracks', '1')],
    ['removes missing members', 'DELETE', joined, some('tracks', '3')],
    ['sends all fields of join rows', 'POST', url, [one('tracks', '2', { position: 2, addedBy: 'bob' })]],
    ['changes some fields of join rows', 'POST', url, [one('tracks', '1', { position: 2 })]],
    ['removes join rows with fields', 'DELETE', url, some('tracks', '1')],
  ] as const)('that %s is 204, since the members are those of the request', async (_name, method, path, data) => {
    const api = music()
    const response = await api.request(method, path, { body: { data } })
    expect([response.status, response.text]).toEqual([204, ''])
    expect(response.headers.get('Vary')).toBe('Accept, Prefer')
    const other = music()
    const shown = await other.request(method, path, { body: { data }, ...whole })
    expect(shown.status).toBe(200)
    expect(shown.headers.get('Preference-Applied')).toBe('return=representation')
    // Both have done the same.
    expect(shown.document?.data).toEqual((await api.get(path)).document?.data)
  })

  test('is 200 with the linkage if join rows get fields that it does not send', async () => {
    const api = music()
    const response = await api.post(url, { body: { data: [one('tracks', '2', { position: 2 })] } })
    expect(response.status).toBe(200)
    expect(response.document?.data).toEqual([
      one('tracks', '1', { position: 1, addedBy: 'ann' }),
      one('tracks', '2', { position: 2, addedBy: null }),
    ])
  })

  test('is 204 if the client prefers it', async () => {
    const api = music({ respondWithLinkage: true })
    const response = await api.post(url, { body: { data: some('tracks', '2') }, ...minimal })
    expect([response.status, response.headers.get('Preference-Applied')]).toEqual([204, 'return=minimal'])
  })

  test('is 200 if the server is configured so', async () => {
    const api = music({ respondWithLinkage: true })
    const response = await api.post(joined, { body: { data: some('tracks', '2') } })
    expect([response.status, response.document?.data]).toEqual([200, some('tracks', '1', '2')])
  })
})
