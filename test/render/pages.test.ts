import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dataResponse, identifierResponse, relatedResponse } from '../../src/serve/operation/response-value.js'
import { describePage, type PageDescription } from '../../src/declare/pagination/page-description.js'
import { pageRequest, type PageParameters } from '../../src/declare/pagination/page-request.js'
import { cursorPage, numberPage } from '../../src/declare/pagination/paginator.js'
import { baseUrls } from '../../src/core/http/encoded-uri.js'
import { documentFrame } from '../../src/serve/render/document-frame.js'
import { pageQueries } from '../../src/declare/pagination/page-url.js'
import { documentBuffer } from '../../src/serve/render/document-text.js'
import { parseQueryString } from '../../src/serve/parse/query-string.js'
import { renderingFor } from '../../src/server/journey/rendering-for.js'
import type { Service } from '../../src/server/assembly/service.js'
import { stubRequest } from '../parse/stub-request.js'
import { artists, identifier } from './music.js'
import { nodes, rendered, requested, resources } from './rendered.js'
import { runs } from '../support/runs.js'

const address = 'http://localhost/artists'
const list = resources(
  nodes(
    artists,
    ['id', 'name'],
    [
      [1, 'Radiohead'],
      [2, 'Miles Davis'],
    ],
  ),
)

/** Page 2 of 3, of two artists each. */
function secondPage(sent: PageParameters, total: number | null = 6): PageDescription {
  const paginator = numberPage({ size: 2 })
  return describePage(
    { paginator, request: pageRequest(paginator, sent), shown: 2, total, more: true, edges: null },
    sent,
  )
}

/** The pairs of a query string, `null` for one that is refused. */
function parsed(raw: string): ReturnType<typeof parseQueryString> | null {
  try {
    return parseQueryString(raw)
  } catch {
    return null
  }
}

describe('the links of a page', () => {
  test('have the URL of the request, and the self link of the page wins', () => {
    const page = secondPage(new Map([['number', '2']]))
    const { document } = rendered(dataResponse(list, { page }), requested(address, 'page%5Bnumber%5D=2'))
    expect(document?.links).toEqual({
      self: `${address}?page%5Bnumber%5D=2`,
      first: `${address}?page%5Bnumber%5D=1`,
      prev: `${address}?page%5Bnumber%5D=1`,
      next: `${address}?page%5Bnumber%5D=3`,
      last: `${address}?page%5Bnumber%5D=3`,
    })
  })

  test('repeat the query of the client, character by character, except page and characters that a URI cannot have', () => {
    const sent = 'filter[name]=a+b%26c&%66ilter%5Bx%5D=%C3%A9&sort=-name,id&&page[size]=2&p%61ge%5Bnumber%5D=2&include='
    const page = secondPage(
      new Map([
        ['size', '2'],
        ['number', '2'],
      ]),
    )
    const { document } = rendered(dataResponse(list, { page }), requested(address, sent))
    expect(document?.links?.['next']).toBe(
      `${address}?filter%5Bname%5D=a+b%26c&%66ilter%5Bx%5D=%C3%A9&sort=-name,id&include=&page%5Bsize%5D=2&page%5Bnumber%5D=3`,
    )
  })

  test('repeat the query of the client, whatever it was', () => {
    const part = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('filter[', 'page[', '%70age%5b', 'Page[', ']', '=', '&', '+', '%20', '#', '?', '"', '\\', '|'),
    )
    const page: PageDescription = { links: new Map([['next', new Map([['number', '2']])]]), meta: {} }
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const raw = parts.join('')
        const pairs = parsed(raw)
        if (pairs === null || !raw.isWellFormed()) return
        const request = renderingFor(
          {
            baseUri: '',
            baseUrl: baseUrls(),
            documentBuffer: documentBuffer(),
            pageQuery: pageQueries(),
            frame: documentFrame({ version: '1.1', jsonapiMeta: null }),
            describedby: new Map(),
            uriLength: Number.POSITIVE_INFINITY,
          } as Partial<Service> as Service,
          stubRequest({ path: '/artists', query: raw }),
          { kind: 'notServed' },
          { negotiated: null },
        )
        const next = String(rendered(dataResponse(list, { page }), request).document?.links?.['next'])
        expect(parsed(new URL(next).search.slice(1))).toEqual([
          ...pairs.filter(({ path: [family, key] }) => family !== 'page' || key === undefined),
          { name: 'page[number]', path: ['page', 'number'], value: '2' },
        ])
      }),
      { numRuns: runs(1000) },
    )
  })

  test('leave out self if the page has none, which is then that of the request', () => {
    const page: PageDescription = { links: new Map([['first', new Map()]]), meta: { perPage: 2, hasMore: false } }
    const { document } = rendered(dataResponse(list, { page }), requested(address, 'sort=name&page%5Bafter%5D=x'))
    expect(document?.links).toEqual({ self: `${address}?sort=name&page%5Bafter%5D=x`, first: `${address}?sort=name` })
  })

  test('have no question mark if there is no query', () => {
    const page: PageDescription = { links: new Map([['first', new Map()]]), meta: {} }
    const { document } = rendered(dataResponse(list, { page }), requested(address, 'page%5Bafter%5D=x'))
    expect(document?.links?.['first']).toBe(address)
  })

  test('have cursors percent-encoded', () => {
    const paginator = cursorPage()
    const sent = new Map([['after', 'a']])
    const edges = { first: { token: () => 'a/b', id: '1' }, last: { token: () => 'c+d=', id: '2' } }
    const request = pageRequest(paginator, sent)
    const page = describePage({ paginator, request, shown: 2, total: null, more: true, edges }, sent)
    const { document } = rendered(dataResponse(list, { page }), requested(address, 'page%5Bafter%5D=a'))
    expect(document?.links).toEqual({
      self: `${address}?page%5Bafter%5D=a`,
      first: address,
      prev: `${address}?page%5Bbefore%5D=a%2Fb`,
      next: `${address}?page%5Bafter%5D=c%2Bd%3D`,
    })
  })

  test('are replaced by user-defined links of the response', () => {
    const page = secondPage(new Map([['number', '2']]))
    const links = { next: 'https://other.example/', help: null }
    const { document } = rendered(dataResponse(list, { page, links }), requested(address, 'page%5Bnumber%5D=2'))
    expect(document?.links).toMatchObject({ self: `${address}?page%5Bnumber%5D=2`, ...links })
  })

  test('are missing if no URL has room for the query, and meta has the parameters', () => {
    const page = secondPage(new Map([['number', '2']]))
    const { document } = rendered(dataResponse(list, { page }), { self: null, query: null })
    expect(document).not.toHaveProperty('links')
    const [one, three] = [{ 'page[number]': '1' }, { 'page[number]': '3' }]
    const unlinked = { first: one, prev: one, next: three, last: three }
    expect(document?.meta).toMatchObject({ page: { currentPage: 2, unlinked } })
  })

  test('are missing one by one', () => {
    const page = secondPage(new Map([['number', '2']]))
    const { document } = rendered(dataResponse(list, { page }), { query: 'sort=title', maxQuery: 'sort=title'.length })
    expect(Object.keys(document?.links ?? {})).toEqual(['self'])
  })

  test('are on related documents, at the related URL', () => {
    const related = 'http://localhost/labels/ecm/artists'
    const page = secondPage(new Map([['number', '2']]))
    const { document } = rendered(relatedResponse(list, { page }), requested(related, 'page%5Bnumber%5D=2'))
    expect(document?.links?.['next']).toBe(`${related}?page%5Bnumber%5D=3`)
  })
})

