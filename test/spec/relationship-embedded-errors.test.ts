import { belongsTo, createServer, hasMany, hasOne, id, model, morphTo } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { typeWith } from '../support/linkage-reader.js'
import { linkageState, linkageWriter, one, some } from '../support/linkage-writer.js'
import { type LinkedMusic, linkedMusic, linkedRows } from '../support/linked-music.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const music = (settings: LinkedMusic = {}) => linkageWriter(linkedMusic(settings))
const at = (path: string) => `/data/relationships/${path}`
const invalid = (pointer: string) => ({ status: 422, code: 'VALIDATION_FAILED', pointer })

const albums = linkageState(['/albums/1/artist', '/albums/1/tracks'])

/** Sends relationships as they are in a POST and in a PATCH. */
async function sent(relationships: unknown, settings: LinkedMusic = {}) {
  const api = music(settings)
  const before = [...(await albums(api)), (await api.get('/albums')).text]
  const data = { type: 'albums', attributes: { title: 'Never kept' }, relationships }
  const posted = await api.post('/albums', { body: { data } })
  const patched = await api.patch('/albums/1', { body: { data: { ...data, id: '1' } } })
  // Nothing of a refused request is stored, neither attributes.
  expect([...(await albums(api)), (await api.get('/albums')).text]).toEqual(before)
  return [posted, patched]
}

describe('invalid linkage is 400, with its pointer', () => {
  test.each([
    ['relationships that are no object', [], '/data/relationships'],
    ['a relationship that is null', { artist: null }, at('artist')],
    ['a relationship that is no object', { tracks: 'x' }, at('tracks')],
    ['linkage without its object', { tracks: [] }, at('tracks')],
    ['an identifier that is no object', { tracks: { data: ['1'] } }, at('tracks/data/0')],
  ])('REQUEST_BODY_INVALID_JSON_API: %s', async (_name, relationships, pointer) => {
    for (const response of await sent(relationships)) {
      expectErrors(response, [{ status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer }])
    }
  })

  test.each([
    ['a list to a to-one', { artist: { data: some('artists', '1') } }, at('artist/data')],
    ['an empty list to a to-one', { artist: { data: [] } }, at('artist/data')],
    ['an object to a to-many', { tracks: { data: one('tracks', '1') } }, at('tracks/data')],
    ['null to a to-many', { tracks: { data: null } }, at('tracks/data')],
  ])('RELATIONSHIP_TYPE_INAPPROPRIATE: %s', async (_name, relationships, pointer) => {
    for (const response of await sent(relationships)) {
      expectErrors(response, [{ status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer }])
    }
  })

  test('identifiers of all relations in one response', async () => {
    const relationships = {
      artist: { data: { type: 'artists', lid: 'a' } },
      tracks: { data: [{ id: '1' }, { type: 'tracks' }, { type: 1, id: '1' }, { type: 'tracks', id: 1 }] },
    }
    for (const response of await sent(relationships)) {
      expectErrors(response, [
        { status: 400, code: 'LOCAL_ID_NOT_SUPPORTED', pointer: at('artist/data/lid') },
        { status: 400, code: 'RESOURCE_IDENTIFIER_TYPE_MISSING', pointer: at('tracks/data/0') },
        { status: 400, code: 'RESOURCE_IDENTIFIER_ID_MISSING', pointer: at('tracks/data/1') },
        { status: 400, code: 'RESOURCE_IDENTIFIER_TYPE_INVALID', pointer: at('tracks/data/2/type') },
        { status: 400, code: 'RESOURCE_IDENTIFIER_ID_INVALID', pointer: at('tracks/data/3/id') },
      ])
    }
  })

  test('no more of them than the maximum number of errors', async () => {
    const tracks = { data: Array.from({ length: 9 }, () => ({})) }
    for (const response of await sent({ tracks }, { limits: { errors: 2 } })) expect(response.errors).toHaveLength(2)
  })
})

test('types that relations do not accept are 409, each with its pointer', async () => {
  const relationships = {
    artist: { data: one('albums', '1') },
    tracks: { data: [one('tracks', '1'), one('albums', '1')] },
  }
  for (const response of await sent(relationships)) {
    expectErrors(response, [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: at('artist/data/type') },
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: at('tracks/data/1/type') },
    ])
  }
})

test('ids that do not have the format of the related type are 422, each with its pointer', async () => {
  const members = { artists: { id: id().numeric() }, tracks: { id: id().numeric() } }
  const relationships = { artist: { data: one('artists', 'x') }, tracks: { data: some('tracks', '1', 'x') } }
  for (const response of await sent(relationships, { members })) {
    expectErrors(response, [invalid(at('artist/data/id')), invalid(at('tracks/data/1/id'))])
  }
})

