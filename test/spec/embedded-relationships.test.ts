import { belongsTo, belongsToMany, hasMany, hasOne, morphTo, morphToMany, type RequestContext } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { linkageState, linkageWriter, one, pivots, some } from '../support/linkage-writer.js'
import { type LinkedMusic, linkedMusic } from '../support/linked-music.js'
import { shown } from '../support/shown.js'

const music = (settings: LinkedMusic = {}) => linkageWriter(linkedMusic(settings))
const isGuest = ({ request }: RequestContext): boolean => request?.header('x-guest') === 'yes'

const at = (name: string) => `/data/relationships/${name}/data`
const unknown = (pointer: string) => ({ status: 422, code: 'RELATIONSHIP_UNRECOGNIZED', pointer })

const items = { owner: 'playlistId', member: 'itemId', memberType: 'itemType' }

describe('POST of a resource with relationships', () => {
  test('creates it with relations of every kind', async () => {
    const api = music()
    const artist = await api.create('/artists', {
      albums: some('albums', '3', '4'),
      portrait: one('portraits', '2'),
      dedications: some('playlists', '2'),
      collections: some('playlists', '1'),
    })
    expect(artist.status).toBe(201)
    expect(artist.headers.get('Location')).toBe('http://localhost/artists/4')
    expect(await api.members('/artists/4/albums')).toEqual(['albums 3', 'albums 4'])
    expect(await api.members('/artists/4/portrait')).toEqual(['portraits 2'])
    expect(await api.members('/artists/4/dedications')).toEqual(['playlists 2'])
    expect(await api.members('/artists/4/collections')).toEqual(['playlists 1'])
    expect(await api.members('/albums/4/artist')).toEqual(['artists 4'])
    expect(await api.members('/playlists/1/items')).toEqual(['artists 1', 'artists 4', 'albums 2'])

    const playlist = await api.create('/playlists', {
      tracks: some('tracks', '4'),
      dedicatedTo: one('albums', '1'),
      items: [one('albums', '4'), one('artists', '4')],
    })
    expect(playlist.status).toBe(201)
    expect(await api.members('/playlists/3/tracks')).toEqual(['tracks 4'])
    expect(await api.members('/playlists/3/dedicatedTo')).toEqual(['albums 1'])
    expect(await api.members('/playlists/3/items')).toEqual(['artists 4', 'albums 4'])

    const album = await api.create('/albums', { artist: one('artists', '4'), tracks: [] }, { title: 'Debut' })
    expect(album.resource.attributes).toEqual({ title: 'Debut' })
    expect(album.resource.relationships?.['artist']?.data).toEqual(one('artists', '4'))
    expect(await api.members('/albums/5/artist')).toEqual(['artists 4'])
  })

  test('may clear an empty relationship', async () => {
    const api = music()
    expect((await api.create('/albums', { artist: null, tracks: [] })).status).toBe(201)
    expect((await api.create('/artists', { portrait: null, albums: [] })).status).toBe(201)
    expect((await api.create('/playlists', { dedicatedTo: null, items: [] })).status).toBe(201)
    expect(await api.members('/albums/5/artist')).toEqual([])
  })

  test('responds with the written state, included resources too', async () => {
    const { document, resource } = await music().create('/albums?include=artist,tracks', {
      artist: one('artists', '2'),
      tracks: some('tracks', '4', '3'),
    })
    expect(resource.relationships?.['artist']?.data).toEqual(one('artists', '2'))
    expect(resource.relationships?.['tracks']?.data).toEqual(some('tracks', '3', '4'))
    expect(shown(document?.included)).toEqual(['artists 2', 'tracks 3', 'tracks 4'])
  })

  test('is not restricted by gates: it creates the first state', async () => {
    const over = {
      albums: {
        artist: belongsTo('artists').cannotReplace().cannotRemove(),
        tracks: hasMany('tracks').cannotReplace().cannotAdd().cannotRemove(),
      },
    }
    const api = music({ over })
    expect((await api.create('/albums', { artist: one('artists', '2'), tracks: some('tracks', '4') })).status).toBe(201)
    expect(await api.members('/albums/5/tracks')).toEqual(['tracks 4'])
    expect((await api.create('/albums', { artist: null })).status).toBe(201)
  })
})

