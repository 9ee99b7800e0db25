import type { TestClient, TestRequestOptions } from '../../test-client.js'
import type { TestResponse } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesNeeding, expectSuccess, expectIds, idsOf, pageOf, pathOf, successOrErrors } from '../case-declaration.js'
import { onlyPricedHeaders } from '../catalogue-types.js'
import { expectSame } from '../expect-same.js'

type Pages = readonly (readonly string[])[]

/** Follows the links from a page to the next or previous ones, and returns the ids of each page. */
async function followPages(
  api: TestClient,
  path: string,
  { to = 'next', ...options }: TestRequestOptions & { readonly to?: 'next' | 'prev' } = {},
): Promise<{ readonly pages: Pages; readonly last: TestResponse }> {
  const pages: (readonly string[])[] = []
  let url: string | null = encodeURI(path)
  for (;;) {
    const response: TestResponse = expectSuccess(`GET ${url}`, await api.get(url, options))
    pages.push(idsOf(response))
    url = pathOf(response.document?.links?.[to])
    if (url === null) return { pages, last: response }
    if (pages.length > 20) throw new Error(`The links '${to}' of ${path} do not end: ${JSON.stringify(pages)}`)
  }
}

/** Declares a case that follows the links to the next pages. */
function nextPages(path: string, expected: Pages, options: TestRequestOptions = {}): CaseDeclaration['run'] {
  return async ({ api }) => {
    expectSame(`The pages of GET ${path}`, (await followPages(api, path, options)).pages, expected)
  }
}

/** Declares a case that follows the links from the last page back to the first. */
function previousPages(path: string, expected: Pages): CaseDeclaration['run'] {
  return async ({ api }) => {
    const { last } = await followPages(api, path)
    const previous = pathOf(last.document?.links?.['prev'])
    if (previous === null) throw new Error(`The last page of ${path} has no link to the previous one.`)
    const { pages } = await followPages(api, decodeURI(previous), { to: 'prev' })
    expectSame(`The pages of GET ${path} before the last one, backwards`, pages, expected)
  }
}

const byOffset = casesNeeding([], {
  async 'an offset page begins at its offset and has the requested number of rows'(catalogue) {
    await expectIds(catalogue, '/albums?page[offset]=2&page[limit]=3', ['3', '4', '5'])
    await expectIds(catalogue, '/albums?sort=-price&page[offset]=1&page[limit]=2', ['5', '4'])
  },
  async 'a page beyond the last row is empty'(catalogue) {
    await expectIds(catalogue, '/albums?page[offset]=8&page[limit]=3', [])
    await expectIds(catalogue, '/albums?page[offset]=1000&page[limit]=3', [])
  },
  async 'the total counts all rows that meet the conditions, on every page'({ api }) {
    const totals: unknown[] = []
    for (const query of [
      'page[limit]=1',
      'page[offset]=6&page[limit]=3',
      'page[offset]=100',
      'filter[contains]=kid&page[limit]=1',
    ]) {
      totals.push(pageOf(await api.get(encodeURI(`/albums?${query}`)))['total'])
    }
    expectSame('The totals of four pages', totals, [8, 8, 8, 2])
  },
  'the last page has no next link, even without a total': nextPages('/artists', [
    ['1', '2'],
    ['3', '4'],
  ]),
})

