import { hasMany } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { type LinkageWriter, linkageWriter, one, pivots, some } from '../support/linkage-writer.js'
import { type LinkedMusic, linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'
import { rowText, storedRows } from '../support/stored-rows.js'

const at = '/playlists/1/orderedTracks'
const music = (settings: LinkedMusic = {}) => linkageWriter(linkedMusic(settings))
const invalid = (pointer: string) => ({ status: 422, code: 'VALIDATION_FAILED', pointer })

const alice = { position: 1, weight: 5, addedBy: 'alice' }
const bob = { position: 2, weight: null, addedBy: 'bob' }

describe('fields of join rows are written from meta.pivot', () => {
  test('of new members: POST', async () => {
    const api = music()
    const { document } = await api.add(at, [one('tracks', '3', { position: 3, weight: 4 })])
    expect(document?.data).toContainEqual(one('tracks', '3', { position: 3, weight: 4, addedBy: null }))
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: alice, 3: { position: 3, weight: 4, addedBy: null } })
  })

  test('of existing members: POST', async () => {
    const api = music()
    const { document } = await api.add(at, [one('tracks', '2', { position: 4 })])
    expect(document?.data).toContainEqual(one('tracks', '2', { ...alice, position: 4 }))
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: { ...alice, position: 4 } })
  })

  test('of both: PATCH', async () => {
    const api = music()
    await api.replace(at, [one('tracks', '3', { position: 1 }), one('tracks', '2', { position: 2, weight: 2 })])
    expect(await pivots(api, at)).toEqual({
      2: { ...alice, position: 2, weight: 2 },
      3: { position: 1, weight: null, addedBy: null },
    })
  })

  test('embedded in a resource, on POST and on PATCH', async () => {
    const api = music()
    const orderedTracks = [one('tracks', '4', { position: 2 }), one('tracks', '1', { position: 1, weight: 1 })]
    expect((await api.create('/playlists', { orderedTracks })).status).toBe(201)
    const created = { 1: { position: 1, weight: 1, addedBy: null }, 4: { position: 2, weight: null, addedBy: null } }
    expect(await pivots(api, '/playlists/3/orderedTracks')).toEqual(created)
    expect((await api.update('/playlists/1', { orderedTracks })).status).toBe(200)
    expect(await pivots(api, at)).toEqual({ ...created, 1: { position: 1, weight: 1, addedBy: 'bob' } })
  })

  test('and shown alike by the related read and in included', async () => {
    const api = music()
    await api.add(at, [one('tracks', '2', { position: 4 })])
    const { resources } = await api.get(at)
    expect(resources.map(({ id: key, meta }) => [key, meta?.['pivot']])).toEqual([
      ['1', bob],
      ['2', { ...alice, position: 4 }],
    ])
    const { resource } = await api.get('/playlists/1?include=orderedTracks')
    expect(resource.relationships?.['orderedTracks']?.data).toEqual([
      one('tracks', '1', bob),
      one('tracks', '2', { ...alice, position: 4 }),
    ])
  })

  test('DELETE ignores them', async () => {
    const api = music()
    expect((await api.remove(at, [one('tracks', '2', { position: -1 })])).status).toBe(200)
    expect(await pivots(api, at)).toEqual({ 1: bob })
  })
})

describe('a field that is not sent does not change', () => {
  test.each([
    ['no meta', { type: 'tracks', id: '2' }],
    ['no pivot', { type: 'tracks', id: '2', meta: { position: 9 } }],
    ['a pivot that is no object', { type: 'tracks', id: '2', meta: { pivot: 9 } }],
    ['a pivot that is a list', { type: 'tracks', id: '2', meta: { pivot: [9] } }],
    ['a pivot that is null', { type: 'tracks', id: '2', meta: { pivot: null } }],
    ['a meta that is no object', { type: 'tracks', id: '2', meta: 'x' }],
    ['an empty pivot', { type: 'tracks', id: '2', meta: { pivot: {} } }],
    ['the field of another', { type: 'tracks', id: '2', meta: { pivot: { weight: 5 } } }],
  ])('%s', async (_name, member) => {
    exemptFromDescription('requests', 'A pivot that is no object is ignored, and nobody should send one.')
    const api = music()
    expect((await api.replace(at, [member, one('tracks', '1')])).status).toBe(200)
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: alice })
    expect((await api.add(at, [member])).status).toBe(200)
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: alice })
  })

  test('read-only and unknown fields are ignored', async () => {
    const api = music()
    const pivot = { position: 3, addedBy: 'mallory', nonsense: 1, note: 'x', id: 7, playlistId: 2, trackId: 9 }
    expect((await api.add(at, [one('tracks', '2', pivot), one('tracks', '3', pivot)])).status).toBe(200)
    expect(await pivots(api, at)).toEqual({
      1: bob,
      2: { ...alice, position: 3 },
      3: { position: 3, weight: null, addedBy: null },
    })
    expect(await pivots(api, '/playlists/2/orderedTracks')).toEqual({ 1: { ...bob, position: 1 } })
  })

  test('names of Object.prototype members are no fields', async () => {
    const api = music()
    const raw = '{"data":[{"type":"tracks","id":"2","meta":{"pivot":{"__proto__":{"position":9},"constructor":1}}}]}'
    expect((await api.post('/playlists/1/relationships/orderedTracks', { raw })).status).toBe(204)
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: alice })
    expect(({} as Record<string, unknown>)['position']).toBeUndefined()
  })
})

/** The join rows after a write, and the expected form of some rows. */
async function joinRows(write: (api: LinkageWriter) => Promise<unknown>, expected: readonly object[]) {
  const data = storedData(linkedRows())
  await write(music({ data }))
  const stored = await storedRows(data, Object.keys(linkedRows()))
  return [stored['entries'], expected.map(rowText)]
}

