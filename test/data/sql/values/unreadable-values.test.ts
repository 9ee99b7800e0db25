import { atomic, belongsTo, belongsToMany, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { sqlData, table } from 'ashlar/sql'
import type { DataSource } from 'ashlar/store'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { emptyDatabases } from '../../../support/empty-databases.js'

/**
 * A stored value that the kind of its attribute cannot show is left out of every document, and logged. No list, sort or
 * filter fails because of it.
 */

interface TrackRow {
  id: number
  title: string
  albumId: number
  plays: unknown
  length: unknown
  live: unknown
  recordedAt: unknown
  released: unknown
  starts: unknown
  tags: unknown
  notes: unknown
  amount: unknown
}

const tracks = defineResource('tracks', {
  model: table<TrackRow>('tracks'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    plays: a.integer().sortable(),
    length: a.decimal().sortable(),
    live: a.boolean().sortable(),
    recordedAt: a.dateTime().sortable(),
    released: a.date().sortable(),
    starts: a.time().sortable(),
    tags: a.arrayList(),
    notes: a.arrayHash(),
    price: a.map().fields({ amount: a.decimal() }),
  }),
  filters: (f) => ({
    plays: f.where('plays'),
    length: f.where('length'),
    live: f.where('live'),
    recordedAt: f.where('recordedAt'),
    released: f.where('released'),
    starts: f.where('starts'),
    tags: f.where('tags'),
    someOf: f.in('plays'),
    between: f.range('plays'),
    since: f.dateRange('recordedAt'),
  }),
  relations: { album: belongsTo('albums') },
  pagination: cursorPage({ size: 10 }),
})

const albums = defineResource('albums', {
  model: table<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks').withData() },
})

const playlists = defineResource('playlists', {
  model: table<{ id: number }>('playlists'),
  id: id(),
  relations: {
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .fields((a) => ({ place: a.integer(), weight: a.decimal().sortable() }))
      .withData(),
  },
})

/** The values of a track that can be shown. */
const good = {
  title: 'Airbag',
  plays: 5,
  length: 4.5,
  live: true,
  recordedAt: '1997-05-21T12:00:00+00:00',
  released: '1997-05-21',
  starts: '12:30:00',
  tags: ['rock'],
  notes: { mood: 'dark' },
  price: { amount: 1.5 },
}

interface Store {
  readonly data: DataSource
  end(): Promise<void>
}

type Literals = Readonly<Record<Exclude<keyof TrackRow, 'id' | 'title' | 'albumId'>, string>>

interface Columns {
  readonly types: Literals
  readonly good: Literals
  readonly bad: Literals
}

async function opened(engine: 0 | 1, { types, good: shown, bad }: Columns): Promise<Store> {
  const scratch = await emptyDatabases[engine][1]()
  const key = engine === 0 ? 'id serial primary key' : 'id integer primary key'
  const names = Object.keys(types) as (keyof Literals)[]
  const columns = names.map((name) => `"${name}" ${types[name]}`).join(', ')
  const values = (literals: Literals): string => names.map((name) => literals[name]).join(', ')
  await scratch.run(`create table albums (${key}, title text)`)
  await scratch.run(`create table tracks (${key}, title text, "albumId" integer, ${columns})`)
  await scratch.run(`insert into albums values (1, 'OK Computer')`)
  await scratch.run(`create table playlists (${key})`)
  await scratch.run(`insert into playlists values (1)`)
  const place = `place integer, weight ${types.length}, primary key ("playlistId", "trackId")`
  await scratch.run(`create table entries ("playlistId" integer, "trackId" integer, ${place})`)
  await scratch.run(
    `insert into entries values (1, 1, 1, 0.5), (1, 2, 2, ${engine === 0 ? "'NaN'" : "'heavy'"}), (1, 3, 3, 1.5)`,
  )
  await scratch.run(
    `insert into tracks values (1, 'Airbag', 1, ${values(shown)}), (2, 'Lucky', 1, ${values(bad)}), (3, 'Nude', 1, ${values(shown)})`,
  )
  return { data: sqlData(scratch.database), end: () => scratch.end() }
}

const sqlite: Columns = {
  types: {
    plays: 'integer', length: 'real', live: 'boolean', recordedAt: 'text', released: 'date', starts: 'text', tags: 'text', notes: 'json',
    amount: 'integer',
  },
  good: {
    plays: '5', length: '4.5', live: '1', recordedAt: "'1997-05-21T12:00:00.000Z'", released: "'1997-05-21'", starts: "'12:30:00'",
    tags: `'["rock"]'`, notes: `'{"mood":"dark"}'`, amount: '1.5',
  },
  bad: {
    plays: "'many'", length: '9e999', live: "'maybe'", recordedAt: "'yesterday'", released: "'1997-02-30'", starts: "'25:00'",
    tags: `'["rock'`, notes: `'{mood'`, amount: "'free'",
  },
} // biome-ignore format: a table

