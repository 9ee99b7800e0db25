import { createServer, cursorPage, defineResource, type FilterKit, id, model } from 'ashlar'
import type { FilterDeclaration } from '../../src/declare/resource/filters/filter-declaration.js'
import type { TestClient, TestResponse } from 'ashlar/testing'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { seeds } from '../../examples/music/src/seeds.js'
import { catalogueServer } from '../support/catalogue.js'
import { catalogueData } from '../support/catalogue-rows.js'
import { client } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'
import { runs } from '../support/runs.js'
import { storedData } from '../support/stored-data.js'
import { anyAccept, anyQuery, type Vocabulary } from './hostile-queries.js'
import { leak } from './hostile-server.js'

const vocabulary: Vocabulary = {
  types: ['albums', 'artists', 'tracks', 'playlists', 'libraries', 'favorites', 'countries', 'users', 'nobody'],
  members: ['title', 'name', 'artist', 'tracks', 'albums', 'id', 'releaseInfo', 'displayTitle', 'items', 'password'],
  paths: ['artist', 'tracks', 'albums', 'album', 'tracks.album', 'artist.albums', 'items', 'favoritable', 'owner', 'items.artist', 'orderedTracks'],
  sorts: ['title', 'releasedAt', 'status', 'artist.name', 'name', 'slug', 'trackNumber', 'position', 'weight', 'duration', 'displayName', 'id'],
  filters: ['title', 'artist.name', 'tracks', 'rating', 'releasedAt', 'q', 'slug', 'name', 'explicit', 'genres', 'longerThan', 'position', 'weight'],
} // biome-ignore format: lists

const playlist = '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'

/** The first rows, and a favorite that is of nothing any more: `fav-1k`. */
const withNothing = () => {
  const empty = { id: 8, favoritedAt: new Date(0), userId: 1, favoritableId: null, favoritableType: null }
  return catalogueData({ favorites: [...seeds.favorites, empty] })
}

/** Every kind of path that serves GET. */
const addresses = {
  'a collection': ['/albums', '/artists', '/tracks', '/playlists', '/favorites', '/public-profiles', '/countries', '/admin/users'],
  'a single resource': ['/albums/1', '/tracks/2', playlist, '/favorites/fav-z', '/countries/is', '/admin/users/1'],
  'a related to-one': ['/albums/1/artist', '/tracks/1/album', '/products/prod-b1/parent', `${playlist}/publicOwner`],
  'a related to-many': ['/albums/1/tracks', '/artists/1/albums', '/tracks/1/playlists', `${playlist}/orderedTracks`],
  'a relation to several types': ['/libraries/1/items', '/favorites/fav-z/favoritable', '/favorites/fav-1k/favoritable'],
  'a relationship': [
    '/albums/1/relationships/artist',
    '/artists/1/relationships/albums',
    '/albums/1/relationships/tracks',
    `${playlist}/relationships/orderedTracks`,
    '/libraries/1/relationships/items',
    '/favorites/fav-z/relationships/favoritable',
  ],
} as const // biome-ignore format: lists

/** The requirements for every response; the client has checked that it is a valid document. */
function expectValid(response: TestResponse): void {
  expect([200, 400, 414]).toContain(response.status)
  expect(response.text).not.toMatch(leak)
  for (const { status, code, source } of response.errors) {
    expect(status).toBe(String(response.status))
    expect(code).toMatch(/^[A-Z_]+$/)
    if (code !== 'URI_TOO_LONG') expect(source?.parameter).toBeTypeOf('string')
  }
}

/** Sends random queries, with a seed the same each time; returns the number of responses by status. */
async function sendAnyQuery(
  api: TestClient,
  { paths, words, ...parameters }: { paths: readonly string[]; words: Vocabulary; numRuns: number; seed?: number },
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), anyQuery(words), anyAccept, async (path, query, accept) => {
      const response = await api.get(`${path}?${query}`, { headers: { Accept: accept } })
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      expectValid(response)
    }),
    parameters,
  )
  return statuses
}

/**
 * Expects that the queries are neither all valid nor all invalid, or they would prove little. This does not depend on the store, so it
 * is checked on memory only.
 */
async function expectMixed(api: TestClient, paths: readonly string[], words: Vocabulary, least = 5): Promise<void> {
  if (inject('store') !== 'memory') return
  const statuses = await sendAnyQuery(api, { paths, words, numRuns: 200, seed: 1 })
  expect(statuses.get(200)).toBeGreaterThanOrEqual(least)
  expect(statuses.get(400)).toBeGreaterThanOrEqual(least)
}

beforeEach(() => exemptFromDescription('queries', 'Some parts of random queries have no meaning, and are ignored.'))

