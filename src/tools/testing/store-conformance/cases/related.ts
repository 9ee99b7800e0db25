import type { TestIdentifier } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import {
  casesNeeding,
  counting,
  expectIds,
  idsOf,
  linkageOf,
  listCase,
  typesAndIds,
  pageOf,
  pathOf,
  successOrErrors,
} from '../case-declaration.js'
import type { Catalogue } from '../catalogue.js'
import { onlyPricedHeaders } from '../catalogue-types.js'
import { expectSame } from '../expect-same.js'

/** Checks the linkage of a relation, by the id of the owner, and the included resources. */
async function expectIncluded(
  { api }: Catalogue,
  path: string,
  expected: { readonly relation: string; readonly linkage: object; readonly included: readonly string[] },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await api.get(encodeURI(path), { headers })
  const linkage = successOrErrors(response, ({ resources }) => linkageOf(resources, expected.relation))
  expectSame(`The linkage of '${expected.relation}' in GET ${path}`, linkage, expected.linkage)
  const included = typesAndIds(response.document?.included ?? [])
  expectSame(`The included resources of GET ${path}, in any order`, included.toSorted(), expected.included.toSorted())
}

/** Returns the fields of the join row of each member. */
function pivots(identifiers: readonly TestIdentifier[]): readonly (readonly [string, unknown])[] {
  return identifiers.map(({ id, meta }) => [id, meta?.['pivot']])
}

async function expectPivots({ api }: Catalogue, path: string, expected: object): Promise<void> {
  const response = await api.get(encodeURI(path))
  const actual = successOrErrors(response, ({ document }) =>
    pivots((document?.data ?? []) as readonly TestIdentifier[]),
  )
  expectSame(`The members of GET ${path} and their fields`, actual, expected)
}

/** Checks the number of members of each owner on a page, by the id of the owner. */
async function expectCounted(
  { api }: Catalogue,
  [path, relation]: readonly [path: string, relation: string],
  expected: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await api.get(encodeURI(path), { headers: { ...headers, ...counting } })
  const actual = successOrErrors(response, ({ resources }) =>
    Object.fromEntries(resources.map(({ id, relationships }) => [id, relationships?.[relation]?.meta?.['total']])),
  )
  expectSame(`The totals of '${relation}' in GET ${path}`, actual, expected)
}

const groups = casesNeeding(['relations'], {
  async 'related rows of several parents are read in one call'({ api, calls }) {
    await api.get(encodeURI('/artists?include=albums&page[size]=10'))
    const reads = calls.map(({ method, relation, parents }) => [method, relation.name, parents])
    expectSame('The reads of related rows for four artists', reads, [['fetchRelated', 'albums', 4]])
  },
  async 'each parent has its own members, ordered by key, or none'(catalogue) {
    await expectIncluded(catalogue, '/artists?include=albums&page[size]=10', {
      relation: 'albums',
      linkage: { 1: ['albums 1', 'albums 2', 'albums 8'], 2: ['albums 3'], 3: ['albums 4', 'albums 5'], 4: [] },
      included: ['albums 1', 'albums 2', 'albums 8', 'albums 3', 'albums 4', 'albums 5'],
    })
  },
  async 'several parents may share a member, and a parent with a null key has none'(catalogue) {
    const [first, second, third] = ['artists 1', 'artists 2', 'artists 3'] as const
    await expectIncluded(catalogue, '/albums?include=artist', {
      relation: 'artist',
      linkage: { 1: first, 2: first, 3: second, 4: third, 5: third, 6: null, 7: null, 8: first },
      included: [first, second, third],
    })
  },
  async 'the member of a to-one relation is the first of several rows by key'(catalogue) {
    await expectIncluded(catalogue, '/artists?include=portrait&page[size]=10', {
      relation: 'portrait',
      linkage: { 1: 'portraits 1', 2: 'portraits 3', 3: null, 4: null },
      included: ['portraits 1', 'portraits 3'],
    })
  },
  async 'a polymorphic key finds the row of its type, or none if the row does not exist'(catalogue) {
    const [album, artist] = ['albums 1', 'artists 1']
    await expectIncluded(catalogue, '/comments?include=subject', {
      relation: 'subject',
      linkage: { 1: album, 2: artist, 3: album, 4: null, 5: null, 6: 'artists 2' },
      included: [album, artist, 'artists 2'],
    })
  },
  async 'rows with the same key but another type are not members'(catalogue) {
    await expectIds(catalogue, '/albums/1/comments', ['1', '3'])
    await expectIds(catalogue, '/artists/1/comments', ['2'])
  },
  'related rows are read on every level of include': async (catalogue) => {
    await expectIncluded(catalogue, '/comments?include=subject.albums.comments&fields[comments]=subject', {
      relation: 'subject',
      linkage: {
        1: 'albums 1',
        2: 'artists 1',
        3: 'albums 1',
        4: null,
        5: null,
        6: 'artists 2',
      },
      included: ['albums 1', 'artists 1', 'artists 2', 'albums 2', 'albums 8', 'albums 3'],
    })
  },
  async 'related rows outside the scope of their type are not returned'(catalogue) {
    await expectIncluded(
      catalogue,
      '/artists?include=albums&page[size]=10',
      {
        relation: 'albums',
        linkage: { 1: ['albums 1', 'albums 2'], 2: ['albums 3'], 3: ['albums 4'], 4: [] },
        included: ['albums 1', 'albums 2', 'albums 3', 'albums 4'],
      },
      onlyPricedHeaders,
    )
    await expectIds(catalogue, '/artists?filter[albums.title]=100% Pure_Jazz', [], {
      headers: onlyPricedHeaders,
    })
  },
  'related rows are filtered and sorted': listCase('/artists/1/albums?filter[priced]&sort=-title', ['1', '2']),
})