test('related resources that do not exist are 404, each with its pointer, and nothing is written', async () => {
  const relationships = { artist: { data: one('artists', '99') }, tracks: { data: some('tracks', '3', '99', 'none') } }
  for (const response of await sent(relationships)) {
    expectErrors(
      response,
      ['artist/data', 'tracks/data/1', 'tracks/data/2'].map((path) => {
        return { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: at(path) }
      }),
    )
  }
})

describe('a required relation', () => {
  const over = { albums: { artist: belongsTo('artists').required(), tracks: hasMany('tracks').required() } }

  test('that is missing from a POST is 422 at the relationship, one without data too', async () => {
    const api = music({ over })
    const missing = [invalid(at('artist')), invalid(at('tracks'))]
    expectErrors(await api.create('/albums', {}), missing)
    expectErrors(await api.post('/albums', { body: { data: { type: 'albums' } } }), missing)
    const relationships = { artist: {}, tracks: { meta: {} } }
    expectErrors(await api.post('/albums', { body: { data: { type: 'albums', relationships } } }), missing)
  })

  test('that is sent empty is 422 at its data', async () => {
    const empty = [invalid(at('artist/data')), invalid(at('tracks/data'))]
    for (const response of await sent({ artist: { data: null }, tracks: { data: [] } }, { over })) {
      expectErrors(response, empty)
    }
  })

  test('may be missing from a PATCH', async () => {
    expect((await music({ over }).update('/albums/1', {}, { title: 'Renamed' })).status).toBe(200)
  })

  test('may be null if it is nullable, but must be sent', async () => {
    const api = music({ over: { albums: { artist: belongsTo('artists').required().nullable() } } })
    expect((await api.create('/albums', { artist: null })).status).toBe(201)
    expectErrors(await api.create('/albums', {}), [invalid(at('artist'))])
  })

  test('on create only, or on update only', async () => {
    const onCreate = music({ over: { albums: { artist: belongsTo('artists').requiredOnCreate() } } })
    expectErrors(await onCreate.create('/albums', {}), [invalid(at('artist'))])
    expect((await onCreate.update('/albums/1', { artist: null })).status).toBe(200)
    const onUpdate = music({ over: { albums: { artist: belongsTo('artists').requiredOnUpdate() } } })
    expect((await onUpdate.create('/albums', { artist: null })).status).toBe(201)
    expect((await onUpdate.create('/albums', {})).status).toBe(201)
    expectErrors(await onUpdate.update('/albums/1', { artist: null }), [invalid(at('artist/data'))])
  })

  test('of any kind', async () => {
    const others = {
      artists: { portrait: hasOne('portraits').required() },
      playlists: { dedicatedTo: morphTo(['artists', 'albums']).required() },
    }
    const api = music({ over: others })
    expectErrors(await api.create('/artists', {}), [invalid(at('portrait'))])
    expectErrors(await api.create('/playlists', { dedicatedTo: null }), [invalid(at('dedicatedTo/data'))])
  })

  test('that a read-only predicate makes read-only is not required', async () => {
    const artist = belongsTo('artists')
      .required()
      .readOnly(() => true)
    expect((await music({ over: { albums: { artist } } }).create('/albums', {})).status).toBe(201)
  })
})

describe('bounds of items', () => {
  const over = { albums: { tracks: hasMany('tracks').minItems(1).maxItems(2) } }

  test('apply to the resulting set, at its data', async () => {
    exemptFromDescription('requests', 'A member that is sent twice counts once, which maxItems cannot say.')
    for (const tracks of [some('tracks', '1', '2', '3'), []]) {
      for (const response of await sent({ tracks: { data: tracks } }, { over })) {
        expectErrors(response, [invalid(at('tracks/data'))])
      }
    }
    expect((await music({ over }).create('/albums', { tracks: some('tracks', '3', '4', '3') })).status).toBe(201)
  })

  test('apply to a relation that is left out too', async () => {
    expectErrors(await music({ over }).create('/albums', {}), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/tracks' },
    ])
  })

  test('are not violated by repeating the stored set', async () => {
    exemptFromDescription('requests', 'What is stored may be sent back, although it breaks the bounds.')
    const rows = linkedRows()
    const data = storedData({ ...rows, tracks: rows.tracks.map((track) => ({ ...track, albumId: 1 })) })
    const all = some('tracks', '1', '2', '3', '4')
    expect((await music({ over, data }).update('/albums/1', { tracks: all }, { title: 'Box' })).status).toBe(200)
  })
})

