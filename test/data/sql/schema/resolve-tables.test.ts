import { belongsTo, belongsToMany, defineResource, hasMany, id, model, morphTo } from 'ashlar'
import { describe, expect, test } from 'vitest'
import type { SqlTable } from '../../../../src/stores/sql/schema/sql-table.js'
import { table } from '../../../../src/stores/sql/schema/table.js'
import { namesOf, resolved, tableNamed } from './resolved.js'
import { scratchDatabases } from './scratch-databases.js'

function columnsOf(columns: SqlTable['columns'] | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries((columns ?? []).map(({ property, name }) => [property, name]))
}

interface AlbumRow {
  id: number
  title: string
  releasedAt: Date | null
  artistId: number | null
}

const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string(), releasedAt: a.dateTime().nullable() }),
  relations: {
    artist: belongsTo('artists'),
    genres: belongsToMany('genres').through('album_genres', { owner: 'albumId', member: 'genreId' }),
  },
})
const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
})
const genres = defineResource('genres', { model: table<{ id: string }>('genres'), id: id() })
const resources = [albums, artists, genres]

const sameNames = [
  'create table albums (id integer primary key, title text, "releasedAt" timestamp, "artistId" integer, note text)',
  'create table artists (id integer primary key, name text)',
  'create table genres (id text primary key)',
  'create table album_genres ("albumId" integer, "genreId" text)',
]

