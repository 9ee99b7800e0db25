import { createServer, defineResource, id as idOf, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors, type TestDocument } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { fetchAdapter } from '../../src/serve/adapters/fetch.js'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'

// https://www.rfc-editor.org/rfc/rfc10008

const FORM = 'application/x-www-form-urlencoded'
const CURSORS = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'

/** A filter whose parameters fit in no URL. The ids come first, so that pages have rows. */
function longFilter(count: number): string {
  return Array.from({ length: count }, (_, index) => `filter[id][]=${index + 1}`).join('&')
}

interface UnlinkedPage {
  readonly unlinked: Readonly<Record<string, Record<string, string>>>
}

function pageOf(document: TestDocument | undefined): UnlinkedPage {
  return document?.meta?.['page'] as UnlinkedPage
}

describe('a QUERY request', () => {
  test('returns what the GET request with the same query returns', async () => {
    const api = client(catalogueServer())
    const reads: readonly (readonly [path: string, query: string])[] = [
      ['/albums', 'filter[title]=Dummy&include=artist&fields[artists]=name'],
      ['/albums', 'sort=-title&page[size]=2&page%5Bnumber%5D=2'],
      ['/albums', ''],
      ['/albums/1', 'include=artist'],
      ['/albums/1/artist', 'fields[artists]=name'],
      ['/albums/1/tracks', 'sort=title'],
      ['/albums/1/relationships/artist', ''],
    ]
    for (const [path, query] of reads) {
      const got = await api.get(query === '' ? path : `${path}?${query}`)
      const queried = await api.query(path, query)
      expect([queried.status, queried.text]).toEqual([200, got.text])
      for (const name of ['content-type', 'vary', 'cache-control', 'etag', 'last-modified']) {
        expect(queried.headers.get(name), name).toEqual(got.headers.get(name))
      }
    }
  })

  test('has the errors of the GET request', async () => {
    const api = client(catalogueServer())
    const queries = [
      'filter[nothing]=1',
      'filter=1',
      'include=nothing',
      'sort=nothing',
      'page[after]=x&nonsense=1',
      'a%ff=1',
    ]
    for (const query of queries) {
      const got = await api.get(`/albums?${query}`)
      const queried = await api.query('/albums', query)
      expect([queried.status, queried.errors]).toEqual([got.status, got.errors])
      expect(queried.errors[0]?.source?.parameter).toBeTypeOf('string')
    }
    expectErrors(await api.query('/albums/99', ''), [{ status: 404 }])
  })

  test('names the URL of the GET request, for these results and for later ones', async () => {
    const api = client(catalogueServer())
    const { headers, document } = await api.query('/albums', 'filter[title]=Dummy')
    const url = 'http://localhost/albums?filter%5Btitle%5D=Dummy'
    expect([headers.get('content-location'), headers.get('location'), document?.links?.['self']]).toEqual([
      url,
      url,
      url,
    ])
  })

  test('is conditional', async () => {
    const api = client(catalogueServer())
    const tag = (await api.get('/albums/1')).headers.get('etag')
    if (tag === null) return expect((await api.query('/albums/1', '')).headers.get('etag')).toBeNull()
    const response = await api.query('/albums/1', '', { headers: { 'If-None-Match': tag } })
    expect([response.status, response.text]).toEqual([304, ''])
  })

  test('may have no parameters, but must have the media type of a form', async () => {
    const api = client(catalogueServer())
    const whole = (await api.get('/albums')).text
    expect((await api.query('/albums', '')).text).toBe(whole)
    for (const type of [`${FORM};charset=UTF-8`, `Application/X-WWW-Form-URLencoded; charset="utf-8"`]) {
      expect((await api.query('/albums', '', { headers: { 'Content-Type': type } })).text).toBe(whole)
    }
    for (const type of [null, 'application/vnd.api+json', 'text/plain', `${FORM};charset=latin1`, `${FORM},${FORM}`]) {
      const response = await api.query('/albums', 'sort=title', { headers: { 'Content-Type': type } })
      expectErrors(response, [{ status: 415, code: 'QUERY_MEDIA_TYPE_UNSUPPORTED', header: 'Content-Type' }])
      expect(response.headers.get('accept-query')).toBe(FORM)
    }
    expectErrors(await api.query('/albums', '', { headers: { 'Content-Type': null } }), [{ status: 415 }])
  })

  test('has no parameters in its URL', async () => {
    exemptFromDescription('exchanges', 'The document describes GET requests')
    const api = client(catalogueServer())
    const response = await api.query('/albums?sort=title&filter[title]=a&filter[id]=1&', 'page[size]=1')
    expectErrors(response, [
      { status: 400, code: 'QUERY_PARAM_IN_URL', parameter: 'sort' },
      { status: 400, code: 'QUERY_PARAM_IN_URL', parameter: 'filter' },
    ])
    expect(response.errors[0]?.detail).toBe(
      "The query parameter 'sort' of a QUERY request must be in its body, not in its URL.",
    )
  })

  test('must be encoded in UTF-8', async () => {
    const api = client(catalogueServer())
    const sent = { headers: { 'Content-Type': FORM }, raw: Uint8Array.of(0x73, 0xff) }
    expectErrors(await api.request('QUERY', '/albums', sent), [{ status: 400, code: 'QUERY_BODY_MALFORMED' }])
    const plain = await api.query('/albums', 'filter[title]=Déjà')
    expect(plain.document?.links?.['self']).toBe('http://localhost/albums?filter%5Btitle%5D=D%C3%A9j%C3%A0')
  })

  test('cannot be another query with line breaks', async () => {
    const api = client(catalogueServer(), { isDescribed: false })
    // The cache key of a query that negotiated a profile is the profile, a line break and the query.
    await api.query('/albums', `${CURSORS}\nsort=title`)
    const Accept = `application/vnd.api+json;profile="${CURSORS}"`
    const negotiated = await api.get('/albums?sort=title', { headers: { Accept } })
    expect([negotiated.status, negotiated.document?.links?.['self']]).toEqual([
      200,
      'http://localhost/albums?sort=title&page%5Bnumber%5D=1',
    ])
  })

  test('gets 405 where nothing is read, without a look at its body', async () => {
    exemptFromDescription('exchanges', 'The document describes GET requests')
    const api = client(catalogueServer())
    const response = await api.query('/', 'x')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    expect(response.headers.get('accept-query')).toBeNull()
  })

  test('is offered by OPTIONS, by 405 and to web pages', async () => {
    const api = client(catalogueServer({ cors: { origins: ['https://app.example'] } }))
    const options = await api.request('OPTIONS', '/albums')
    expect(options.headers.get('allow')).toBe('GET, HEAD, QUERY, POST, OPTIONS')
    expect(options.headers.get('accept-query')).toBe(FORM)
    const refused = await api.request('PUT', '/albums/1/tracks')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, QUERY, OPTIONS'])
    expect(refused.headers.get('accept-query')).toBe(FORM)
    const headers = { Origin: 'https://app.example', 'Access-Control-Request-Method': 'QUERY' }
    const preflight = await api.request('OPTIONS', '/albums', { headers })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('QUERY')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Content-Type')
  })

  test('ignores an idempotency key', async () => {
    const labels = defineResource('labels', {
      model: model<{ id: number; name: string }>('labels'),
      id: idOf(),
      attributes: (a) => ({ name: a.string().sortable() }),
    })
    const api = client(createServer({ resources: [labels], data: memoryData(), idempotency: true }))
    const headers = { 'Idempotency-Key': '"1"' }
    expect((await api.query('/labels', 'sort=name', { headers })).status).toBe(200)
    expect((await api.query('/labels', 'sort=-name', { headers })).status).toBe(200)
  })
})

