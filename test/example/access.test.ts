import { expectErrors, explainAccess, testClient, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { callers, musicServices, rainyDay, roadTrip } from '../support/music-service.js'
import { shown } from '../support/shown.js'
import { acceptTokens, firstUsers, tokenLines } from '../../examples/music/src/access/first-tokens.js'
import { musicServer } from '../../examples/music/src/service.js'
import { batchHeaders } from '../atomic/batch-client.js'
import { counting } from './music-client.js'

type Name = keyof typeof callers

const user = (name: Name) => ({ data: { type: 'users', id: String(callers[name].id) } })
const playlistBody = (relationships: object = {}, attributes: object = {}) => ({
  data: { type: 'playlists', attributes: { title: 'New', ...attributes }, relationships },
})
const album = { data: { type: 'albums', id: '1' } }

const as = (name: Name | null) => ({ caller: name === null ? null : callers[name] })

describe.each(musicServices)('access on %s', (_engine, open) => {
  const music = open()
  const withToken = (token: string) => testClient(music, { headers: { Authorization: token } })

  async function get(path: string, name: Name | null, headers = {}): Promise<TestResponse> {
    return music.api.get(path, { ...as(name), headers })
  }

  async function send(method: string, path: string, body: object, name: Name | null): Promise<TestResponse> {
    return music.api.request(method, path, { ...as(name), body })
  }

  describe('tokens', () => {
    test.each(['Bearer dev-alice', 'bearer dev-bob', 'Bearer  dev-admin'])('%s is accepted', async (token) => {
      expect((await withToken(token).get('/albums/1')).status).toBe(200)
    })

    test.each(['Bearer dev-carol', 'Bearer', 'dev-alice', 'Basic dev-alice', 'Bearer dev-alice, Bearer dev-bob', ''])(
      '%j is 401, at public addresses too',
      async (token) => {
        const response = await withToken(token).get('/artists/1')
        expectErrors(response, [{ status: 401, code: 'UNAUTHENTICATED' }])
        expect(response.headers.get('www-authenticate')).toBe('Bearer realm="music"')
      },
    )

    test('identify the caller', async () => {
      expect((await withToken('Bearer dev-bob').get(`/playlists/${rainyDay}`)).status).toBe(200)
      expect((await withToken('Bearer dev-alice').get(`/playlists/${rainyDay}`)).status).toBe(404)
    })

    test('of the environment replace the published ones, and are not printed', async () => {
      const users = firstUsers({ ALICE_TOKEN: 'kept.secret', BOB_TOKEN: '' })
      expect(tokenLines(await acceptTokens(music.storage.db, users))).toEqual([
        'alice  (ALICE_TOKEN)',
        'bob  dev-bob',
        'admin  dev-admin',
      ])
      for (const [token, status] of Object.entries({ 'kept.secret': 200, 'dev-alice': 401, 'dev-bob': 200 })) {
        expect([token, (await withToken(`Bearer ${token}`).get('/albums/1')).status]).toEqual([token, status])
      }
      await music.storage.db.deleteFrom('users').where('id', '=', callers.bob.id).execute()
      expect(tokenLines(await acceptTokens(music.storage.db, users))).toHaveLength(2)
    })

    test('are stored as hashes', async () => {
      const rows = await music.storage.db.selectFrom('users').select('tokenHash').execute()
      expect(rows.map(({ tokenHash }) => tokenHash)).toEqual(
        Array.from({ length: 3 }, () => expect.stringMatching(/^[0-9a-f]{64}$/)),
      )
    })
  })

  test('anonymous callers may read artists, and nothing else', async () => {
    for (const path of ['/artists', '/artists/1', '/artists?filter[slug]=bjork', '/artists?filter[q]=o&sort=-name']) {
      expect((await get(path, null)).status, path).toBe(200)
    }
    expect((await get('/artists/1', null)).resource).not.toHaveProperty('relationships')
    const lists =
      'albums tracks playlists libraries favorites devices genres products public-profiles charts countries imports jobs'
    const single = [
      'albums/1',
      'tracks/99',
      'libraries/1',
      'favorites/fav-z',
      'genres/jazz',
      'products/prod-a0',
      'jobs/1',
    ]
    const others = [
      `playlists/${roadTrip}`,
      `playlists/${rainyDay}/owner`,
      'artists/1/albums',
      'artists/1/relationships/albums',
    ]
    const addresses = [...lists.split(' '), ...single, ...others].map((path) => `/${path}`)
    for (const path of addresses) {
      const response = await get(path, null)
      expect([path, response.status]).toEqual([path, 401])
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="music"')
    }
    for (const path of ['/artists?include=albums', '/artists/1?include=albums.tracks']) {
      expectErrors(await get(path, null), [{ status: 400 }])
    }
  })

  test('anonymous callers cannot write', async () => {
    const artist = { data: { type: 'artists', attributes: { name: 'Nobody' } } }
    expectErrors(await send('POST', '/artists', artist, null), [{ status: 401 }])
    expectErrors(await send('PATCH', '/albums/1', album, null), [{ status: 401 }])
    expectErrors(await send('POST', '/playlists', playlistBody(), null), [{ status: 401 }])
    expectErrors(await music.api.delete('/genres/jazz', as(null)), [{ status: 401 }])
    const batch = { 'atomic:operations': [{ op: 'add', ...artist }] }
    expectErrors(await music.api.post('/operations', { ...as(null), headers: batchHeaders, body: batch }), [
      { status: 401, pointer: '/atomic:operations/0' },
    ])
    expect((await send('POST', '/artists', artist, 'bob')).status).toBe(201)
  })

  describe('playlists', () => {
    test('that are private exist for their owner and the admin only', async () => {
      for (const [name, isSeen] of [
        ['alice', false],
        ['bob', true],
        ['admin', true],
      ] as const) {
        const seen = isSeen ? [rainyDay, roadTrip] : [roadTrip]
        expect((await get('/playlists', name)).resources.map(({ id }) => id)).toEqual(seen)
        expect((await get('/playlists?withCount=_self_', name, counting)).document?.meta).toMatchObject({
          page: { total: seen.length },
        })
        expect(shown((await get('/tracks/1/relationships/playlists', name)).document?.data)).toEqual(
          seen.map((id) => `playlists ${id}`),
        )
        expect((await get('/tracks/1/playlists', name)).resources.map(({ id }) => id)).toEqual(seen)
        const track = (await get('/tracks/1?include=playlists&withCount=playlists', name, counting)).document
        expect(track?.included?.map(({ id }) => id)).toEqual(seen)
        expect(track?.data).toMatchObject({
          relationships: { playlists: { data: { length: seen.length }, meta: { total: seen.length } } },
        })
        for (const path of [
          '',
          '/owner',
          '/publicOwner',
          '/tracks',
          '/orderedTracks',
          '/relationships/tracks',
          '/relationships/owner',
        ]) {
          expect([path, (await get(`/playlists/${rainyDay}${path}`, name)).status]).toEqual([path, isSeen ? 200 : 404])
        }
      }
    })

    test('that are private are missing where others write', async () => {
      const identifier = { type: 'playlists', id: rainyDay }
      const change = { data: { ...identifier, attributes: { title: 'Mine' } } }
      expectErrors(await send('PATCH', `/playlists/${rainyDay}`, change, 'alice'), [{ status: 404 }])
      expectErrors(await music.api.delete(`/playlists/${rainyDay}`, as('alice')), [{ status: 404 }])
      for (const method of ['POST', 'DELETE']) {
        const reply = await send(method, '/tracks/1/relationships/playlists', { data: [identifier] }, 'alice')
        const expected = method === 'POST' ? 404 : 204
        expect([method, reply.status]).toEqual([method, expected])
      }
      expect((await get(`/playlists/${rainyDay}/relationships/tracks`, 'bob')).document?.data).toHaveLength(3)
    })

    test('are written by their owner only', async () => {
      const change = { data: { type: 'playlists', id: roadTrip, attributes: { title: 'Mine' } } }
      const track = { data: [{ type: 'tracks', id: '7' }] }
      const tracks = `/playlists/${roadTrip}/relationships/tracks`
      for (const name of ['bob', 'alice', 'admin'] as const) {
        const status = name === 'bob' ? 403 : 200
        expect([name, (await send('PATCH', `/playlists/${roadTrip}`, change, name)).status]).toEqual([name, status])
        const ofTracks = name === 'bob' ? 403 : 204
        expect((await send('POST', tracks, track, name)).status).toBe(ofTracks)
        expect((await send('DELETE', tracks, track, name)).status).toBe(ofTracks)
      }
      expectErrors(await music.api.delete(`/playlists/${roadTrip}`, as('bob')), [{ status: 403 }])
      expect((await music.api.delete(`/playlists/${roadTrip}`, as('alice'))).status).toBe(204)
    })

    test('are not changed through their tracks either', async () => {
      const road = { data: [{ type: 'playlists', id: roadTrip }] }
      for (const [method, track] of [
        ['POST', 7],
        ['DELETE', 1],
      ] as const) {
        const path = `/tracks/${track}/relationships/playlists`
        expectErrors(await send(method, path, road, 'bob'), [{ status: 403 }])
        expect((await send(method, path, road, 'alice')).status).toBe(204)
      }
      const track = { data: { type: 'tracks', attributes: { title: 'T' }, relationships: { playlists: road } } }
      expectErrors(await send('POST', '/tracks', track, 'bob'), [{ status: 403 }])
      expect((await send('POST', '/tracks', track, 'alice')).status).toBe(201)
    })

    test('belong to their caller, and to another user only if the admin sets it', async () => {
      const { resource } = await send('POST', '/playlists', playlistBody(), 'alice')
      expect(resource.relationships).toMatchObject({
        owner: user('alice'),
        publicOwner: { data: { type: 'public-profiles', id: '1' } },
      })
      expect((await send('POST', '/playlists', playlistBody({ owner: user('alice') }), 'alice')).status).toBe(201)
      for (const isPublic of [true, false]) {
        for (const owner of [user('alice'), { data: null }]) {
          const body = playlistBody({ owner }, { public: isPublic })
          expectErrors(await send('POST', '/playlists', body, 'bob'), [{ status: 403 }])
        }
      }
      const given = await send('POST', '/playlists', playlistBody({ owner: user('bob') }), 'admin')
      expect(given.resource.relationships).toMatchObject({ owner: user('bob') })
    })

    test('cannot be transferred, except by the admin', async () => {
      const path = `/playlists/${roadTrip}/relationships/owner`
      const change = { data: { type: 'playlists', id: roadTrip, relationships: { owner: user('bob') } } }
      for (const name of ['alice', 'bob'] as const) {
        expectErrors(await send('PATCH', path, user('bob'), name), [{ status: 403 }])
        expectErrors(await send('PATCH', `/playlists/${roadTrip}`, change, name), [{ status: 403 }])
      }
      expect((await send('PATCH', path, user('bob'), 'admin')).status).toBe(204)
    })

    test('show their owner to the owner only, and the public profile to everybody', async () => {
      for (const [name, isOwner] of [
        ['alice', true],
        ['bob', false],
        ['admin', true],
      ] as const) {
        const { relationships } = (await get(`/playlists/${roadTrip}`, name)).resource
        expect([name, 'owner' in (relationships ?? {})]).toEqual([name, isOwner])
        expect(relationships).toMatchObject({ publicOwner: { data: { type: 'public-profiles', id: '1' } } })
        for (const path of [`/playlists/${roadTrip}/owner`, `/playlists/${roadTrip}/relationships/owner`]) {
          expect([name, path, (await get(path, name)).status]).toEqual([name, path, isOwner ? 200 : 403])
        }
      }
      expect((await get(`/playlists/${roadTrip}/owner`, 'alice')).resource).toEqual({ type: 'users', id: '1' })
      expect((await get(`/playlists/${roadTrip}/publicOwner`, 'bob')).resource.attributes).toEqual({
        displayName: 'Alice',
      })
    })
  })

  describe.each([
    ['libraries', '/libraries', '1', 'owner'],
    ['favorites', '/favorites', 'fav-z', 'user'],
  ])('%s', (type, path, ofAlice, owner) => {
    const body = (relationships: object) => ({ data: { type, relationships } })

    test('exist for their owner and the admin only', async () => {
      expect((await get(path, 'bob')).resources.map(({ id }) => id)).not.toContain(ofAlice)
      for (const name of ['alice', 'admin'] as const) {
        expect((await get(path, name)).resources.map(({ id }) => id)).toContain(ofAlice)
        expect((await get(`${path}/${ofAlice}`, name)).status).toBe(200)
      }
      for (const address of [`${path}/${ofAlice}`, `${path}/${ofAlice}/relationships/${owner}`]) {
        expectErrors(await get(address, 'bob'), [{ status: 404 }])
      }
      expectErrors(await music.api.delete(`${path}/${ofAlice}`, as('bob')), [{ status: 404 }])
    })

    test('belong to their caller', async () => {
      const { resource } = await send('POST', path, body({}), 'bob')
      expect(resource.relationships).toMatchObject({ [owner]: user('bob') })
      expectErrors(await send('POST', path, body({ [owner]: user('alice') }), 'bob'), [{ status: 403 }])
      const given = await send('POST', path, body({ [owner]: user('bob') }), 'admin')
      expect(given.resource.relationships).toMatchObject({ [owner]: user('bob') })
      expectErrors(await send('PATCH', `${path}/${resource.id}/relationships/${owner}`, user('alice'), 'bob'), [
        { status: 403 },
      ])
    })
  })

  test('actions need a token too, and so do pictures', async () => {
    const reissue = { data: { type: 'albums', attributes: { title: 'Again' } } }
    for (const path of ['/albums/1/-actions/reissue', '/albums/99/-actions/reissue']) {
      expectErrors(await send('POST', path, reissue, null), [{ status: 401 }])
    }
    expect((await send('POST', '/albums/1/-actions/reissue', reissue, 'bob')).status).toBe(200)
    const byAdmin = await send('POST', '/admin/albums/1/-actions/reissue', reissue, 'admin')
    expect(byAdmin.status).toBe(200)
    const { resources: copied } = await get(`/albums/${byAdmin.resource.id}/tracks`, 'admin')
    const { resources: original } = await get('/albums/1/tracks', 'admin')
    expect(original.length).toBeGreaterThan(0)
    expect(copied).toHaveLength(original.length)
    const picture = { raw: 'x', headers: { 'Content-Type': 'image/png' } }
    for (const path of ['/albums/-actions/summary', '/albums/1/-actions/artwork']) {
      const sent = path.endsWith('summary') ? {} : picture
      expectErrors(await music.api.post(path, { ...sent, ...as(null) }), [{ status: 401 }])
      expect((await music.api.post(path, { ...sent, ...as('bob') })).status).toBeLessThan(300)
    }
    const picture1 = '/albums/1/-actions/picture'
    const headers = { Accept: '*/*' }
    expect((await music.api.get(picture1, { ...as(null), headers })).status).toBe(401)
    expect((await music.api.get(picture1, { ...as('bob'), headers })).status).toBe(200)
  })

  test('a batch checks access for each operation, and stores nothing if one is denied', async () => {
    const operations = [
      { op: 'add', data: { type: 'genres', id: 'folk', attributes: { name: 'Folk' } } },
      { op: 'update', data: { type: 'playlists', id: roadTrip, attributes: { title: 'Mine' } } },
    ]
    const body = { 'atomic:operations': operations }
    expectErrors(await music.api.post('/operations', { ...as('bob'), headers: batchHeaders, body }), [
      { status: 403, pointer: '/atomic:operations/1' },
    ])
    expect((await get('/genres/folk', 'bob')).status).toBe(404)
    expect((await music.api.post('/operations', { ...as('alice'), headers: batchHeaders, body })).status).toBe(200)
  })

  test('web pages of a development server may use both servers', async () => {
    const headers = { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PATCH' }
    for (const path of ['/albums/1', '/admin/albums/1']) {
      const preflight = await music.api.request('OPTIONS', path, { headers })
      expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe(headers.Origin)
      expect(preflight.headers.get('Access-Control-Allow-Methods')).toContain('PATCH')
      expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
    }
  })

  test('the testing kit reports which rule decides', async () => {
    const { text } = await explainAccess(musicServer(music.storage), `playlists:update:${roadTrip}`, {
      as: callers.bob,
    })
    expect(text).toContain("is denied with 403.\n  - policy.update of 'playlists' is a rule: ownerId = 2.")
  })
})