const postgres: Columns = {
  types: {
    plays: 'bigint', length: 'double precision', live: 'text', recordedAt: 'timestamptz', released: 'date', starts: 'time', tags: 'jsonb',
    notes: 'jsonb', amount: 'numeric',
  },
  good: {
    plays: '5', length: '4.5', live: "'true'", recordedAt: "'1997-05-21T12:00:00Z'", released: "'1997-05-21'", starts: "'12:30:00'",
    tags: `'["rock"]'`, notes: `'{"mood":"dark"}'`, amount: '1.5',
  },
  bad: {
    plays: '1152921504606846976', length: "'NaN'", live: "'maybe'", recordedAt: "'20000-01-01T00:00:00Z'", released: "'infinity'",
    starts: "'24:00:00'", tags: `'"pop"'`, notes: `'["dark"]'`, amount: "'Infinity'",
  },
} // biome-ignore format: a table

async function memory(): Promise<Store> {
  const { price, ...shown } = good
  const row = { ...shown, recordedAt: new Date(good.recordedAt), albumId: 1, amount: price.amount }
  const bad = {
    plays: 'many',
    length: Number.POSITIVE_INFINITY,
    live: 'maybe',
    recordedAt: new Date(Number.NaN),
    released: '1997-02-30',
    starts: new Date('+020000-01-01T00:00:00Z'),
    tags: '["rock',
    notes: 7,
    amount: Number.NaN,
  }
  const rows = [
    { ...row, id: 1 },
    { ...row, id: 2, title: 'Lucky', ...bad },
    { ...row, id: 3, title: 'Nude' },
  ]
  const entries = [0.5, 'heavy', 1.5].map((weight, index) => {
    return { playlistId: 1, trackId: index + 1, place: index + 1, weight }
  })
  const data = memoryData({ tracks: rows, albums: [{ id: 1, title: 'OK Computer' }], playlists: [{ id: 1 }], entries })
  return { data, end: async () => undefined }
}

const stores = [
  ['memory', memory],
  ['SQLite', () => opened(1, sqlite)],
  ['PostgreSQL', () => opened(0, postgres)],
] as const

const attributesOf = ({ resources }: TestResponse): readonly unknown[] => resources.map(({ attributes }) => attributes)

