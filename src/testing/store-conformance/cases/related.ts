import { countable } from '../../../profiles/profile.js'
import { MEDIA_TYPE } from '../../../document/media-type.js'
import type { TestIdentifier } from '../../test-response.js'
import type { CaseDeclaration } from '../case-declaration.js'
import {
  casesWith,
  expectListed,
  idsOf,
  linkageOf,
  lists,
  namesOf,
  pageOf,
  pathOf,
  shown,
} from '../case-declaration.js'
import type { Catalogue } from '../catalogue.js'
import { onlyPriced } from '../catalogue-types.js'
import { expectSame } from '../expect-same.js'

const counting = { Accept: `${MEDIA_TYPE}; profile="${countable.uri}"` }

/** The members of a relation that a page of its owners includes, by the id of the owner. */
async function expectIncluded(
  { api }: Catalogue,
  path: string,
  expected: { readonly relation: string; readonly linkage: object; readonly included: readonly string[] },
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await api.get(encodeURI(path), { headers })
  const linkage = shown(response, ({ resources }) => linkageOf(resources, expected.relation))
  expectSame(`The linkage of '${expected.relation}' in GET ${path}`, linkage, expected.linkage)
  const included = namesOf(response.document?.included ?? [])
  expectSame(`What GET ${path} includes, in any order`, included.toSorted(), expected.included.toSorted())
}

/** What each member of a join has beside its key: by the id of the member. */
function pivots(identifiers: readonly TestIdentifier[]): readonly (readonly [string, unknown])[] {
  return identifiers.map(({ id, meta }) => [id, meta?.['pivot']])
}

async function expectPivots({ api }: Catalogue, path: string, expected: object): Promise<void> {
  const response = await api.get(encodeURI(path))
  const came = shown(response, ({ document }) => pivots((document?.data ?? []) as readonly TestIdentifier[]))
  expectSame(`The members of GET ${path} and their fields`, came, expected)
}

/** How many members the owners of a page have, by their ids. */
async function expectCounted(
  { api }: Catalogue,
  [path, relation]: readonly [path: string, relation: string],
  expected: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const response = await api.get(encodeURI(path), { headers: { ...headers, ...counting } })
  const came = shown(response, ({ resources }) =>
    Object.fromEntries(resources.map(({ id, relationships }) => [id, relationships?.[relation]?.meta?.['total']])),
  )
  expectSame(`The totals of '${relation}' in GET ${path}`, came, expected)
}

