import { defaultProfiles, type Operation } from 'ashlar'
import {
  countableProfile,
  cursorPaginationProfile,
  relationshipQueriesProfile,
} from '../../src/declare/profiles/profile.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'

type Settings = Parameters<typeof catalogueServer>[0]

const [cursor, countable, queries] = defaultProfiles.map(({ uri }) => uri)
const labelled = { uri: 'https://music.example/profiles/labelled', families: ['labelLanguage'] }

/** A server that records the operations which reach its handler. */
function watched(settings: Settings = {}) {
  const seen: Operation[] = []
  const server = catalogueServer({
    ...settings,
    handler: () => async (operation) => {
      seen.push(operation)
      return { kind: 'meta', status: 200, headers: [], links: null, profiles: [], meta: { done: true } }
    },
  })
  const last = (): Operation => {
    const operation = seen.at(-1)
    if (operation === undefined) throw new Error('The handler was not reached.')
    return operation
  }
  return { server, api: client(server, { isDescribed: false }), last }
}

const accepting = (...uris: readonly (string | undefined)[]) => ({
  headers: { accept: `application/vnd.api+json; profile="${uris.join(' ')}"` },
})

describe('a profile', () => {
  test('is negotiated by Accept, and passed to the handler of the operation', async () => {
    const { api, last } = watched()
    await api.get('/albums')
    expect(last().profiles).toEqual([])
    await api.get('/albums', accepting(countable, 'https://unknown.example/', cursor, countable))
    expect(last().profiles).toEqual([countable, cursor])
  })

  test('is advertised if it was requested, in jsonapi.profile, Content-Type and Vary', async () => {
    const response = await watched().api.get('/albums', accepting(countable))
    expect(response.document?.jsonapi).toEqual({ version: '1.1', profile: [countable] })
    expect(response.headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${countable}"`)
    expect(response.headers.get('Vary')).toBe('Accept')
  })

  test('in Content-Type has no effect', async () => {
    const { api, last } = watched()
    const headers = { 'content-type': `application/vnd.api+json; profile="${countable}"` }
    await api.post('/genres', { headers, body: { data: { type: 'genres', id: 'dub' } } })
    expect(last().profiles).toEqual([])
  })

  test('that is not registered is ignored', async () => {
    const { api, last } = watched({ profiles: [] })
    const { document } = await api.get('/albums', accepting(cursor, countable, queries))
    expect(last().profiles).toEqual([])
    expect(document?.jsonapi).toEqual({ version: '1.1' })
    const response = await api.get('/albums?withCount=_self_', accepting(countable))
    expectErrors(response, [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'withCount' }])
  })
})

describe('the registered profiles', () => {
  test('are cursor pagination, countable and relationship queries', () => {
    expect(defaultProfiles).toEqual([cursorPaginationProfile, countableProfile, relationshipQueriesProfile])
  })

  test('are those of the settings, which may be fewer or others', async () => {
    const { api, last } = watched({ profiles: [countableProfile, labelled] })
    await api.get('/albums?labelLanguage=is&withCount=tracks', accepting(labelled.uri, countable, cursor))
    expect(last().profiles).toEqual([labelled.uri, countable])
    expect([...last().query.custom]).toEqual([['labelLanguage', ['is']]])
    expect(last().query.withCount).toEqual(['tracks'])
  })
})

describe('the families of a profile', () => {
  test.each([
    ['withCount=_self_', 'withCount'],
    ['relatedQuery[tracks][sort]=title', 'relatedQuery'],
    ['rQ[tracks][sort]=title', 'rQ'],
  ])('are unknown if it was not negotiated, and ignored without strict validation: %s', async (query, family) => {
    expectErrors(await watched().api.get(`/albums?${query}`, accepting(cursor)), [
      { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: family },
    ])
    const { api, last } = watched({ strictQueryParameters: false })
    await api.get(`/albums?${query}`)
    expect(last().query).toMatchObject({ withCount: [], relatedQuery: new Map() })
  })

  test('reach the handler if it was negotiated', async () => {
    const { api, last } = watched()
    await api.get('/albums?withCount=_self_&rQ[tracks][sort]=-title', accepting(countable, queries))
    expect(last().query.withCount).toEqual(['_self_'])
    expect(last().query.relatedQuery.get('tracks')).toMatchObject({ parameter: 'rQ[tracks]', sort: ['-title'] })
  })

  test('of the wrong shape are QUERY_PARAM_MALFORMED', async () => {
    const { api } = watched()
    const profiles = accepting(countable, queries)
    expectErrors(await api.get('/albums?withCount[]=_self_', profiles), [
      { status: 400, code: 'QUERY_PARAM_MALFORMED', parameter: 'withCount' },
    ])
    expectErrors(await api.get('/albums?relatedQuery[tracks]=title', profiles), [
      { status: 400, code: 'QUERY_PARAM_MALFORMED', parameter: 'relatedQuery[tracks]' },
    ])
  })
})

describe('a dispatched operation', () => {
  test('names its profiles itself; only registered ones count, each once', async () => {
    const { server, last } = watched()
    const profiles = [countable, 'https://unknown.example/', countable].map(String)
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: null, profiles, query: 'withCount=_self_' })
    expect(last()).toMatchObject({ profiles: [countable], query: { withCount: ['_self_'] } })
  })

  test('has none unless it declares one', async () => {
    const { server, last } = watched()
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: null })
    expect(last().profiles).toEqual([])
    const counting = server.dispatch({ kind: 'FetchResource', type: 'albums', id: null, query: 'withCount=_self_' })
    await expect(counting).rejects.toMatchObject({ problems: [{ code: 'QUERY_PARAM_UNRECOGNIZED' }] })
  })
})
