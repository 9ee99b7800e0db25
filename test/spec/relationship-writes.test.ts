import { belongsTo } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one, relationshipPath, some } from '../support/linkage-writer.js'
import { linkedMusic } from '../support/linked-music.js'
import { relationshipLinks, shown } from '../support/shown.js'

const music = () => linkageWriter(linkedMusic())

/** The linkage of a to-one before, its replacement, and the inverse relation. */
const toOnes = [
  { kind: 'belongsTo', at: '/albums/3/artist', from: ['artists 2'], to: one('artists', '3'), back: 'albums' },
  { kind: 'hasOne', at: '/artists/1/portrait', from: ['portraits 1'], to: one('portraits', '2'), back: 'artist' },
  {
    kind: 'morphTo',
    at: '/playlists/1/dedicatedTo',
    from: ['artists 1'],
    to: one('artists', '3'),
    back: 'dedications',
  },
]

/** The same of to-manys: two existing members, one that does not exist. */
const toManys = [
  {
    kind: 'hasMany',
    at: '/albums/1/tracks',
    from: [one('tracks', '1'), one('tracks', '2')],
    other: one('tracks', '3'),
    back: 'album',
  },
  {
    kind: 'belongsToMany',
    at: '/playlists/1/tracks',
    from: [one('tracks', '1'), one('tracks', '2')],
    other: one('tracks', '3'),
    back: 'playlists',
  },
  {
    kind: 'belongsToMany, from the other side',
    at: '/tracks/1/playlists',
    from: [one('playlists', '1'), one('playlists', '2')],
    other: null,
    back: 'tracks',
  },
  {
    kind: 'belongsToMany with fields',
    at: '/playlists/1/orderedTracks',
    from: [one('tracks', '1'), one('tracks', '2')],
    other: one('tracks', '3', { position: 3 }),
    back: 'playlists',
  },
  {
    kind: 'morphToMany',
    at: '/playlists/1/items',
    from: [one('artists', '1'), one('albums', '2')],
    other: one('artists', '3'),
    back: null,
  },
  {
    kind: 'hasMany, back from a morphTo',
    at: '/artists/1/dedications',
    from: [one('playlists', '1')],
    other: one('playlists', '2'),
    back: 'dedicatedTo',
  },
  {
    kind: 'belongsToMany, back from a morphToMany',
    at: '/artists/1/collections',
    from: [one('playlists', '1')],
    other: one('playlists', '2'),
    back: null,
  },
]

const added = toManys.flatMap((each) => (each.other === null ? [] : [{ ...each, other: each.other }]))

/** Whether the owner is at the other end of a relation of its member. */
async function hasInverse(api: ReturnType<typeof music>, at: string, member: string, back: string): Promise<boolean> {
  const [, type = '', key = ''] = at.split('/')
  return (await api.members(`/${member.replace(' ', '/')}/${back}`)).includes(`${type} ${key}`)
}

describe('PATCH of a to-one relationship', () => {
  test.each(toOnes)('sets it: $kind', async ({ at, from, to, back }) => {
    const api = music()
    expect(await api.members(at)).toEqual(from)
    const { status, document } = await api.replace(at, to)
    expect(status).toBe(200)
    expect(document?.data).toEqual(to)
    expect(await api.members(at)).toEqual(shown(to))
    expect(await hasInverse(api, at, String(shown(to)[0]), back)).toBe(true)
    expect(await hasInverse(api, at, String(from[0]), back)).toBe(false)
  })

  test.each(toOnes)('clears it with null: $kind', async ({ at, from, back }) => {
    const api = music()
    const { status, document } = await api.replace(at, null)
    expect(status).toBe(200)
    expect(document?.data).toBeNull()
    expect(await api.members(at)).toEqual([])
    expect(await hasInverse(api, at, String(from[0]), back)).toBe(false)
    // Clearing an empty relation changes nothing.
    expect((await api.replace(at, null)).document?.data).toBeNull()
  })

  test('a morphTo takes the type with the id', async () => {
    const api = music()
    const { document } = await api.replace('/playlists/1/dedicatedTo', one('albums', '1'))
    expect(document?.data).toEqual({ type: 'albums', id: '1' })
    expect(await api.members('/playlists/1/dedicatedTo')).toEqual(['albums 1'])
    // The key is the same, the type is not.
    expect(await api.members('/artists/1/dedications')).toEqual([])
  })

  test('a hasOne removes the member from its former owner', async () => {
    const api = music()
    await api.replace('/artists/2/portrait', one('portraits', '1'))
    expect(await api.members('/artists/2/portrait')).toEqual(['portraits 1'])
    expect(await api.members('/artists/1/portrait')).toEqual([])
  })
})

describe('PATCH of a to-many relationship', () => {
  test.each(added)('replaces the whole set: $kind', async ({ at, from, other, back }) => {
    const api = music()
    const [first, ...rest] = from
    const { status, document } = await api.replace(at, [first, other])
    expect(status).toBe(200)
    const expected = [...shown([first, other])].toSorted()
    expect([...shown(document?.data)].toSorted()).toEqual(expected)
    expect([...(await api.members(at))].toSorted()).toEqual(expected)
    if (back === null) return
    for (const member of shown([first, other])) expect(await hasInverse(api, at, member, back)).toBe(true)
    for (const member of shown(rest)) expect(await hasInverse(api, at, member, back)).toBe(false)
  })

  test.each(toManys)('empties it with an empty list: $kind', async ({ at, from, back }) => {
    const api = music()
    const { status, document } = await api.replace(at, [])
    expect(status).toBe(200)
    expect(document?.data).toEqual([])
    expect(await api.members(at)).toEqual([])
    if (back === null) return
    for (const member of shown(from)) expect(await hasInverse(api, at, member, back)).toBe(false)
  })

  test('does not change the members of other owners', async () => {
    const api = music()
    await api.replace('/playlists/1/tracks', [])
    expect(await api.members('/playlists/2/tracks')).toEqual(['tracks 1'])
    await api.replace('/playlists/1/items', [])
    expect(await api.members('/playlists/2/items')).toEqual(['albums 1'])
    await api.replace('/albums/1/tracks', [])
    expect(await api.members('/albums/2/tracks')).toEqual(['tracks 3'])
  })
})

