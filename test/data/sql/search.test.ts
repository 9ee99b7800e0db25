import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, cursorPage, defineResource, hasMany, belongsTo, id } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { SqlDatabase } from 'ashlar/sql'
import { searchIndex, sqlData, table } from 'ashlar/sql'
import type { DataSource } from 'ashlar/store'
import type { TestClient } from 'ashlar/testing'
import * as fc from 'fast-check'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { rounds } from '../../support/runs.js'
import { scratchSchema, type ScratchSchema } from '../../support/scratch-schema.js'
import { BetterSqlite } from './sqlite/better-sqlite.js'

interface AlbumRow {
  id: number
  title: string
  notes: string | null
  artistId: number
}

const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().maxLength(500), notes: a.string().nullable() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ q: f.search({ title: 4, notes: 1 }) }),
  sorts: (s) => ({ relevance: s.relevance('q') }),
  pagination: cursorPage({ size: 5, maxSize: 500 }),
})
const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
})

const columns = ['title', 'notes']
const tables = (integer: string): string => `
  create table artists (id ${integer}, name text not null);
  create table albums (
    id ${integer}, title text not null, notes text, "artistId" integer not null references artists
  );
  create index albums_artist on albums ("artistId")`

/** Words that begin with each other, in scripts with and without case and accents. */
const words =
  'a A ab AB abc b é E Ñandú nandu straße ΛΌΓΟΣ λόγος Ёж еж й 東京 東 1 12 1e5 007 12abc ﬁ ø İ i ı שלום مرحبا ไทย 한국어 e\u0301 ǆ'.split(
    ' ',
  )
const word = fc.constantFrom(...words)

/** What is between words. */
const gaps =
  '- _ . / @ , \n \t 😀 ’ “ ” + & ( ) : · \u00A0 \u202E \u200B \u200D * " \' \\ % | ! <-> ; { } ^ ~ # $1 ? --'
const gap = fc.oneof(fc.constant(' '), fc.constantFrom(...gaps.split(' ')))

const anyText = fc.array(fc.tuple(word, gap), { maxLength: 8 }).map((each) => each.flat().join(''))
const operator = fc.constantFrom(
  '',
  '',
  '',
  '-',
  '"',
  '*',
  'OR ',
  'NOT ',
  'NEAR(',
  'title:',
  '<->',
  '(',
  ')',
  '!',
  '^',
  '{',
)
const parts = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(fc.tuple(operator, word, fc.constantFrom(' ', ' ', '* ', '"', '" ', '')), { maxLength: 4 }),
  },
  { weight: 1, arbitrary: fc.array(fc.tuple(gap, word, gap), { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 12 })), { maxLength: 2 }) },
)
const searched = parts.map((each) => each.flat().join('')).filter((each) => each.isWellFormed() && !each.includes('\0'))

const texts = fc.sample(fc.tuple(anyText, fc.option(anyText)), { numRuns: 150, seed: 11 })
const rows = texts.map(
  ([title, notes], index): AlbumRow => ({ id: index + 1, title, notes, artistId: (index % 3) + 1 }),
)
const artistRows = [1, 2, 3].map((number) => ({ id: number, name: `Artist ${number}` }))

const open: { schema: ScratchSchema; pool: Pool }[] = []

function sqlite(database: { exec(text: string): unknown }, isIndexed: boolean): SqlDatabase {
  database.exec(tables('integer primary key'))
  // The index is filled with the rows that are there, and then by triggers.
  const insert = (from: readonly AlbumRow[]): void => {
    for (const row of from) database.exec(`insert into albums values (${valuesOf(row)})`)
  }
  for (const artist of artistRows) database.exec(`insert into artists values (${artist.id}, '${artist.name}')`)
  insert(rows.slice(0, 50))
  if (isIndexed) for (const statement of searchIndex('sqlite', 'albums', columns)) database.exec(statement)
  insert(rows.slice(50))
  return database as SqlDatabase
}

function quoted(given: string | null): string {
  return given === null ? 'null' : `'${given.replaceAll("'", "''")}'`
}

function valuesOf({ id: key, title, notes, artistId }: AlbumRow): string {
  return `${key}, ${quoted(title)}, ${quoted(notes)}, ${artistId}`
}

async function postgres(isIndexed: boolean, isRanked = false): Promise<SqlDatabase> {
  const schema = await scratchSchema()
  const pool = new Pool({ connectionString: schema.url, max: 3 })
  open.push({ schema, pool })
  await pool.query(tables('serial primary key'))
  for (const artist of artistRows) await pool.query('insert into artists values ($1, $2)', [artist.id, artist.name])
  for (const row of rows) {
    await pool.query('insert into albums values ($1, $2, $3, $4)', [row.id, row.title, row.notes, row.artistId])
  }
  const statements = isIndexed ? searchIndex('postgres', 'albums', columns, { ranked: isRanked }) : []
  for (const statement of statements) await pool.query(statement)
  return pool
}

