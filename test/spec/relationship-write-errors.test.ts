import { id } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { linkageState, linkageWriter, one, relationshipPath, some } from '../support/linkage-writer.js'
import { linkedMusic } from '../support/linked-music.js'

const music = () => linkageWriter(linkedMusic())

const verbs = ['replace', 'add', 'remove'] as const
const methods = ['PATCH', 'POST', 'DELETE'] as const

/** Some linkage of the fixture, to see that a refused write has changed none of it. */
const state = linkageState([
  '/albums/1/artist',
  '/artists/1/portrait',
  '/albums/1/tracks',
  '/playlists/1/dedicatedTo',
  '/playlists/1/items',
  '/playlists/1/orderedTracks',
])

describe('a body without data', () => {
  test.each(methods)('is 400 DATA_MEMBER_MISSING: %s of a to-many', async (method) => {
    const missing = [{ status: 400, code: 'DATA_MEMBER_MISSING', pointer: '' }]
    const api = music()
    expectErrors(await api.request(method, '/albums/1/relationships/tracks', { body: {} }), missing)
    expectErrors(await api.request(method, '/albums/1/relationships/tracks', { body: { meta: { a: 1 } } }), missing)
    expectErrors(await api.request(method, '/albums/1/relationships/tracks'), missing)
  })

  test('is 400 DATA_MEMBER_MISSING: PATCH of a to-one', async () => {
    const missing = [{ status: 400, code: 'DATA_MEMBER_MISSING', pointer: '' }]
    expectErrors(await music().patch('/albums/1/relationships/artist', { body: {} }), missing)
    expectErrors(await music().patch('/albums/1/relationships/artist'), missing)
  })

  test('that is no object, no JSON, or has errors too is refused like any document', async () => {
    const path = '/albums/1/relationships/tracks'
    expectErrors(await music().patch(path, { body: [] }), [{ status: 400, code: 'REQUIRED_TOP_LEVEL_MEMBERS_MISSING' }])
    expectErrors(await music().patch(path, { raw: '{"data":' }), [{ status: 400, code: 'REQUEST_BODY_INVALID_JSON' }])
    expectErrors(await music().patch(path, { body: { data: [], errors: [] } }), [
      { status: 400, code: 'TOP_LEVEL_MEMBERS_INCOMPATIBLE' },
    ])
    expectErrors(await music().patch(path, { raw: '{}', headers: { 'Content-Type': 'application/json' } }), [
      { status: 415 },
    ])
  })
})

const inappropriate = [{ status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer: '/data' }]

