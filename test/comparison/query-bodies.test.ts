import { createServer, defaultProfiles, filterTreeProfile, id } from 'ashlar'
import { expect, test } from 'vitest'
import { contractDocument } from '../../src/tools/comparison/model/contract-document.js'
import { readContract } from '../../src/tools/comparison/model/read-contract.js'
import { memoryData } from 'ashlar/memory'
import {
  albums,
  albumsInBothDirections,
  alike,
  bothDirections,
  changesFrom,
  oneAttribute,
  resource,
} from './compared.js'

const attributes = oneAttribute
const trees = { profiles: [...defaultProfiles, filterTreeProfile] }

const limited = (limits: object) => albums({ attributes }, { ...trees, limits })
const searched = (sorts: object) => ({
  attributes,
  filters: (f: { search: (name: string) => unknown }) => ({ q: f.search('title') }),
  ...sorts,
})

test('filter trees that are gone or new', () => {
  expect(bothDirections(albums({ attributes }, trees), albums({ attributes }))).toEqual({
    forth: ['breaking profile-removed service', 'safe response-value-removed service'],
    back: ['risky response-value-added service', 'safe profile-added service'],
  })
})

test('smaller filter trees, and fewer values in bodies', () => {
  const more = limited({ filterDepth: 8, filterLeaves: 100, queryFilterValues: 5000 })
  const less = limited({ filterDepth: 4, filterLeaves: 50, queryFilterValues: 2000 })
  expect(bothDirections(more, less)).toEqual({
    forth: [
      'breaking limit-lowered service limits.filterDepth',
      'breaking limit-lowered service limits.filterLeaves',
      'breaking limit-lowered service limits.queryFilterValues',
    ],
    back: [
      'safe limit-raised service limits.filterDepth',
      'safe limit-raised service limits.filterLeaves',
      'safe limit-raised service limits.queryFilterValues',
    ],
  })
})

test.each([[trees], [{}]])('the documents of both versions of OpenAPI have the same contract: %j', (members) => {
  const settings = {
    resources: [resource('albums', { attributes, export: true })] as never,
    data: memoryData(),
    ...members,
  }
  const server = createServer(settings)
  const [older, newer] = (['3.1', '3.2'] as const).map((openapiVersion) => {
    const document = server.openapi('default', { openapiVersion })
    return readContract(contractDocument(JSON.parse(JSON.stringify(document)), openapiVersion))
  })
  if (older === undefined || newer === undefined) throw new Error('There are two versions.')
  expect(changesFrom(older, newer)).toEqual([])
  expect(changesFrom(newer, older)).toEqual([])
})

test('a filter that has become a full-text search, and back', () => {
  type Kit = Readonly<Record<'contains' | 'search', (name: string) => unknown>>
  const filtered = (filters: (f: Kit) => object) => ({ attributes, filters })
  expect(
    albumsInBothDirections(
      filtered((f) => ({ q: f.contains('title') })),
      filtered((f) => ({ q: f.search('title') })),
    ),
  ).toEqual(alike('risky filter-search-changed albums?filter[q]'))
})

test('a search by relevance that is gone or new', () => {
  const byRank = { sorts: (s: { relevance: (filter: string) => unknown }) => ({ rank: s.relevance('q') }) }
  expect(albumsInBothDirections(searched(byRank), searched({}), 'sort-removed', 'sort-added')).toEqual({
    forth: ['breaking sort-removed albums?sort=rank'],
    back: ['safe sort-added albums?sort=rank'],
  })
})

test('upserts that are gone or new', () => {
  const upserted = { attributes, id: id().allowClientId(), upsertBy: 'id' }
  expect(albumsInBothDirections(upserted, { attributes, id: id().allowClientId() })).toEqual({
    forth: ['breaking operation-removed PUT /albums/{id}'],
    back: ['safe operation-added PUT /albums/{id}'],
  })
})
