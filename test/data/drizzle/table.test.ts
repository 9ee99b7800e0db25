import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import { memoryData } from 'ashlar/memory'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe, expect, expectTypeOf, test } from 'vitest'

const artists = lite.sqliteTable('artists', { id: lite.integer().primaryKey(), name: lite.text().notNull() })
const albums = lite.sqliteTable('albums', {
  id: lite.integer().primaryKey(),
  title: lite.text('album_title').notNull(),
  released: lite.integer('released_at', { mode: 'timestamp' }),
  performer: lite.integer().references(() => artists.id),
})
const playlists = lite.sqliteTable('playlists', { id: lite.integer().primaryKey() })
const entries = lite.sqliteTable(
  'entries',
  {
    list: lite
      .integer('playlist_id')
      .notNull()
      .references(() => playlists.id),
    album: lite.integer('album_id').notNull(),
    note: lite.text(),
  },
  (t) => [
    lite.primaryKey({ columns: [t.list, t.album] }),
    lite.foreignKey({ columns: [t.album], foreignColumns: [albums.id] }),
  ],
)

describe('A Drizzle table as a model', () => {
  test('has the name, the key, the members and the names of the columns', () => {
    const model = table(albums)
    expect(model.name).toBe('albums')
    expect(model.key).toBe('id')
    expect(model.columns).toEqual(['id', 'title', 'released', 'performer'])
    expect(model.table.schema).toBeNull()
    expect([...model.table.columns].map(([member, { name }]) => [member, name])).toEqual([
      ['id', null],
      ['title', 'album_title'],
      ['released', 'released_at'],
      ['performer', null],
    ])
    expect(Object.isFrozen(model)).toBe(true)
  })

  test('has the schema of a table in one, in its name too, which foreign keys point at', () => {
    const music = pg.pgSchema('music')
    const labels = music.table('labels', { code: pg.text().primaryKey() })
    const deals = music.table('deals', { id: pg.serial().primaryKey(), label: pg.text().references(() => labels.code) })
    expect(table(labels)).toMatchObject({
      name: 'music.labels',
      key: 'code',
      table: { schema: 'music', name: 'labels' },
    })
    expect(table(deals).foreignKeys).toEqual([{ columns: ['label'], model: 'music.labels', references: ['code'] }])
  })

  test('has the foreign keys of columns and of the table, by the members of both rows', () => {
    expect(table(albums).foreignKeys).toEqual([{ columns: ['performer'], model: 'artists', references: ['id'] }])
    expect(table(entries).foreignKeys).toEqual([
      { columns: ['list'], model: 'playlists', references: ['id'] },
      { columns: ['album'], model: 'albums', references: ['id'] },
    ])
  })

  test('asks for what foreign keys point at only when they are wanted, so that tables may point at later ones', () => {
    const early = lite.sqliteTable('early', { late: lite.integer().references((): lite.AnySQLiteColumn => late.id) })
    const model = table(early)
    const late = lite.sqliteTable('late', { id: lite.integer().primaryKey() })
    expect(model.foreignKeys).toEqual([{ columns: ['late'], model: 'late', references: ['id'] }])
  })

  test('has a key of several columns for join rows, and another key where one is named', () => {
    expect(table(entries).table.key).toEqual(['list', 'album'])
    expect(table(artists, { key: 'name' }).table.key).toEqual(['name'])
    expect(table(artists, { key: 'name' }).key).toBe('name')
  })

  test('is made of a table of PostgreSQL or SQLite only', () => {
    for (const stranger of [null, {}, 'albums', albums.id]) {
      expect(() => table(stranger as never)).toThrow(
        "table() of 'ashlar/drizzle' takes a table that pgTable() or sqliteTable() has made.",
      )
    }
  })
})

describe('The rows of a Drizzle table', () => {
  test('have the type that Drizzle infers', () => {
    const model = table(albums)
    expectTypeOf(model.row).toEqualTypeOf<
      { id: number; title: string; released: Date | null; performer: number | null } | undefined
    >()
    // @ts-expect-error -- no such member
    expect(table(artists, { key: 'nam' }).key).toBe('nam')
  })

  test('are known to declarations, which refuse a misspelt column', () => {
    const misspelt = defineResource('albums', {
      model: table(albums),
      id: id(),
      attributes: (a) => ({
        title: a.string(),
        // @ts-expect-error -- no such column
        titel: a.string(),
      }),
    })
    expect(() => createServer({ resources: [misspelt] as never, data: memoryData() })).toThrow(
      "stands on the column 'titel', which the model 'albums' does not have",
    )
  })
})

describe('Relations between Drizzle tables', () => {
  test('are found from foreign keys, join rows included', async () => {
    const resources = [
      defineResource('artists', { model: table(artists), id: id(), relations: { albums: hasMany('albums') } }),
      defineResource('albums', {
        model: table(albums),
        id: id(),
        relations: { artist: belongsTo('artists'), playlists: belongsToMany('playlists') },
      }),
      defineResource('playlists', {
        model: table(playlists),
        id: id(),
        relations: {
          albums: belongsToMany('albums')
            .through(table(entries))
            .fields((a) => ({ note: a.string().nullable() })),
        },
      }),
    ] as const
    const data = memoryData({
      artists: [{ id: 1, name: 'Low' }],
      albums: [{ id: 2, title: 'Hey What', released: null, performer: 1 }],
      playlists: [{ id: 3 }],
      entries: [{ list: 3, album: 2, note: 'first' }],
    })
    const server = createServer({ resources, data })
    const linkage = async (path: string): Promise<unknown> => {
      const response = await server.fetch(new Request(`http://music.example${path}`))
      return ((await response.json()) as { readonly data: unknown }).data
    }
    expect(await linkage('/albums/2/relationships/artist')).toEqual({ type: 'artists', id: '1' })
    expect(await linkage('/artists/1/relationships/albums')).toEqual([{ type: 'albums', id: '2' }])
    expect(await linkage('/albums/2/relationships/playlists')).toEqual([{ type: 'playlists', id: '3' }])
    expect(await linkage('/playlists/3/relationships/albums')).toEqual([
      { type: 'albums', id: '2', meta: { pivot: { note: 'first' } } },
    ])
  })
})