describe('linkage of the other cardinality is 400 RELATIONSHIP_TYPE_INAPPROPRIATE', () => {
  test.each(['/albums/1/artist', '/artists/1/portrait', '/playlists/1/dedicatedTo'])(
    'a list to the to-one %s, even an empty one',
    async (at) => {
      const api = music()
      const before = await state(api)
      expectErrors(await api.replace(at, []), inappropriate)
      expectErrors(await api.replace(at, some('artists', '2')), inappropriate)
      expect(await state(api)).toEqual(before)
    },
  )

  test.each(['/albums/1/tracks', '/playlists/1/tracks', '/playlists/1/orderedTracks', '/playlists/1/items'])(
    'an object or null to the to-many %s',
    async (at) => {
      const api = music()
      const before = await state(api)
      for (const verb of verbs) {
        for (const data of [one('tracks', '1'), null, 'tracks', 5, true]) {
          expectErrors(await api[verb](at, data), inappropriate)
        }
      }
      expect(await state(api)).toEqual(before)
    },
  )

  test.each(['/albums/1/artist', '/artists/1/portrait', '/playlists/1/dedicatedTo'])(
    'POST and DELETE on the to-one %s, whatever they send',
    async (at) => {
      const api = music()
      const before = await state(api)
      for (const verb of ['add', 'remove'] as const) {
        for (const data of [one('artists', '1'), some('artists', '1'), [], null]) {
          expectErrors(await api[verb](at, data), inappropriate)
        }
      }
      const { errors } = await api.post(relationshipPath(at), { body: {} })
      expect(errors).toMatchObject([{ code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', source: { pointer: '' } }])
      expect(await state(api)).toEqual(before)
    },
  )
})

describe('an invalid identifier is 400, with its pointer', () => {
  const wrong = [
    { name: 'no object', sent: 'tracks', code: 'REQUEST_BODY_INVALID_JSON_API', at: '' },
    { name: 'a list', sent: [], code: 'REQUEST_BODY_INVALID_JSON_API', at: '' },
    { name: 'no type', sent: { id: '1' }, code: 'RESOURCE_IDENTIFIER_TYPE_MISSING', at: '' },
    { name: 'type null', sent: { type: null, id: '1' }, code: 'RESOURCE_IDENTIFIER_TYPE_INVALID', at: '/type' },
    { name: 'type a number', sent: { type: 1, id: '1' }, code: 'RESOURCE_IDENTIFIER_TYPE_INVALID', at: '/type' },
    { name: 'no id', sent: { type: 'tracks' }, code: 'RESOURCE_IDENTIFIER_ID_MISSING', at: '' },
    { name: 'id a number', sent: { type: 'tracks', id: 1 }, code: 'RESOURCE_IDENTIFIER_ID_INVALID', at: '/id' },
    { name: 'id null', sent: { type: 'tracks', id: null }, code: 'RESOURCE_IDENTIFIER_ID_INVALID', at: '/id' },
    { name: 'a local id', sent: { type: 'tracks', lid: 'a' }, code: 'LOCAL_ID_NOT_SUPPORTED', at: '/lid' },
    {
      name: 'a local id together with an id',
      sent: { type: 'tracks', id: '1', lid: 'a' },
      code: 'LOCAL_ID_NOT_SUPPORTED',
      at: '/lid',
    },
    {
      name: 'a local id that is no text',
      sent: { type: 'tracks', lid: 1 },
      code: 'RESOURCE_IDENTIFIER_LID_INVALID',
      at: '/lid',
    },
    {
      name: 'an empty local id only',
      sent: { type: 'tracks', lid: '' },
      code: 'RESOURCE_IDENTIFIER_ID_MISSING',
      at: '',
    },
  ]

  test.each(wrong)('in a to-many: $name', async ({ sent, code, at }) => {
    const api = music()
    const before = await state(api)
    for (const verb of verbs) {
      expectErrors(await api[verb]('/albums/1/tracks', [one('tracks', '1'), sent]), [
        { status: 400, code, pointer: `/data/1${at}` },
      ])
    }
    expect(await state(api)).toEqual(before)
  })

  test.each(wrong.filter(({ name }) => name !== 'a list'))('in a to-one: $name', async ({ sent, code, at }) => {
    const api = music()
    const before = await state(api)
    expectErrors(await api.replace('/tracks/1/album', sent), [{ status: 400, code, pointer: `/data${at}` }])
    expect(await state(api)).toEqual(before)
  })

  test('an empty local id is absent', async () => {
    const { status } = await music().add('/albums/1/tracks', [{ type: 'tracks', id: '3', lid: '' }])
    expect(status).toBe(200)
  })

  test('all of them in one response, both errors of one identifier too', async () => {
    expectErrors(await music().add('/albums/1/tracks', [{}, 'x', { type: 'tracks', id: 2 }]), [
      { code: 'RESOURCE_IDENTIFIER_TYPE_MISSING', pointer: '/data/0' },
      { code: 'RESOURCE_IDENTIFIER_ID_MISSING', pointer: '/data/0' },
      { code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data/1' },
      { code: 'RESOURCE_IDENTIFIER_ID_INVALID', pointer: '/data/2/id' },
    ])
  })

  test('no more than the maximum number of errors', async () => {
    const api = linkageWriter(linkedMusic({ limits: { errors: 3 } }))
    for (const sent of [{}, 'x', { type: 'tracks', lid: 'a' }]) {
      expect(
        (
          await api.add(
            '/albums/1/tracks',
            Array.from({ length: 9 }, () => sent),
          )
        ).errors,
      ).toHaveLength(3)
    }
    for (const type of ['albums', 'tracks']) {
      const sent = Array.from({ length: 9 }, (_, index) => one(type, `x${index}`))
      expect((await api.add('/albums/1/tracks', sent)).errors).toHaveLength(3)
    }
    const unreachable = Array.from({ length: 9 }, (_, index) => one('tracks', `${index}\ud800`))
    expectErrors(
      await api.add('/albums/1/tracks', unreachable),
      [0, 1, 2].map((n) => ({ pointer: `/data/${n}/id` })),
    )
  })
})

describe('a type that the relation does not accept is 409 RESOURCE_TYPE_UNACCEPTABLE', () => {
  test.each(verbs)('one error for each member of a to-many: %s', async (verb) => {
    const api = music()
    const before = await state(api)
    const data = [one('albums', '1'), one('tracks', '1'), one('nonsense', '1'), one('constructor', '1')]
    expectErrors(await api[verb]('/albums/1/tracks', data), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/0/type' },
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/2/type' },
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/3/type' },
    ])
    expect(await state(api)).toEqual(before)
  })

  test('of a to-one', async () => {
    for (const at of ['/albums/1/artist', '/artists/1/portrait', '/playlists/1/dedicatedTo']) {
      expectErrors(await music().replace(at, one('tracks', '1')), [
        { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
      ])
    }
  })

  test('a relation to several types takes each of them, and no other; the detail names them', async () => {
    const [error] = expectErrors(await music().add('/playlists/1/items', [one('artists', '2'), one('tracks', '1')]), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/1/type' },
    ])
    expect(error?.detail).toBe("The type 'tracks' is not accepted here. Accepted: artists, albums.")
  })
})

const invalid = (pointer: string) => ({ status: 422, code: 'VALIDATION_FAILED', pointer })
const formatted = () =>
  linkageWriter(linkedMusic({ members: { artists: { id: id().numeric() }, tracks: { id: id().pattern(/^\d$/) } } }))

describe('an id that does not have the format of the related type is 422 at the id', () => {
  test('of a to-one', async () => {
    expectErrors(await formatted().replace('/albums/1/artist', one('artists', 'x')), [invalid('/data/id')])
  })

  test.each(verbs)('of every member of a to-many: %s', async (verb) => {
    const data = [one('tracks', 'x'), one('tracks', '1'), one('tracks', '')]
    expectErrors(await formatted()[verb]('/albums/1/tracks', data), [invalid('/data/0/id'), invalid('/data/2/id')])
  })

  test("the identifier's own type selects the format of a polymorphic relation", async () => {
    const api = formatted()
    const data = [one('artists', 'x'), one('albums', 'x'), one('artists', '2')]
    expectErrors(await api.add('/playlists/1/items', data), [invalid('/data/0/id')])
    expectErrors(await api.replace('/playlists/1/dedicatedTo', one('artists', 'x')), [invalid('/data/id')])
    expectErrors(await api.replace('/playlists/1/dedicatedTo', one('albums', 'x')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data' },
    ])
  })

  test.each(verbs)('existing members are accepted, with any ids: %s', async (verb) => {
    exemptFromDescription('exchanges', 'The stored ids are older than the declared format.')
    const api = linkageWriter(linkedMusic({ members: { tracks: { id: id().pattern(/^new-/) } } }))
    expectErrors(await api[verb]('/albums/1/tracks', some('tracks', '1', '3')), [invalid('/data/1/id')])
    expect((await api[verb]('/albums/1/tracks', some('tracks', '1', '2'))).status).toBe(200)
  })

  test('a type without a format takes any text but an empty one', async () => {
    const api = music()
    expectErrors(await api.add('/albums/1/tracks', [one('tracks', '')]), [invalid('/data/0/id')])
    expectErrors(await api.add('/albums/1/tracks', [one('tracks', ' ')]), [{ status: 404 }])
  })

  test('it is checked before anything is decoded', async () => {
    const decoded: string[] = []
    const encoded = id()
      .pattern(/^a-\d+$/)
      .encodeUsing<number>({
        encode: (key) => `a-${key}`,
        decode(wireId) {
          decoded.push(wireId)
          return Number(wireId.slice(2))
        },
      })
    const api = linkageWriter(linkedMusic({ members: { artists: { id: encoded } } }))
    expectErrors(await api.replace('/albums/1/artist', one('artists', '2')), [invalid('/data/id')])
    expectErrors(await api.replace('/playlists/1/dedicatedTo', one('artists', '2')), [invalid('/data/id')])
    expectErrors(await api.add('/playlists/1/items', [one('artists', '2')]), [invalid('/data/0/id')])
    expect(decoded).toEqual([])
    expect((await api.replace('/albums/1/artist', one('artists', 'a-2'))).status).toBe(200)
    expect(decoded).toContain('a-2')
  })
})
