import { belongsTo, belongsToMany, hasMany, hasOne, morphTo, morphToMany } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkageWriter, one, some } from '../support/linkage-writer.js'
import { linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedData } from '../support/stored-data.js'

const items = { owner: 'playlistId', member: 'itemId', memberType: 'itemType' }
const invalid = (detail: string) => [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data', detail }]
const music = (over: Parameters<typeof linkedMusic>[0]) => linkageWriter(linkedMusic(over))

describe('a required relation cannot be left empty', () => {
  test.each([
    ['/albums/1/artist', { albums: { artist: belongsTo('artists').required() } }],
    ['/artists/1/portrait', { artists: { portrait: hasOne('portraits').required() } }],
    ['/playlists/1/dedicatedTo', { playlists: { dedicatedTo: morphTo(['artists', 'albums']).required() } }],
    ['/albums/1/artist', { albums: { artist: belongsTo('artists').requiredOnUpdate() } }],
  ] as const)('a to-one is not cleared: %s %#', async (at, over) => {
    const api = music({ over })
    const before = await api.members(at)
    expectErrors(await api.replace(at, null), invalid('This must not be null.'))
    expect(await api.members(at)).toEqual(before)
  })

  test.each([
    ['/albums/1/tracks', { albums: { tracks: hasMany('tracks').required() } }, some('tracks', '1', '2')],
    [
      '/playlists/1/items',
      { playlists: { items: morphToMany(['artists', 'albums']).through('items', items).required() } },
      [one('artists', '1'), one('albums', '2')],
    ],
  ] as const)('a to-many is not emptied: %s', async (at, over, all) => {
    const api = music({ over })
    const before = await api.members(at)
    expectErrors(await api.replace(at, []), invalid('This must not be empty.'))
    expectErrors(await api.remove(at, all), invalid('This must not be empty.'))
    expect(await api.members(at)).toEqual(before)
    expect((await api.remove(at, all.slice(1))).status).toBe(200)
  })

  test('unless it is nullable, or required on create only', async () => {
    for (const artist of [belongsTo('artists').required().nullable(), belongsTo('artists').requiredOnCreate()]) {
      expect((await music({ over: { albums: { artist } } }).replace('/albums/1/artist', null)).status).toBe(200)
    }
    const api = music({ over: { albums: { tracks: hasMany('tracks').requiredOnCreate() } } })
    expect((await api.replace('/albums/1/tracks', [])).status).toBe(200)
  })

  test('may depend on the request', async () => {
    const artist = belongsTo('artists').when(
      (_value, context) => context?.request?.header('x-strict') === 'yes',
      (relation) => relation.required(),
    )
    const api = music({ over: { albums: { artist } } })
    expectErrors(
      await api.replace('/albums/1/artist', null, { headers: { 'X-Strict': 'yes' } }),
      invalid('This must not be null.'),
    )
    expect((await api.replace('/albums/1/artist', null)).status).toBe(200)
  })
})

const bounded = (limits: (tracks: ReturnType<typeof hasMany<'tracks'>>) => unknown) =>
  music({ over: { albums: { tracks: limits(hasMany('tracks')) } } })

describe('minItems and maxItems apply to the resulting set', () => {
  const tooFew = invalid('This must have at least 2 items.')
  const tooMany = invalid('This must have at most 2 items.')

  test('of a replacement', async () => {
    const api = bounded((tracks) => tracks.minItems(2).maxItems(2))
    expectErrors(await api.replace('/albums/1/tracks', some('tracks', '1')), tooFew)
    expectErrors(await api.replace('/albums/1/tracks', []), tooFew)
    expectErrors(await api.replace('/albums/1/tracks', some('tracks', '1', '2', '3')), tooMany)
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
    expect((await api.replace('/albums/1/tracks', some('tracks', '3', '4'))).status).toBe(200)
  })

  test('of an addition', async () => {
    const api = bounded((tracks) => tracks.maxItems(3))
    const tooManyNow = invalid('This must have at most 3 items.')
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '3', '4')), tooManyNow)
    expect((await api.add('/albums/1/tracks', some('tracks', '3'))).status).toBe(200)
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '4')), tooManyNow)
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2', 'tracks 3'])
  })

  test('of a removal', async () => {
    const api = bounded((tracks) => tracks.minItems(2))
    expectErrors(await api.remove('/albums/1/tracks', some('tracks', '1')), tooFew)
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
    expect((await api.remove('/albums/1/tracks', some('tracks', '3'))).status).toBe(200)
  })

  test('in which each member counts once', async () => {
    const api = bounded((tracks) => tracks.minItems(2).maxItems(2))
    expectErrors(await api.replace('/albums/1/tracks', some('tracks', '3', '3')), tooFew)
    expect((await api.replace('/albums/1/tracks', some('tracks', '3', '4', '3'))).status).toBe(200)
    expect((await api.add('/albums/1/tracks', some('tracks', '3', '4'))).status).toBe(200)
  })

  test('of a create that leaves the relation out, which has no members then', async () => {
    const api = bounded((tracks) => tracks.minItems(2))
    const [few] = tooFew
    const created = await api.create('/albums', {}, { title: 'New' })
    expectErrors(created, [{ ...few, pointer: '/data/relationships/tracks' }])
    expectErrors(await api.create('/albums', { tracks: [] }, { title: 'New' }), [
      { ...few, pointer: '/data/relationships/tracks/data' },
    ])
    const required = bounded((tracks) => tracks.required().minItems(2))
    expectErrors(await required.create('/albums', {}, { title: 'New' }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/tracks', detail: 'This is required.' },
    ])
    const none = bounded((tracks) => tracks.maxItems(2))
    expect((await none.create('/albums', {}, { title: 'New' })).status).toBe(201)
  })

  test('of join rows too', async () => {
    const over = {
      playlists: {
        tracks: belongsToMany('tracks').through('entries', { owner: 'playlistId', member: 'trackId' }).maxItems(2),
      },
    }
    const api = music({ over })
    expectErrors(await api.add('/playlists/1/tracks', some('tracks', '3')), tooMany)
    expect((await api.add('/playlists/2/tracks', some('tracks', '3'))).status).toBe(200)
  })

  test('on update only, or on create only, as declared', async () => {
    const onUpdate = bounded((tracks) => tracks.onUpdate((relation) => relation.minItems(2)))
    expectErrors(await onUpdate.replace('/albums/1/tracks', []), tooFew)
    const onCreate = bounded((tracks) => tracks.onCreate((relation) => relation.minItems(2)))
    expect((await onCreate.replace('/albums/1/tracks', [])).status).toBe(200)
  })
})

