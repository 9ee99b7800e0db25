import { belongsTo, belongsToMany, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import { memoryData } from 'ashlar/memory'
import { sqlData } from 'ashlar/sql'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { emptyDatabases } from '../../support/empty-databases.js'

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

function musicResources() {
  const [artistTable, albumTable] = [table(artists), table(albums)]
  return [
    defineResource('artists', { model: artistTable, id: id(), relations: { albums: hasMany('albums') } }),
    defineResource('albums', {
      model: albumTable,
      id: id(),
      attributes: (a) => ({ title: a.string().sortable(), released: a.dateTime().nullable().sortable() }),
      relations: { artist: belongsTo('artists'), playlists: belongsToMany('playlists') },
      pagination: cursorPage(),
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
}

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

  test('resolves foreign keys only when they are needed, so that tables may refer to later ones', () => {
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
        "table() of 'ashlar/drizzle' expects a table created by pgTable() or sqliteTable().",
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
      "uses the column 'titel', which the model 'albums' does not have",
    )
  })
})

describe('Relations between Drizzle tables', () => {
  test('over join rows use columns of the join table', () => {
    // @ts-expect-error -- no such column of the join rows
    const misspelt = belongsToMany('albums').through(table(entries), { owner: 'lst' })
    expect(misspelt).toBeDefined()
    expect(belongsToMany('albums').through(table(entries), { owner: 'list' })).toBeDefined()
  })

  test('are found from foreign keys, join rows included', async () => {
    const data = memoryData({
      artists: [{ id: 1, name: 'Low' }],
      albums: [{ id: 2, title: 'Hey What', released: null, performer: 1 }],
      playlists: [{ id: 3 }],
      entries: [{ list: 3, album: 2, note: 'first' }],
    })
    const server = createServer({ resources: musicResources(), data })
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

describe('A server over Drizzle tables', () => {
  const tables = `
    create table artists (id integer primary key, name text not null);
    create table albums (id integer primary key, album_title text not null, released_at integer, performer integer references artists);
    create table playlists (id integer primary key);
    create table entries (playlist_id integer references playlists, album_id integer references albums, note text,
      primary key (playlist_id, album_id));
    insert into artists values (1, 'Low');
    insert into albums values (1, 'Hey What', 1631232000, 1), (2, 'Double Negative', 1536883200, 1), (3, 'Lost', null, null);
    insert into playlists values (1);
    insert into entries values (1, 2, 'first');`

  test.each(emptyDatabases)('finds its tables, columns and join rows on %s', async (engine, open) => {
    const testDatabase = await open()
    const identity = engine === 'PostgreSQL' ? 'generated by default as identity' : ''
    await testDatabase.run(tables.replaceAll('integer primary', `integer ${identity} primary`))
    try {
      const server = createServer({ resources: musicResources(), data: sqlData(testDatabase.database) })
      await server.ready()
      const get = async (path: string): Promise<unknown> =>
        ((await (await server.fetch(new Request(`http://music.example${path}`))).json()) as { readonly data: unknown })
          .data
      expect(await get('/artists/1/relationships/albums?sort=-title')).toEqual([
        { type: 'albums', id: '1' },
        { type: 'albums', id: '2' },
      ])
      expect(await get('/playlists/1/relationships/albums')).toEqual([
        { type: 'albums', id: '2', meta: { pivot: { note: 'first' } } },
      ])
      expect(await get('/albums/2/relationships/playlists')).toEqual([{ type: 'playlists', id: '1' }])
      expect(await titlesByCursor(server)).toEqual(['Double Negative', 'Hey What', 'Lost'])
    } finally {
      await testDatabase.end()
    }
  })
})

/** All titles in the order of release, a page each. */
async function titlesByCursor(server: {
  readonly fetch: (request: Request) => Promise<Response>
}): Promise<readonly string[]> {
  const titles: string[] = []
  let next: string | undefined = 'http://music.example/albums?sort=released&page[size]=1'
  while (next !== undefined && titles.length < 9) {
    const page = (await (await server.fetch(new Request(next))).json()) as {
      readonly data: readonly { readonly attributes: { readonly title: string } }[]
      readonly links: { readonly next?: string }
    }
    titles.push(...page.data.map(({ attributes }) => attributes.title))
    next = page.links.next
  }
  return titles
}