describe.each(scratchDatabases)('Tables of declared types on %s', (_, open) => {
  test('are found with all of their columns, by the names of their models', async () => {
    const resolution = await resolved(open, sameNames, { resources })
    expect(resolution.problems).toEqual([])
    expect(namesOf(resolution).toSorted()).toEqual(['album_genres', 'albums', 'artists', 'genres'])
    const found = tableNamed(resolution, 'albums')
    expect(found).toMatchObject({ schema: null, name: 'albums', key: 'id' })
    expect(found?.columns.map(({ property }) => property)).toEqual(['id', 'title', 'releasedAt', 'artistId', 'note'])
    expect(found?.columnOf.get('title')).toBe(found?.columnNamed.get('title'))
    expect(tableNamed(resolution, 'album_genres')?.key).toBeNull()
  })

  test('have columns in snake case if the naming is so', async () => {
    const resolution = await resolved(
      open,
      [
        'create table albums (id integer primary key, title text, released_at timestamp, artist_id integer, no_1_hit text)',
        'create table artists (id integer primary key, name text)',
        'create table genres (id text primary key)',
        'create table album_genres (album_id integer, genre_id text)',
      ],
      { resources, naming: 'snake_case' },
    )
    expect(resolution.problems).toEqual([])
    expect(columnsOf(tableNamed(resolution, 'albums')?.columns)).toEqual({
      id: 'id',
      title: 'title',
      releasedAt: 'released_at',
      artistId: 'artist_id',
      no1Hit: 'no_1_hit',
    })
    expect(columnsOf(tableNamed(resolution, 'album_genres')?.columns)).toEqual({
      albumId: 'album_id',
      genreId: 'genre_id',
    })
  })

  test('take names of columns from their models, whatever the naming is', async () => {
    const odd = defineResource('images', {
      model: table<{ id: number; imageURL: string; line2: string; title: string; name: string }>('images', {
        naming: 'snake_case',
        columns: { title: { name: 'name' }, name: { name: 'title' } },
      }),
      id: id(),
      attributes: (a) => ({ imageURL: a.string(), line2: a.string(), title: a.string() }),
    })
    const resolution = await resolved(
      open,
      [
        'create table images (id integer, image_url text, line_2 text, name text, title text, _private text, "asIs" text)',
      ],
      { resources: [odd] },
    )
    expect(resolution.problems).toEqual([])
    expect(columnsOf(tableNamed(resolution, 'images')?.columns)).toEqual({
      id: 'id',
      imageURL: 'image_url',
      line2: 'line_2',
      title: 'name',
      name: 'title',
      _private: '_private',
      asIs: 'asIs',
    })
  })

  test('have no member twice: the name in the model wins', async () => {
    const { tables } = await resolved(open, ['create table t (id integer, heading text, title text)'], {
      models: [table<{ id: number; title: string }>('t', { columns: { title: { name: 'heading' } } })],
    })
    expect(columnsOf(tables.get('t')?.columns)).toEqual({ id: 'id', title: 'heading' })
  })

  test('may be named by the store for types whose model is only a name', async () => {
    const [bySlug, unknown] = [
      model<{ slug: string; text: string }>('notes', { key: 'slug' }),
      model<{ id: number }>('others'),
    ]
    const notes = defineResource('notes', {
      model: bySlug,
      id: id(),
      attributes: (a) => ({ text: a.string() }),
    })
    const elsewhere = defineResource('others', { model: unknown, id: id() })
    const { tables, problems } = await resolved(open, ['create table notes (slug text, text text)'], {
      resources: [notes, elsewhere],
      models: [table<{ slug: string; text: string }>('notes')],
    })
    expect(problems).toEqual([])
    expect(tables.get(bySlug)?.key).toBe('slug')
    expect(tables.get(unknown)).toBeUndefined()
  })

  test('of several types may be one table, and each model has its own members', async () => {
    const headings = table<{ id: number; heading: string; noteOf: string }>('albums', {
      columns: { heading: { name: 'title' } },
      naming: 'snake_case',
    })
    const titles = defineResource('titles', {
      model: headings,
      id: id(),
      attributes: (a) => ({ heading: a.string() }),
    })
    const resolution = await resolved(open, sameNames, { resources: [...resources, titles] })
    expect(resolution.problems).toEqual([])
    expect(columnsOf(tableNamed(resolution, 'albums')?.columns)).toMatchObject({ title: 'title' })
    const second = resolution.tables.get(headings)
    expect(columnsOf(second?.columns)).toMatchObject({ heading: 'title' })
    expect(second?.columnOf.has('title')).toBe(false)
    expect(second?.cacheKey).not.toBe(tableNamed(resolution, 'albums')?.cacheKey)
    expect(second?.live).toBe(tableNamed(resolution, 'albums')?.live)
  })

  test('of join rows are those of the model of the relation, or those of the store for a name', async () => {
    const joins = table<{ owner: number; b: number }>('joins', { columns: { owner: { name: 'a' } } })
    const lists = defineResource('lists', {
      model: table<{ id: number }>('lists'),
      id: id(),
      relations: {
        mapped: belongsToMany('genres').through(joins, { owner: 'owner', member: 'b' }),
        named: belongsToMany('genres').through('joins', { owner: 'first', member: 'b' }),
      },
    })
    const { tables, problems } = await resolved(
      open,
      [...sameNames, 'create table lists (id integer primary key)', 'create table joins (a integer, b text)'],
      {
        resources: [lists, genres],
        models: [table<{ first: number }>('joins', { columns: { first: { name: 'a' } } })],
      },
    )
    expect(problems).toEqual([])
    expect(columnsOf(tables.get(joins)?.columns)).toEqual({ owner: 'a', b: 'b' })
    expect(columnsOf(tables.get('joins')?.columns)).toEqual({ first: 'a', b: 'b' })
  })

  test('with an ambiguous name are reported as missing', async () => {
    const { tables, problems } = await resolved(open, sameNames, {
      models: [table<{ id: number }>('albums'), table<{ id: number }>('albums', { schema: 'shop' })],
    })
    expect(tables.size).toBe(0)
    expect(problems).toEqual([
      "Two tables have the name 'albums', 'albums' and 'shop.albums': name them with their schemas, as in table('shop.albums').",
    ])
  })

  test('that are missing are reported with their purpose', async () => {
    const resolution = await resolved(open, sameNames.slice(0, 1), {
      resources,
      models: [table<{ id: number }>('charts')],
    })
    expect(namesOf(resolution)).toEqual(['albums'])
    expect(resolution.problems.toSorted()).toEqual([
      "The database has no table 'album_genres', which would store the relation 'genres' of 'albums'. Create it in a new migration, or correct the name.",
      "The database has no table 'artists', which would store the type 'artists'. Create it in a new migration, or correct the name.",
      "The database has no table 'charts', which the option 'tables' names. Create it in a new migration, or correct the name.",
      "The database has no table 'genres', which would store the type 'genres'. Create it in a new migration, or correct the name.",
    ])
  })

  test('whose columns are missing are reported with the member that needs them', async () => {
    const { problems } = await resolved(
      open,
      [
        'create table albums (id integer primary key, released_at timestamp)',
        'create table artists (key integer primary key, name text)',
        'create table genres (id text primary key)',
        'create table album_genres ("albumId" integer)',
      ],
      { resources },
    )
    expect(problems.toSorted()).toEqual([
      "The table 'album_genres' has no column 'genreId' for the relation 'genres' of 'albums'. Add it in a new migration, or name another column with via() or through().",
      "The table 'albums' has no column 'artistId' for the relation 'artist' of 'albums'. Add it in a new migration, or name another column with via() or through().",
      "The table 'albums' has no column 'releasedAt' for the attribute 'releasedAt' of 'albums'. There is 'released_at': name it in table(), or set naming: 'snake_case'.",
      "The table 'albums' has no column 'title' for the attribute 'title' of 'albums'. Add it in a new migration, or name another column with storedAs().",
      "The table 'artists' has no column 'id' for the id of 'artists'. The primary key is 'key': name it by the option 'key' of table().",
    ])
  })

  test('whose columns are missing that only the model names are reported', async () => {
    const { problems } = await resolved(open, ['create table t (id integer)'], {
      models: [
        table<{ id: number; title: string; year: number }>('t', {
          columns: { title: { name: 'heading' }, year: 'integer' },
        }),
      ],
    })
    expect(problems).toEqual([
      "The table 't' has no column 'heading', which its model names for 'title'. Add it in a new migration, or correct the name.",
      "The table 't' has no column 'year', which its model names for 'year'. Add it in a new migration, or correct the name.",
    ])
  })

  test('need no columns for attributes that only functions read and write', async () => {
    const users = defineResource('users', {
      model: table<{ id: number; hash: string }>('users'),
      id: id(),
      attributes: (a) => ({
        shout: a.string().computedUsing(() => 'HA'),
        initials: a
          .string()
          .extractUsing(() => 'xy')
          .readOnly(),
        password: a
          .string()
          .writeOnly()
          .fillUsing((_row, value) => ({ hash: String(value) })),
      }),
    })
    const { problems } = await resolved(open, ['create table users (id integer, hash text)'], { resources: [users] })
    expect(problems).toEqual([])
  })

  test('need the columns of soft deletes, polymorphic keys, pivots, maps and flattened attributes', async () => {
    interface NoteRow {
      id: number
      town: string
      subjectId: number | null
      subjectType: string | null
      removedAt: Date | null
    }
    const notes = defineResource('notes', {
      model: table<NoteRow>('notes'),
      id: id(),
      attributes: (a) => ({ place: a.map().fields({ city: a.string().storedAs('town') }) }),
      relations: {
        subject: morphTo(['albums', 'artists']),
        readers: belongsToMany('artists')
          .through('readings', { owner: 'noteId', member: 'readerId' })
          .fields((f) => ({ page: f.integer() })),
      },
      softDeletes: { column: 'removedAt' },
    })
    const famed = defineResource('albums', {
      model: table<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ fame: a.integer().on('artist') }),
      relations: { artist: belongsTo('artists') },
    })
    const { problems } = await resolved(
      open,
      [...sameNames.slice(0, 2), 'create table notes (id integer)', 'create table readings (page_no integer)'],
      { resources: [notes, famed, artists] },
    )
    expect(problems.toSorted()).toEqual([
      "The table 'artists' has no column 'fame' for the attribute 'fame' of 'albums'. Add it in a new migration, or name another column with storedAs().",
      "The table 'notes' has no column 'removedAt' for the soft deletes of 'notes'. Add it in a new migration, or name another column.",
      "The table 'notes' has no column 'subjectId' for the relation 'subject' of 'notes'. Add it in a new migration, or name another column with via() or through().",
      "The table 'notes' has no column 'subjectType' for the relation 'subject' of 'notes'. Add it in a new migration, or name another column with via() or through().",
      "The table 'notes' has no column 'town' for the attribute 'place' of 'notes'. Add it in a new migration, or name another column with storedAs().",
      "The table 'readings' has no column 'noteId' for the relation 'readers' of 'notes'. Add it in a new migration, or name another column with via() or through().",
      "The table 'readings' has no column 'page' for the relation 'readers' of 'notes'. Add it in a new migration, or name another column with storedAs().",
      "The table 'readings' has no column 'readerId' for the relation 'readers' of 'notes'. Add it in a new migration, or name another column with via() or through().",
    ])
  })

  test('are looked for in the schema of the store, unless their model names another', async () => {
    const { problems } = await resolved(open, sameNames, {
      schema: 'shop',
      models: [
        table<{ id: number }>('albums'),
        table<{ id: number }>('music.artists'),
        table<{ id: number }>('genres', { schema: 'music' }),
      ],
    })
    expect(problems).toEqual([
      "The database has no table 'shop.albums', which the option 'tables' names. Create it in a new migration, or correct the name.",
      "The database has no table 'music.artists', which the option 'tables' names. Create it in a new migration, or correct the name.",
      "The database has no table 'music.genres', which the option 'tables' names. Create it in a new migration, or correct the name.",
    ])
  })
})