describe('join rows that stay are updated in place', () => {
  const [opener, loud, other] = linkedRows().entries

  test('other columns of the join row do not change', async () => {
    const [stored, expected] = await joinRows(
      (api) => api.replace(at, [one('tracks', '2', { position: 4 }), one('tracks', '1')]),
      [{ ...opener, position: 4 }, { ...loud }, { ...other }],
    )
    expect(stored).toEqual(expected)
  })

  test('new members get join rows, absent ones lose theirs', async () => {
    const [stored, expected] = await joinRows(
      (api) => api.replace(at, [one('tracks', '1'), one('tracks', '4', { position: 3 })]),
      [{ ...loud }, { ...other }, { id: 4, playlistId: 1, trackId: 4, position: 3 }],
    )
    expect(stored).toEqual(expected)
  })

  test('a relation without fields over the same rows does not change those of remaining members', async () => {
    const [stored, expected] = await joinRows(
      (api) => api.replace('/playlists/1/tracks', some('tracks', '1', '3')),
      [{ ...loud }, { ...other }, { id: 4, playlistId: 1, trackId: 3 }],
    )
    expect(stored).toEqual(expected)
  })

  test('a new join row is not written twice', async () => {
    const [stored, expected] = await joinRows(
      async (api) => {
        await api.add(at, [one('tracks', '3', { position: 3 }), one('tracks', '3', { position: 4 })])
        await api.add(at, [one('tracks', '3', { position: 5 })])
      },
      [{ ...opener }, { ...loud }, { ...other }, { id: 4, playlistId: 1, trackId: 3, position: 5 }],
    )
    expect(stored).toEqual(expected)
  })

  test('a member that is sent back as it was read is not written at all', async () => {
    const [stored, expected] = await joinRows(
      async (api) => api.replace(at, (await api.get('/playlists/1/relationships/orderedTracks')).document?.data),
      [{ ...opener }, { ...loud }, { ...other }],
    )
    expect(stored).toEqual(expected)
  })
})

describe('fields are validated for each member separately', () => {
  test('a new member by the rules for creating: required fields must be sent', async () => {
    const api = music()
    expectErrors(await api.add(at, [one('tracks', '3', { weight: 1 }), one('tracks', '4')]), [
      invalid('/data/0/meta/pivot/position'),
      invalid('/data/1/meta/pivot/position'),
    ])
    expectErrors(await api.replace(at, [one('tracks', '2'), one('tracks', '3')]), [
      invalid('/data/1/meta/pivot/position'),
    ])
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: alice })
  })

  test('an existing member by those for updating: required fields may be missing, and not be empty', async () => {
    const api = music()
    expect((await api.add(at, [one('tracks', '2', { weight: 9 })])).status).toBe(200)
    expectErrors(await api.add(at, [one('tracks', '2', { position: null })]), [invalid('/data/0/meta/pivot/position')])
  })

  test('JSON types and constraints, all violations in one response', async () => {
    const members = [
      one('tracks', '2', { position: 0 }),
      one('tracks', '3', { position: '3', weight: 1.5 }),
      one('tracks', '1', { position: 1 }),
    ]
    const expected = ['0/meta/pivot/position', '1/meta/pivot/position', '1/meta/pivot/weight']
    expectErrors(
      await music().replace(at, members),
      expected.map((path) => invalid(`/data/${path}`)),
    )
    expectErrors(
      await music().update('/playlists/1', { orderedTracks: members }),
      expected.map((path) => invalid(`/data/relationships/orderedTracks/data/${path}`)),
    )
  })

  test('on create of the owner every member is new', async () => {
    expectErrors(await music().create('/playlists', { orderedTracks: some('tracks', '1', '2') }), [
      invalid('/data/relationships/orderedTracks/data/0/meta/pivot/position'),
      invalid('/data/relationships/orderedTracks/data/1/meta/pivot/position'),
    ])
  })

  test('one field is compared with another, sent or stored', async () => {
    const api = music()
    expectErrors(await api.add(at, [one('tracks', '3', { position: 3, weight: 2 })]), [
      invalid('/data/0/meta/pivot/weight'),
    ])
    // The stored position is 1, the stored weight 5.
    expectErrors(await api.add(at, [one('tracks', '2', { weight: 0 })]), [invalid('/data/0/meta/pivot/weight')])
    expectErrors(await api.add(at, [one('tracks', '2', { position: 6 })]), [invalid('/data/0/meta/pivot/weight')])
    expect((await api.add(at, [one('tracks', '2', { position: 6, weight: 6 })])).status).toBe(200)
    // A stored null is compared with nothing.
    expect((await api.add(at, [one('tracks', '1', { position: 100 })])).status).toBe(200)
  })

  test('members are distinguished by type and id: the position in the body is the pointer', async () => {
    const members = [one('tracks', '1'), one('tracks', '2'), one('tracks', '3', { position: -1 })]
    expectErrors(await music().replace(at, members), [invalid('/data/2/meta/pivot/position')])
  })

  test('members as they were read can be sent back, and change nothing', async () => {
    const api = music()
    const { document, text } = await api.get('/playlists/1/relationships/orderedTracks')
    expect((await api.replace(at, document?.data)).text).toBe(text)
    expect((await api.add(at, document?.data)).text).toBe(text)
    expect(await pivots(api, at)).toEqual({ 1: bob, 2: alice })
  })
})

test('a relation without join rows ignores meta.pivot', async () => {
  const api = music({ over: { albums: { tracks: hasMany('tracks') } } })
  const { document } = await api.add('/albums/1/tracks', [one('tracks', '3', { position: 1 })])
  expect(document?.data).toEqual(some('tracks', '1', '2', '3'))
})