describe('meta.page', () => {
  test('describes the page, next to the meta of the response', () => {
    const page = secondPage(new Map([['number', '2']]))
    const { document } = rendered(dataResponse(list, { page, meta: { total: 6 } }))
    expect(document?.meta).toEqual({
      page: { currentPage: 2, perPage: 2, from: 3, to: 4, total: 6, lastPage: 3 },
      total: 6,
    })
  })

  test('is missing for documents that are not pages', () => {
    expect(rendered(dataResponse(list, { meta: { total: 2 } })).document?.meta).toEqual({ total: 2 })
    expect(rendered(dataResponse(list)).document).not.toHaveProperty('meta')
  })
})

describe('a document of linkage', () => {
  const self = 'http://localhost/albums/1/relationships/tracks'
  const data = [identifier('tracks', '1'), identifier('tracks', '2', { pivot: { position: 1 } })]

  test('has data and the links of the relationship', () => {
    const value = identifierResponse(data, { related: ['albums', 'a/b "é"', 'tracks'] })
    expect(rendered(value, requested(self, '')).text).toBe(
      '{"data":[{"type":"tracks","id":"1"},{"type":"tracks","id":"2","meta":{"pivot":{"position":1}}}],' +
        `"links":{"self":"${self}","related":"http://localhost/albums/a%2Fb%20%22%C3%A9%22/tracks"},` +
        '"jsonapi":{"version":"1.1"}}',
    )
  })

  test('has one identifier, or null', () => {
    expect(rendered(identifierResponse(identifier('tracks', '1'))).document?.data).toEqual({ type: 'tracks', id: '1' })
    expect(rendered(identifierResponse(null)).document?.data).toBeNull()
    expect(rendered(identifierResponse([])).document?.data).toEqual([])
  })

  test('has the links of its page and no meta.page', () => {
    const page = new Map([
      ['first', new Map()],
      ['next', new Map([['after', 'x']])],
    ] as const)
    const value = identifierResponse(data, { related: null, page })
    const { document } = rendered(value, requested(self, 'sort=-title&page%5Bsize%5D=2'))
    expect(document?.links).toEqual({
      self: `${self}?sort=-title&page%5Bsize%5D=2`,
      first: `${self}?sort=-title`,
      next: `${self}?sort=-title&page%5Bafter%5D=x`,
    })
    expect(document).not.toHaveProperty('meta')
  })
})