describe('PATCH of a resource with relationships', () => {
  test('replaces each of them, whatever its kind', async () => {
    const api = music()
    await api.update('/artists/1', {
      albums: some('albums', '2', '3'),
      portrait: one('portraits', '2'),
      dedications: some('playlists', '2'),
      collections: [],
    })
    expect(await api.members('/artists/1/albums')).toEqual(['albums 2', 'albums 3'])
    expect(await api.members('/artists/1/portrait')).toEqual(['portraits 2'])
    expect(await api.members('/artists/1/dedications')).toEqual(['playlists 2'])
    expect(await api.members('/artists/1/collections')).toEqual([])
    expect(await api.members('/albums/1/artist')).toEqual([])
    expect(await api.members('/portraits/1/artist')).toEqual([])

    await api.update('/playlists/1', {
      tracks: some('tracks', '1', '3'),
      dedicatedTo: one('albums', '2'),
      items: [one('artists', '3')],
    })
    expect(await api.members('/playlists/1/tracks')).toEqual(['tracks 1', 'tracks 3'])
    expect(await api.members('/playlists/1/dedicatedTo')).toEqual(['albums 2'])
    expect(await api.members('/playlists/1/items')).toEqual(['artists 3'])
  })

  test('responds with the written state, included resources too', async () => {
    const { document, resource } = await music().update(
      '/albums/1?include=artist,tracks',
      { artist: one('artists', '2'), tracks: some('tracks', '4') },
      { title: 'Airbags' },
    )
    expect(resource.attributes).toEqual({ title: 'Airbags' })
    expect(resource.relationships?.['artist']?.data).toEqual(one('artists', '2'))
    expect(resource.relationships?.['tracks']?.data).toEqual(some('tracks', '4'))
    expect(shown(document?.included)).toEqual(['artists 2', 'tracks 4'])
  })

  test('does not change relationships that it does not name', async () => {
    const api = music()
    await api.update('/albums/1', { artist: null })
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
    await api.update('/albums/1', {}, { title: 'Renamed' })
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
  })

  test('merges duplicates', async () => {
    const api = music()
    await api.update('/playlists/2', { tracks: some('tracks', '3', '3', '1', '1') })
    expect(await api.members('/playlists/2/tracks')).toEqual(['tracks 1', 'tracks 3'])
  })

  test('with the relationships as they were read changes nothing', async () => {
    const api = music()
    const state = linkageState(['/playlists/1/orderedTracks', '/playlists/1/items', '/playlists/1/dedicatedTo'])
    const before = await state(api)
    const read = await api.get('/playlists/1?include=tracks,orderedTracks,items')
    const response = await api.patch('/playlists/1?include=tracks,orderedTracks,items', {
      body: { data: read.resource },
    })
    expect(response.status).toBe(200)
    expect(response.text).toBe(read.text)
    expect(await state(api)).toEqual(before)
  })
})

