import { statementCounter, type TestClient } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { musicEngines } from '../../../support/music-engines.js'
import { musicServer, type OpenMusic } from '../../../support/sql-music.js'
import { cursorAt, nextPath } from '../../../support/music-cursors.js'
import { type ReadPlan, readPlan } from './read-plan.js'

/** The plans of PostgreSQL for statements of the store over 200,000 tracks. A page reads as many rows as its size. */

const [[, open]] = musicEngines as [(typeof musicEngines)[number]]
const counter = statementCounter()
let music: OpenMusic
let api: TestClient

beforeAll(async () => {
  music = await open(200_000)
  await music.rows('insert into playlists (title) select i::text from generate_series(1, 500) i')
  await music.rows('insert into playlist_tracks select 1 + i % 500, i * 37 from generate_series(1, 5000) i')
  await music.rows('create extension if not exists pg_trgm schema public')
  // It has the collation of the column, "C", as comparisons of parts of texts have.
  await music.rows('create index on albums using gin (title public.gin_trgm_ops)')
  await music.rows('analyze')
  api = client(musicServer(music.database, { onStatement: counter.onStatement }))
})
afterAll(() => music.close())

/** The plan of the last statement that a request takes. */
async function planOf(path: string): Promise<ReadPlan> {
  const ran = await counter.during(async () => expect((await api.get(path)).status).toBe(200))
  const { sql = '', values = [] } = ran.at(-1) ?? {}
  return readPlan(music.database as Pool, sql, values)
}

const size = 20
/** One more row shows whether there is a next page. */
const page = size + 1

describe('A page deep in an order reads its own rows by the index', () => {
  test.each([
    { sort: 'id', parts: 1 },
    { sort: '-id', parts: 1 },
    { sort: 'seconds', parts: 1 },
    { sort: '-seconds', parts: 1 },
    { sort: 'title', parts: 1 },
    { sort: '-seconds,id', parts: 2 },
    { sort: 'rating', parts: 3 },
    { sort: '-rating', parts: 3 },
  ])('sorted by $sort', async ({ sort, parts }) => {
    const after = await cursorAt(api, sort, '120001,120002,120003')
    const plan = await planOf(`/tracks?sort=${sort}&page[size]=${size}&page[after]=${after}`)
    expect(plan.scanned).toEqual([])
    expect(plan.rowsRead).toBeLessThanOrEqual(page * parts)
    expect(plan.rowsSorted).toBeLessThanOrEqual(parts === 1 ? 0 : page * parts)
  })

  test('sorted by a column without a value there', async () => {
    const after = await cursorAt(api, 'rating', '120000,120004')
    const plan = await planOf(`/tracks?sort=rating&page[size]=${size}&page[after]=${after}`)
    expect(plan).toMatchObject({ scanned: [], rowsRead: page, rowsSorted: 0, indexes: ['on_tracks_rating_id'] })
  })

  test('backwards', async () => {
    const before = await cursorAt(api, 'seconds', '120001,120002')
    const plan = await planOf(`/tracks?sort=seconds&page[size]=${size}&page[before]=${before}`)
    expect(plan).toMatchObject({ scanned: [], rowsRead: page, rowsSorted: 0, indexes: ['on_tracks_seconds_id'] })
  })

  test('within a relation', async () => {
    const first = await api.get('/albums/15000/pagedTracks?sort=seconds')
    const plan = await planOf(nextPath(first))
    expect(plan).toMatchObject({ scanned: [], rowsRead: 4, indexes: ['on_tracks_album_id_seconds_id'] })
  })
})

test.each([
  { sort: 'rating', index: 'on_tracks_rating_id' },
  { sort: '-rating', index: 'on_tracks_rating_id' },
  { sort: 'title', index: 'on_tracks_title_id' },
  { sort: '-title', index: 'on_tracks_title_id' },
])('A page by number, sorted by $sort, reads the index in its order up to its last row', async ({ sort, index }) => {
  const plan = await planOf(`/tracks?sort=${sort}&page[kind]=page&page[number]=3&page[size]=${size}`)
  expect(plan).toMatchObject({ scanned: [], rowsRead: 3 * size + 1, rowsSorted: 0, indexes: [index] })
})

describe('A filter reads only the rows that it finds', () => {
  test('by a set of ids, bound as one list', async () => {
    const plan = await planOf('/tracks?filter[ids]=5,70000,150000')
    expect(plan).toMatchObject({ scanned: [], rowsRead: 3, indexes: ['tracks_pkey'] })
  })

  test('by a set of values', async () => {
    const plan = await planOf('/tracks?filter[seconds]=100,999&sort=seconds')
    expect(plan).toMatchObject({ scanned: [], rowsSorted: 0, indexes: ['on_tracks_seconds_id'] })
    expect(plan.rowsRead).toBeLessThanOrEqual(page)
  })

  test('through relations to one', async () => {
    const plan = await planOf('/tracks?filter[artist]=Artist 77')
    expect(plan.scanned).toEqual(['artists'])
    expect(plan.indexes).toContain('on_tracks_album_id_id')
    // The artists, whose names have no index, ten albums and their tracks.
    expect(plan.rowsRead).toBeLessThanOrEqual(2000 + 10 + 100)
  })

  test('through relations to many', async () => {
    const plan = await planOf('/artists?filter[track]=Track 777 of 777')
    expect(plan).toMatchObject({ scanned: [], rowsRead: 3 })
  })

  test('by whether there are related rows', async () => {
    const plan = await planOf('/tracks?filter[listed]=1')
    expect(plan.scanned).toEqual([])
    expect(plan.rowsRead).toBeLessThanOrEqual(page * 37 + page * 2)
  })

  test.each(['title]=bum 19', 'begins]=ALBUM 19'])(
    'by part of a text with an index of trigrams: filter[%s',
    async (filter) => {
      const plan = await planOf(`/albums?filter[${filter}777`)
      expect(plan.indexes).toContain('albums_title_idx')
      expect(plan.scanned).toEqual([])
      expect(plan.rowsRead).toBeLessThanOrEqual(10)
    },
  )
})

test.each([
  { include: 'tracks', rows: 200, index: /^on_tracks_album_id_/ },
  { include: 'pagedTracks', rows: 200, index: /^on_tracks_album_id_/ },
])('$include of a page of albums are found by the index on their key', async ({ include, rows, index }) => {
  const plan = await planOf(`/albums?include=${include}`)
  expect(plan).toMatchObject({ scanned: [], rowsRead: rows, indexes: [expect.stringMatching(index)] })
})

test('a deep page still has the plan for its position after many requests', async () => {
  const path = `/tracks?sort=rating&page[after]=${await cursorAt(api, 'rating', '120001,120002')}`
  const { connectionString = '' } = (music.database as Pool).options
  const pool = new Pool({ connectionString, max: 1 })
  const often = client(musicServer(pool))
  // PostgreSQL thinks of a plan for any values after five times.
  for (let time = 0; time < 12; time += 1) expect((await often.get(path)).status).toBe(200)
  const { rows } = await pool.query(
    "select generic_plans::int4, custom_plans::int4 from pg_prepared_statements where name like 'ashlar%'",
  )
  await pool.end()
  expect(rows).toEqual([{ generic_plans: 0, custom_plans: 12 }])
})
