import {
  type AnyResource,
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  type Inspection,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { type OwnDatabase, ownDatabases } from '../support/own-databases.js'

const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().unique().sortable() }),
  relations: { albums: hasMany('albums') },
  pagination: cursorPage(),
})
const albums = defineResource('albums', {
  model: table<{ id: number; title: string; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a
      .string()
      .unique({ with: ['artist'] })
      .sortable(),
  }),
  relations: {
    artist: belongsTo('artists'),
    twins: belongsToMany('albums').through('twins', { owner: 'fromId', member: 'toId' }),
  },
})

const naming = 'snake_case'

describe.each(ownDatabases)('On %s', (engine, open) => {
  const [codePoints, others] =
    engine === 'PostgreSQL' ? ['collate "C"', 'collate "POSIX"'] : ['collate binary', 'collate nocase']
  const wanted = ` ${codePoints}`
  let own: OwnDatabase
  beforeEach(async () => {
    own = await open()
  })
  afterEach(() => own.end())

  const server = (...resources: readonly AnyResource[]) =>
    createServer({ resources: resources as never, data: sqlData(own.database, { naming }) })
  const inspect = (): Promise<Inspection> => server(artists, albums).inspect()

  test('what is declared is found, and the server is ready', async () => {
    await own.run(`
      create table artists (id integer primary key, name text ${codePoints} not null unique);
      create table albums (id integer primary key, title text, artist_id integer, unique (artist_id, title));
      create table twins (from_id integer, to_id integer, primary key (from_id, to_id));
    `)
    expect(await inspect()).toEqual({ missing: [], unsound: [], advice: [] })
    await expect(server(artists, albums).ready()).resolves.toBeUndefined()
  })

  test('each missing table and column is named, and the server is not ready', async () => {
    await own.run('create table albums (id integer primary key, name text)')
    const missing = [
      "The database has no table 'artists', where the type 'artists' would be kept.",
      "The table 'albums' has no column 'title' for the attribute 'title' of 'albums'.",
      "The table 'albums' has no column 'artist_id' for the relation 'albums' of 'artists'.",
      "The database has no table 'twins', where the relation 'twins' of 'albums' would be kept.",
    ]
    expect((await inspect()).missing).toEqual(missing)
    await expect(server(artists, albums).ready()).rejects.toThrow(
      new Error(`The stores are not ready:\n${missing.map((sentence) => `  - ${sentence}`).join('\n')}`),
    )
  })

  test('one thing that is missing is one sentence', async () => {
    const alone = defineResource('labels', { model: table<{ id: number }>('labels'), id: id() })
    await expect(server(alone).ready()).rejects.toThrow(
      new Error("The database has no table 'labels', where the type 'labels' would be kept."),
    )
  })

  test('missing indexes are named, and keep nobody from serving', async () => {
    await own.run(`
      create table artists (id integer not null, name text not null);
      create table albums (id integer primary key, title text, artist_id integer);
      create table twins (from_id integer, to_id integer);
      create index twins_to on twins (to_id, from_id);
    `)
    expect(await inspect()).toEqual({
      missing: [],
      unsound: [
        "The table 'artists' has no unique index on 'id', the key of 'artists'.",
        "The table 'artists' has no unique index on 'name', which 'artists.name' declares unique.",
        "The table 'albums' has no index that begins with 'artist_id', by which 'artists.albums' is read.",
        "The table 'albums' has no unique index on 'title', 'artist_id', which 'albums.title' declares unique.",
        "The table 'twins' has no index that begins with 'from_id', by which 'albums.twins' is read.",
        "The table 'twins' has no unique index on 'from_id', 'to_id': 'albums.twins' may hold a member twice.",
      ],
      advice: [
        `The table 'artists' has no index that begins with 'name'${wanted}, by which 'artists' can be sorted and is paged with cursors.`,
      ],
    })
    await expect(server(artists, albums).ready()).resolves.toBeUndefined()
  })

  test('indexes over expressions of other columns make nothing unique', async () => {
    await own.run(`
      create table artists (id integer not null, name text ${codePoints} not null, code text);
      create index artists_by_name on artists (name);
      create unique index artists_code on artists (lower(code));
    `)
    const alone = defineResource('artists', {
      model: table<{ id: number; name: string; code: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string().unique(), code: a.string().unique() }),
    })
    expect((await server(alone).inspect()).unsound).toEqual([
      "The table 'artists' has no unique index on 'id', the key of 'artists'.",
      "The table 'artists' has no unique index on 'name', which 'artists.name' declares unique.",
    ])
  })

  test('indexes in another order than that of code points serve no sort of texts', async () => {
    await own.run(`
      create table artists (id integer primary key, name text ${others} not null unique);
      create table albums (id integer primary key, title text, artist_id integer, unique (artist_id, title));
      create table twins (from_id integer, to_id integer, primary key (from_id, to_id));
    `)
    const advice = [
      `The table 'artists' has no index that begins with 'name'${wanted}, by which 'artists' can be sorted and is paged with cursors.`,
    ]
    expect(await inspect()).toEqual({ missing: [], unsound: [], advice })
    await own.run(`create index artists_by_name on artists (name ${codePoints}, id)`)
    expect(await inspect()).toEqual({ missing: [], unsound: [], advice: [] })
  })

  test('views are asked for columns, and not for indexes', async () => {
    await own.run(`
      create table people (id integer primary key, name text);
      create view artists as select id, name from people;
    `)
    const alone = defineResource('artists', {
      model: table<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string().unique() }),
    })
    expect(await server(alone).inspect()).toEqual({ missing: [], unsound: [], advice: [] })
  })
})

describe('server.ready()', () => {
  test('has nothing to ask of rows that are kept in memory, nor of a server without rows', async () => {
    await expect(createServer({ resources: [artists, albums], data: memoryData() }).ready()).resolves.toBeUndefined()
    await expect(createServer({ resources: [] }).ready()).resolves.toBeUndefined()
  })

  test.each([
    {
      name: 'a password that is refused',
      change: (url: URL) => (url.password = 'wrong'),
      says: /^PostgreSQL refuses the password of the user '\w+'\.$/,
    },
    {
      name: 'a database that is not there',
      change: (url: URL) => (url.pathname = '/absent'),
      says: /^PostgreSQL has no database 'absent'\.$/,
    },
    {
      name: 'a server that is not there',
      change: (url: URL) => (url.port = '1'),
      says: /^No PostgreSQL server listens at 127\.0\.0\.1:1\.$/,
    },
  ])('tells $name in one sentence', async ({ change, says }) => {
    const url = new URL(inject('databaseUrl'))
    change(url)
    const pool = new Pool({ connectionString: url.href })
    try {
      const server = createServer({ resources: [artists, albums], data: sqlData(pool) })
      await expect(server.ready()).rejects.toThrow(says)
    } finally {
      await pool.end()
    }
  })
})
