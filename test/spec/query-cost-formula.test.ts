import { belongsTo, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { costedMusic, costedTypes } from '../support/costed-music.js'

/** The cost of a read is the number of rows that it is expected to return, and a fixed number for each other piece of work. */

const server = costedMusic({}, { data: memoryData() })

/** The parts of a cost as lines: kind, name, parameter, cost. */
async function partsOf(url: string, profiles: readonly string[] = []): Promise<readonly string[]> {
  const { cost, parts } = await server.explain({ url, profiles })
  expect(parts.reduce((sum, part) => sum + part.cost, 0)).toBe(cost)
  return parts.map((part) => `${part.kind} ${part.name} ${part.parameter ?? '-'} ${part.cost}`)
}

describe('rows cost 1 each:', () => {
  test.each([
    ['one resource', '/albums/1', ['rows albums - 1']],
    ['the default page', '/albums', ['rows albums page[size] 15']],
    ['the page that the client requests', '/albums?page[size]=40', ['rows albums page[size] 40']],
    ['a page up to the largest size', '/albums?page[size]=9999', ['rows albums page[size] 100']],
    ['an empty page, which is read', '/albums?page[size]=0', ['rows albums page[size] 1']],
    ['a page by offset', '/artists?page[limit]=9', ['rows artists page[limit] 9']],
    ['a page whose size the client cannot choose', '/tracks', ['rows tracks - 7']],
    ['a page beyond the expected rows', '/labels?page[size]=50', ['rows labels page[size] 8']],
    ['a smaller page than the expected rows', '/labels?page[size]=5', ['rows labels page[size] 5']],
    ['a whole list', '/profiles?include=', ['rows profiles - 1000']],
    ['a whole list that is declared', '/shelves?include=', ['rows shelves - 2']],
    ['a list of one or none', '/albums?filter[slug]=x', ['rows albums - 1']],
    ['related resources and their owner', '/artists/1/albums', ['owner artists - 1', 'rows albums page[size] 15']],
    ['a page of them', '/albums/1/tracks', ['owner albums - 1', 'rows tracks - 7']],
    ['all of them', '/labels/1/artists', ['owner labels - 1', 'rows artists - 10']],
    ['one of them', '/albums/1/artist', ['owner albums - 1', 'rows artist - 1']],
    ['linkage at its own URL', '/albums/1/relationships/tracks', ['owner albums - 1', 'rows tracks - 12']],
    [
      'a page of linkage',
      '/artists/1/relationships/albums?page[size]=3',
      ['owner artists - 1', 'rows albums page[size] 3'],
    ],
  ])('%s', async (_name, url, parts) => {
    expect(await partsOf(url)).toEqual(parts)
  })
})

describe('included resources cost the product of the rows along their path:', () => {
  test.each([
    ['1 for a to-one relation', '/albums?include=artist', ['rows albums page[size] 15', 'include artist include 15']],
    ['expectedMembers()', '/albums/1?include=tracks', ['rows albums - 1', 'include tracks include 12']],
    ['10 members without it', '/artists/1?include=albums', ['rows artists - 1', 'include albums include 10']],
    [
      'a page, if the relation has cursors',
      '/tracks/1?include=playlists.tracks',
      ['rows tracks - 1', 'include playlists include 10', 'include playlists.tracks include 40'],
    ],
    [
      'path after path',
      '/artists?page[limit]=2&include=albums.tracks,label,albums.artist',
      [
        'rows artists page[limit] 2',
        'include albums include 20',
        'include label include 2',
        'include albums.tracks include 240',
        'include albums.artist include 20',
      ],
    ],
    [
      'members of several types',
      '/shelves/1?include=items.tracks,items.artist',
      [
        'rows shelves - 1',
        'include items include 6',
        'include items.tracks include 72',
        'include items.artist include 6',
      ],
    ],
    ['default includes', '/profiles', ['rows profiles - 1000', 'include artist include 1000']],
    ['default includes that a row decides about', '/shelves', ['rows shelves - 2', 'include items include 12']],
    [
      'of related resources',
      '/artists/1/albums?include=tracks&page[size]=2',
      ['owner artists - 1', 'rows albums page[size] 2', 'include tracks include 24'],
    ],
    [
      'whatever fields are shown',
      '/albums/1?include=tracks&fields[albums]=title&fields[tracks]=title',
      ['rows albums - 1', 'include tracks include 12'],
    ],
  ])('%s', async (_name, url, parts) => {
    expect(await partsOf(url)).toEqual(parts)
  })
})

describe('linkage that is read for a document costs 1 for each identifier:', () => {
  test.each([
    ['that every document has', '/playlists/1', ['rows playlists - 1', 'linkage tracks fields[playlists] 10']],
    ['not if a fieldset drops it', '/playlists/1?fields[playlists]=title', ['rows playlists - 1']],
    [
      'that the client requests',
      '/albums/1?withLinkage[albums]=tracks,artist',
      ['rows albums - 1', 'linkage tracks withLinkage[albums] 12'],
    ],
    [
      'of included resources',
      '/tracks/1?include=playlists',
      ['rows tracks - 1', 'include playlists include 10', 'linkage playlists.tracks fields[playlists] 100'],
    ],
  ])('%s', async (_name, url, parts) => {
    expect((await partsOf(url)).toSorted()).toEqual(parts.toSorted())
  })
})

describe('each relation that a filter or a sort follows costs 10:', () => {
  const rows = 'rows albums page[size] 15'
  test.each([
    ['not a column of the row', 'filter[title]=x&sort=title', [rows]],
    ['a path', 'filter[artist.title]=x', [rows, 'filter artist.title filter[artist.title] 10']],
    [
      'a longer path',
      'filter[artist.label.title]=x',
      [rows, 'filter artist.label.title filter[artist.label.title] 20'],
    ],
    ['related rows', 'filter[tracks]=true', [rows, 'filter tracks filter[tracks] 10']],
    ['a member of a group', 'filter[anything]=x', [rows, 'filter anything filter[anything] 10']],
    ['a custom filter, of which nothing is known', 'filter[odd]=x', [rows, 'filter odd filter[odd] 10']],
    ['a sort', 'sort=-artist,title', [rows, 'sort -artist,title sort 10']],
    [
      'on one of them',
      'filter[slug]=x&filter[artist.title]=x',
      ['rows albums - 1', 'filter artist.title filter[artist.title] 10'],
    ],
  ])('%s', async (_name, query, parts) => {
    expect(await partsOf(`/albums?${query}`)).toEqual(parts)
  })

  test('at a related URL, too', async () => {
    expect(await partsOf('/artists/1/albums?filter[artist.title]=x')).toEqual([
      'owner artists - 1',
      rows,
      'filter artist.title filter[artist.title] 10',
    ])
  })
})

describe('each count costs 10:', () => {
  test('the total of a page', async () => {
    const url = '/albums?withCount=_self_,tracks'
    expect(await partsOf(url, [countableProfile.uri])).toEqual([
      'rows albums page[size] 15',
      'count albums withCount 10',
      'count tracks withCount 10',
    ])
  })

  test('that every page has', async () => {
    expect(await partsOf('/playlists?fields[playlists]=title')).toEqual([
      'rows playlists page[size] 3',
      'count playlists - 10',
    ])
  })

  test('but an estimate costs 2, unless it is of related resources, which are counted', async () => {
    expect(await partsOf('/playlists?fields[playlists]=title&page[count]=estimate')).toEqual([
      'rows playlists page[size] 3',
      'count playlists page[count] 2',
    ])
    expect(await partsOf('/tracks/1/playlists?fields[playlists]=title&page[count]=estimate')).toEqual([
      'owner tracks - 1',
      'rows playlists page[size] 3',
      'count playlists page[count] 10',
    ])
  })
})

test('queries of relationships cost the rows that they read', async () => {
  const url = '/albums/1?include=tracks&relatedQuery[tracks][sort]=id'
  expect(await partsOf(url, [relationshipQueriesProfile.uri])).toEqual(['rows albums - 1', 'include tracks include 7'])
})

test('the numbers of the setting apply', async () => {
  const weighted = costedMusic({ expectedRows: 50, expectedMembers: 3, join: 100, count: 0 }, { data: memoryData() })
  const costOf = async (url: string) => (await weighted.explain({ url })).cost
  expect(await costOf('/profiles?include=')).toBe(50)
  expect(await costOf('/artists/1?include=albums.tracks')).toBe(1 + 3 + 36)
  expect(await costOf('/albums?filter[artist.title]=x')).toBe(115)
  expect(await costOf('/playlists?fields[playlists]=title')).toBe(3)
})

const twice = <const Other extends string>(other: Other) => ({
  relations: { first: belongsTo(other).via('firstId'), second: belongsTo(other).via('secondId') },
  defaultIncludes: ['first', 'second'] as const,
  maxIncludeDepth: 40,
})

test('default includes of types that include each other cost a sum, however many paths there are', async () => {
  const rows = model<{ id: number; firstId: number | null; secondId: number | null }>('notes')
  const questions = defineResource('questions', { model: rows, id: id(), ...twice('replies') })
  const replies = defineResource('replies', { model: rows, id: id(), ...twice('questions') })
  const notes = createServer({ resources: [questions, replies], data: memoryData(), queryCost: {} })
  const { cost, parts } = await notes.explain({ url: '/questions/1' })
  expect(cost).toBe(2 ** 41 - 1)
  expect(parts).toHaveLength(81)
})

test('hidden relations are no part of the cost', async () => {
  const albums = defineResource('albums', {
    model: model<{ id: number }>('albums'),
    id: id(),
    relations: { notes: hasMany('notes').withData().visibleIf('review') },
    policy: () => ({ viewAny: true, view: true, custom: { review: ({ caller }) => caller !== null } }),
  })
  const notes = defineResource('notes', {
    model: model<{ id: number; albumId: number }>('notes'),
    id: id(),
    relations: { album: belongsTo('albums') },
    policy: 'public',
  })
  const guarded = createServer({ resources: [albums, notes], data: memoryData(), queryCost: {} })
  const costAs = async (caller: unknown) => (await guarded.explain({ url: '/albums/1', as: caller })).cost
  expect([await costAs(null), await costAs({ id: 1 }), await costAs(null)]).toEqual([1, 11, 1])
})

test('a cost is finite', async () => {
  const path = Array.from({ length: 40 }, () => 'albums.artist').join('.')
  const { cost, parts } = await server.explain({ url: `/artists?include=${path}` })
  expect([cost, Math.max(...parts.map((part) => part.cost))]).toEqual([999_999_999_999_999, 999_999_999_999_999])
})

test('a server without the setting explains the cost by the defaults', async () => {
  const plain = createServer({ resources: costedTypes, data: memoryData() })
  expect(await plain.explain({ url: '/albums?include=tracks' })).toEqual({
    operation: 'FetchResource',
    type: 'albums',
    cost: 195,
    budget: null,
    isWithinBudget: true,
    parts: [
      { kind: 'rows', name: 'albums', parameter: 'page[size]', cost: 15 },
      { kind: 'include', name: 'tracks', parameter: 'include', cost: 180 },
    ],
    statements: null,
    refusal: null,
  })
})
