import { belongsTo, belongsToMany, hasMany, hasOne, morphTo, morphToMany, type RequestContext } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkageState, linkageWriter, one, some } from '../support/linkage-writer.js'
import { linkedMusic } from '../support/linked-music.js'

const through = { owner: 'playlistId', member: 'itemId', memberType: 'itemType' }
const isGuest = ({ request }: RequestContext): boolean => request?.header('x-guest') === 'yes'
const guest = { headers: { 'X-Guest': 'yes' } } as const

const prohibited = (code: string) => [{ status: 403, code, pointer: '/data' }]
const noReplacement = prohibited('FULL_REPLACEMENT_PROHIBITED')
const noAddition = prohibited('ADDITION_PROHIBITED')
const noRemoval = prohibited('REMOVAL_PROHIBITED')
const readOnly = [{ status: 403, code: 'RELATIONSHIP_READ_ONLY', pointer: null }]
const notThere = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }]

describe('cannotReplace()', () => {
  const over = {
    artists: { albums: hasMany('albums').cannotReplace(), portrait: hasOne('portraits').cannotReplace() },
    albums: { artist: belongsTo('artists').cannotReplace() },
    playlists: {
      tracks: belongsToMany('tracks')
        .through('entries', { owner: 'playlistId', member: 'trackId' })
        .fields((a) => ({ position: a.integer(), weight: a.integer().nullable() }))
        .cannotReplace(),
      orderedTracks: belongsToMany('tracks').storedAs('tracks'),
      items: morphToMany(['artists', 'albums']).through('items', through).cannotReplace(),
      dedicatedTo: morphTo(['artists', 'albums']).cannotReplace(),
    },
  }
  const gated = () => linkageWriter(linkedMusic({ over }))

  test.each([
    ['/artists/1/albums', some('albums', '1', '3')],
    ['/artists/1/albums', some('albums', '1')],
    ['/artists/1/albums', []],
    ['/playlists/1/tracks', some('tracks', '3')],
    ['/playlists/1/items', [one('artists', '2'), one('albums', '1')]],
    ['/albums/1/artist', one('artists', '2')],
    ['/artists/1/portrait', one('portraits', '2')],
    ['/playlists/1/dedicatedTo', one('albums', '1')],
    ['/playlists/2/dedicatedTo', one('albums', '1')],
  ] as const)('forbids PATCH: %s %#', async (at, data) => {
    const api = gated()
    const before = await linkageState([at])(api)
    expectErrors(await api.replace(at, data), noReplacement)
    expect(await linkageState([at])(api)).toEqual(before)
  })

  test.each([
    ['/artists/1/albums', some('albums', '1', '2')],
    ['/artists/1/albums', some('albums', '2', '1', '2')],
    ['/playlists/1/tracks', [one('tracks', '2', { position: 1 }), one('tracks', '1', { weight: null })]],
    ['/playlists/1/items', [one('albums', '2'), one('artists', '1')]],
    ['/albums/1/artist', one('artists', '1')],
    ['/artists/1/portrait', one('portraits', '1')],
    ['/artists/3/portrait', null],
    ['/playlists/1/dedicatedTo', one('artists', '1')],
  ] as const)('allows repeating the stored set, and changes nothing: %s %#', async (at, data) => {
    const api = gated()
    const before = await linkageState([at])(api)
    const response = await api.replace(at, data)
    expect(response.status).toBe(200)
    expect([response.text]).toEqual(before)
    expect(await linkageState([at])(api)).toEqual(before)
  })

  test('forbids other fields of join rows, even of the same members', async () => {
    const data = [one('tracks', '1', { position: 9 }), one('tracks', '2')]
    expectErrors(await gated().replace('/playlists/1/tracks', data), noReplacement)
  })

  test('forbids nothing else: adding, removing, and clearing a to-one', async () => {
    const api = gated()
    expect((await api.add('/artists/1/albums', some('albums', '3'))).status).toBe(200)
    expect((await api.remove('/artists/1/albums', some('albums', '1'))).status).toBe(200)
    expect(await api.members('/artists/1/albums')).toEqual(['albums 2', 'albums 3'])
    expect((await api.replace('/albums/2/artist', null)).document?.data).toBeNull()
    expect((await api.replace('/artists/1/portrait', null)).document?.data).toBeNull()
    expect((await api.replace('/playlists/1/dedicatedTo', null)).document?.data).toBeNull()
  })
})