/** Albums without artists. */
function orphans() {
  const all = linkedRows()
  return storedData({ ...all, albums: all.albums.map((album) => ({ ...album, artistId: null })) })
}

describe('a write that changes nothing', () => {
  const over = {
    albums: { artist: belongsTo('artists').required(), tracks: hasMany('tracks').minItems(3) },
  }

  test('is no violation, although the stored value violates a rule', async () => {
    const api = music({ over, data: orphans() })
    expect((await api.replace('/albums/1/artist', null)).status).toBe(200)
    expect((await api.replace('/albums/1/tracks', some('tracks', '1', '2'))).status).toBe(200)
    expect((await api.add('/albums/1/tracks', some('tracks', '1'))).status).toBe(200)
    expect((await api.remove('/albums/1/tracks', some('tracks', '4'))).status).toBe(200)
  })

  test('while one that changes something must correct it', async () => {
    const api = music({ over, data: orphans() })
    expectErrors(
      await api.replace('/albums/1/tracks', some('tracks', '1', '3')),
      invalid('This must have at least 3 items.'),
    )
    expect((await api.add('/albums/1/tracks', some('tracks', '3'))).status).toBe(200)
    expect((await api.replace('/albums/1/artist', one('artists', '1'))).status).toBe(200)
    expectErrors(await api.replace('/albums/1/artist', null), invalid('This must not be null.'))
  })
})
