import type { TestClient, TestRequestOptions } from '../../test-client.js'
import type { TestResponse } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import { casesWith, expectDone, expectListed, idsOf, pageOf, pathOf, shown } from '../case-declaration.js'
import { onlyPriced } from '../catalogue-types.js'
import { expectSame } from '../expect-same.js'

type Pages = readonly (readonly string[])[]

/** The ids of each page from one on, as its links lead to the others. */
async function walked(
  api: TestClient,
  path: string,
  { to = 'next', ...options }: TestRequestOptions & { readonly to?: 'next' | 'prev' } = {},
): Promise<{ readonly pages: Pages; readonly last: TestResponse }> {
  const pages: (readonly string[])[] = []
  let at: string | null = encodeURI(path)
  for (;;) {
    const response: TestResponse = expectDone(`GET ${at}`, await api.get(at, options))
    pages.push(idsOf(response))
    at = pathOf(response.document?.links?.[to])
    if (at === null) return { pages, last: response }
    if (pages.length > 20) throw new Error(`The links '${to}' of ${path} come to no end: ${JSON.stringify(pages)}`)
  }
}

function walks(path: string, expected: Pages, options: TestRequestOptions = {}): CaseDeclaration['run'] {
  return async ({ api }) => {
    expectSame(`The pages of GET ${path}`, (await walked(api, path, options)).pages, expected)
  }
}

/** From the last page back to the first. */
function walksBack(path: string, expected: Pages): CaseDeclaration['run'] {
  return async ({ api }) => {
    const { last } = await walked(api, path)
    const previous = pathOf(last.document?.links?.['prev'])
    if (previous === null) throw new Error(`The last page of ${path} has no link to one before it.`)
    const { pages } = await walked(api, decodeURI(previous), { to: 'prev' })
    expectSame(`The pages before the last one of GET ${path}, backwards`, pages, expected)
  }
}

const byOffset = casesWith([], {
  async 'a page by offset has as many rows as it asks for, from where it asks for them'(catalogue) {
    await expectListed(catalogue, '/albums?page[offset]=2&page[limit]=3', ['3', '4', '5'])
    await expectListed(catalogue, '/albums?sort=-price&page[offset]=1&page[limit]=2', ['8', '4'])
  },
  async 'a page beyond the last row is empty'(catalogue) {
    await expectListed(catalogue, '/albums?page[offset]=8&page[limit]=3', [])
    await expectListed(catalogue, '/albums?page[offset]=1000&page[limit]=3', [])
  },
  async 'the total counts the rows that meet the conditions, whichever page is read'({ api }) {
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
  'pages that are not counted come to an end': walks('/artists', [
    ['1', '2'],
    ['3', '4'],
  ]),
})

const byCursor = casesWith([], {
  'a page of a cursor begins after the place that it names': walks('/albums?page[kind]=cursor', [
    ['1', '2', '3'],
    ['4', '5', '6'],
    ['7', '8'],
  ]),
  'a page of a cursor ends before the place that it names, and has the rows next to it': walksBack(
    '/albums?page[kind]=cursor',
    [
      ['4', '5', '6'],
      ['1', '2', '3'],
    ],
  ),
  'pages of a cursor that are full at the end have none after them': walks('/artists?page[kind]=cursor', [
    ['1', '2'],
    ['3', '4'],
  ]),
  'a cursor finds its place among texts by code points': walks('/albums?page[kind]=cursor&page[size]=2&sort=title', [
    ['5', '4'],
    ['2', '1'],
    ['3', '6'],
    ['7', '8'],
  ]),
  'a cursor finds its place among equal values': walks('/albums?page[kind]=cursor&page[size]=1&sort=explicit', [
    ['1'],
    ['2'],
    ['6'],
    ['3'],
    ['5'],
    ['8'],
    ['4'],
    ['7'],
  ]),
  'a cursor finds its place before, among and after nulls, ascending': walks(
    '/albums?page[kind]=cursor&page[size]=1&sort=price',
    [['7'], ['6'], ['1'], ['3'], ['2'], ['4'], ['5'], ['8']],
  ),
  // On cursor pages equal rows go in the direction of the last key.
  'a cursor finds its place before, among and after nulls, descending': walks(
    '/albums?page[kind]=cursor&page[size]=1&sort=-price',
    [['8'], ['5'], ['4'], ['2'], ['3'], ['1'], ['6'], ['7']],
  ),
  'a cursor leads backwards over nulls and equal values': walksBack(
    '/albums?page[kind]=cursor&page[size]=2&sort=-price,title',
    [
      ['1', '3'],
      ['4', '2'],
      ['5', '8'],
    ],
  ),
  'a cursor finds its place among moments of one second': walks('/albums?page[kind]=cursor&page[size]=2&sort=addedAt', [
    ['3', '8'],
    ['1', '6'],
    ['2', '5'],
    ['4', '7'],
  ]),
  async 'a page between two places has only what lies between them'({ api }) {
    const cursor = async (id: string): Promise<string> => {
      const position = Number(id) - 1
      const path = encodeURI(`/albums?page[kind]=cursor&page[size]=${position + 1}`)
      const next = pathOf((await api.get(path)).document?.links?.['next']) ?? ''
      return new URLSearchParams(next.slice(next.indexOf('?'))).get('page[after]') ?? ''
    }
    const [after, before] = [await cursor('2'), await cursor('6')]
    const path = `/albums?page[kind]=cursor&page[size]=2&page[after]=${after}&page[before]=${before}`
    const response = await api.get(encodeURI(path))
    expectSame('The ids of a page of two rows between those of 2 and 6', shown(response, idsOf), ['3', '4'])
    expectSame('Whether more follow before 6', pageOf(response)['hasMore'], true)
  },
  'a cursor walks through the rows that meet the conditions': walks(
    '/albums?page[kind]=cursor&page[size]=2&filter[contains]=e',
    [
      ['1', '4'],
      ['5', '8'],
    ],
  ),
  'a cursor walks through the rows that are there': walks(
    '/albums?page[kind]=cursor&page[size]=4&sort=-title',
    [
      ['7', '6', '3', '1'],
      ['2', '4'],
    ],
    { headers: onlyPriced },
  ),
})

const whileWriting = casesWith(['writes'], {
  async 'a cursor keeps its place when the row that it was made at is gone'({ api, store }) {
    const first = await api.get(encodeURI('/albums?page[kind]=cursor&page[size]=2&sort=title'))
    const next = pathOf(first.document?.links?.['next'])
    for (const id of ['5', '4']) await store.delete('albums', await store.key('albums', id))
    expectSame('The ids of the second page', next === null ? next : shown(await api.get(next), idsOf), ['2', '1'])
  },
})

const throughRelations = casesWith(['relations'], {
  'a cursor finds its place in an order that leads through a relation': walks(
    '/albums?page[kind]=cursor&page[size]=3&sort=artist.name,-title',
    [
      ['3', '4', '5'],
      ['8', '1', '2'],
      ['7', '6'],
    ],
  ),
})

/** Pages by offset and by cursor, and what is counted. */
export const pageCases: readonly CaseDeclaration[] = [...byOffset, ...byCursor, ...whileWriting, ...throughRelations]