describe.each(stores)('on %s', (name, open) => {
  let store: Store
  let api: TestClient
  let logged: string[]
  beforeEach(async () => {
    logged = []
    store = await open()
    const logger = { error: ({ err }: { err: unknown }) => void logged.push((err as Error).message) }
    const server = createServer({
      resources: [tracks, albums, playlists],
      data: store.data,
      extensions: [atomic()],
      logger,
    })
    await server.ready()
    api = client(server, { isDescribed: false })
  })
  afterEach(() => store.end())

  test('a list has the row without its attributes, and the log names their columns', async () => {
    const response = await api.get('/tracks?sort=id')
    expect([response.status, attributesOf(response)]).toEqual([
      200,
      [good, { title: 'Lucky' }, { ...good, title: 'Nude' }],
    ])
    expect(
      logged.map(
        (message) => /^The resource '2' of 'tracks' is shown without '\w+': the column '(\w+)'/.exec(message)?.[1],
      ),
    ).toEqual(['plays', 'length', 'live', 'recordedAt', 'released', 'starts', 'tags', 'notes', 'amount'])
    if (name === 'PostgreSQL') return
    expect(logged[0]).toBe(
      "The resource '2' of 'tracks' is shown without 'plays': the column 'plays' holds 'many', which the kind integer() cannot show. Correct the row, or declare the attribute as a.string(), which shows the text of the column.",
    )
  })

  test('one resource, included and related resources have it without them, and fieldsets apply', async () => {
    expect((await api.get('/tracks/2')).resource.attributes).toEqual({ title: 'Lucky' })
    expect((await api.get('/tracks/2?fields[tracks]=plays')).resource).not.toHaveProperty('attributes')
    const { document } = await api.get('/albums/1?include=tracks')
    expect(document?.included?.map(({ attributes }) => attributes?.['plays'])).toEqual([5, undefined, 5])
    expect((await api.get('/albums/1/tracks')).resources.map(({ attributes }) => attributes?.['starts'])).toEqual([
      '12:30:00',
      undefined,
      '12:30:00',
    ])
    expect((await api.get('/albums/1/relationships/tracks')).document?.data).toHaveLength(3)
  })

  test('a field of a join row is left out too, in linkage and in meta', async () => {
    const pivots = [{ pivot: { place: 1, weight: 0.5 } }, { pivot: { place: 2 } }, { pivot: { place: 3, weight: 1.5 } }]
    const linkage = (await api.get('/playlists/1/relationships/tracks')).document?.data as readonly { meta: unknown }[]
    expect(linkage.map(({ meta }) => meta)).toEqual(pivots)
    expect(logged).toEqual([
      expect.stringMatching(
        /^The member '2' of 'playlists\.tracks' is shown without 'meta\.pivot\.weight': the column 'weight' holds .*, which the kind decimal\(\) cannot show\. /,
      ),
    ])
    const related = await api.get('/playlists/1/tracks?sort=id&fields[tracks]=title')
    expect([related.status, related.resources.map(({ meta }) => meta)]).toEqual([200, pivots])
    const { document } = await api.get('/playlists?include=tracks')
    expect(document?.data).toMatchObject([{ relationships: { tracks: { data: pivots.map((meta) => ({ meta })) } } }])
    for (const sort of ['weight', '-weight']) {
      expect((await api.get(`/playlists/1/tracks?sort=${sort}`)).resources).toHaveLength(3)
    }
  })

  test('every sort walks all rows, page by page', async () => {
    for (const key of ['plays', 'length', 'live', 'recordedAt', 'released', 'starts']) {
      for (const sort of [key, `-${key}`]) {
        const seen: string[] = []
        let next: unknown = `/tracks?sort=${sort}&page[size]=1`
        for (let pages = 0; typeof next === 'string' && pages < 5; pages += 1) {
          const page = await api.get(next.replace('http://localhost', ''))
          expect([sort, page.status]).toEqual([sort, 200])
          seen.push(...page.resources.map((each) => each.id))
          next = page.document?.links?.['next']
        }
        expect([sort, seen.toSorted()]).toEqual([sort, ['1', '2', '3']])
      }
    }
  })

  test('filters find the other rows', async () => {
    for (const query of [
      'filter[plays]=5',
      'filter[length]=4.5',
      'filter[live]=true',
      'filter[recordedAt]=1997-05-21T12:00:00Z',
      'filter[released]=1997-05-21',
      'filter[starts]=12:30:00',
      'filter[tags]=rock',
      'filter[someOf]=5,6',
      'filter[between][min]=1&filter[between][max]=9',
      'filter[since][max]=1999-01-01T00:00:00Z',
    ]) {
      const found = await api.get(`/tracks?${query}&sort=id&fields[tracks]=title`)
      expect([query, found.status, found.resources.map((each) => each.id)]).toEqual([query, 200, ['1', '3']])
    }
  })

  test('a write to another attribute, also in a batch, is stored and shown without them', async () => {
    const patched = await api.patch('/tracks/2', { body: resourceBody('tracks', { title: 'Creep' }, '2') })
    expect([patched.status, patched.resource.attributes]).toEqual([200, { title: 'Creep' }])
    const extension = `application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"`
    const operation = { op: 'update', ...resourceBody('tracks', { title: 'Lucky' }, '2') }
    const batch = await api.post('/operations', {
      body: { 'atomic:operations': [operation] },
      headers: { 'Content-Type': extension, Accept: extension },
    })
    expect(batch.results[0]?.data).toMatchObject({ attributes: { title: 'Lucky' } })
    const corrected = await api.patch('/tracks/2', { body: resourceBody('tracks', { ...good, plays: 6 }, '2') })
    expect([corrected.status, corrected.resource.attributes]).toEqual([200, { ...good, plays: 6 }])
  })
})

test('keys are shown as text, and a version that is no number counts as none', async () => {
  const scratch = await emptyDatabases[1][1]()
  await scratch.run(`create table albums (id integer primary key, title text)`)
  await scratch.run(`create table songs (id integer primary key, title text, "albumId" integer, version integer)`)
  await scratch.run(`insert into songs values (1, 'Airbag', 'none', 'new' || char(10) || '"1"')`)
  const songs = defineResource('songs', {
    model: table<{ id: number; title: string; albumId: number; version: number }>('songs'),
    id: id(),
    version: 'version',
    attributes: (a) => ({ title: a.string() }),
    relations: { album: belongsTo('albums') },
  })
  const records = defineResource('albums', { model: table<{ id: number; title: string }>('albums'), id: id() })
  const api = client(createServer({ resources: [songs, records], data: sqlData(scratch.database) }))
  const read = await api.get('/songs/1?include=album')
  expect([read.status, read.document?.included]).toEqual([200, []])
  expect((await api.get('/songs/1/relationships/album')).document?.data).toEqual({ type: 'albums', id: 'none' })
  const tag = read.headers.get('etag') ?? ''
  expect(tag).toMatch(/^"0\.[\w-]+"$/)
  const body = resourceBody('songs', { title: 'Lucky' }, '1')
  const written = await api.patch('/songs/1', { body, headers: { 'If-Match': tag } })
  expect([written.status, written.headers.get('etag')]).toEqual([200, expect.stringMatching(/^"1\./)])
  expect((await api.patch('/songs/1', { body, headers: { 'If-Match': tag } })).status).toBe(412)
  await scratch.end()
})
