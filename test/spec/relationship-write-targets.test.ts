import { belongsTo, hasMany, id } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { linkageState, linkageWriter, one, some } from '../support/linkage-writer.js'
import { linkedMusic } from '../support/linked-music.js'

const music = () => linkageWriter(linkedMusic())

const verbs = ['replace', 'add', 'remove'] as const

/** Some linkage of the fixture, to see that a refused write has changed none of it. */
const state = linkageState([
  '/albums/1/artist',
  '/artists/1/portrait',
  '/albums/1/tracks',
  '/playlists/1/tracks',
  '/playlists/1/dedicatedTo',
  '/playlists/1/items',
])

const missing = (pointer: string) => ({ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer })

describe('a related resource that does not exist is 404 RELATED_RESOURCE_NOT_FOUND', () => {
  test.each([
    ['/albums/1/artist', one('artists', '99')],
    ['/artists/1/portrait', one('portraits', '99')],
    ['/playlists/1/dedicatedTo', one('albums', '99')],
  ] as const)('of the to-one %s', async (at, data) => {
    const api = music()
    const before = await state(api)
    expectErrors(await api.replace(at, data), [missing('/data')])
    expect(await state(api)).toEqual(before)
  })

  test.each([
    ['/albums/1/tracks', some('tracks', '3', '99', '4', '98')],
    ['/playlists/1/tracks', some('tracks', '3', '99', '4', '98')],
    ['/playlists/1/items', [one('artists', '2'), one('artists', '99'), one('albums', '1'), one('albums', '99')]],
  ] as const)('each with its pointer, and nothing is written: %s', async (at, data) => {
    const api = music()
    const before = await state(api)
    for (const verb of ['replace', 'add'] as const) {
      expectErrors(await api[verb](at, data), [missing('/data/1'), missing('/data/3')])
    }
    expect(await state(api)).toEqual(before)
  })

  test('one that shares its id with a resource of another type', async () => {
    // There is an album 4, and no artist 4.
    expectErrors(await music().add('/playlists/1/items', [one('albums', '4'), one('artists', '4')]), [
      missing('/data/1'),
    ])
  })

  test('an id that cannot be decoded', async () => {
    const unknown = id().encodeUsing<number>({ encode: (key) => `t${key}`, decode: () => null })
    const throwing = id().encodeUsing<number>({
      encode: (key) => `a${key}`,
      decode() {
        throw new Error('undecodable')
      },
    })
    const api = linkageWriter(linkedMusic({ members: { tracks: { id: unknown }, artists: { id: throwing } } }))
    expectErrors(await api.add('/albums/1/tracks', [one('tracks', 't3'), one('tracks', 't1')]), [missing('/data/0')])
    expectErrors(await api.replace('/albums/1/artist', one('artists', 'a2')), [missing('/data')])
  })
})

describe('writes to a missing target', () => {
  const notThere = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS', pointer: null }]

  test.each(verbs)('an unknown relation is 404: %s', async (verb) => {
    expectErrors(await music()[verb]('/albums/1/nonsense', []), notThere)
    expectErrors(await music()[verb]('/albums/1/title', []), notThere)
  })

  test.each(verbs)('a suppressed endpoint is 404 for every verb: %s', async (verb) => {
    const over = {
      albums: {
        artist: belongsTo('artists').withoutRelationshipEndpoint(),
        tracks: hasMany('tracks').withoutRelationshipEndpoint(),
      },
    }
    const api = linkageWriter(linkedMusic({ over }))
    for (const [relation, data] of [
      ['artist', one('artists', '2')],
      ['tracks', some('tracks', '3')],
      ['tracks', 'nonsense'],
    ] as const) {
      expectErrors(await api[verb](`/albums/1/${relation}`, data), notThere)
    }
    expectErrors(await api.get('/albums/1/relationships/artist'), notThere)
    expect((await api.get('/albums/1/tracks')).resources.map((track) => track.id)).toEqual(['1', '2'])
  })

  test.each(verbs)('a parent that does not exist is 404 RESOURCE_NOT_FOUND: %s', async (verb) => {
    const notFound = [{ status: 404, code: 'RESOURCE_NOT_FOUND', pointer: null }]
    expectErrors(await music()[verb]('/albums/99/tracks', some('tracks', '1')), notFound)
    expectErrors(await music()[verb]('/albums/99/artist', one('artists', '1')), notFound)
  })

  test.each(verbs)('the related URL accepts no writes: %s', async (verb) => {
    const method = { replace: 'PATCH', add: 'POST', remove: 'DELETE' }[verb]
    const response = await music().request(method, '/albums/1/tracks', { body: { data: [] } })
    expectErrors(response, [{ status: 405 }])
    expect(response.headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
  })

  test.each(verbs)('relations of a type without Update accept no writes: %s', async (verb) => {
    const api = linkageWriter(linkedMusic({ members: { albums: { operations: ['FetchOne', 'Create', 'Delete'] } } }))
    const response = await api[verb]('/albums/1/tracks', some('tracks', '3'))
    expectErrors(response, [{ status: 405 }])
    expect(response.headers.get('Allow')).toBe('GET, HEAD, QUERY, OPTIONS')
  })
})

async function write(query: string) {
  const api = music()
  const body = { data: some('tracks', '3') }
  const response = await api.post(`/albums/1/relationships/tracks?${query}`, {
    body,
    headers: { Prefer: 'return=representation' },
  })
  return { response, members: await api.members('/albums/1/tracks') }
}

describe('query parameters of a write of linkage', () => {
  test.each([
    ['sort=title', 'SORTING_UNSUPPORTED', 'sort'],
    ['filter[title]=x', 'FILTERING_UNRECOGNIZED', 'filter[title]'],
    ['page[size]=1', 'QUERY_PARAM_UNRECOGNIZED', 'page'],
    ['nonsense=1', 'QUERY_PARAM_UNRECOGNIZED', 'nonsense'],
    ['fields[tracks]=nonsense', 'FIELDSET_MEMBER_UNRECOGNIZED', 'fields'],
    ['withCount=_self_', 'QUERY_PARAM_UNRECOGNIZED', 'withCount'],
    ['include=album', 'INCLUSION_UNSUPPORTED', 'include'],
    ['include=nonsense', 'INCLUSION_UNSUPPORTED', 'include'],
  ])('of lists and of resources are 400, and nothing is written: %s', async (query, code, parameter) => {
    const { response, members } = await write(query)
    expectErrors(response, [{ status: 400, code, parameter }])
    expect(members).toEqual(['tracks 1', 'tracks 2'])
  })

  test.each(['fields[tracks]=title', 'include='])(
    'that have no effect on identifiers are ignored: %s',
    async (query) => {
      const { response, members } = await write(query)
      expect(response.status).toBe(200)
      expect(response.document).not.toHaveProperty('included')
      expect(members).toEqual(['tracks 1', 'tracks 2', 'tracks 3'])
    },
  )
})
