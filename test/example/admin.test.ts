import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { callers, musicServices, roadTrip } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const carol = {
  email: 'carol@music.example',
  displayName: 'Carol',
  birthDate: '1990-04-01',
  preferences: { theme: 'dark', volume: 7 },
  lastSeenIp: '192.0.2.1',
}
const account = (attributes: object) => ({ data: { type: 'users', attributes } })
const withPassword = (others: object = {}) => account({ ...carol, password: 'correct horse', ...others })
const at = (name: string) => `/data/attributes/${name}`

describe.each(musicServices)('the admin server on %s', (_engine, open) => {
  const music = musicClient(open)

  test('is for the admin only', async () => {
    for (const path of ['/admin', '/admin/albums', '/admin/albums/99', '/admin/users', '/admin/users/1']) {
      for (const caller of [callers.alice, callers.bob]) {
        expectErrors(await music.request('GET', path, { caller }), [{ status: 403, code: 'FORBIDDEN' }])
      }
      const response = await music.request('GET', path, { caller: null })
      expectErrors(response, [{ status: 401, code: 'UNAUTHENTICATED' }])
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="music"')
    }
    const operations = [{ op: 'remove', ref: { type: 'users', id: '2' } }]
    const batch = { caller: callers.alice, headers: batchHeaders, body: { 'atomic:operations': operations } }
    expectErrors(await music.request('POST', '/admin/operations', batch), [{ status: 403 }])
  })

  test('shows users in full, without their passwords and tokens', async () => {
    const { resource, text } = await music.get('/admin/users/1')
    expect(resource.attributes).toEqual({
      email: 'alice@music.example',
      displayName: 'Alice',
      birthDate: null,
      preferences: {},
      lastSeenIp: null,
    })
    expect(resource.relationships).toMatchObject({
      playlists: { data: [{ type: 'playlists', id: roadTrip }] },
      library: { data: { type: 'libraries', id: '1' } },
    })
    expect(text).not.toMatch(/token|password|admin"/i)
    expect((await music.get('/admin/users')).resources).toHaveLength(3)
  })

  test('creates users, whose passwords are stored as hashes', async () => {
    const { status, resource } = await music.post('/admin/users', withPassword({ passwordConfirm: 'correct horse' }))
    expect(status).toBe(201)
    expect(resource.attributes).toEqual(carol)
    const stored = await music.service.storage.db
      .selectFrom('users')
      .select(['password', 'tokenHash'])
      .where('id', '=', Number(resource.id))
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ password: expect.stringMatching(/^scrypt:[0-9a-f]{32}:[0-9a-f]{64}$/), tokenHash: null })
    expect((await music.get(`/public-profiles/${resource.id}`)).resource.attributes).toEqual({ displayName: 'Carol' })
  })

  test.each([
    ['no password', account(carol), at('password')],
    ['a short password', withPassword({ password: 'horse' }), at('password')],
    ['another confirmation', withPassword({ passwordConfirm: 'battery staple' }), at('passwordConfirm')],
    ['the address of another', withPassword({ email: 'bob@music.example' }), at('email')],
    ['no name', withPassword({ displayName: '' }), at('displayName')],
    ['no address', withPassword({ lastSeenIp: 'here' }), at('lastSeenIp')],
  ])('refuses users with %s', async (_name, body, pointer) => {
    expectErrors(await music.post('/admin/users', body), [{ status: 422, code: 'VALIDATION_FAILED', pointer }])
  })

  test('takes at most 20 preferences', async () => {
    const preferences = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`p${index}`, index]))
    const reply = await music.post('/admin/users', withPassword({ preferences }))
    expectErrors(reply, [{ status: 422, pointer: at('preferences') }])
  })

  test('deletes users with what only they own', async () => {
    expect((await music.delete('/admin/users/1')).status).toBe(204)
    for (const path of [`/playlists/${roadTrip}`, '/libraries/1', '/favorites/fav-z']) {
      expectErrors(await music.get(path), [{ status: 404 }])
    }
  })

  test('shows linkage to types that it does not serve, and nothing more of them', async () => {
    const { resource } = await music.get('/admin/albums/1')
    expect(resource.attributes).toEqual((await music.get('/albums/1')).resource.attributes)
    expect(resource.relationships?.['artist']).toEqual({
      links: { self: 'http://localhost/admin/albums/1/relationships/artist' },
      data: { type: 'artists', id: '1' },
    })
    expect((await music.get('/admin/albums/1/relationships/artist')).document?.data).toEqual({
      type: 'artists',
      id: '1',
    })
    for (const path of ['/admin/albums/1/artist', '/admin/albums/1/tracks', '/admin/users/1/playlists']) {
      expectErrors(await music.get(path), [{ status: 404 }])
    }
    for (const path of ['/admin/albums?include=artist', '/admin/users?include=playlists']) {
      expectErrors(await music.get(path), [{ status: 400, parameter: 'include' }])
    }
  })

  test('has its own atomic operations', async () => {
    const operations = [
      { op: 'add', data: withPassword().data },
      { op: 'update', data: { type: 'albums', id: '1', attributes: { title: 'OK' } } },
    ]
    const batch = { headers: batchHeaders, body: { 'atomic:operations': operations } }
    expect((await music.request('POST', '/admin/operations', batch)).status).toBe(200)
    expect((await music.get('/albums/1')).resource.attributes?.['title']).toBe('OK')
  })

  test('is the only one with users: the other one only refers to them', async () => {
    expect((await music.get('/users')).status).toBe(404)
    expect((await music.get('/users/1')).status).toBe(404)
  })
})
