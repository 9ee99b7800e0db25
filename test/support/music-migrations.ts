import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely, Migration, SqliteDatabase, SqliteStatement } from 'kysely'
import { Kysely as Database, Migrator, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Pool } from 'pg'

/** The databases that tests hand to `sqlData()`. */
export type MusicDatabase = Pool | DatabaseSyncInstance

type Schema = Kysely<unknown>

/** The music catalogue in tables of both engines, as an author would write them with Kysely. */
const migrations = (isPostgres: boolean): Readonly<Record<string, Migration>> => {
  const table = (db: Schema, name: string) =>
    isPostgres
      ? db.schema
          .createTable(name)
          .addColumn('id', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity())
      : db.schema.createTable(name).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
  const truth = isPostgres ? 'boolean' : 'integer'
  return {
    '1_catalogue': {
      async up(db: Schema) {
        await table(db, 'artists')
          .addColumn('name', 'text', (column) => column.notNull())
          .addColumn('country', 'text')
          .execute()
        await table(db, 'albums')
          .addColumn('title', 'text', (column) => column.notNull())
          .addColumn('year', 'integer')
          .addColumn('artist_id', 'integer', (column) => column.references('artists.id'))
          .execute()
        await table(db, 'tracks')
          .addColumn('title', 'text', (column) => column.notNull())
          .addColumn('seconds', 'integer', (column) => column.notNull())
          .addColumn('rating', 'integer')
          .addColumn('plays', 'integer', (column) => column.notNull().defaultTo(0))
          .addColumn('album_id', 'integer', (column) => column.references('albums.id'))
          .execute()
      },
    },
    '2_playlists': {
      async up(db: Schema) {
        await table(db, 'playlists')
          .addColumn('title', 'text', (column) => column.notNull())
          .addColumn('public', truth, (column) => column.notNull().defaultTo(isPostgres ? true : 1))
          .addColumn('dedicated_to_id', 'integer')
          .addColumn('dedicated_to_type', 'text')
          .execute()
        await db.schema
          .createTable('playlist_tracks')
          .addColumn('playlist_id', 'integer', (column) =>
            column.notNull().references('playlists.id').onDelete('cascade'),
          )
          .addColumn('track_id', 'integer', (column) => column.notNull().references('tracks.id'))
          .addColumn('position', 'integer')
          .addColumn('weight', 'integer')
          .addPrimaryKeyConstraint('playlist_tracks_pair', ['playlist_id', 'track_id'])
          .execute()
      },
    },
    '3_indexes': {
      async up(db: Schema) {
        const index = (on: string, ...columns: readonly string[]) =>
          sql`create index on_${sql.raw(`${on}_${columns.join('_').replaceAll(/\W+/g, '_')}`)} on ${sql.table(on)} (${sql.raw(columns.join(', '))})`.execute(
            db,
          )
        // Text goes by code points on every store: an index that serves its order says so.
        const text = (name: string): string => (isPostgres ? `${name} collate "C"` : name)
        await index('albums', 'artist_id', 'id')
        await index('tracks', 'album_id', 'id')
        await index('tracks', 'seconds', 'id')
        await index('tracks', 'seconds desc', 'id')
        await index('tracks', 'rating', 'id')
        await index('tracks', text('title'), 'id')
        await index('tracks', 'album_id', 'seconds', 'id')
        await index('playlist_tracks', 'track_id')
      },
    },
  }
}

/** Makes the tables in an empty database. */
export async function migrateMusic(database: MusicDatabase): Promise<void> {
  const isPostgres = database instanceof Pool
  const dialect = isPostgres
    ? new PostgresDialect({ pool: database })
    : new SqliteDialect({ database: asTold(database) })
  const db = new Database<unknown>({ dialect })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(isPostgres) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('The tables cannot be made.', { cause: error })
}

/** Kysely asks statements whether they read; this library's do not say. */
function asTold(database: DatabaseSyncInstance): SqliteDatabase {
  return {
    close: () => undefined,
    prepare(text) {
      const statement = database.prepare(text)
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...(values as never[])),
        run: (values) => statement.run(...(values as never[])),
        iterate: (values) => statement.iterate(...(values as never[])) as IterableIterator<unknown>,
      } satisfies SqliteStatement
    },
  }
}

/**
 * Fills the tables: ten tracks for each album, ten albums for each artist, every fourth rating unknown. One text serves both
 * engines.
 */
export async function fillMusic(run: (sql: string) => Promise<unknown>, tracks: number): Promise<void> {
  const rows = (count: number): string =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
  const [albums, artists] = [Math.ceil(tracks / 10), Math.ceil(tracks / 100)]
  await run(
    `insert into artists (name, country) ${rows(artists)} select 'Artist ' || i, case when i % 3 > 0 then 'is' end from n`,
  )
  await run(
    `insert into albums (title, year, artist_id) ${rows(albums)} select 'Album ' || i, case when i % 5 > 0 then 1960 + i % 60 end, 1 + (i - 1) / 10 from n`,
  )
  await run(
    `insert into tracks (title, seconds, rating, plays, album_id) ${rows(tracks)} select 'Track ' || ((i * 7) % 100003) || ' of ' || i, 60 + (i * 37) % 1009, case when i % 4 > 0 then (i * 13) % 101 end, (i * 31) % 65521, 1 + (i - 1) / 10 from n`,
  )
}