const sorts = (count: number): string => Array.from({ length: count }, () => 'sort=title').join('&')

describe('a query that is too long for a URL', () => {
  test('may have 10,000 values of a filter', async () => {
    const api = client(catalogueServer(), { isDescribed: false })
    const { resources, document, headers } = await api.query('/albums', longFilter(10_000))
    expect(resources.map(({ id }) => id)).toEqual((await api.get('/albums')).resources.map(({ id }) => id))
    expect([headers.get('content-location'), headers.get('location')]).toEqual([null, null])
    expect(document?.links?.['self']).toBeUndefined()
    const [error] = expectErrors(await api.query('/albums', longFilter(10_001)), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'filter[id]' },
    ])
    expect(error?.detail).toBe('A request may have at most 10000 values of one filter.')
    const joined = `filter[id]=${Array.from({ length: 10_000 }, (_, index) => index + 1).join(',')}`
    expect((await api.query('/albums', joined)).resources).toHaveLength(resources.length)
    expectErrors(await api.query('/albums', `${joined},10001`), [{ code: 'LIMIT_EXCEEDED', parameter: 'filter[id]' }])
  })

  test('has the limits of the settings, and GET requests keep theirs', async () => {
    const limits = { filterValues: 2, queryFilterValues: 3 }
    const api = client(catalogueServer({ limits }))
    expect((await api.query('/albums', 'filter[id]=1,2,3')).status).toBe(200)
    expectErrors(await api.get('/albums?filter[id]=1,2,3'), [{ code: 'LIMIT_EXCEEDED' }])
    expect((await api.query('/albums', longFilter(3))).status).toBe(200)
    expectErrors(await api.get(`/albums?${longFilter(3)}`), [{ code: 'LIMIT_EXCEEDED' }])
    expectErrors(await api.query('/albums', 'filter[id]=1,2,3,4'), [{ code: 'LIMIT_EXCEEDED' }])
    const small = client(catalogueServer({ limits: { bodyBytes: 100 } }))
    expectErrors(await small.query('/albums', longFilter(10)), [{ status: 413, code: 'REQUEST_BODY_TOO_LARGE' }])
  })

  test('has a limited number of parameters', async () => {
    const api = client(catalogueServer({ limits: { queryFilterValues: 10, filterValues: 5 } }), { isDescribed: false })
    expect((await api.query('/albums', sorts(1000))).status).toBe(200)
    const [error] = expectErrors(await api.query('/albums', sorts(1001)), [{ status: 400, code: 'LIMIT_EXCEEDED' }])
    expect(error?.detail).toBe('A request may have at most 1000 parameters in a query.')
  })

  test('has no dead links: the parameters of other pages are in meta', async () => {
    const api = client(catalogueServer(), { isDescribed: false })
    const filter = longFilter(2_000)
    const all = (await api.get('/albums?sort=title')).resources.map(({ id }) => id)
    const seen: string[] = []
    let page: string | null = 'page[size]=1'
    for (let pages = 0; page !== null && pages < 50; pages += 1) {
      const { document, resources } = await api.query('/albums', `${filter}&sort=title&${page}`)
      seen.push(...resources.map(({ id }) => id))
      expect(Object.keys(document?.links ?? {}).filter((name) => name !== 'describedby')).toEqual([])
      const { unlinked } = pageOf(document)
      expect(unlinked['first']).toEqual({ 'page[size]': '1', 'page[number]': '1' })
      const { next } = unlinked
      page = next === undefined ? null : new URLSearchParams(next).toString()
    }
    expect(seen).toEqual(all)
  })

  test('of a relationship has the same meta', async () => {
    const api = client(catalogueServer(), { isDescribed: false })
    const { document } = await api.query('/albums/1/relationships/tracks', `${longFilter(2_000)}&page[size]=1`)
    expect(document?.meta?.['page']).toEqual({ unlinked: expect.objectContaining({ first: expect.anything() }) })
  })

  test('has links to pages whose URLs are short enough', async () => {
    const api = client(catalogueServer())
    const { document } = await api.query('/albums', 'sort=title&page[size]=1')
    const next = new URL(String(document?.links?.['next']))
    expect((await api.get(next.pathname + next.search)).status).toBe(200)
    expect(document?.meta?.['page']).not.toHaveProperty('unlinked')
  })
})

test('A Web Request may be a QUERY request', async () => {
  const { handle } = catalogueServer()
  const body = new URLSearchParams({ 'filter[id]': '1', 'fields[albums]': 'title' })
  const response = await fetchAdapter(handle)(new Request('http://localhost/albums', { method: 'QUERY', body }))
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ data: [{ id: '1' }] })
})