describe('no query string makes the service fail', () => {
  const api = client(catalogueServer({ data: withNothing() }))

  test.each(Object.entries(addresses))('%s responds 200 or reports an error', async (_kind, paths) => {
    await sendAnyQuery(api, { paths, words: vocabulary, numRuns: runs(200) })
    await expectMixed(api, paths, vocabulary)
  })

  test('nor if a relation to several types has no members', async () => {
    expect((await api.get('/favorites/fav-1k/favoritable')).document?.data).toBeNull()
    const paths = ['/favorites/fav-1k/favoritable']
    await sendAnyQuery(api, { paths, words: vocabulary, numRuns: runs(200) })
    // A relation to several types takes few of the parameters.
    await expectMixed(api, paths, vocabulary, 2)
  })

  test('nor without strict validation, or with small limits', async () => {
    const lenient = client(catalogueServer({ data: withNothing(), strictQueryParameters: false }))
    const limits = { uriLength: 60, includePaths: 1, sortKeys: 1, filterValues: 1 }
    const strict = client(catalogueServer({ data: withNothing(), limits }))
    const paths = Object.values(addresses).flat()
    for (const server of [lenient, strict]) {
      await sendAnyQuery(server, { paths, words: vocabulary, numRuns: runs(200) })
      await expectMixed(server, paths, vocabulary)
    }
  })
})

interface AlbumRow {
  id: number
  title: string | null
  year: number | null
  rating: number | null
  explicit: boolean | null
  releasedAt: Date | null
  recordedOn: string | null
  startsAt: string | null
  code: string | null
  genres: readonly string[] | null
  scores: readonly number[] | null
  extras: object | null
  plays: unknown
}

const columns = [
  'title', 'year', 'rating', 'explicit', 'releasedAt', 'recordedOn', 'startsAt', 'code', 'genres', 'scores', 'extras', 'plays', 'id',
] as const // biome-ignore format: a list

const texts: readonly string[] = ['title', 'code', 'plays', 'id']
const lists: readonly string[] = ['genres', 'scores', 'extras']
const sortable = columns.filter((column) => !lists.includes(column))

/** Every kind of filter, on every kind of column that the build allows, whether that makes sense or not. */
function everyFilter(f: FilterKit<keyof AlbumRow>): Readonly<Record<string, FilterDeclaration>> {
  const operators = ['=', '===', '!=', '>', '>=', '<', '<='] as const
  const textOperators = ['like', 'starts', 'ends'] as const
  const filters = columns.flatMap((column): readonly (readonly [string, FilterDeclaration])[] => [
    ...[...operators, ...(texts.includes(column) ? textOperators : [])].map(
      (operator) => [`${column}${operator}`, f.where(column, operator)] as const,
    ),
    [`${column}:numeric`, f.numeric(column)],
    [`${column}:boolean`, f.boolean(column)],
    [`${column}:asBoolean`, f.where(column).asBoolean()],
    [`${column}:range`, f.range(column)],
    [`${column}:dateRange`, f.dateRange(column)],
    [`${column}:in`, f.in(column)],
    [`${column}:notIn`, f.notIn(column).delimiter('|')],
    [`${column}:null`, f.isNull(column)],
    [`${column}:singular`, f.where(column).singular()],
    [`${column}:json`, f.where(column).deserializeUsing((text) => JSON.parse(String(text)))],
    [`${column}:any`, f.any({ a: f.where(column), b: f.range(column), c: f.in(column) })],
  ])
  return Object.fromEntries([...filters, ['ids', f.idIn()], ['notIds', f.idNotIn()]])
}

describe('no value of a filter makes the service fail', () => {
  const filterKeys: string[] = []
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id().sortable(),
    attributes: (a) => ({
      title: a.string().nullable().sortable(),
      year: a.integer().nullable().sortable(),
      rating: a.decimal().nullable().sortable(),
      explicit: a.boolean().nullable().sortable(),
      releasedAt: a.dateTime().nullable().sortable(),
      recordedOn: a.date().nullable().sortable(),
      startsAt: a.time().nullable().sortable(),
      code: a.uuid().nullable().sortable(),
      genres: a.arrayList().nullable(),
      scores: a.arrayList().of('integer').nullable(),
      extras: a.arrayHash().nullable(),
    }),
    filters: (f) => {
      const filters = everyFilter(f)
      filterKeys.push(...Object.keys(filters))
      return filters
    },
    sorts: (s) => Object.fromEntries(sortable.map((column) => [column, s.field(column)])),
    pagination: cursorPage({ size: 2 }),
  })
  const nothing = Object.fromEntries(columns.map((column) => [column, null]))
  const rows = [
    {
      id: 1,
      title: 'OK Computer',
      year: 1997,
      rating: 4.8,
      explicit: false,
      releasedAt: new Date('1997-05-21T10:00:00Z'),
      recordedOn: '1996-07-01',
      startsAt: '20:00:00',
      code: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
      genres: ['rock'],
      scores: [1],
      extras: { a: 1 },
      plays: 10n,
    },
    { ...nothing, id: 2 },
    { ...nothing, id: 3, title: '', year: 0, rating: -0, genres: [], scores: [], extras: {}, plays: 'many' },
    { ...nothing, id: 4, title: '\u{10ffff}', plays: { deep: true } },
  ]
  const api = client(createServer({ resources: [albums], data: storedData({ albums: rows }) }))

  test('of every kind, aimed at every kind of column, in every order, page by page', async () => {
    const words = { types: ['albums'], paths: ['nobody'], sorts: sortable, members: columns, filters: filterKeys }
    await sendAnyQuery(api, { paths: ['/albums'], words, numRuns: runs(1300) })
    await expectMixed(api, ['/albums'], words)
  })
})