describe('cannotAdd()', () => {
  const over = {
    albums: { tracks: hasMany('tracks').cannotAdd() },
    playlists: { items: morphToMany(['artists', 'albums']).through('items', through).cannotAdd() },
  }
  const gated = () => linkageWriter(linkedMusic({ over }))

  test('forbids POST, with any members', async () => {
    const api = gated()
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '3')), noAddition)
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '1')), noAddition)
    expectErrors(await api.add('/albums/1/tracks', []), noAddition)
    expectErrors(await api.add('/playlists/1/items', [one('artists', '2')]), noAddition)
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
  })

  test('forbids nothing else', async () => {
    const api = gated()
    expect((await api.replace('/albums/1/tracks', some('tracks', '1', '3'))).status).toBe(200)
    expect((await api.remove('/albums/1/tracks', some('tracks', '1'))).status).toBe(200)
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 3'])
  })
})

describe('cannotRemove()', () => {
  const over = {
    artists: { portrait: hasOne('portraits').cannotRemove() },
    albums: { artist: belongsTo('artists').cannotRemove(), tracks: hasMany('tracks').cannotRemove() },
    playlists: { dedicatedTo: morphTo(['artists', 'albums']).cannotRemove() },
  }
  const gated = () => linkageWriter(linkedMusic({ over }))

  test('forbids DELETE, with any members', async () => {
    const api = gated()
    for (const data of [some('tracks', '1'), some('tracks', '99'), []]) {
      expectErrors(await api.remove('/albums/1/tracks', data), noRemoval)
    }
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
  })

  test.each(['/albums/1/artist', '/artists/1/portrait', '/playlists/1/dedicatedTo'])(
    'forbids clearing the to-one %s, and allows another member',
    async (at) => {
      const api = gated()
      const before = await api.members(at)
      expectErrors(await api.replace(at, null), noRemoval)
      expect(await api.members(at)).toEqual(before)
      const other = at.endsWith('portrait') ? one('portraits', '2') : one('artists', '2')
      expect((await api.replace(at, other)).document?.data).toEqual(other)
    },
  )

  test('does not forbid clearing an empty relation', async () => {
    expect((await gated().replace('/albums/4/artist', null)).status).toBe(200)
  })

  test('does not forbid a replacement that leaves members out', async () => {
    const api = gated()
    expect((await api.replace('/albums/1/tracks', [])).document?.data).toEqual([])
  })
})

describe('a gate may depend on the row and on the request', () => {
  const seen: unknown[] = []
  const over = {
    albums: {
      tracks: hasMany('tracks')
        .cannotReplace((row) => row['title'] === 'OK Computer')
        .cannotAdd((_row, context) => isGuest(context))
        .cannotRemove((row, context) => {
          seen.push(row)
          return row['id'] === 1 && isGuest(context)
        }),
    },
  }
  const gated = () => linkageWriter(linkedMusic({ over }))

  test('the row', async () => {
    const api = gated()
    expectErrors(await api.replace('/albums/1/tracks', []), noReplacement)
    expect((await api.replace('/albums/2/tracks', [])).status).toBe(200)
  })

  test('the request', async () => {
    const api = gated()
    expectErrors(await api.add('/albums/2/tracks', some('tracks', '4'), guest), noAddition)
    expect((await api.add('/albums/2/tracks', some('tracks', '4'))).status).toBe(200)
  })

  test('both, the row as it is stored before any change', async () => {
    const api = gated()
    seen.length = 0
    expectErrors(await api.remove('/albums/1/tracks', some('tracks', '1'), guest), noRemoval)
    expect(seen).toEqual([{ id: 1, title: 'OK Computer', artistId: 1 }])
    expect((await api.remove('/albums/1/tracks', some('tracks', '1'))).status).toBe(200)
    expect((await api.remove('/albums/2/tracks', some('tracks', '3'), guest)).status).toBe(200)
  })
})

