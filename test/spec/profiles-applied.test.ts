import { cursorPage, numberPage } from 'ashlar'
import {
  countableProfile,
  cursorPaginationProfile,
  relationshipQueriesProfile,
} from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestClient, type TestRequestOptions, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { accepting, cursorShelf, endpoints, pagedShelf, shelf } from '../support/paged-albums.js'

const cursor = cursorPaginationProfile.uri
const countable = countableProfile.uri
const queries = relationshipQueriesProfile.uri
const unknown = 'https://unknown.example/profile'

/** The profiles that a response advertises, the same in every position. */
function advertised({ document, headers }: TestResponse): readonly string[] {
  const listed = (document?.jsonapi?.['profile'] ?? []) as readonly string[]
  const parameter = listed.length === 0 ? '' : `; profile="${listed.join(' ')}"`
  expect(headers.get('Content-Type')).toBe(`application/vnd.api+json${parameter}`)
  expect(headers.get('Vary')).toMatch(/^Accept(?:, Prefer)?$/)
  expect(document?.links ?? {}).not.toHaveProperty('profile')
  return listed
}

const send = async (api: TestClient, path: string, options: TestRequestOptions = {}) =>
  advertised(await api.get(path, options))

describe('the URIs', () => {
  test('are those that existing clients know', () => {
    expect([cursor, countable, queries]).toEqual([
      'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/',
      'https://haddowg.github.io/json-api/profiles/countable/',
      'https://haddowg.github.io/json-api/profiles/relationship-queries/',
    ])
  })
})

describe('rule 10: a cursor page', () => {
  test.each(endpoints)(
    'advertises the cursor-pagination profile even if it was not requested, on $name',
    async ({ path }) => {
      const api = cursorShelf(2)
      expect(await send(api, `${path}?page[size]=2`)).toEqual([cursor])
      expect(await send(cursorShelf(2, { count: 0 }), `${path}?page[size]=2`)).toEqual([cursor])
    },
  )

  test('advertises it in jsonapi.profile, in Content-Type and in Vary', async () => {
    const { document, headers } = await cursorShelf(2).get('/albums')
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [cursor] })
    expect(headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${cursor}"`)
    expect(headers.get('Vary')).toBe('Accept')
  })

  test('advertises it only if the server registered it, and is windowed all the same', async () => {
    for (const profiles of [[], [countableProfile]]) {
      const api = cursorShelf(2, { settings: { profiles } })
      const response = await api.get('/albums', accepting(cursor))
      expect(advertised(response)).toEqual([])
      expect(response.document?.meta).toEqual({ page: { perPage: 2, hasMore: true, from: '1', to: '2' } })
    }
  })

  test('is the only page that advertises it', async () => {
    const api = pagedShelf(numberPage({ size: 2 }))
    for (const path of ['/albums', '/albums/1', '/artists/1/albums', '/artists/1/relationships/albums?page[size]=2']) {
      expect(await send(api, path)).toEqual([])
    }
    expect(await send(shelf({ relation: cursorPage() }), '/artists/1/relationships/albums')).toEqual([])
  })

  test('with a refused cursor does not advertise it', async () => {
    const response = await cursorShelf(2).get('/albums?page[after]=!')
    expectErrors(response, [{ code: 'CURSOR_MALFORMED' }])
    expect(advertised(response)).toEqual([])
  })
})

describe('a profile that was requested', () => {
  test('is advertised if it is registered, even if it changed nothing', async () => {
    const api = shelf()
    for (const path of ['/albums', '/albums/1', '/artists/1/albums', '/artists/1/relationships/albums']) {
      expect(await send(api, path, accepting(countable))).toEqual([countable])
    }
    expect(await send(api, '/albums', accepting(cursor))).toEqual([cursor])
  })

  test('is one of those that the server registers by default', async () => {
    expect(await send(shelf(), '/albums', accepting(countable, queries, cursor))).toEqual([countable, queries, cursor])
  })

  test('comes in the order of the request, after those that the page itself applies', async () => {
    const api = cursorShelf(2)
    expect(await send(api, '/albums', accepting(queries, countable))).toEqual([cursor, queries, countable])
    expect(await send(api, '/albums', accepting(countable, cursor, queries))).toEqual([cursor, countable, queries])
    expect(await send(api, '/artists?include=albums', accepting(countable))).toEqual([cursor, countable])
  })

  test('is listed once, however often it was requested', async () => {
    expect(await send(cursorShelf(2), '/albums', accepting(countable, cursor, countable))).toEqual([cursor, countable])
    const headers = {
      accept: `application/vnd.api+json; profile=${countable}, application/vnd.api+json; profile="${queries} ${countable}"`,
    }
    expect(await send(shelf(), '/albums', { headers })).toEqual([countable, queries])
  })

  test('is ignored if it is not registered', async () => {
    const response = await shelf().get('/albums', accepting(unknown, countable, 'nonsense'))
    expect(response.status).toBe(200)
    expect(advertised(response)).toEqual([countable])
    expect(await send(shelf(), '/albums', accepting(unknown))).toEqual([])
  })

  test('is ignored if the setting leaves it out: the setting replaces the defaults', async () => {
    const labelled = { uri: 'https://music.example/profiles/labelled' }
    const api = shelf({ settings: { profiles: [labelled, relationshipQueriesProfile] } })
    expect(await send(api, '/albums', accepting(countable, labelled.uri, cursor, queries))).toEqual([
      labelled.uri,
      queries,
    ])
  })

  test('is not requested by the profile parameter of the query, or of Content-Type', async () => {
    expect(await send(shelf(), `/albums?profile=${countable}`)).toEqual([])
    const headers = { 'content-type': `application/vnd.api+json; profile="${countable}"` }
    const body = { data: { type: 'albums', attributes: { title: 'Post', year: 1995 } } }
    const response = await shelf().post('/albums', { headers, body })
    expect([response.status, advertised(response)]).toEqual([201, []])
  })

  test('is advertised by writes whose response has a document', async () => {
    const body = { data: { type: 'albums', attributes: { title: 'Post', year: 1995 } } }
    const response = await shelf().post('/albums', { ...accepting(countable), body })
    expect([response.status, advertised(response)]).toEqual([201, [countable]])
  })
})

describe('an error document', () => {
  test.each([
    ['/albums/99', 404],
    ['/albums?sort=nonsense', 400],
    ['/albums?page[after]=!', 400],
    ['/albums?withCount=nonsense', 400],
  ])('advertises the requested profiles: %s', async (path, status) => {
    const response = await cursorShelf(2).get(path, accepting(unknown, countable))
    expect([response.status, advertised(response)]).toEqual([status, [countable]])
  })

  test('advertises nothing else', async () => {
    expect(await send(cursorShelf(2), '/albums/99')).toEqual([])
    expect(await send(cursorShelf(2), '/albums?sort=nonsense', accepting(unknown))).toEqual([])
  })
})

describe('a response without a document', () => {
  test('names no profile, and varies by Accept all the same', async () => {
    const response = await shelf().delete('/albums/1', accepting(countable))
    expect(response.status).toBe(204)
    expect(response.headers.get('Content-Type')).toBeNull()
    expect(response.headers.get('Vary')).toBe('Accept')
  })
})