const byCursor = casesNeeding([], {
  'a cursor page begins after its cursor': nextPages('/albums?page[kind]=cursor', [
    ['1', '2', '3'],
    ['4', '5', '6'],
    ['7', '8'],
  ]),
  'a cursor page in front of a cursor ends directly before it': previousPages('/albums?page[kind]=cursor', [
    ['4', '5', '6'],
    ['1', '2', '3'],
  ]),
  'a full last cursor page has no next link': nextPages('/artists?page[kind]=cursor', [
    ['1', '2'],
    ['3', '4'],
  ]),
  'a cursor works in an order of text by code points': nextPages('/albums?page[kind]=cursor&page[size]=2&sort=title', [
    ['5', '4'],
    ['2', '1'],
    ['3', '6'],
    ['7', '8'],
  ]),
  'a cursor works among equal values': nextPages('/albums?page[kind]=cursor&page[size]=1&sort=explicit', [
    ['1'],
    ['2'],
    ['6'],
    ['3'],
    ['5'],
    ['8'],
    ['4'],
    ['7'],
  ]),
  'a cursor works before, among and after nulls, ascending': nextPages(
    '/albums?page[kind]=cursor&page[size]=1&sort=price',
    [['7'], ['6'], ['1'], ['3'], ['2'], ['4'], ['5'], ['8']],
  ),
  'a cursor works before, among and after nulls, descending': nextPages(
    '/albums?page[kind]=cursor&page[size]=1&sort=-price',
    [['8'], ['5'], ['4'], ['2'], ['3'], ['1'], ['6'], ['7']],
  ),
  'a cursor works backwards over nulls and equal values': previousPages(
    '/albums?page[kind]=cursor&page[size]=2&sort=-price,title',
    [
      ['1', '3'],
      ['4', '2'],
      ['5', '8'],
    ],
  ),
  'a cursor works among date-times of the same second': nextPages(
    '/albums?page[kind]=cursor&page[size]=2&sort=addedAt',
    [
      ['3', '8'],
      ['1', '6'],
      ['2', '5'],
      ['4', '7'],
    ],
  ),
  async 'a page between two cursors has only rows between them'({ api }) {
    const cursor = async (id: string): Promise<string> => {
      const position = Number(id) - 1
      const path = encodeURI(`/albums?page[kind]=cursor&page[size]=${position + 1}`)
      const next = pathOf((await api.get(path)).document?.links?.['next']) ?? ''
      return new URLSearchParams(next.slice(next.indexOf('?'))).get('page[after]') ?? ''
    }
    const [after, before] = [await cursor('2'), await cursor('6')]
    const path = `/albums?page[kind]=cursor&page[size]=2&page[after]=${after}&page[before]=${before}`
    const response = await api.get(encodeURI(path))
    expectSame('The ids of a page of two rows between the albums 2 and 6', successOrErrors(response, idsOf), ['3', '4'])
    expectSame('Whether there are more rows before album 6', pageOf(response)['hasMore'], true)
  },
  'cursor pages have only rows that meet the conditions': nextPages(
    '/albums?page[kind]=cursor&page[size]=2&filter[contains]=e',
    [
      ['1', '4'],
      ['5', '8'],
    ],
  ),
  'cursor pages have only rows in the scope of the type': nextPages(
    '/albums?page[kind]=cursor&page[size]=4&sort=-title',
    [
      ['7', '6', '3', '1'],
      ['2', '4'],
    ],
    { headers: onlyPricedHeaders },
  ),
})

const whileWriting = casesNeeding(['writes'], {
  async 'a cursor stays valid after its row is deleted'({ api, store }) {
    const first = await api.get(encodeURI('/albums?page[kind]=cursor&page[size]=2&sort=title'))
    const next = pathOf(first.document?.links?.['next'])
    for (const id of ['5', '4']) await store.delete('albums', await store.key('albums', id))
    expectSame('The ids of the second page', next === null ? next : successOrErrors(await api.get(next), idsOf), [
      '2',
      '1',
    ])
  },
})

const throughRelations = casesNeeding(['relations'], {
  'a cursor works in an order by a related column': nextPages(
    '/albums?page[kind]=cursor&page[size]=3&sort=artist.name,-title',
    [
      ['3', '4', '5'],
      ['8', '1', '2'],
      ['7', '6'],
    ],
  ),
})

/** Cases of pages by offset and by cursor, and of totals. */
export const pageCases: readonly CaseDeclaration[] = [...byOffset, ...byCursor, ...whileWriting, ...throughRelations]
