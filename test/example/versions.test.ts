import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices, roadTrip } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const device = '01J9ZQ4T8W2N6R0V5XB3C7D1EF'

/** Types that can be written, each with an address and a change. */
const written: readonly (readonly [path: string, attributes: object])[] = [
  ['/albums/1', { title: 'OK Computer OKNOTOK' }],
  ['/artists/1', { bio: 'From Abingdon.' }],
  ['/tracks/1', { title: 'Airbag (live)' }],
  [`/playlists/${roadTrip}`, { title: 'Long Road Trip' }],
  [`/devices/${device}`, { label: 'Kitchen' }],
  ['/genres/jazz', { name: 'All jazz' }],
  ['/products/prod-a0', { name: 'Poster' }],
  ['/admin/albums/2', { title: 'Kid A Mnesia' }],
  ['/admin/users/1', { displayName: 'Alice B.' }],
]

const onlyRead = ['/libraries/1', '/favorites/fav-z', '/public-profiles/1', '/charts/2026-01', '/countries/de']

describe.each(musicServices)('versions on %s', (_engine, open) => {
  const music = musicClient(open)
  const tagOf = async (path: string) => (await music.get(path)).headers.get('ETag') ?? ''
  const versionOf = async (path: string) => (await tagOf(path)).replaceAll(/"|\..*/g, '')

  test.each(written)(
    '%s: a write with the ETag of a read returns the next one, and the first is no longer valid',
    async (path, attributes) => {
      const [, type, id] = /(\w+)\/([\w-]+)$/.exec(path) ?? []
      const tag = await tagOf(path)
      const change = { headers: { 'If-Match': tag }, body: { data: { type, id, attributes } } }

      const changed = await music.request('PATCH', path, change)
      expect(changed.status).toBe(200)
      expect(changed.headers.get('ETag')).toBe(await tagOf(path))
      expectErrors(await music.request('PATCH', path, change), [{ status: 412, code: 'PRECONDITION_FAILED' }])
    },
  )

  test.each([...written.map(([path]) => path), ...onlyRead])('%s is 304 for a client that has it', async (path) => {
    const tag = await tagOf(path)
    expect(tag).toMatch(/^"[\w-]+\.[\w-]+"$/)
    expect((await music.request('GET', path, { headers: { 'If-None-Match': tag } })).status).toBe(304)
  })

  test('albums have numbers, which both servers share and no attribute shows', async () => {
    expect([await versionOf('/albums/4'), await versionOf('/admin/albums/4')]).toEqual(['1', '1'])
    await music.request('POST', '/albums/4/relationships/tracks', { body: { data: [{ type: 'tracks', id: '1' }] } })
    expect([await versionOf('/albums/4'), await versionOf('/admin/albums/4')]).toEqual(['2', '2'])
    expect((await music.get('/albums/4')).resource.attributes).not.toHaveProperty('version')
  })

  test('a reissued album begins with the first version, and the old one keeps its own', async () => {
    await music.patch('/albums/1', { data: { type: 'albums', id: '1', attributes: { explicit: true } } })
    const body = { data: { type: 'albums', attributes: { title: 'OKNOTOK' } } }
    const { resource } = await music.request('POST', '/albums/1/-actions/reissue', { body })
    expect([await versionOf('/albums/1'), await versionOf(`/albums/${resource.id}`)]).toEqual(['2', '1'])
  })

  test('a new track leaves the version of the artist as it is, though the database counts it for the artist', async () => {
    const [before, version] = [await tagOf('/artists/2'), await versionOf('/artists/2')]
    const album = { data: { type: 'albums', id: '3' } }
    await music.post('/tracks', { data: { type: 'tracks', attributes: { title: 'Pluto' }, relationships: { album } } })
    expect(await tagOf('/artists/2')).not.toBe(before)
    expect(await versionOf('/artists/2')).toBe(version)
  })

  test('the admin server ignores an Idempotency-Key', async () => {
    const sent = {
      headers: { 'Idempotency-Key': '"c"' },
      body: { data: { type: 'albums', attributes: { title: 'Amnesiac' } } },
    }
    const first = await music.request('POST', '/admin/albums', sent)
    expect((await music.request('POST', '/admin/albums', sent)).resource.id).not.toBe(first.resource.id)
  })
})