test('all errors of values are one 422: attributes, missing relations, ids, fields and bounds', async () => {
  const over = { playlists: { dedicatedTo: morphTo(['artists', 'albums']).required() } }
  const members = {
    playlists: {
      attributes: (a: { string(): { maxLength(limit: number): unknown } }) => ({ title: a.string().maxLength(3) }),
    },
    albums: { id: id().numeric() },
  }
  const api = music({ over, members, unknownMembers: 'reject' })
  const linkages = {
    tracks: some('tracks', ''),
    orderedTracks: [one('tracks', '3', { position: 0 }), one('tracks', '4')],
    items: [one('artists', 'x'), one('albums', 'x')],
    nonsense: [],
  }
  expectErrors(await api.create('/playlists', linkages, { title: 'Long' }), [
    invalid('/data/attributes/title'),
    { status: 422, code: 'RELATIONSHIP_UNRECOGNIZED', pointer: at('nonsense') },
    invalid(at('dedicatedTo')),
    invalid(at('tracks/data/0/id')),
    invalid(at('orderedTracks/data/0/meta/pivot/position')),
    invalid(at('orderedTracks/data/1/meta/pivot/position')),
    invalid(at('items/data/1/id')),
  ])
})

const playlist = '/playlists/1'
const owner = (key: string | null) => (key === null ? null : one('users', key))
const publicOwner = (key: string | null) => (key === null ? null : one('public-profiles', key))

/** Playlists that refer to their owner twice: as a user, and as a public profile of the same row. */
function owned(users: object = {}) {
  const resources = [
    typeWith('playlists', { owner: belongsTo('users'), publicOwner: belongsTo('public-profiles').via('ownerId') }),
    typeWith('users', {}, users),
    typeWith('public-profiles', {}, { model: model('users') }),
  ]
  const data = storedData({ playlists: [{ id: 1, ownerId: 1 }], users: [{ id: 1 }, { id: 2 }] })
  return linkageWriter(createServer({ resources, data }))
}

async function owners(api: ReturnType<typeof owned>, path = playlist): Promise<readonly unknown[]> {
  const { relationships } = (await api.get(path)).resource
  return [relationships?.['owner']?.data, relationships?.['publicOwner']?.data]
}

describe('two relations over one column', () => {
  test('that agree are written', async () => {
    for (const key of ['2', null]) {
      const api = owned()
      const linkages = { owner: owner(key), publicOwner: publicOwner(key) }
      expect((await api.update(playlist, linkages)).status).toBe(200)
      expect(await owners(api)).toEqual([owner(key), publicOwner(key)])
      const created = await api.create('/playlists', linkages)
      expect(created.status).toBe(201)
      expect(await owners(api, `/playlists/${created.resource.id}`)).toEqual([owner(key), publicOwner(key)])
    }
  })

  test('that contradict each other are 422 at the second of them, and nothing is written', async () => {
    const api = owned()
    const contradiction = [invalid(at('publicOwner/data'))]
    const linkages = { owner: owner('1'), publicOwner: publicOwner('2') }
    expectErrors(await api.create('/playlists', linkages), contradiction)
    expect(shown((await api.get('/playlists')).resources)).toEqual(['playlists 1'])
    await api.update(playlist, { owner: null })
    expectErrors(await api.update(playlist, linkages), contradiction)
    expect(await owners(api)).toEqual([null, null])
  })

  test('one of which repeats the stored value, and the other does not, contradict each other too', async () => {
    const api = owned()
    for (const [first, second] of [
      ['1', '2'],
      ['1', null],
      ['2', '1'],
    ] as const) {
      expectErrors(await api.update(playlist, { owner: owner(first), publicOwner: publicOwner(second) }), [
        invalid(at('publicOwner/data')),
      ])
    }
    expect(await owners(api)).toEqual([owner('1'), publicOwner('1')])
    expect((await api.update(playlist, { owner: owner('1'), publicOwner: publicOwner('1') })).status).toBe(200)
  })

  test('one of which the caller does not see follow the other', async () => {
    const api = owned({
      scope: (_context: unknown, f: { idIn(): { fixed(ids: string[]): unknown } }) => f.idIn().fixed([]),
    })
    expect(await owners(api)).toEqual([null, publicOwner('1')])
    expect((await api.update(playlist, { owner: null, publicOwner: publicOwner('2') })).status).toBe(200)
    expect(await api.members(`${playlist}/publicOwner`)).toEqual(['public-profiles 2'])
  })

  test('are both changed by a write of one', async () => {
    const api = owned()
    expect((await api.replace(`${playlist}/publicOwner`, publicOwner('2'))).document?.data).toEqual(publicOwner('2'))
    expect(await owners(api)).toEqual([owner('2'), publicOwner('2')])
  })
})