describe('POST to a to-many relationship', () => {
  test.each(added)('adds members: $kind', async ({ at, from, other, back }) => {
    const api = music()
    const { status, document } = await api.add(at, [other])
    expect(status).toBe(200)
    const expected = [...shown([...from, other])].toSorted()
    expect([...shown(document?.data)].toSorted()).toEqual(expected)
    expect([...(await api.members(at))].toSorted()).toEqual(expected)
    if (back !== null) expect(await hasInverse(api, at, String(shown(other)[0]), back)).toBe(true)
  })

  test.each(toManys)('with an existing member changes nothing: $kind', async ({ at, from }) => {
    const api = music()
    const before = (await api.get(relationshipPath(at))).text
    const { status, text } = await api.add(at, from)
    expect(status).toBe(200)
    expect(text).toBe(before)
    expect((await api.get(relationshipPath(at))).text).toBe(before)
  })

  test.each(added)('with a member twice adds it once: $kind', async ({ at, other }) => {
    const api = music()
    const once = (await api.add(at, [other])).text
    expect((await api.add(at, [other])).text).toBe(once)
  })

  test('with an empty list adds nothing', async () => {
    const { status, document } = await music().add('/albums/1/tracks', [])
    expect(status).toBe(200)
    expect(shown(document?.data)).toEqual(['tracks 1', 'tracks 2'])
  })

  test('a hasMany removes the member from its former owner', async () => {
    const api = music()
    await api.add('/albums/1/tracks', some('tracks', '3'))
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2', 'tracks 3'])
    expect(await api.members('/albums/2/tracks')).toEqual([])
  })
})

describe('DELETE from a to-many relationship', () => {
  test.each(toManys)('removes the members that it names: $kind', async ({ at, from, back }) => {
    const api = music()
    const [first, ...rest] = from
    const { status, document } = await api.remove(at, [first])
    expect(status).toBe(200)
    expect(shown(document?.data)).toEqual(shown(rest))
    expect(await api.members(at)).toEqual(shown(rest))
    if (back !== null) expect(await hasInverse(api, at, String(shown(first)[0]), back)).toBe(false)
  })

  test.each(toManys)('ignores resources that are no members: $kind', async ({ at, from, other }) => {
    const api = music()
    const before = (await api.get(relationshipPath(at))).text
    const [{ type } = { type: '' }] = from as readonly { readonly type: string }[]
    const { status, text } = await api.remove(at, [other ?? one(type, '99'), one(type, '98')])
    expect(status).toBe(200)
    expect(text).toBe(before)
    expect((await api.get(relationshipPath(at))).text).toBe(before)
  })

  test('does not remove the same member of other owners', async () => {
    const api = music()
    await api.remove('/playlists/1/tracks', some('tracks', '1'))
    expect(await api.members('/playlists/2/tracks')).toEqual(['tracks 1'])
    expect(await api.members('/tracks/1/playlists')).toEqual(['playlists 2'])
  })

  test('distinguishes a member from one of another type with the same id', async () => {
    const api = music()
    await api.add('/playlists/1/items', [one('artists', '2')])
    await api.remove('/playlists/1/items', [one('albums', '2')])
    expect(await api.members('/playlists/1/items')).toEqual(['artists 1', 'artists 2'])
  })
})

describe('duplicates in one body', () => {
  test.each(added)('are merged: $kind', async ({ at, from, other }) => {
    for (const verb of ['replace', 'add'] as const) {
      const api = music()
      const { document } = await api[verb](at, [other, ...from, other, ...from])
      expect([...shown(document?.data)].toSorted()).toEqual([...shown([...from, other])].toSorted())
      expect(await api.members(at)).toEqual(shown(document?.data))
    }
    const api = music()
    expect((await api.remove(at, [...from, ...from])).document?.data).toEqual([])
  })

  test('create one join row: one removal removes the member', async () => {
    const api = music()
    await api.add('/playlists/2/tracks', some('tracks', '3', '3', '3'))
    expect(shown((await api.remove('/playlists/2/tracks', some('tracks', '3'))).document?.data)).toEqual(['tracks 1'])
  })
})

describe('the response', () => {
  test.each([...toOnes, ...added.map((each) => ({ ...each, to: [each.other] }))])(
    'is 200 with the resulting linkage and its links, as a read of it: $kind',
    async ({ at, to }) => {
      const api = music()
      const written = await api.replace(at, to)
      const [, type, key, name = ''] = at.split('/')
      expect(written.status).toBe(200)
      expect(written.document).toEqual({
        data: written.document?.data,
        links: relationshipLinks(`/${type}/${key}`, name),
        jsonapi: { version: '1.1' },
      })
      const read = await api.get(relationshipPath(at))
      expect(written.text).toBe(read.text)
    },
  )

  test('has no related link if there is no related endpoint', async () => {
    const over = { albums: { artist: belongsTo('artists').withoutRelatedEndpoint() } }
    const { document } = await linkageWriter(linkedMusic({ over })).replace('/albums/3/artist', one('artists', '3'))
    expect(document?.links).toEqual({ self: 'http://localhost/albums/3/relationships/artist' })
  })
})
