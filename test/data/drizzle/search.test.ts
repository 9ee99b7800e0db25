import { type AnyResource, belongsTo, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import { searchIndex, sqlData } from 'ashlar/sql'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { databases, type Engine } from '../sql/write/open-databases.js'

/** The names of the columns are not those of the rows. */
const tablesOf = {
  sqlite() {
    const artists = lite.sqliteTable('artists', {
      id: lite.integer('id').primaryKey(),
      name: lite.text('full_name').notNull(),
    })
    const albums = lite.sqliteTable('albums', {
      id: lite.integer('id').primaryKey(),
      title: lite.text('album_title').notNull(),
      notes: lite.text('liner_notes'),
      artistId: lite.integer('artist_id').references(() => artists.id),
    })
    return { artists, albums }
  },
  postgres() {
    const artists = pg.pgTable('artists', { id: pg.integer('id').primaryKey(), name: pg.text('full_name').notNull() })
    const albums = pg.pgTable('albums', {
      id: pg.integer('id').primaryKey(),
      title: pg.varchar('album_title', { length: 200 }).notNull(),
      notes: pg.text('liner_notes'),
      artistId: pg.integer('artist_id').references(() => artists.id),
    })
    return { artists, albums }
  },
}

type SqliteTables = ReturnType<typeof tablesOf.sqlite>

const statements = [
  'create table artists (id integer primary key not null, full_name text not null)',
  'create table albums (id integer primary key not null, album_title text not null, liner_notes text, artist_id integer references artists)',
  "insert into artists values (1, 'Radiohead'), (2, 'Björk')",
  `insert into albums values (1, 'OK Computer', null, 1), (2, 'Kid A', 'After OK Computer', 1), (3, 'Début', 'a kid', 2)`,
]

function resourcesOf(engine: Engine): readonly AnyResource[] {
  // The declarations are the same for both, so the compiler needs to know only one kind of tables.
  const tables = engine === 'sqlite' ? tablesOf.sqlite() : (tablesOf.postgres() as unknown as SqliteTables)
  const { artists, albums } = tables
  return [
    defineResource('artists', {
      model: table(artists),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: { albums: hasMany('albums') },
      filters: (f) => ({ album: f.hasMatching('albums', { where: (_, of) => of.search('title', 'notes') }) }),
    }),
    defineResource('albums', {
      model: table(albums),
      id: id(),
      attributes: (a) => ({ title: a.string().sortable(), notes: a.string().nullable() }),
      relations: { artist: belongsTo('artists').nullable() },
      filters: (f) => ({ q: f.search({ title: 4, notes: 1 }) }),
      sorts: (s) => ({ relevance: s.relevance('q') }),
      pagination: cursorPage({ size: 1 }),
    }),
  ]
}

const open = databases()

describe.each<[Engine, string, boolean]>([
  ['sqlite', 'without an index', false],
  ['sqlite', 'with an index', true],
  ['postgres', 'without an index', false],
  ['postgres', 'with an index', true],
])('Searches of a Drizzle table on %s %s', (engine, _title, isIndexed) => {
  const opened = open(engine, [
    ...statements,
    ...(isIndexed ? searchIndex(engine, 'albums', ['album_title', 'liner_notes']) : []),
  ])

  test('find words in columns with other names, the best matches first', async () => {
    const { database, options } = await opened
    const server = createServer({ resources: resourcesOf(engine), data: sqlData(database, options), access: 'open' })
    const api = client(server)
    const idsOf = async (path: string) => (await api.get(path)).resources.map((resource) => resource.id)
    expect(await idsOf('/albums?filter[q]=computer&sort=-relevance&page[size]=5')).toEqual(['1', '2'])
    expect(await idsOf('/albums?filter[q]=kid&sort=-relevance&page[size]=5')).toEqual(['2', '3'])
    expect(await idsOf('/albums?filter[q]=debut -computer&page[size]=5')).toEqual(['3'])
    const first = await api.get('/albums?filter[q]=kid&sort=-relevance')
    const next = new URL(String(first.document?.links?.['next']))
    expect([first.resources[0]?.id, ...(await idsOf(next.pathname + next.search))]).toEqual(['2', '3'])
    expect(await idsOf('/artists?filter[album]=kid -after')).toEqual(['2'])
  })
})