const stores: Record<string, () => Promise<DataSource> | DataSource> = {
  'SQLite without an index': () => sqlData(sqlite(new DatabaseSync(':memory:'), false)),
  'SQLite with an index': () => sqlData(sqlite(new DatabaseSync(':memory:'), true)),
  'SQLite without functions, with an index': () => sqlData(sqlite(new BetterSqlite(':memory:'), true)),
  'PostgreSQL without an index': async () => sqlData(await postgres(false)),
  'PostgreSQL with an index': async () => sqlData(await postgres(true)),
  'PostgreSQL with stored words': async () => sqlData(await postgres(true, true)),
}

const serverOn = (data: DataSource) => createServer({ resources: [albums, artists], data })
const memory = client(serverOn(memoryData({ albums: rows, artists: artistRows })))

async function idsOf(api: TestClient, path: string): Promise<readonly string[]> {
  const response = await api.get(path)
  expect(response.status).toBe(200)
  return response.resources.map((resource) => resource.id)
}

afterAll(async () => {
  for (const { schema, pool } of open) {
    await pool.end()
    await schema.drop()
  }
})

describe.each(Object.keys(stores))('%s', (name) => {
  let api: TestClient
  beforeAll(async () => {
    const data = await stores[name]?.()
    if (data === undefined) throw new Error('There is no such store.')
    api = client(serverOn(data), { isDescribed: false })
  })

  test('finds the same rows as the memory store, in the same order', async () => {
    const counts = { found: 0 }
    await fc.assert(
      fc.asyncProperty(searched, fc.constantFrom('-relevance', 'relevance', '-relevance,id'), async (value, sort) => {
        const path = `/albums?filter[q]=${encodeURIComponent(value)}&sort=${sort}&page[size]=500`
        const expected = await idsOf(memory, path)
        if (expected.length > 0) counts.found += 1
        expect(await idsOf(api, path)).toEqual(expected)
      }),
      { numRuns: rounds(80, 3000) },
    )
    expect(counts.found).toBeGreaterThan(10)
  })

  test('has pages that together are the whole list', async () => {
    for (const value of ['a', 'ab* -e', '-a', '"a b"', 'e']) {
      const query = `filter[q]=${encodeURIComponent(value)}&sort=-relevance`
      const whole = await idsOf(api, `/albums?${query}&page[size]=500`)
      const paged: string[] = []
      let next: string | undefined = `/albums?${query}&page[size]=7`
      while (next !== undefined) {
        const page: Awaited<ReturnType<TestClient['get']>> = await api.get(next)
        paged.push(...page.resources.map((resource) => resource.id))
        const links = page.document?.links as { readonly next?: string } | undefined
        next = links?.next?.replace(/^https?:\/\/[^/]+/, '')
      }
      expect(paged).toEqual(whole)
    }
  })

  test('searches the members of each parent', async () => {
    for (const path of ['/artists/2/albums', '/artists/2/relationships/albums']) {
      const query = `${path}?filter[q]=a&sort=-relevance&page[size]=4`
      expect((await idsOf(api, query)).length).toBeGreaterThan(0)
      expect(await idsOf(api, query)).toEqual(await idsOf(memory, query))
    }
  })

  test('follows writes', async () => {
    const attributes = { title: 'Zyzzyva zebra', notes: 'first' }
    const artist = { data: { type: 'artists', id: '1' } }
    const data = { type: 'albums', attributes, relationships: { artist } }
    const created = await api.post('/albums', { body: { data } })
    const { id: key } = created.resource
    expect(await idsOf(api, '/albums?filter[q]=zyzzyva')).toEqual([key])
    const changed = { type: 'albums', id: key, attributes: { title: 'Quokka' } }
    await api.patch(`/albums/${key}`, { body: { data: changed } })
    expect(await idsOf(api, '/albums?filter[q]=zyzzyva')).toEqual([])
    expect(await idsOf(api, '/albums?filter[q]=quokka first')).toEqual([key])
    await api.delete(`/albums/${key}`)
    expect(await idsOf(api, '/albums?filter[q]=quokka')).toEqual([])
  })
})