const groups = casesWith(['relations'], {
  async 'related rows of several parents come in one call'({ api, calls }) {
    await api.get(encodeURI('/artists?include=albums&page[size]=10'))
    const asked = calls.map(({ method, relation, parents }) => [method, relation.name, parents])
    expectSame('The reads of related rows for four artists', asked, [['fetchRelated', 'albums', 4]])
  },
  async 'each parent has its own members, in the order of their keys, and one without any has none'(catalogue) {
    await expectIncluded(catalogue, '/artists?include=albums&page[size]=10', {
      relation: 'albums',
      linkage: { 1: ['albums 1', 'albums 2', 'albums 8'], 2: ['albums 3'], 3: ['albums 4', 'albums 5'], 4: [] },
      included: ['albums 1', 'albums 2', 'albums 8', 'albums 3', 'albums 4', 'albums 5'],
    })
  },
  async 'several parents may share a row, and one whose key is null has none'(catalogue) {
    const [first, second, third] = ['artists 1', 'artists 2', 'artists 3'] as const
    await expectIncluded(catalogue, '/albums?include=artist', {
      relation: 'artist',
      linkage: { 1: first, 2: first, 3: second, 4: third, 5: third, 6: null, 7: null, 8: first },
      included: [first, second, third],
    })
  },
  async 'of several rows that claim to be the one of a relation, the first by key is it'(catalogue) {
    await expectIncluded(catalogue, '/artists?include=portrait&page[size]=10', {
      relation: 'portrait',
      linkage: { 1: 'portraits 1', 2: 'portraits 3', 3: null, 4: null },
      included: ['portraits 1', 'portraits 3'],
    })
  },
  async 'a key of several types leads to the row of its type, and to none where that is gone'(catalogue) {
    const [album, artist] = ['albums 1', 'artists 1']
    await expectIncluded(catalogue, '/comments?include=subject', {
      relation: 'subject',
      linkage: { 1: album, 2: artist, 3: album, 4: null, 5: null, 6: 'artists 2' },
      included: [album, artist, 'artists 2'],
    })
  },
  async 'rows of another type with the same key are no members'(catalogue) {
    await expectListed(catalogue, '/albums/1/comments', ['1', '3'])
    await expectListed(catalogue, '/artists/1/comments', ['2'])
  },
  'related rows are read on every level': async (catalogue) => {
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
  async 'related rows that do not meet the conditions of their type are not there'(catalogue) {
    await expectIncluded(
      catalogue,
      '/artists?include=albums&page[size]=10',
      {
        relation: 'albums',
        linkage: { 1: ['albums 1', 'albums 2'], 2: ['albums 3'], 3: ['albums 4'], 4: [] },
        included: ['albums 1', 'albums 2', 'albums 3', 'albums 4'],
      },
      onlyPriced,
    )
    await expectListed(catalogue, '/artists?filter[albums.title]=100% Pure_Jazz', [], {
      headers: onlyPriced,
    })
  },
  'related rows are filtered and sorted': lists('/artists/1/albums?filter[priced]&sort=-title', ['1', '2']),
})

const windows = casesWith(['relations'], {
  async 'a window of related rows is one of each parent'(catalogue) {
    await expectIncluded(catalogue, '/artists?include=pagedAlbums&page[size]=10', {
      relation: 'pagedAlbums',
      linkage: { 1: ['albums 1', 'albums 2'], 2: ['albums 3'], 3: ['albums 4', 'albums 5'], 4: [] },
      included: ['albums 1', 'albums 2', 'albums 3', 'albums 4', 'albums 5'],
    })
  },
  async 'a window of related rows says of each parent whether more follow'({ api }) {
    const response = await api.get(encodeURI('/artists?include=pagedAlbums&page[size]=10'))
    const came = shown(response, ({ resources }) =>
      resources.map(({ relationships }) => pathOf(relationships?.['pagedAlbums']?.links?.['next']) !== null),
    )
    expectSame('Whether there is a next page of albums for each artist', came, [true, false, false, false])
  },
  async 'a cursor finds its place among related rows'({ api }) {
    const path = encodeURI('/artists/1/pagedAlbums?sort=-price')
    const first = await api.get(path)
    const next = pathOf(first.document?.links?.['next'])
    const second = next === null ? null : await api.get(next)
    expectSame(
      'Two pages of the albums of an artist',
      [shown(first, idsOf), second === null ? second : shown(second, idsOf)],
      [['8', '2'], ['1']],
    )
  },
  async 'a page of related rows by offset is cut after they are sorted'(catalogue) {
    const page = 'page[kind]=offset&page[offset]=1&page[limit]=2'
    await expectListed(catalogue, `/artists/1/pagedAlbums?sort=-title&${page}`, ['1', '2'])
  },
})

const counts = casesWith(['relations'], {
  async 'the members of each parent are counted'(catalogue) {
    await expectCounted(catalogue, ['/artists?withCount=albums&page[size]=10', 'albums'], { 1: 3, 2: 1, 3: 2, 4: 0 })
  },
  async 'only members that are there are counted'(catalogue) {
    const asked = ['/artists?withCount=albums&page[size]=10', 'albums'] as const
    await expectCounted(catalogue, asked, { 1: 2, 2: 1, 3: 1, 4: 0 }, onlyPriced)
  },
  async 'a page of related rows is counted whole'({ api }) {
    const path = '/artists/1/pagedAlbums?page[kind]=offset&page[limit]=1&withCount=_self_'
    const response = await api.get(encodeURI(path), { headers: counting })
    const came = shown(response, () => [idsOf(response), pageOf(response)['total']])
    expectSame('The ids of a page, and the total', came, [['1'], 3])
  },
})

const joins = casesWith(['joins'], {
  async 'members by join rows come with the fields of their own join rows'(catalogue) {
    await expectPivots(catalogue, '/playlists/road/relationships/albums', [
      ['3', { position: 1, note: 'loud' }],
      ['1', { position: 2, note: null }],
      ['2', { position: 3, note: null }],
    ])
    await expectPivots(catalogue, '/playlists/home/relationships/albums', [['1', { position: 1, note: 'again' }]])
  },
  async 'members by join rows are read for several parents, one row for all that share it'(catalogue) {
    await expectIncluded(catalogue, '/playlists?include=albums', {
      relation: 'albums',
      linkage: { empty: [], home: ['albums 1'], road: ['albums 3', 'albums 1', 'albums 2'] },
      included: ['albums 1', 'albums 2', 'albums 3'],
    })
  },
  'members by join rows are sorted by a field of the join rows': lists('/playlists/road/albums?sort=-position', [
    '2',
    '1',
    '3',
  ]),
  'members by join rows are filtered by a field of the join rows': lists('/playlists/road/albums?filter[note]=loud', [
    '3',
  ]),
  'members by join rows are cut after they are sorted': lists('/playlists/road/albums?page[offset]=1&page[limit]=1', [
    '1',
  ]),
  async 'join rows lead back to their owners'(catalogue) {
    const owners = Object.fromEntries(['4', '5', '6', '7', '8'].map((id) => [id, []]))
    await expectIncluded(catalogue, '/albums?include=playlists', {
      relation: 'playlists',
      linkage: { 1: ['playlists home', 'playlists road'], 2: ['playlists road'], 3: ['playlists road'], ...owners },
      included: ['playlists home', 'playlists road'],
    })
  },
  async 'join rows of several types lead to the rows of their types, type by type'(catalogue) {
    await expectIncluded(catalogue, '/playlists?include=items', {
      relation: 'items',
      linkage: { empty: [], home: ['albums 3'], road: ['artists 1', 'artists 2', 'albums 1'] },
      included: ['artists 1', 'artists 2', 'albums 1', 'albums 3'],
    })
  },
  async 'members by join rows are counted'(catalogue) {
    await expectCounted(catalogue, ['/playlists?withCount=albums,items', 'albums'], { empty: 0, home: 1, road: 3 })
    await expectCounted(catalogue, ['/playlists?withCount=albums,items', 'items'], { empty: 0, home: 1, road: 3 })
  },
})

/** Rows that belong to others, for several of these at once. */
export const relatedCases: readonly CaseDeclaration[] = [...groups, ...windows, ...counts, ...joins]