const windows = casesNeeding(['relations'], {
  async 'a window of related rows applies to each parent'(catalogue) {
    await expectIncluded(catalogue, '/artists?include=pagedAlbums&page[size]=10', {
      relation: 'pagedAlbums',
      linkage: { 1: ['albums 1', 'albums 2'], 2: ['albums 3'], 3: ['albums 4', 'albums 5'], 4: [] },
      included: ['albums 1', 'albums 2', 'albums 3', 'albums 4', 'albums 5'],
    })
  },
  async 'a parent has a next link only if it has more related rows'({ api }) {
    const response = await api.get(encodeURI('/artists?include=pagedAlbums&page[size]=10'))
    const actual = successOrErrors(response, ({ resources }) =>
      resources.map(({ relationships }) => pathOf(relationships?.['pagedAlbums']?.links?.['next']) !== null),
    )
    expectSame('Whether there is a next page of albums for each artist', actual, [true, false, false, false])
  },
  async 'a cursor works among related rows'({ api }) {
    const path = encodeURI('/artists/1/pagedAlbums?sort=-price')
    const first = await api.get(path)
    const next = pathOf(first.document?.links?.['next'])
    const second = next === null ? null : await api.get(next)
    expectSame(
      'Two pages of the albums of an artist',
      [successOrErrors(first, idsOf), second === null ? second : successOrErrors(second, idsOf)],
      [['8', '2'], ['1']],
    )
  },
  async 'an offset page of related rows is cut after sorting'(catalogue) {
    const page = 'page[kind]=offset&page[offset]=1&page[limit]=2'
    await expectIds(catalogue, `/artists/1/pagedAlbums?sort=-title&${page}`, ['1', '2'])
  },
})

const counts = casesNeeding(['relations'], {
  async 'the members of each parent are counted'(catalogue) {
    await expectCounted(catalogue, ['/artists?withCount=albums&page[size]=10', 'albums'], { 1: 3, 2: 1, 3: 2, 4: 0 })
  },
  async 'only members in the scope of their type are counted'(catalogue) {
    const request = ['/artists?withCount=albums&page[size]=10', 'albums'] as const
    await expectCounted(catalogue, request, { 1: 2, 2: 1, 3: 1, 4: 0 }, onlyPricedHeaders)
  },
  async 'the total of a page of related rows counts all of them'({ api }) {
    const path = '/artists/1/pagedAlbums?page[kind]=offset&page[limit]=1&withCount=_self_'
    const response = await api.get(encodeURI(path), { headers: counting })
    const actual = successOrErrors(response, () => [idsOf(response), pageOf(response)['total']])
    expectSame('The ids of a page, and the total', actual, [['1'], 3])
  },
})

const joins = casesNeeding(['joins'], {
  async 'members with join rows have the fields of their join row'(catalogue) {
    await expectPivots(catalogue, '/playlists/road/relationships/albums', [
      ['3', { position: 1, note: 'loud' }],
      ['1', { position: 2, note: null }],
      ['2', { position: 3, note: null }],
    ])
    await expectPivots(catalogue, '/playlists/home/relationships/albums', [['1', { position: 1, note: 'again' }]])
  },
  async 'members with join rows are read for several parents, and a shared row is returned once'(catalogue) {
    await expectIncluded(catalogue, '/playlists?include=albums', {
      relation: 'albums',
      linkage: { empty: [], home: ['albums 1'], road: ['albums 3', 'albums 1', 'albums 2'] },
      included: ['albums 1', 'albums 2', 'albums 3'],
    })
  },
  'members are sorted by a field of their join rows': listCase('/playlists/road/albums?sort=-position', [
    '2',
    '1',
    '3',
  ]),
  'members are filtered by a field of their join rows': listCase('/playlists/road/albums?filter[note]=loud', ['3']),
  'a page of members with join rows is cut after sorting': listCase(
    '/playlists/road/albums?page[offset]=1&page[limit]=1',
    ['1'],
  ),
  async 'a relation with join rows can be read from the other side'(catalogue) {
    const withoutPlaylists = Object.fromEntries(['4', '5', '6', '7', '8'].map((id) => [id, []]))
    await expectIncluded(catalogue, '/albums?include=playlists', {
      relation: 'playlists',
      linkage: {
        1: ['playlists home', 'playlists road'],
        2: ['playlists road'],
        3: ['playlists road'],
        ...withoutPlaylists,
      },
      included: ['playlists home', 'playlists road'],
    })
  },
  async 'polymorphic join rows find the rows of their types, ordered by type'(catalogue) {
    await expectIncluded(catalogue, '/playlists?include=items', {
      relation: 'items',
      linkage: { empty: [], home: ['albums 3'], road: ['artists 1', 'artists 2', 'albums 1'] },
      included: ['artists 1', 'artists 2', 'albums 1', 'albums 3'],
    })
  },
  async 'members with join rows are counted'(catalogue) {
    await expectCounted(catalogue, ['/playlists?withCount=albums,items', 'albums'], { empty: 0, home: 1, road: 3 })
    await expectCounted(catalogue, ['/playlists?withCount=albums,items', 'items'], { empty: 0, home: 1, road: 3 })
  },
})

/** Cases of related rows, for several parents in one call. */
export const relatedCases: readonly CaseDeclaration[] = [...groups, ...windows, ...counts, ...joins]