describe('an inspection of the database', () => {
  test.each(['sqlite', 'postgres'] as const)('prints the statements of a missing index: %s', async (engine) => {
    const database = engine === 'sqlite' ? sqlite(new DatabaseSync(':memory:'), false) : await postgres(false)
    const server = serverOn(sqlData(database))
    const { missing, advice } = await server.inspect()
    expect(missing).toEqual([])
    expect(found(advice)).toHaveLength(1)
    const name = engine === 'sqlite' ? 'albums' : `${schemaName()}.albums`
    const statements = searchIndex(engine, name, columns, { ranked: true })
    expect(found(advice)[0]).toBe(
      [
        "The table 'albums' has no search index on 'title', 'notes', so the filter 'albums.q' reads all rows. Create it in a new migration:",
        ...statements.map((statement) => `${statement};`),
      ].join('\n'),
    )
    for (const statement of statements) await run(database, statement)
    expect(found((await serverOn(sqlData(database)).inspect()).advice)).toEqual([])
  })

  test.each(['insert', 'update', 'delete'])('reports a missing trigger of SQLite: %s', async (event) => {
    const database = new DatabaseSync(':memory:')
    const store = sqlData(sqlite(database, true))
    const [{ name }] = database
      .prepare(`select name from sqlite_schema where type = 'trigger' and name like '%_${event}'`)
      .all() as [{ name: string }]
    database.exec(`drop trigger "${name}"`)
    const server = serverOn(store)
    expect(found((await server.inspect()).advice)).toHaveLength(1)
    // It does not use the index, which may lack rows.
    const { data } = (await client(server).get('/albums?filter[q]=a&page[size]=500')).document ?? {}
    expect(data).toHaveLength((await idsOf(memory, '/albums?filter[q]=a&page[size]=500')).length)
  })

  test('refuses a library without functions, if there is no index', async () => {
    const without = serverOn(sqlData(sqlite(new BetterSqlite(':memory:'), false)))
    await expect(without.ready()).rejects.toThrow(
      /The database cannot search for 'albums.q': no such function: ashlar_search\. This SQLite library has no user-defined functions/,
    )
    await serverOn(sqlData(sqlite(new BetterSqlite(':memory:'), true))).ready()
  })

  test.each([false, true])('the planner of PostgreSQL uses the index, with stored words: %s', async (isRanked) => {
    const statements: string[] = []
    const pool = (await postgres(true, isRanked)) as Pool
    const store = sqlData(pool, { onStatement: ({ sql }) => statements.push(sql) })
    await client(serverOn(store)).get('/albums?filter[q]=abc -b&sort=-relevance')
    const read = statements.find((each) => each.includes('@@'))
    expect(read?.includes('to_tsvector')).toBe(!isRanked)
    const literal = (read ?? '')
      .replaceAll(/\$\d+::tsquery\[\]/g, "'{abc}'::tsquery[]")
      .replaceAll(/\$\d+::tsquery/g, "'abc'::tsquery")
      .replaceAll(/\$\d+/g, '6')
    const connection = await pool.connect()
    const explained = `set enable_seqscan = off; explain ${literal}; reset enable_seqscan`
    const plans = (await connection
      .query<Record<string, string>>(explained)
      .finally(() => connection.release())) as unknown
    const plan = (plans as readonly { rows: readonly Record<string, string>[] }[])[1] ?? { rows: [] }
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(text).toMatch(/Bitmap Index Scan on albums_search_[0-9a-f]{8}/)
  })
})

/** Returns the statements of a read and of a write of albums with a policy. */
async function statementsOf(database: SqlDatabase): Promise<readonly string[]> {
  const statements: string[] = []
  const owned = albums.with({ policy: () => ({ view: true, viewAny: true, update: true }) })
  const data = sqlData(database, { onStatement: ({ sql }) => statements.push(sql) })
  const api = client(createServer({ resources: [owned, artists], data, policy: 'public' }), { isDescribed: false })
  await api.get('/albums?page[size]=3')
  const body = { data: { type: 'albums', id: '1', attributes: { title: 'Quokka' } } }
  expect((await api.patch('/albums/1', { body })).status).toBe(200)
  return statements
}

test('stored words are no column of rows: statements of reads and writes are the same without them', async () => {
  const statements = await statementsOf(await postgres(true, true))
  expect(statements.length).toBeGreaterThan(1)
  expect(statements.join('\n')).not.toContain('_search_')
  expect(statements).toHaveLength((await statementsOf(await postgres(true))).length)
})

test('an index on the expression of words that are stored since is reported, because no statement uses it', async () => {
  const pool = (await postgres(true)) as Pool
  const [alter = ''] = searchIndex('postgres', 'albums', columns, { ranked: true })
  await pool.query(alter)
  expect(found((await serverOn(sqlData(pool)).inspect()).advice)[0]).toContain('add column if not exists')
})

/** The advice about searches. */
function found(advice: readonly string[]): readonly string[] {
  return advice.filter((each) => each.includes('search index'))
}

/** The schema that was made last. */
function schemaName(): string {
  return open.at(-1)?.schema.name ?? ''
}

async function run(database: SqlDatabase, statement: string): Promise<void> {
  if ('query' in database) await (database as Pool).query(statement)
  else (database as { exec(text: string): unknown }).exec(statement)
}