describe('a read-only relation refuses every write at its endpoint: 403 RELATIONSHIP_READ_ONLY', () => {
  const verbs = ['replace', 'add', 'remove'] as const

  test.each(verbs)('readOnly(): %s', async (verb) => {
    const over = { albums: { tracks: hasMany('tracks').readOnly(), artist: belongsTo('artists').readOnly() } }
    const api = linkageWriter(linkedMusic({ over }))
    // Whatever it sends, even the stored members.
    for (const data of [some('tracks', '3'), some('tracks', '1', '2'), [], null, 'x']) {
      expectErrors(await api[verb]('/albums/1/tracks', data), readOnly)
    }
    expectErrors(await api[verb]('/albums/1/artist', one('artists', '2')), readOnly)
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
    expect(await api.members('/albums/1/artist')).toEqual(['artists 1'])
  })

  test.each(verbs)('readOnly(predicate), in the requests where it returns true: %s', async (verb) => {
    const api = linkageWriter(linkedMusic({ over: { albums: { tracks: hasMany('tracks').readOnly(isGuest) } } }))
    expectErrors(await api[verb]('/albums/1/tracks', some('tracks', '1'), guest), readOnly)
    expect((await api[verb]('/albums/1/tracks', some('tracks', '1'))).status).toBe(200)
  })

  test.each(verbs)(
    'readOnlyOnUpdate(): a relationship is changed only after its owner is created: %s',
    async (verb) => {
      const over = { albums: { tracks: hasMany('tracks').readOnlyOnUpdate() } }
      expectErrors(await linkageWriter(linkedMusic({ over }))[verb]('/albums/1/tracks', some('tracks', '1')), readOnly)
    },
  )

  test.each(verbs)('readOnlyOnCreate() has no effect here: %s', async (verb) => {
    const over = { albums: { tracks: hasMany('tracks').readOnlyOnCreate() } }
    const response = await linkageWriter(linkedMusic({ over }))[verb]('/albums/1/tracks', some('tracks', '1'))
    expect(response.status).toBe(200)
  })

  test('one that a function reads, and none writes', async () => {
    const over = { albums: { artist: belongsTo('artists').extractUsing(() => ({ id: 2, title: 'Artist 2' })) } }
    const api = linkageWriter(
      linkedMusic({ over: { ...over, artists: { albums: hasMany('albums').via('artistId') } } }),
    )
    expect((await api.get('/albums/1/relationships/artist')).document?.data).toEqual(one('artists', '2'))
    expectErrors(await api.replace('/albums/1/artist', one('artists', '3')), readOnly)
  })
})

describe('a relation that the caller does not see is 404 to its writes', () => {
  test.each([
    ['hidden()', hasMany('tracks').hidden(), {}],
    ['hidden(predicate) of the row', hasMany('tracks').hidden((row) => row['id'] === 1), {}],
    ['hidden(predicate) of the request', hasMany('tracks').hidden((_row, context) => isGuest(context)), guest],
    ['writeOnly()', hasMany('tracks').writeOnly(), {}],
    ['writeOnly(predicate)', hasMany('tracks').writeOnly(isGuest), guest],
  ] as const)('%s', async (_name, tracks, options) => {
    const api = linkageWriter(linkedMusic({ over: { albums: { tracks } } }))
    for (const verb of ['replace', 'add', 'remove'] as const) {
      expectErrors(await api[verb]('/albums/1/tracks', some('tracks', '3'), options), notThere)
    }
    expect((await api.get('/tracks?fields[tracks]=album')).resources.map((track) => track.relationships)).toMatchObject(
      ['1', '1', '2', null].map((album) => ({
        album: { data: album === null ? null : { type: 'albums', id: album } },
      })),
    )
  })

  test('if a predicate shows it, it is written', async () => {
    const over = { albums: { tracks: hasMany('tracks').hidden((row) => row['id'] === 1) } }
    const api = linkageWriter(linkedMusic({ over }))
    expect((await api.add('/albums/2/tracks', some('tracks', '4'))).status).toBe(200)
  })
})