describe('gates on PATCH', () => {
  const over = {
    artists: { portrait: hasOne('portraits').cannotRemove() },
    albums: { artist: belongsTo('artists').cannotReplace(), tracks: hasMany('tracks').cannotReplace() },
    playlists: {
      dedicatedTo: morphTo(['artists', 'albums']).cannotReplace((row) => row['title'] === 'Road Trip'),
      items: morphToMany(['artists', 'albums']).through('items', items).cannotAdd().cannotRemove(),
    },
  }

  test('forbid replacing, and clearing if removal is forbidden: all errors in one response', async () => {
    const api = music({ over })
    const response = await api.update('/albums/1', { artist: one('artists', '2'), tracks: [] }, { title: 'New' })
    expectErrors(response, [
      { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED', pointer: at('artist') },
      { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED', pointer: at('tracks') },
    ])
    expect((await api.get('/albums/1')).resource.attributes).toEqual({ title: 'OK Computer' })
    expectErrors(await api.update('/artists/1', { portrait: null }), [
      { status: 403, code: 'REMOVAL_PROHIBITED', pointer: at('portrait') },
    ])
  })

  test('forbid nothing else: clearing if replacing is forbidden, replacing if adding and removing are', async () => {
    const api = music({ over })
    expect((await api.update('/albums/1', { artist: null })).status).toBe(200)
    expect((await api.update('/artists/1', { portrait: one('portraits', '2') })).status).toBe(200)
    expect((await api.update('/playlists/1', { items: [one('artists', '3')] })).status).toBe(200)
  })

  test('may depend on the row', async () => {
    const api = music({ over })
    expectErrors(await api.update('/playlists/1', { dedicatedTo: one('artists', '2') }), [
      { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED', pointer: at('dedicatedTo') },
    ])
    expect((await api.update('/playlists/2', { dedicatedTo: one('artists', '2') })).status).toBe(200)
  })

  test('allow the stored set to be repeated with other changes', async () => {
    const api = music({ over })
    const same = { artist: one('artists', '1'), tracks: some('tracks', '2', '1') }
    const { status, resource } = await api.update('/albums/1', same, { title: 'Renamed' })
    expect(status).toBe(200)
    expect(resource.attributes).toEqual({ title: 'Renamed' })
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
  })
})

describe('relationships that are not written', () => {
  const nonsense = { data: 'nonsense' }

  test('without data are ignored', async () => {
    const api = music()
    const relationships = { artist: {}, tracks: { links: { self: '/x' }, meta: { a: 1 } } }
    const body = { data: { type: 'albums', id: '1', relationships } }
    expect((await api.patch('/albums/1', { body })).status).toBe(200)
    expect(await api.members('/albums/1/artist')).toEqual(['artists 1'])
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
  })

  test('that are unknown are ignored, whatever they hold', async () => {
    exemptFromDescription('requests', 'Unknown relationships may hold anything.')
    const relationships = { nonsense, label: null, title: nonsense, constructor: nonsense, 'a/b': 5 }
    const api = music()
    expect((await api.patch('/albums/1', { body: { data: { type: 'albums', id: '1', relationships } } })).status).toBe(
      200,
    )
    expect((await api.post('/albums', { body: { data: { type: 'albums', relationships } } })).status).toBe(201)
  })

  test.each([
    ['readOnly()', hasMany('tracks').readOnly()],
    ['readOnlyOnUpdate()', hasMany('tracks').readOnlyOnUpdate()],
    ['readOnly(predicate)', hasMany('tracks').readOnly(isGuest)],
    ['hidden()', hasMany('tracks').hidden()],
  ] as const)('that are read-only are ignored on PATCH: %s', async (_name, tracks) => {
    exemptFromDescription('requests', 'Relationships that the caller may not write may hold anything.')
    const api = linkageWriter(linkedMusic({ over: { albums: { tracks } } }), { headers: { 'X-Guest': 'yes' } })
    expect((await api.update('/albums/1', { tracks: [] })).status).toBe(200)
    expect((await api.update('/albums/1', { tracks: 'nonsense' })).status).toBe(200)
    expect(await api.members('/tracks/1/album')).toEqual(['albums 1'])
  })

  test.each([
    ['readOnly()', hasMany('tracks').readOnly(), []],
    ['readOnlyOnCreate()', hasMany('tracks').readOnlyOnCreate(), []],
    ['readOnlyOnUpdate()', hasMany('tracks').readOnlyOnUpdate(), ['albums 5']],
  ] as const)('that are read-only are ignored on POST: %s', async (_name, tracks, owner) => {
    const api = music({ over: { albums: { tracks } } })
    expect((await api.create('/albums', { tracks: some('tracks', '4') })).status).toBe(201)
    expect(await api.members('/tracks/4/album')).toEqual(owner)
  })

  test('that are write-only are written, and never shown', async () => {
    const api = music({ over: { albums: { tracks: hasMany('tracks').writeOnly() } } })
    const { resource } = await api.update('/albums/1', { tracks: some('tracks', '4') })
    expect(resource.relationships).not.toHaveProperty('tracks')
    expect(await api.members('/tracks/4/album')).toEqual(['albums 1'])
  })

  test('are 422 RELATIONSHIP_UNRECOGNIZED if unknown members are rejected, all of them in one response', async () => {
    const over = { albums: { tracks: hasMany('tracks').readOnly() } }
    const api = music({ over, unknownMembers: 'reject' })
    const relationships = { 'a/b~c': nonsense, nonsense: null, tracks: { data: [] }, artist: { data: null } }
    const expected = [
      unknown('/data/relationships/a~1b~0c'),
      unknown('/data/relationships/nonsense'),
      unknown('/data/relationships/tracks'),
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/year' },
    ]
    const data = { type: 'albums', attributes: { year: 1997 }, relationships }
    expectErrors(await api.patch('/albums/1', { body: { data: { ...data, id: '1' } } }), expected)
    expectErrors(await api.post('/albums', { body: { data } }), expected)
    expect(await api.members('/albums/1/artist')).toEqual(['artists 1'])
  })
})

describe('belongsToMany over one set of join rows', () => {
  test('two relations may be written together: each member has one join row', async () => {
    const api = music()
    const linkages = {
      tracks: some('tracks', '3', '4'),
      orderedTracks: [one('tracks', '3', { position: 7 }), one('tracks', '4', { position: 8 })],
    }
    expect((await api.create('/playlists', linkages)).status).toBe(201)
    expect(await api.members('/playlists/3/tracks')).toEqual(['tracks 3', 'tracks 4'])
    await api.remove('/playlists/3/tracks', some('tracks', '4'))
    const pivot = { position: 7, weight: null, addedBy: null }
    expect((await api.get('/playlists/3/relationships/orderedTracks')).document?.data).toEqual([
      one('tracks', '3', pivot),
    ])
  })

  test('repeating the members of one, and changing those of the other, is a contradiction', async () => {
    const api = music()
    const state = linkageState(['/playlists/1/orderedTracks'])
    const before = await state(api)
    const echo = [one('tracks', '2', { position: 1 }), one('tracks', '1', { position: 2 })]
    for (const tracks of [some('tracks', '1', '2', '4'), some('tracks', '1'), []]) {
      expectErrors(await api.update('/playlists/1', { tracks, orderedTracks: echo }), [
        { status: 422, code: 'VALIDATION_FAILED', pointer: at('orderedTracks') },
      ])
    }
    expect(await state(api)).toEqual(before)
  })

  test('repeating the members of one allows the fields of the other to change', async () => {
    const api = music()
    const moved = [one('tracks', '2', { position: 5 }), one('tracks', '1', { position: 2 })]
    const linkages = { tracks: some('tracks', '1', '2'), orderedTracks: moved }
    expect((await api.update('/playlists/1', linkages)).status).toBe(200)
    expect(await pivots(api, '/playlists/1/orderedTracks')).toMatchObject({ 1: { position: 2 }, 2: { position: 5 } })
    await api.update('/playlists/1', { tracks: some('tracks', '1', '2') })
    expect(await pivots(api, '/playlists/1/orderedTracks')).toMatchObject({ 1: { position: 2 }, 2: { position: 5 } })
  })

  test('is written from the other side as well', async () => {
    const over = { tracks: { playlists: belongsToMany('playlists') } }
    const api = music({ over })
    await api.update('/tracks/4', { playlists: some('playlists', '1', '2') })
    expect(await api.members('/playlists/2/tracks')).toEqual(['tracks 1', 'tracks 4'])
  })
})
